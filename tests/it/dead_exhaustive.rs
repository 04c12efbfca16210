//! Which player can still win, compared with exhaustive searches that know only the legal moves:
//! small material solved backwards, and the graphs of mutated test positions.

#![allow(clippy::print_stdout)] // Totals, shown with --nocapture.

use crate::dead::{can_win, position, suite};
use crate::random_games::RandomPlayer;
use std::collections::{HashSet, VecDeque};
use std::env;
use std::time::{Duration, Instant};
use tabiya::board::{Position, Setup};
use tabiya::game::dead::{analyse, quick};
use tabiya::types::{CastlingMode, Color, Key, Piece, PieceKind, Square};

/// The piece of each player in addition to the king; White's is not the weaker one.
type Material = [Option<PieceKind>; 2];

/// All positions of one material. Colours are exchanged and the board is mirrored, so that fewer
/// positions are kept.
struct Table {
    material: Material,
    /// [`LEGAL`], and a bit for each player who can win.
    flags: Vec<u8>,
}

const LEGAL: u8 = 1;
const fn wins(color: Color) -> u8 {
    2 << color.index()
}

/// The solved tables.
#[derive(Default)]
struct Solved(Vec<Table>);

impl Table {
    const SIZE: usize = 2 << 24;

    fn has_pawn(&self) -> bool {
        self.material.contains(&Some(PieceKind::Pawn))
    }

    /// The position with this number; `None` if it is illegal or another position represents it.
    fn position(&self, number: usize) -> Option<Position> {
        let square = |place: u32| Square::from_index(number >> (6 * place) & 63);
        let (white, black, ours, theirs) = (square(0)?, square(1)?, square(2)?, square(3)?);
        // The white king stands in one half of the board, or in one eighth without pawns.
        let (file, rank) = (white.file().index(), white.rank().index());
        if file > 3 || !self.has_pawn() && (rank > 3 || rank > file) {
            return None;
        }
        let mut setup = Setup::EMPTY;
        let mut put = |square: Square, color, kind| {
            let place = &mut setup.board[square.index()];
            let is_free = place.is_none();
            *place = Some(Piece::new(color, kind));
            is_free
        };
        let mut is_legal =
            put(white, Color::White, PieceKind::King) && put(black, Color::Black, PieceKind::King);
        for (color, square) in Color::ALL.into_iter().zip([ours, theirs]) {
            is_legal &= match self.material[color.index()] {
                Some(kind) => put(square, color, kind),
                None => square == Square::A1,
            };
        }
        setup.side_to_move = match number >> 24 {
            0 => Color::White,
            _ => Color::Black,
        };
        if !is_legal {
            return None;
        }
        let validated = setup.validate(CastlingMode::Standard).ok()?;
        Some(validated.position)
    }

    /// The number of the position that represents this one.
    fn number(&self, position: &Position) -> usize {
        let king = position.king(Color::White);
        let mut flip: u8 = if king.file().index() > 3 { 7 } else { 0 };
        let mut transposes = false;
        if !self.has_pawn() {
            flip ^= if king.rank().index() > 3 { 56 } else { 0 };
            let mirrored_square = king as u8 ^ flip;
            transposes = mirrored_square >> 3 > mirrored_square & 7;
        }
        let place = |square: Option<Square>| {
            let mirrored_square = square.map_or(0, |square| square as u8 ^ flip);
            let transposed = mirrored_square >> 3 | (mirrored_square & 7) << 3;
            usize::from(if transposes && square.is_some() {
                transposed
            } else {
                mirrored_square
            })
        };
        let piece = |color| {
            let others = position.color(color) - position.kind(PieceKind::King);
            place(others.first())
        };
        place(Some(king))
            | place(Some(position.king(Color::Black))) << 6
            | piece(Color::White) << 12
            | piece(Color::Black) << 18
            | position.side_to_move().index() << 24
    }
}

