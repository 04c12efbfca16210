//! Setup of a position: any arrangement that can be written down, and the checks that turn it into
//! a legal [`Position`].

use super::movegen::MAX_MOVES;
use super::pieces::Pieces;
use super::{Position, attacks};
use crate::types::{
    Bitboard, CastlingMode, CastlingRights, CastlingSide, Color, File, Piece, PieceKind, Rank,
    Square,
};
use std::fmt;

/// An arrangement of pieces with the other fields of a FEN, legal or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, by [`Square::index`].
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Color,
    /// The squares of the rooks that may castle, as claimed.
    pub castling: Bitboard,
    /// The square that a pawn passed over with the last move, as claimed.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next move.
    pub fullmove_number: u32,
}

/// Severity of a [`Defect`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The position cannot arise in a game but can be played.
    Suspicious,
    /// A field contradicts the board. The position can be played once the field is corrected.
    Repairable,
    /// The position cannot be played.
    Fatal,
}

/// Declares each defect in one line: severity, name for programs, sentence for people.
macro_rules! defects {
    ($($variant:ident, $severity:ident, $name:literal, $sentence:literal;)+) => {
        index_enum! {
            /// A reason why a setup is not a position that can arise in a game.
            #[non_exhaustive]
            pub enum Defect { $(#[doc = $sentence] $variant),+ }
        }

        impl Defect {
            /// How bad the defect is.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity),+ }
            }

            /// A stable name for programs, such as `no_white_king`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl fmt::Display for Defect {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $sentence),+ })
            }
        }
    };
}

defects! {
    // ANCHOR: defects
    Empty, Fatal, "empty", "the board is empty";
    NoWhiteKing, Fatal, "no_white_king", "White has no king";
    NoBlackKing, Fatal, "no_black_king", "Black has no king";
    TooManyKings, Fatal, "too_many_kings", "a side has more than one king";
    PawnsOnBackRank, Fatal, "pawns_on_backrank", "a pawn stands on the first or last rank";
    OppositeCheck, Fatal, "opposite_check", "the side not to move is in check";
    TooManyMoves, Fatal, "too_many_moves", "a side may have more moves than the move list holds";
    BadCastlingRights, Repairable, "bad_castling_rights", "a castling right lacks its king or rook";
    InvalidEnPassant, Repairable, "invalid_ep_square", "no pawn can just have passed over the en passant square";
    EnPassantClock, Repairable, "ep_clock", "the halfmove clock is not 0 after a pawn's double step";
    ClockOverflow, Repairable, "clock_overflow", "a move counter is too large";
    FullmoveZero, Repairable, "fullmove_zero", "move numbers start at 1, not 0";
    // ANCHOR_END: defects
    TooManyWhitePawns, Suspicious, "too_many_white_pawns", "White has more than 8 pawns";
    TooManyBlackPawns, Suspicious, "too_many_black_pawns", "Black has more than 8 pawns";
    TooManyWhitePieces, Suspicious, "too_many_white_pieces", "White has more than 16 pieces";
    TooManyBlackPieces, Suspicious, "too_many_black_pieces", "Black has more than 16 pieces";
    TooManyWhitePromotions, Suspicious, "too_many_white_promotions", "White has more promoted pieces than missing pawns";
    TooManyBlackPromotions, Suspicious, "too_many_black_promotions", "Black has more promoted pieces than missing pawns";
    ImpossibleCheck, Suspicious, "impossible_check", "no legal move can have given this check";
    ClockBeyondGame, Suspicious, "halfmove_clock_beyond_game", "the halfmove clock exceeds the number of half-moves played";
}

/// A set of [`Defect`]s.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Defects(u32);

const _: () = assert!(Defect::COUNT <= 32);

impl Defects {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Adds `defect` if `condition` holds.
    fn insert_if(&mut self, defect: Defect, condition: bool) {
        self.0 |= u32::from(condition) << defect.index();
    }

    /// Whether the set contains `defect`.
    #[must_use]
    pub const fn contains(self, defect: Defect) -> bool {
        self.0 >> defect.index() & 1 != 0
    }

    /// Whether the set is empty: then no check has found a reason why the setup cannot arise in a
    /// game.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The defects, most severe first.
    pub fn iter(self) -> impl Iterator<Item = Defect> {
        Defect::ALL
            .into_iter()
            .filter(move |&defect| self.contains(defect))
    }

    /// The severity of the worst defect.
    pub fn severity(self) -> Option<Severity> {
        self.iter().map(Defect::severity).max()
    }
}

