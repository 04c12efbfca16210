//! Opening books: the keys in the description of the format, books built here, files that are not
//! books, and the engine playing from a book.

use crate::random_games::STARTS;
use crate::session::{TIMEOUT, answer_of};
use crate::shared;
use crate::temporary::Folder;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use tabiya::board::Position;
use tabiya::book::{self, Book, BookError, BookMove};
use tabiya::engine::{Engine, OptionError};
use tabiya::game::{Game, History, lan};
use tabiya::search::{Claims, Limits, What};
use tabiya::types::CastlingMode;

/// Moves from the start position, and the key after them.
const KEYS: [(&str, u64); 9] = [
    ("", 0x463b_9618_1691_fc9c),
    ("e2e4", 0x823c_9b50_fd11_4196),
    ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
    ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
    ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
    ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
    ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
    ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
    ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
];

/// The history of these moves.
fn history(start: Position, moves: &str) -> History {
    let mut history = History::new(start);
    for text in moves.split_whitespace() {
        let mv = lan::parse(history.position(), text).unwrap();
        history.play(mv).unwrap();
    }
    history
}

fn from_fen(fen: &str) -> History {
    History::new(Position::from_fen(fen).unwrap())
}

/// Encodes a move such as `e7e8q` in 16 bits; castling is king takes rook.
fn encode(text: &str) -> u16 {
    let bytes = text.as_bytes();
    let square = |at: usize| u16::from(bytes[at] - b'a') + 8 * u16::from(bytes[at + 1] - b'1');
    let promotion = bytes.get(4).map_or(0, |letter| match letter {
        b'n' => 1,
        b'b' => 2,
        b'r' => 3,
        _ => 4,
    });
    square(2) | square(0) << 6 | promotion << 12
}

/// The bytes of a sorted book; each entry is key, move and weight.
fn book_bytes(entries: &[(u64, u16, u16)]) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|entry| entry.0);
    let bytes = entries.iter().flat_map(|(key, mv, weight)| {
        [
            &key.to_be_bytes()[..],
            &mv.to_be_bytes(),
            &weight.to_be_bytes(),
            &[0; 4],
        ]
        .concat()
    });
    bytes.collect()
}

/// The bytes of a book with these moves of the start position and their weights.
pub(crate) fn start_book(moves: &[(&str, u16)]) -> Vec<u8> {
    let entry = |&(mv, weight)| (KEYS[0].1, encode(mv), weight);
    book_bytes(&moves.iter().map(entry).collect::<Vec<_>>())
}

/// The moves of a book as text.
fn texts(moves: &[BookMove]) -> Vec<(String, u16)> {
    let text = |book: &BookMove| (book.mv.to_string(), book.weight);
    moves.iter().map(text).collect()
}

#[test]
fn keys_match_the_format_description() {
    for (moves, key) in KEYS {
        assert_eq!(
            book::key(&history(Position::start(), moves)),
            key,
            "{moves}"
        );
    }
}

#[test]
fn en_passant_counts_next_to_any_enemy_pawn_even_a_pinned_one() {
    // The pawn on d4 may not capture: it shields its king on the rank.
    let pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
    let after = history(Position::from_fen(pinned).unwrap(), "e2e4");
    assert_eq!(after.position().en_passant(), None);
    let set_up = from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
    // The format's number for en passant on the e-file.
    let e_file = 0xcf31_45de_0add_4289;
    assert_eq!(book::key(&after) ^ book::key(&set_up), e_file);
}

#[test]
fn a_book_is_searched_to_both_ends() {
    let mut entries = Vec::new();
    let mut wanted = Vec::new();
    for (moves, key) in KEYS {
        let history = history(Position::start(), moves);
        let position = history.position();
        let mv = position.legal_moves()[0];
        entries.push((key, encode(&mv.to_string()), 7));
        wanted.push((history, mv.to_string()));
    }
    let folder = Folder::new("ends");
    let file = folder.write("book.bin", book_bytes(&entries));
    let book = Book::open(&file).unwrap();
    for (history, mv) in wanted {
        assert_eq!(texts(&book.moves(&history)), [(mv, 7)]);
    }
    assert!(book.moves(&history(Position::start(), "d2d4")).is_empty());
}