impl Solved {
    /// The players who can win, as in [`wins`]. The material must be solved, or be the one that is
    /// being solved.
    fn lookup(&self, position: &Position) -> u8 {
        let kind = |color| {
            let others = position.color(color) - position.kind(PieceKind::King);
            others
                .first()
                .and_then(|square| position.piece_at(square))
                .map(Piece::kind)
        };
        let material = [kind(Color::White), kind(Color::Black)];
        if material[0] < material[1] {
            let flags = self.lookup(&mirrored(position));
            let [white, black] = Color::ALL.map(|color| flags & wins(!color) != 0);
            let [white, black] = [u8::from(white), u8::from(black)];
            return (white * wins(Color::White)) | (black * wins(Color::Black));
        }
        if position.en_passant().is_some() {
            let moves = position.legal_moves();
            let next = moves
                .into_iter()
                .map(|mv| self.lookup(&position.play_unchecked(mv)));
            return next.fold(0, |flags, other| flags | other);
        }
        let table = self.0.iter().find(|table| table.material == material);
        let table = table.expect("less material is solved before more");
        table.flags[table.number(position)] & !LEGAL
    }

    /// Solves a material: backwards from the mates, until nothing changes.
    fn solve(&mut self, material: Material) {
        let mut table = Table {
            material,
            flags: vec![0; Table::SIZE],
        };
        for number in 0..Table::SIZE {
            if let Some(position) = table.position(number)
                && table.number(&position) == number
            {
                table.flags[number] = LEGAL;
            }
        }
        self.0.push(table);
        // A bare king cannot win, so this is known.
        let mut all = LEGAL;
        for color in Color::ALL {
            if material[color.index()].is_some() {
                all |= wins(color);
            }
        }
        for sweep in 0.. {
            let mut has_changed = false;
            for place in 0..Table::SIZE {
                let number = if sweep % 2 == 0 {
                    place
                } else {
                    Table::SIZE - 1 - place
                };
                let table = &self.0[self.0.len() - 1];
                let before = table.flags[number];
                if before == 0 || before == all {
                    continue;
                }
                let position = table.position(number).expect("it is legal");
                let moves = position.legal_moves();
                let mut after = before;
                if moves.is_empty() && position.in_check() {
                    after |= wins(!position.side_to_move());
                }
                for mv in moves {
                    if after == all {
                        break;
                    }
                    after |= self.lookup(&position.play_unchecked(mv));
                }
                has_changed |= after != before;
                let last = self.0.len() - 1;
                self.0[last].flags[number] = after;
            }
            if !has_changed {
                break;
            }
        }
    }

    /// Compares every `step`th position of the last solved material. Returns the number of
    /// comparisons, and of players who cannot win.
    fn compare(&self, step: usize) -> (usize, usize) {
        let table = self.0.last().expect("one was solved");
        let (mut asked, mut unwinnable) = (0, 0);
        let all = table.flags.iter().enumerate();
        for (number, &flags) in all.filter(|(_, flags)| **flags != 0).step_by(step) {
            let position = table.position(number).expect("it is legal");
            asked += 1;
            for color in Color::ALL {
                let expected = flags & wins(color) != 0;
                unwinnable += usize::from(!expected);
                let answer = can_win(&position, color, 1_000_000);
                assert_eq!(answer, Some(expected), "{position} {color:?}");
            }
        }
        (asked, unwinnable)
    }
}

/// The position with the colours exchanged.
fn mirrored(position: &Position) -> Position {
    let mut setup = Setup::EMPTY;
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("it is occupied");
        let target = Square::new(square.file(), square.rank().relative_to(Color::Black));
        setup.board[target.index()] = Some(Piece::new(!piece.color(), piece.kind()));
    }
    setup.side_to_move = !position.side_to_move();
    let flipped =
        |square: Square| Square::new(square.file(), square.rank().relative_to(Color::Black));
    setup.en_passant = position.en_passant().map(flipped);
    let validated = setup.validate(CastlingMode::Standard);
    validated.expect("it is as legal as before").position
}