impl FromIterator<Defect> for Defects {
    fn from_iter<I: IntoIterator<Item = Defect>>(defects: I) -> Self {
        let mut set = Self::NONE;
        for defect in defects {
            set.insert_if(defect, true);
        }
        set
    }
}

impl fmt::Debug for Defects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The sentences, joined by semicolons.
impl fmt::Display for Defects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, defect) in self.iter().enumerate() {
            write!(f, "{}{defect}", if index == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// A setup that can be played, with its defects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Validated {
    /// The position after repairs.
    pub position: Position,
    /// The castling mode by whose rules the castling rights were checked.
    pub mode: CastlingMode,
    /// The defects that were tolerated or repaired; none is fatal.
    pub defects: Defects,
}

impl Validated {
    /// The defects that were repaired.
    pub fn repairs(&self) -> Defects {
        let is_repaired = |defect: &Defect| defect.severity() == Severity::Repairable;
        self.defects.iter().filter(is_repaired).collect()
    }

    /// A remark on what was repaired, if anything was.
    ///
    /// ```
    /// use tabiya::board::Position;
    /// let read = Position::from_fen_repaired("4k3/8/8/8/8/8/8/4K3 w K - 0 1", None).unwrap();
    /// let remark = "the position was repaired: a castling right lacks its king or rook";
    /// assert_eq!(read.repair_remark().unwrap(), remark);
    /// ```
    pub fn repair_remark(&self) -> Option<String> {
        let repairs = self.repairs();
        (!repairs.is_empty()).then(|| format!("the position was repaired: {repairs}"))
    }
}

/// A setup that cannot be played, or not without repairs, with all its defects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetupError(pub Defects);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal position: {}", self.0)
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Self = Self {
        board: [None; Square::COUNT],
        side_to_move: Color::White,
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// The squares of the pieces of one colour and kind.
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        let piece = Some(Piece::new(color, kind));
        Square::ALL
            .into_iter()
            .filter(|square| self.board[square.index()] == piece)
            .collect()
    }

    /// Checks the setup and returns the position with all its defects.
    ///
    /// Castling rights without king or rook in place, impossible en passant squares and bad
    /// counters are reported, and dropped or corrected. `mode` decides where king and rook must
    /// stand for a castling right.
    ///
    /// # Errors
    /// If a defect is fatal; the error holds all defects.
    ///
    /// ```
    /// use tabiya::board::{Defect, Setup, Severity};
    /// use tabiya::types::CastlingMode;
    /// let setup: Setup = "4k3/8/8/8/8/8/8/4K3 w K - 0 1".parse().unwrap();
    /// let validated = setup.validate(CastlingMode::Standard).unwrap();
    /// assert!(validated.defects.contains(Defect::BadCastlingRights));
    /// assert_eq!(validated.defects.severity(), Some(Severity::Repairable));
    /// assert_eq!(validated.position.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    /// ```
    pub fn validate(&self, mode: CastlingMode) -> Result<Validated, SetupError> {
        let mut defects = Defects::NONE;
        self.count_pieces(&mut defects);
        let repaired = self.repair(mode, &mut defects);
        let has_both_kings = !defects.contains(Defect::NoWhiteKing)
            && !defects.contains(Defect::NoBlackKing)
            && !defects.contains(Defect::TooManyKings);
        if !has_both_kings {
            return Err(SetupError(defects));
        }

        // ANCHOR: validate
        let position = repaired.build();
        let us = position.side_to_move;
        let attackers = position.attackers_of(us, position.king(!us), position.occupied());
        defects.insert_if(Defect::OppositeCheck, attackers.any());
        defects.insert_if(
            Defect::ImpossibleCheck,
            check_is_impossible(&position, repaired.en_passant),
        );
        if defects.severity() == Some(Severity::Fatal) {
            Err(SetupError(defects))
        } else {
            Ok(Validated {
                position,
                mode,
                defects,
            })
        }
        // ANCHOR_END: validate
    }

    /// The castling mode that keeps most of these rights: Chess960 if one of them is possible only
    /// there.
    ///
    /// This is for rights that a program wrote, and which are therefore real. A FEN often has
    /// rights that were lost long ago, so its letters count; see
    /// [`Position::from_fen_repaired`](Position::from_fen_repaired).
    pub fn castling_mode(&self) -> CastlingMode {
        let [standard, chess960] = [CastlingMode::Standard, CastlingMode::Chess960]
            .map(|mode| self.possible_rights(self.castling, mode));
        CastlingMode::from_chess960(standard != chess960)
    }