#[test]
fn threads_share_a_book() {
    let [first, last] = ["", "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3"].map(|moves| {
        let history = history(Position::start(), moves);
        let legal = history.position().legal_moves();
        let moves: Vec<_> = legal.iter().map(ToString::to_string).collect();
        (history, moves)
    });
    let entries = [&first, &last].into_iter().flat_map(|(history, moves)| {
        let key = book::key(history);
        moves.iter().map(move |mv| (key, encode(mv), 1))
    });
    let folder = Folder::new("shared-book");
    let file = folder.write("book.bin", book_bytes(&entries.collect::<Vec<_>>()));
    let book = Book::open(&file).unwrap();
    thread::scope(|scope| {
        for (history, moves) in [&first, &last].into_iter().cycle().take(4) {
            let book = &book;
            scope.spawn(move || {
                for _ in 0..1_000 {
                    let found = book.moves(history);
                    assert!(
                        found
                            .iter()
                            .map(|book| book.mv.to_string())
                            .eq(moves.clone())
                    );
                }
            });
        }
    });
}

#[test]
fn castling_and_promotions_are_decoded_and_illegal_moves_skipped() {
    let castling = from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let promotion = from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    let (a, b) = (book::key(&castling), book::key(&promotion));
    let entries = [
        (a, encode("e1h1"), 3),
        (a, encode("e1a1"), 2),
        // A missing piece, no move at all, an invalid promotion.
        (a, encode("b1c3"), 9),
        (a, 0, 9),
        (a, 0x7FFF, 9),
        (b, encode("a7a8q"), 4),
        (b, encode("a7a8n"), 1),
        (b, encode("a7a8"), 9),
    ];
    let folder = Folder::new("castling");
    let file = folder.write("book.bin", book_bytes(&entries));
    let book = Book::open(&file).unwrap();
    let pair = |text: &str, weight| (text.to_owned(), weight);
    assert_eq!(
        texts(&book.moves(&castling)),
        [pair("e1h1", 3), pair("e1a1", 2)]
    );
    assert_eq!(
        texts(&book.moves(&promotion)),
        [pair("a7a8q", 4), pair("a7a8n", 1)]
    );
}

/// Some programs write castling as the king's move, as in the book that cutechess comes with.
#[test]
fn castling_is_read_as_the_move_of_the_king_too() {
    let table = [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", Some("e1h1")),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", Some("e1a1")),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8g8", Some("e8h8")),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", Some("e8a8")),
        ("4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1", "f1c1", Some("f1b1")),
        // The right, the way or the king is missing.
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", None),
        ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "e1g1", None),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", None),
        // The move of another piece, and a step of the king.
        ("3k4/8/8/8/8/8/8/4R2K w - - 0 1", "e1g1", Some("e1g1")),
        ("4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1", "f1e1", Some("f1e1")),
    ];
    let folder = Folder::new("castling-king");
    for (fen, written, expected) in table {
        let history = from_fen(fen);
        let bytes = book_bytes(&[(book::key(&history), encode(written), 1)]);
        let book = Book::open(&folder.write("book.bin", bytes)).unwrap();
        let expected: Vec<_> = expected
            .map(|text| (text.to_owned(), 1))
            .into_iter()
            .collect();
        assert_eq!(texts(&book.moves(&history)), expected, "{fen} {written}");
    }
}

#[test]
fn random_moves_follow_the_weights_and_the_best_has_the_highest() {
    let start = History::new(Position::start());
    let key = book::key(&start);
    let entries = [
        (key, encode("e2e4"), 30),
        (key, encode("d2d4"), 60),
        (key, encode("a2a3"), 0),
        (key, encode("c2c4"), 10),
    ];
    let folder = Folder::new("lots");
    let file = folder.write("book.bin", book_bytes(&entries));
    let moves = Book::open(&file).unwrap().moves(&start);
    assert_eq!(book::best(&moves).unwrap().to_string(), "d2d4");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut drawn = [0_i32; 4];
    for _ in 0..10_000 {
        let mv = book::choose_weighted(&moves, &mut random).unwrap();
        drawn[moves.iter().position(|book| book.mv == mv).unwrap()] += 1;
    }
    // Within five standard deviations.
    for (count, expected) in drawn.into_iter().zip([3000, 6000, 0, 1000]) {
        assert!((count - expected).abs() < 250, "{drawn:?}");
    }
    assert_eq!(drawn[2], 0);
    let unwanted = [BookMove {
        weight: 0,
        ..moves[0]
    }];
    assert_eq!(book::best(&unwanted), None);
    assert_eq!(book::choose_weighted(&unwanted, &mut random), None);
}

