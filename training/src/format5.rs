//! Networks of format 5, for `tabiya-train widen`.
//!
//! That format had four states of an attacked piece: whether it was defended, and whether a less
//! valuable piece attacked it. The present states follow from these, so that a network with the
//! weights of the old state for each of the new ones evaluates alike. It had no motifs.

use serde_json::{Value, json};
use tabiya::eval::{Header, MOTIF_INPUTS, PIECE_FEATURES, PieceStates, STATE_FEATURES};
use tabiya::types::PieceKind;

const FORMAT: &str = "tabiya network 5";
/// Number of states.
const STATES: usize = 4;

/// The file in the present format; `None` if it is not one of format 5, or not whole.
pub(crate) fn converted(bytes: &[u8]) -> Option<Vec<u8>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let mut header: Value = serde_json::from_slice(&bytes[..end]).ok()?;
    if header["format"] != FORMAT {
        return None;
    }
    let size = |name| usize::try_from(header[name].as_u64()?).ok();
    let (features, hidden) = (size("features")?, size("hidden")?);
    let inputs = bytes[end + 1..].get(..features.checked_mul(hidden)?)?;
    let states = inputs.get(..STATES * PIECE_FEATURES * hidden)?;
    let rest = &bytes[end + 1 + states.len()..];

    let added = STATE_FEATURES.checked_sub(STATES * PIECE_FEATURES)?;
    header["format"] = json!(Header::FORMAT);
    header["features"] = json!(features.checked_add(added)?);
    let mut file = serde_json::to_vec(&header).ok()?;
    file.push(b'\n');
    // The weights of one kind of piece in one state: of both colours on all squares.
    let block = PIECE_FEATURES / PieceKind::COUNT * hidden;
    for state in 0..PieceStates::COUNT {
        for kind in PieceKind::ALL {
            if let Some(old) = old_state(kind, state) {
                let begin = (old * PieceKind::COUNT + kind.index()) * block;
                file.extend(&states[begin..][..block]);
            }
        }
    }
    file.extend(std::iter::repeat_n(0, MOTIF_INPUTS.len() * hidden));
    file.extend(rest);
    Some(file)
}

/// The old state of a piece of this kind in a present one; a king has none.
fn old_state(kind: PieceKind, state: usize) -> Option<usize> {
    // Pawn, minor piece, rook, or queen and king.
    let attacker = state / 3;
    let is_defended = !state.is_multiple_of(3);
    let is_less_valuable = match kind {
        PieceKind::King => return None,
        PieceKind::Pawn => false,
        PieceKind::Knight | PieceKind::Bishop => attacker < 1,
        PieceKind::Rook => attacker < 2,
        PieceKind::Queen => attacker < 3,
    };
    Some(usize::from(is_defended) + 2 * usize::from(is_less_valuable))
}