    fn count_pieces(&self, defects: &mut Defects) {
        let count = |color, kind| self.pieces(color, kind).len();
        defects.insert_if(Defect::Empty, self.board.iter().all(Option::is_none));
        defects.insert_if(
            Defect::NoWhiteKing,
            count(Color::White, PieceKind::King) == 0,
        );
        defects.insert_if(
            Defect::NoBlackKing,
            count(Color::Black, PieceKind::King) == 0,
        );
        let by_color = [
            (
                Color::White,
                Defect::TooManyWhitePawns,
                Defect::TooManyWhitePieces,
                Defect::TooManyWhitePromotions,
            ),
            (
                Color::Black,
                Defect::TooManyBlackPawns,
                Defect::TooManyBlackPieces,
                Defect::TooManyBlackPromotions,
            ),
        ];
        for (color, too_many_pawns, too_many_pieces, too_many_promotions) in by_color {
            let [pawns, knights, bishops, rooks, queens, kings] =
                PieceKind::ALL.map(|kind| count(color, kind));
            let pieces = pawns + knights + bishops + rooks + queens + kings;
            let light_bishops = (self.pieces(color, PieceKind::Bishop) & Bitboard::LIGHT).len();
            let promoted = knights.saturating_sub(2)
                + light_bishops.saturating_sub(1)
                + (bishops - light_bishops).saturating_sub(1)
                + rooks.saturating_sub(2)
                + queens.saturating_sub(1);
            defects.insert_if(Defect::TooManyKings, kings > 1);
            defects.insert_if(too_many_pawns, pawns > 8);
            defects.insert_if(too_many_pieces, pieces > 16);
            // With more than 16 pieces this defect would only repeat the one above.
            let missing_pawns = 8u32.saturating_sub(pawns);
            defects.insert_if(
                too_many_promotions,
                pieces <= 16 && promoted > missing_pawns,
            );
            // Upper bound: each piece on an empty board, each pawn as a queen.
            let most_moves = 8 * knights + 13 * bishops + 14 * rooks + 27 * (queens + pawns) + 10;
            defects.insert_if(Defect::TooManyMoves, most_moves as usize > MAX_MOVES);
        }
        let back_ranks = Bitboard::from(Rank::R1) | Rank::R8.into();
        let pawns =
            self.pieces(Color::White, PieceKind::Pawn) | self.pieces(Color::Black, PieceKind::Pawn);
        defects.insert_if(Defect::PawnsOnBackRank, pawns.intersects(back_ranks));
    }

    /// Returns the setup with the fields other than the board corrected.
    fn repair(&self, mode: CastlingMode, defects: &mut Defects) -> Self {
        let mut repaired = self.clone();

        repaired.castling = self.possible_rights(self.castling, mode);
        for color in Color::ALL {
            repaired.castling -= self.inner_claims(repaired.castling, color);
        }
        defects.insert_if(
            Defect::BadCastlingRights,
            repaired.castling != self.castling,
        );

        repaired.en_passant = self
            .en_passant
            .filter(|&target| self.pawn_has_passed(target));
        defects.insert_if(
            Defect::InvalidEnPassant,
            repaired.en_passant != self.en_passant,
        );

        let limit = u32::from(u16::MAX);
        defects.insert_if(
            Defect::ClockOverflow,
            self.halfmove_clock > limit || self.fullmove_number > limit,
        );
        if self.halfmove_clock > limit {
            repaired.halfmove_clock = 0;
        }
        defects.insert_if(Defect::FullmoveZero, self.fullmove_number == 0);
        if self.fullmove_number == 0 || self.fullmove_number > limit {
            repaired.fullmove_number = 1;
        }
        let plies = 2 * (repaired.fullmove_number - 1) + self.side_to_move.index() as u32;
        // Move number 1 often means that the clocks are unknown, so it proves nothing.
        defects.insert_if(
            Defect::ClockBeyondGame,
            repaired.halfmove_clock > plies && plies > 1,
        );
        if repaired.en_passant.is_some() && repaired.halfmove_clock != 0 {
            defects.insert_if(Defect::EnPassantClock, true);
            repaired.halfmove_clock = 0;
        }
        repaired
    }

    /// Those of the rooks whose castling right is possible by the rules of this mode.
    pub(super) fn possible_rights(&self, rooks: Bitboard, mode: CastlingMode) -> Bitboard {
        rooks
            .into_iter()
            .filter(|&rook| self.may_have_right(rook, mode))
            .collect()
    }