/// Every king and piece against king, solved exactly; a sample of the positions is compared.
#[test]
fn three_pieces_are_decided_as_in_the_solution() {
    let mut solved = Solved::default();
    for material in materials().filter(|material| material[1].is_none()) {
        solved.solve(material);
        let (asked, _) = solved.compare(97);
        assert!(asked > 0, "{material:?}");
    }
}

/// As above, with one piece for each side. `TABIYA_DEAD_STEP=1` compares all positions.
#[test]
#[ignore = "takes twenty minutes"]
fn four_pieces_are_decided_as_in_the_solution() {
    let step = number("TABIYA_DEAD_STEP", 101);
    let mut solved = Solved::default();
    for material in materials() {
        let start = Instant::now();
        solved.solve(material);
        let (asked, unwinnable) = solved.compare(step);
        println!(
            "{material:?}: {asked} positions asked about, {unwinnable} answers unwinnable, {:.0?}",
            start.elapsed()
        );
    }
}

/// All materials with at most one piece for each side, ordered so that captures and promotions lead
/// to an earlier one.
fn materials() -> impl Iterator<Item = Material> {
    let kinds = [
        None,
        Some(PieceKind::Knight),
        Some(PieceKind::Bishop),
        Some(PieceKind::Rook),
        Some(PieceKind::Queen),
        Some(PieceKind::Pawn),
    ];
    let pairs = kinds.into_iter().flat_map(move |first| {
        let no_stronger = move |second: &Option<PieceKind>| *second <= first;
        kinds
            .into_iter()
            .filter(no_stronger)
            .map(move |second| [first, second])
    });
    let mut materials: Vec<Material> = pairs.collect();
    let count = |material: &Material, kind| material.iter().filter(|&&other| other == kind).count();
    materials.sort_by_key(|material| {
        (
            count(material, Some(PieceKind::Pawn)),
            2 - count(material, None),
        )
    });
    materials.into_iter()
}

fn number(name: &str, default: usize) -> usize {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The result of an exhaustive search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exhaustion {
    /// All reachable positions were searched, or both players can win.
    Complete { can_win: [bool; 2] },
    /// The limit was reached. Only a `true` is certain.
    Partial { can_win: [bool; 2] },
}

/// Searches all reachable positions, at most `most`.
fn exhaust(start: &Position, most: usize) -> Exhaustion {
    let mut seen: HashSet<Key> = HashSet::from([start.key()]);
    let mut queue = VecDeque::from([*start]);
    let mut can_win = [false; 2];
    while let Some(position) = queue.pop_front() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.in_check() {
            can_win[(!position.side_to_move()).index()] = true;
        }
        for mv in moves {
            let next = position.play_unchecked(mv);
            if can_win == [true; 2] {
                return Exhaustion::Complete { can_win };
            }
            if seen.len() > most {
                return Exhaustion::Partial { can_win };
            }
            if seen.insert(next.key()) {
                queue.push_back(next);
            }
        }
    }
    Exhaustion::Complete { can_win }
}

/// Random small positions with blocked and free pawns: each decision matches an exhaustive search.
#[test]
fn small_positions_are_decided_as_by_exhaustion() {
    const WANTED: usize = 30;
    const MOST: usize = 4_000;
    let mut random = RandomPlayer::new(77);
    let (mut compared, mut unwinnable) = (0, 0);
    while compared < WANTED {
        let Some(position) = random_blocked(&mut random) else {
            continue;
        };
        let Exhaustion::Complete { can_win: expected } = exhaust(&position, MOST) else {
            continue;
        };
        compared += 1;
        for color in Color::ALL {
            let expected = expected[color.index()];
            unwinnable += usize::from(!expected);
            assert_eq!(
                can_win(&position, color, 1_000_000),
                Some(expected),
                "{position} {color:?}"
            );
        }
    }
    assert!(unwinnable > WANTED / 2, "{unwinnable}");
}