#[test]
fn damaged_files_are_refused_or_yield_no_moves() {
    let start = History::new(Position::start());
    let key = book::key(&start).to_be_bytes();
    // Equal keys with an illegal move; sorted keys with random moves.
    let alike: Vec<_> = (0..50_000)
        .flat_map(|_| [&key[..], &[0xFF; 8]].concat())
        .collect();
    let noise = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let in_order: Vec<_> = (0..1000_u64)
        .flat_map(|n| [(n << 54).to_be_bytes(), noise(n).to_be_bytes()].concat())
        .collect();
    for (name, bytes) in [("alike", alike), ("in-order", in_order)] {
        let folder = Folder::new(name);
        let file = folder.write("book.bin", bytes);
        let book = Book::open(&file).unwrap();
        assert!(book.moves(&start).is_empty(), "{name}");
        // Truncate the file while it is open.
        fs::write(&file, [1]).unwrap();
        assert!(book.moves(&start).is_empty(), "{name}, truncated");
    }
    // A book in reverse order; random bytes; a text.
    let backwards: Vec<_> = (0..1000_u64)
        .rev()
        .flat_map(|n| u128::from(n).rotate_left(118).to_be_bytes())
        .collect();
    let all_noise: Vec<_> = (0..2_000).flat_map(|n| noise(n).to_be_bytes()).collect();
    let text = b"Sixteen letters, and other ones.".repeat(40);
    for (name, bytes) in [
        ("backwards", backwards),
        ("noise", all_noise),
        ("text", text),
    ] {
        let folder = Folder::new(name);
        let file = folder.write("book.bin", bytes);
        assert!(
            matches!(Book::open(&file), Err(BookError::Unsorted(..))),
            "{name}"
        );
    }
    for bytes in [&[][..], &[0; 15], &[0; 17]] {
        let folder = Folder::new("size");
        let file = folder.write("book.bin", bytes);
        let error = Book::open(&file).unwrap_err();
        let is_empty = fs::metadata(&file).unwrap().len() == 0;
        assert_eq!(matches!(error, BookError::Empty(_)), is_empty);
        assert!(is_empty || matches!(error, BookError::NotABook(..)));
    }
    let folder = Folder::new("no_book").path("");
    for path in [&folder, Path::new("/no/such/book.bin")] {
        assert!(matches!(Book::open(path), Err(BookError::Unreadable(..))));
    }
}

/// The move that the engine plays, and the nodes it searched.
fn answer(engine: &mut Engine, game: &Game, limits: Limits) -> (String, u64) {
    let answer = answer_of(engine, game, limits);
    (answer.best.unwrap().to_string(), answer.nodes)
}

