//! Network files: any file is refused or evaluates every position.
//!
//! The input is a header line and patches of the built-in network: an offset of four bytes and a
//! value of two. With no header, the header of the built-in network stays. After a zero byte in
//! front, the rest of the input is the whole file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya::board::Position;
use tabiya::eval::{self, Network};

static FILE: &[u8] = include_bytes!("../../assets/tabiya.net");

/// The file that an input stands for.
fn file(data: &[u8]) -> Vec<u8> {
    if let Some((0, whole)) = data.split_first() {
        return whole.to_vec();
    }
    let is_end = |&byte: &u8| byte == b'\n';
    let (own_header, body) = FILE.split_at(FILE.iter().position(is_end).expect("a header"));
    let (header, patches) = data.split_at(data.iter().position(is_end).unwrap_or(0));
    let patches = patches.strip_prefix(b"\n").unwrap_or(patches);
    let header = if header.is_empty() {
        own_header
    } else {
        header
    };
    let mut file = [header, body].concat();
    for &[a, b, c, d, low, high] in patches.as_chunks().0 {
        let length = body.len() as u32 - 2;
        let offset = header.len() + (u32::from_le_bytes([a, b, c, d]) % length) as usize;
        file[offset] = low;
        file[offset + 1] = high;
    }
    file
}

fuzz_target!(|data: &[u8]| {
    let Ok(network) = Network::from_bytes(&file(data)) else {
        return;
    };
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 20",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect("a FEN");
        let score = eval::evaluate(&network, &position);
        assert!(score.0.abs() < 32_000, "{fen}: {score:?}");
    }
});