/// Kings, pawns that block each other on some files, and sometimes a bishop.
fn random_blocked(random: &mut RandomPlayer) -> Option<Position> {
    let mut board = [['.'; 8]; 8];
    for file in [0, 1, 2, 3, 4, 5, 6, 7] {
        let rank = 1 + random.below(5);
        if random.below(3) > 0 {
            board[rank][file] = 'P';
            board[rank + 1][file] = 'p';
        }
    }
    for piece in ['K', 'k', 'B', 'b'] {
        if piece.eq_ignore_ascii_case(&'b') && random.below(2) == 0 {
            continue;
        }
        let (rank, file) = (random.below(8), random.below(8));
        if board[rank][file] != '.' {
            return None;
        }
        board[rank][file] = piece;
    }
    let rows: Vec<String> = board.iter().rev().map(|row| row.iter().collect()).collect();
    let mut placement = rows.join("/");
    for empty in (1..=8).rev() {
        placement = placement.replace(&".".repeat(empty), &empty.to_string());
    }
    let side = if random.below(2) == 0 { 'w' } else { 'b' };
    let setup: Setup = format!("{placement} {side} - - 0 1").parse().ok()?;
    let validated = setup.validate(CastlingMode::Standard).ok()?;
    validated.defects.is_empty().then_some(validated.position)
}

/// Slightly changed test positions: those called unwinnable are searched exhaustively, where that
/// is possible.
///
/// `TABIYA_DEAD_SECONDS` sets the duration, `TABIYA_DEAD_SEED` the random seed, and
/// `TABIYA_DEAD_POSITIONS` the maximum size of a graph. Nineteen of twenty graphs get a twentieth
/// of that.
#[test]
#[ignore = "takes TABIYA_DEAD_SECONDS"]
fn mutated_vectors_are_decided_as_by_exhaustion() {
    let time = Duration::from_secs(number("TABIYA_DEAD_SECONDS", 60) as u64);
    let seed = number("TABIYA_DEAD_SEED", 1);
    let most = number("TABIYA_DEAD_POSITIONS", 2_000_000);
    let Some(text) = suite("cha_test-vector.txt") else {
        return;
    };
    let seeds: Vec<Position> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(position(line.split_once(' ')?.1.trim())))
        .collect();
    let mut random = RandomPlayer::new(seed as u64);
    let mut counts = Counts::default();
    let start = Instant::now();
    let mut said = start;
    println!("seed {seed}, {time:?}, graphs of {most} positions at most");
    while start.elapsed() < time {
        let Some(position) = mutated(&seeds[random.below(seeds.len())], &mut random) else {
            continue;
        };
        counts.positions += 1;
        // Large graphs take seconds.
        let most = if random.below(20) == 0 {
            most
        } else {
            most / 20
        };
        check(&position, most, &mut counts);
        if said.elapsed() > Duration::from_secs(60) {
            said = Instant::now();
            println!("{:.0?}: {counts:?}", start.elapsed());
        }
    }
    println!("{:.0?}: {counts:?}", start.elapsed());
    assert!(counts.confirmed > 0);
}

/// Counts of the fuzz test, in questions; each position has two.
#[derive(Debug, Default)]
struct Counts {
    positions: u64,
    winnable: u64,
    unwinnable: u64,
    unknown: u64,
    /// Unwinnable, and no mate among all reachable positions.
    confirmed: u64,
    /// Unwinnable, and no mate among the positions searched before the limit.
    not_exhausted: u64,
    /// Unwinnable according to the quick variant.
    quick: u64,
}