#[test]
fn the_engine_plays_from_its_book_in_games_only() {
    let start = Position::start();
    let reply = history(start, "a2a3");
    let entries = [
        (KEYS[0].1, encode("a2a3"), 1),
        (book::key(&reply), encode("h7h6"), 1),
        (book::key(&reply), encode("g7g6"), 5),
    ];
    let folder = Folder::new("engine");
    let file = folder.write("book.bin", book_bytes(&entries));
    let mut engine = Engine::new().unwrap();
    let mut game = Game::new(start, CastlingMode::Standard);
    let set = |engine: &mut Engine, name, value: &str| engine.set_option(name, value).unwrap();
    set(&mut engine, "BookFile", file.to_str().unwrap());
    assert_eq!(texts(&engine.book_moves(&game)), [("a2a3".to_owned(), 1)]);
    assert_ne!(
        answer(&mut engine, &game, Limits::depth(1)).1,
        0,
        "OwnBook is off"
    );
    set(&mut engine, "OwnBook", "true");
    assert_eq!(
        answer(&mut engine, &game, Limits::depth(1)),
        ("a2a3".to_owned(), 0)
    );

    // Limits such as `searchmoves` and `mate` always start a search.
    let mv = lan::parse(&start, "b2b3").unwrap();
    let chosen = Limits {
        searchmoves: vec![mv],
        ..Limits::depth(1)
    };
    assert_eq!(answer(&mut engine, &game, chosen).0, "b2b3");
    let mate = Limits {
        mate: Some(1),
        ..Limits::depth(1)
    };
    assert_ne!(answer(&mut engine, &game, mate).1, 0);
    for limits in [
        Limits::infinite(),
        Limits {
            ponder: true,
            ..Limits::depth(1)
        },
    ] {
        engine.go(&game, limits, Claims::Players);
        let quiet = engine.events().recv_timeout(TIMEOUT).unwrap();
        assert!(matches!(quiet.what, What::Line(_)), "{quiet:?}");
        engine.abandon();
    }

    // `BookDepth` counts the moves of the game. The best move is not random.
    game.replay(lan::parse(&start, "a2a3").unwrap()).unwrap();
    set(&mut engine, "Best Book Move", "true");
    for _ in 0..20 {
        assert_eq!(
            answer(&mut engine, &game, Limits::depth(1)),
            ("g7g6".to_owned(), 0)
        );
    }
    set(&mut engine, "Book Depth", "0");
    assert_ne!(answer(&mut engine, &game, Limits::depth(1)).1, 0);

    // A bad file is refused and the old book stays. An empty name removes the book.
    let refused = engine.set_option("BookFile", "/no/such/book.bin");
    assert!(matches!(refused, Err(OptionError::Refused(_))));
    assert_eq!(engine.book_moves(&game).len(), 2);
    set(&mut engine, "BookFile", "<empty>");
    assert!(engine.book_moves(&game).is_empty());
}

/// Reads lines of a FEN and moves, and writes the key of each position along them.
const JUDGE: &str = "
import sys, chess, chess.polyglot
for line in sys.stdin:
    fen, _, moves = line.strip().partition('|')
    board = chess.Board(fen)
    keys = [chess.polyglot.zobrist_hash(board)]
    for move in moves.split():
        board.push_uci(move)
        keys.append(chess.polyglot.zobrist_hash(board))
    print(' '.join('%016x' % key for key in keys))
";

#[test]
fn keys_agree_with_python_chess() {
    let has_chess = Command::new("python3")
        .args(["-c", "import chess.polyglot"])
        .stderr(Stdio::null())
        .status();
    if !has_chess.is_ok_and(|status| status.success()) {
        return shared::skipped("there is no python-chess");
    }
    let mut random = ChaCha8Rng::seed_from_u64(781);
    let (mut input, mut ours) = (String::new(), Vec::new());
    for &(fen, mode) in STARTS
        .iter()
        .filter(|(_, mode)| *mode == CastlingMode::Standard)
    {
        for _ in 0..20 {
            let start = from_fen(fen);
            let mut history = start.clone();
            let mut keys = vec![book::key(&history)];
            let mut moves = Vec::new();
            while moves.len() < 80 {
                let legal = history.position().legal_moves();
                let Some(&mv) = rand::seq::IndexedRandom::choose(&legal[..], &mut random) else {
                    break;
                };
                moves.push(lan::write(mv, mode));
                history.play(mv).unwrap();
                keys.push(book::key(&history));
            }
            input += &format!("{}|{}\n", start.position(), moves.join(" "));
            ours.push(
                keys.iter()
                    .map(|key| format!("{key:016x}"))
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        }
    }
    let mut judge = Command::new("python3")
        .args(["-c", JUDGE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = judge.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = judge.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let theirs = String::from_utf8(output.stdout).unwrap();
    let theirs: Vec<_> = theirs.lines().collect();
    assert_eq!(ours.len(), theirs.len());
    for (index, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        assert_eq!(ours, theirs, "game {index}");
    }
}