    /// Whether king and rook stand where this castling right requires.
    fn may_have_right(&self, rook: Square, mode: CastlingMode) -> bool {
        let color = match rook.rank() {
            Rank::R1 => Color::White,
            Rank::R8 => Color::Black,
            _ => return false,
        };
        let king = self.pieces(color, PieceKind::King) & rook.rank().into();
        let Some(king) = king.first() else {
            return false;
        };
        let in_place = match mode {
            CastlingMode::Chess960 => true,
            CastlingMode::Standard => {
                king.file() == File::E
                    && rook.file() == CastlingSide::of(king, rook).standard_rook_file()
            }
        };
        in_place && self.pieces(color, PieceKind::Rook).contains(rook)
    }

    /// The inner rooks where two rooks on one side of the king claim a right.
    fn inner_claims(&self, claims: Bitboard, color: Color) -> Bitboard {
        let Some(king) = self.pieces(color, PieceKind::King).first() else {
            return Bitboard::EMPTY;
        };
        let rank = claims & Rank::R1.relative_to(color).into();
        let (right, left): (Vec<_>, Vec<_>) = rank
            .into_iter()
            .partition(|&rook| CastlingSide::of(king, rook) == CastlingSide::KingSide);
        let inner_right = right.iter().rev().skip(1);
        let inner_left = left.iter().skip(1);
        inner_right.chain(inner_left).copied().collect()
    }

    /// Whether an enemy pawn may just have passed over this square with a double step.
    fn pawn_has_passed(&self, target: Square) -> bool {
        let them = !self.side_to_move;
        let forward = them.forward();
        let is_empty = |square: Square| self.board[square.index()].is_none();
        let pawn = Some(Piece::new(them, PieceKind::Pawn));
        match (target.offset(0, -forward), target.offset(0, forward)) {
            (Some(origin), Some(arrival)) => {
                target.rank() == Rank::R3.relative_to(them)
                    && is_empty(origin)
                    && is_empty(target)
                    && self.board[arrival.index()] == pawn
            }
            _ => false,
        }
    }

    /// Builds the position. The fields must agree with the board, and each side must have one king.
    fn build(&self) -> Position {
        let mut pieces = Pieces::EMPTY;
        for square in Square::ALL {
            if let Some(piece) = self.board[square.index()] {
                pieces.put(piece, square);
            }
        }
        let mut position = Position::assemble(
            pieces,
            self.side_to_move,
            CastlingRights::from_rooks(self.castling),
            self.en_passant,
        );
        position.halfmove_clock = self.halfmove_clock as u16;
        position.fullmove_number = self.fullmove_number as u16;
        position
    }
}

/// Whether no legal move can have given this check.
///
/// This covers three checkers, and two checkers on one line with the king. After a double step of a
/// pawn it covers two checkers, and a check by another piece that existed before the step.
fn check_is_impossible(position: &Position, passed: Option<Square>) -> bool {
    let king = position.king(position.side_to_move);
    let checkers = position.checkers;
    if let Some(target) = passed
        && checkers.any()
    {
        let them = !position.side_to_move;
        let arrival = Bitboard::from(target).forward(them);
        let origin = Bitboard::from(target).forward(!them);
        let before = (position.occupied() - arrival) | origin;
        let was_check = (position.attackers_of(them, king, before) - arrival).any();
        return checkers.has_many() || was_check;
    }
    let aligned = |(a, b)| attacks::line(a, b).contains(king);
    checkers.len() > 2
        || (checkers.len() == 2 && checkers.first().zip(checkers.last()).is_some_and(aligned))
}

impl Position {
    /// The start position of standard chess (FIDE 2.3).
    pub fn start() -> Self {
        const BACK_RANK: [PieceKind; 8] = {
            use PieceKind::{Bishop, King, Knight, Queen, Rook};
            [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]
        };
        let mut setup = Setup::EMPTY;
        for (file, kind) in File::ALL.into_iter().zip(BACK_RANK) {
            for color in Color::ALL {
                let mut put = |kind, rank: Rank| {
                    setup.board[Square::new(file, rank.relative_to(color)).index()] =
                        Some(Piece::new(color, kind));
                };
                put(kind, Rank::R1);
                put(PieceKind::Pawn, Rank::R2);
            }
        }
        setup.castling = [Square::A1, Square::H1, Square::A8, Square::H8]
            .into_iter()
            .collect();
        setup.build()
    }

    /// Converts the position into a setup.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: Square::ALL.map(|square| self.piece_at(square)),
            side_to_move: self.side_to_move(),
            castling: self.castling().rooks(),
            en_passant: self.en_passant(),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number(),
        }
    }
}

impl Default for Position {
    /// [`Position::start`].
    fn default() -> Self {
        Self::start()
    }
}