fn check(position: &Position, most: usize, counts: &mut Counts) {
    let answers = Color::ALL.map(|color| can_win(position, color, 20_000));
    let is_quick = Color::ALL.map(|color| quick(position, color).is_unwinnable());
    let claims = |color: Color| answers[color.index()] == Some(false) || is_quick[color.index()];
    for color in Color::ALL {
        match answers[color.index()] {
            Some(true) => counts.winnable += 1,
            Some(false) => counts.unwinnable += 1,
            None => counts.unknown += 1,
        }
        counts.quick += u64::from(is_quick[color.index()]);
    }
    if !Color::ALL.into_iter().any(claims) {
        return;
    }
    let found = exhaust(position, most);
    for color in Color::ALL.into_iter().filter(|&color| claims(color)) {
        let (is_complete, can_win) = match found {
            Exhaustion::Complete { can_win } => (true, can_win),
            Exhaustion::Partial { can_win } => (false, can_win),
        };
        assert!(!can_win[color.index()], "{position} {color:?}");
        if is_complete {
            counts.confirmed += 1;
        } else {
            counts.not_exhausted += 1;
        }
    }
}

/// The position after up to four random changes; `None` if it cannot be played.
fn mutated(position: &Position, random: &mut RandomPlayer) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    for square in position.occupied() {
        setup.board[square.index()] = position.piece_at(square);
    }
    setup.side_to_move = position.side_to_move();
    for _ in 0..=random.below(4) {
        let pieces: Vec<usize> = (0..64)
            .filter(|&square| setup.board[square].is_some())
            .collect();
        let from = pieces[random.below(pieces.len())];
        let to = random.below(64);
        let piece = setup.board[from]?;
        let is_king = piece.kind() == PieceKind::King;
        match random.below(6) {
            0 | 1 if setup.board[to].is_none() => setup.board.swap(from, to),
            2 if !is_king => setup.board[from] = None,
            3 if setup.board[to].is_none() && !is_king => setup.board[to] = Some(piece),
            4 if !is_king => {
                let kind = PieceKind::ALL[random.below(5)];
                setup.board[from] = Some(Piece::new(piece.color(), kind));
            }
            5 => setup.side_to_move = !setup.side_to_move,
            _ => {}
        }
    }
    let validated = setup.validate(CastlingMode::Standard).ok()?;
    Some(validated.position)
}

/// Random play from positions with few pieces never leads from unwinnable to winnable, nor to a
/// mate that was called impossible.
#[test]
fn random_play_agrees_with_the_verdicts() {
    random_play(40);
}

/// As above, from ten thousand positions.
#[test]
#[ignore = "takes minutes"]
fn random_play_from_ten_thousand_positions_agrees_with_the_verdicts() {
    random_play(10_000);
}

fn random_play(games: usize) {
    let mut random = RandomPlayer::new(5);
    let mut played = 0;
    while played < games {
        let Some(start) = few_pieces(&mut random) else {
            continue;
        };
        played += 1;
        let mut position = start;
        let mut was_unwinnable = [false; 2];
        for _ in 0..60 {
            for color in Color::ALL {
                let answer = analyse(&position, color, 20_000);
                let is_unwinnable = answer.is_unwinnable();
                if was_unwinnable[color.index()] {
                    assert_ne!(
                        can_win(&position, color, 20_000),
                        Some(true),
                        "{position}, from {start}"
                    );
                }
                was_unwinnable[color.index()] |= is_unwinnable;
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                let mates = position.in_check();
                assert!(
                    !(mates && was_unwinnable[(!position.side_to_move()).index()]),
                    "{position}, from {start}"
                );
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

/// Kings and up to three pieces on random squares.
fn few_pieces(random: &mut RandomPlayer) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    for color in Color::ALL {
        setup.board[random.below(64)] = Some(Piece::new(color, PieceKind::King));
    }
    for _ in 0..=random.below(3) {
        let color = Color::ALL[random.below(2)];
        setup.board[random.below(64)] = Some(Piece::new(color, PieceKind::ALL[random.below(5)]));
    }
    setup.side_to_move = Color::ALL[random.below(2)];
    let validated = setup.validate(CastlingMode::Standard).ok()?;
    Some(validated.position)
}
