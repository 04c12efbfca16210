//! The plan of the house, held: which room may use which, and a few rules of style that a compiler does not know.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each room of `src/` and the rooms it may use. A room stands below all that it uses, so there is no cycle.
const ROOMS: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("board", &["types"]),
    ("game", &["types", "board"]),
    ("eval", &["types", "board"]),
    ("tablebase", &["types", "board"]),
    ("book", &["types", "board", "game"]),
    ("search", &["types", "board", "eval", "tablebase"]),
    (
        "engine",
        &[
            "types",
            "board",
            "game",
            "eval",
            "tablebase",
            "book",
            "search",
        ],
    ),
    ("protocol", &["types", "board", "game", "engine"]),
    (
        "tools",
        &[
            "types",
            "board",
            "game",
            "eval",
            "tablebase",
            "book",
            "search",
            "engine",
        ],
    ),
    (
        "cli",
        &[
            "types",
            "board",
            "game",
            "eval",
            "tablebase",
            "book",
            "search",
            "engine",
            "protocol",
            "tools",
        ],
    ),
];

/// What `build.rs` may compile in: the vocabulary and what fills the tables.
const BUILD_MAY_INCLUDE: &[&str] = &[
    "src/types/mod.rs",
    "src/board/attacks/rays.rs",
    "src/board/attacks/magic.rs",
];

const LONGEST_SEARCH_FUNCTION: usize = 120;
const LONGEST_FILE: usize = 600;
const MAY_BE_UNSAFE: &[&str] = &["eval/simd", "search/tt"];
const MAY_PRINT: &[&str] = &["protocol", "tools", "cli", "main"];

/// One file of `src/`.
struct Source {
    /// Below `src/`, without `.rs` and `/mod`: the path of the module, `search/tt`.
    module: String,
    lines: usize,
    /// The text with comments, strings and characters blanked out.
    code: String,
}

impl Source {
    fn new(module: &str, text: &str) -> Self {
        Self {
            module: module.to_owned(),
            lines: text.lines().count(),
            code: blank(text),
        }
    }

    fn room(&self) -> &str {
        self.module.split('/').next().unwrap_or_default()
    }

    fn is_under(&self, modules: &[&str]) -> bool {
        modules.iter().any(|&module| {
            let rest = self.module.strip_prefix(module);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Everything wrong with this file, one sentence each.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut fault = |what: String| faults.push(format!("{}: {what}", self.module));
        // The library's front page and the program tie the rooms together.
        if !matches!(self.room(), "lib" | "main") {
            match ROOMS.iter().find(|(room, _)| *room == self.room()) {
                None => fault("no room of the plan".to_owned()),
                Some((_, allowed)) => {
                    for used in self.uses() {
                        if used != self.room() && !allowed.contains(&used.as_str()) {
                            fault(format!("may not use {used}"));
                        }
                    }
                }
            }
        }
        if self.lines > LONGEST_FILE {
            fault(format!("{} lines", self.lines));
        }
        if self.room() == "search" {
            for (name, lines) in self.functions() {
                if lines > LONGEST_SEARCH_FUNCTION {
                    fault(format!("fn {name} has {lines} lines"));
                }
            }
        }
        let words: BTreeSet<&str> = words(&self.code).map(|(_, word)| word).collect();
        if words.contains("unsafe") && !self.is_under(MAY_BE_UNSAFE) {
            fault("unsafe".to_owned());
        }
        for printer in ["print", "println", "eprint", "eprintln"] {
            if words.contains(printer)
                && self.code.contains(&format!("{printer}!"))
                && !self.is_under(MAY_PRINT)
            {
                fault(format!("{printer}!"));
            }
        }
        faults
    }

    /// The rooms that this file names, in paths from the crate's root: `crate::…`, `tabiya::…`, or `super::…` up to it.
    fn uses(&self) -> BTreeSet<String> {
        let depth = self.module.split('/').count();
        let mut found = BTreeSet::new();
        for (at, word) in words(&self.code) {
            let rest = self.code[at + word.len()..].trim_start();
            let from_root = match word {
                "crate" | "tabiya" => rest.strip_prefix("::"),
                "super" => {
                    // The first of a chain: count its links. A test module is one deeper, so more links reach as far.
                    let mut rest = rest;
                    let mut links = 1;
                    while let Some(next) = rest.strip_prefix("::").map(str::trim_start) {
                        let Some(after) = next.strip_prefix("super") else {
                            break;
                        };
                        rest = after.trim_start();
                        links += 1;
                    }
                    rest.strip_prefix("::").filter(|_| links >= depth)
                }
                _ => None,
            };
            let Some(path) = from_root else { continue };
            let names = heads(path);
            // `super::name` may be something of the module itself; from the root only rooms count.
            let is_room = |name: &String| ROOMS.iter().any(|(room, _)| room == name);
            found.extend(names.into_iter().filter(is_room));
        }
        found
    }

    /// The functions and how many lines they have, signature and braces included.
    fn functions(&self) -> Vec<(String, usize)> {
        let mut functions = Vec::new();
        for (at, word) in words(&self.code) {
            if word != "fn" {
                continue;
            }
            let rest = &self.code[at..];
            let Some((_, name)) = words(rest).nth(1) else {
                continue;
            };
            // A declaration ends at its semicolon; one inside `[T; N]` is within brackets.
            let mut brackets = 0;
            let mut braces = 0;
            let end = rest.char_indices().find_map(|(index, letter)| {
                match letter {
                    '[' | '(' => brackets += 1,
                    ']' | ')' => brackets -= 1,
                    '{' => braces += 1,
                    '}' => braces -= 1,
                    _ => {}
                }
                let ends = braces == 0 && brackets == 0 && matches!(letter, '}' | ';');
                ends.then_some(index)
            });
            let body = &rest[..end.unwrap_or(rest.len())];
            functions.push((name.to_owned(), body.matches('\n').count() + 1));
        }
        functions
    }
}

/// The names with which the paths in `a::b`, `{a::b, c::{d, e}}` begin.
fn heads(path: &str) -> Vec<String> {
    let path = path.trim_start();
    let Some(group) = path.strip_prefix('{') else {
        let head = words(path).next().filter(|(at, _)| *at == 0);
        return head.map(|(_, name)| name.to_owned()).into_iter().collect();
    };
    let mut depth = 0;
    let end = group.find(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth < 0
    });
    let group = &group[..end.unwrap_or(group.len())];
    let starts_a_path = |at: usize| {
        let before = group[..at].trim_end();
        let is_outermost = before.matches('{').count() == before.matches('}').count();
        is_outermost && (before.is_empty() || before.ends_with(','))
    };
    words(group)
        .filter(|&(at, _)| starts_a_path(at))
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The identifiers and keywords of a text with where they start.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(is_word)?;
        let start = at;
        let rest = &text[start..];
        at += rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        Some((start, &text[start..at]))
    })
}

/// Blanks out comments, strings and characters; lines stay lines.
fn blank(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut code = String::new();
    let mut at = 0;
    while at < letters.len() {
        let end = match letters[at..] {
            ['/', '/', ..] => line_end(&letters, at),
            ['/', '*', ..] => block_comment_end(&letters, at),
            ['r', '"' | '#', ..] if raw_string_hashes(&letters, at).is_some() => {
                raw_string_end(&letters, at)
            }
            ['"', ..] => quoted_end(&letters, at, '"'),
            // A character, not a lifetime.
            ['\'', '\\', ..] | ['\'', _, '\'', ..] => quoted_end(&letters, at, '\''),
            _ => {
                code.push(letters[at]);
                at += 1;
                continue;
            }
        };
        let blanked = letters[at..end].iter();
        code.extend(blanked.map(|&letter| if letter == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    code
}

fn line_end(letters: &[char], at: usize) -> usize {
    let length = letters[at..].iter().position(|&letter| letter == '\n');
    length.map_or(letters.len(), |length| at + length)
}

fn block_comment_end(letters: &[char], mut at: usize) -> usize {
    let mut depth = 0;
    while at < letters.len() {
        match letters[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at.min(letters.len())
}

/// How many `#` a raw string that starts here has; `None` if none starts here.
fn raw_string_hashes(letters: &[char], at: usize) -> Option<usize> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    if at > 0 && is_word(letters[at - 1]) {
        return None;
    }
    let hashes = letters[at + 1..]
        .iter()
        .take_while(|&&letter| letter == '#')
        .count();
    (letters.get(at + 1 + hashes) == Some(&'"')).then_some(hashes)
}

fn raw_string_end(letters: &[char], at: usize) -> usize {
    let hashes = raw_string_hashes(letters, at).unwrap_or(0);
    let end: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    let start = at + 2 + hashes;
    let length = letters[start..]
        .windows(end.len())
        .position(|window| window == end);
    length.map_or(letters.len(), |length| start + length + end.len())
}

fn quoted_end(letters: &[char], at: usize, quote: char) -> usize {
    let mut at = at + 1;
    while at < letters.len() && letters[at] != quote {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(letters.len())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("src/ can be read") {
        let path = entry.expect("src/ can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_file_keeps_to_the_plan() {
    let src = root().join("src");
    let files = rust_files(&src);
    assert!(files.len() > 20, "is this src/?");
    let mut faults = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let below = path.strip_prefix(&src).expect("it is below src/");
        let name = below
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        let module = name.strip_suffix("/mod").unwrap_or(&name);
        faults.extend(Source::new(module, &text).faults());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_plan_has_no_cycle() {
    for (index, (room, allowed)) in ROOMS.iter().enumerate() {
        let above: Vec<_> = ROOMS[..index].iter().map(|(room, _)| room).collect();
        for used in *allowed {
            assert!(
                above.contains(&used),
                "{room} uses {used}, which is not above it"
            );
        }
    }
}

#[test]
fn the_build_script_compiles_in_vocabulary_and_tables_only() {
    let text = fs::read_to_string(root().join("build.rs")).expect("build.rs can be read");
    let included: Vec<_> = text
        .split("#[path = \"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(!included.is_empty());
    for path in included {
        assert!(
            BUILD_MAY_INCLUDE.contains(&path),
            "build.rs includes {path}"
        );
    }
    assert!(!blank(&text).contains("include!"), "build.rs includes text");
}

/// The rules bite: each of these is a fault, and its harmless neighbour is not.
#[test]
fn faults_are_found() {
    let long = |lines: usize| format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2));
    let file = |lines: usize| "\n".repeat(lines);
    let (long_function, short_function) = (long(121), long(120));
    let (long_file, short_file) = (file(601), file(600));
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("board/setup", "use crate::game::Game;", &["board/setup: may not use game"]),
        ("board/setup", "use crate::types::Move; use super::Position; use crate::board::fen;", &[]),
        ("board/setup", "use crate::{types::Move, search::{tt, engine}};", &["board/setup: may not use search"]),
        ("board/setup", "use crate::{types::{search, Move}, board};", &[]),
        ("board/setup", "use crate :: { \n types , \n eval as e };", &["board/setup: may not use eval"]),
        ("board/setup", "use super::super::engine::Engine;", &["board/setup: may not use engine"]),
        ("board/setup", "use super::engine::Engine;", &[]), // a module of the room's own
        ("board", "use super::engine::Engine;", &["board: may not use engine"]),
        ("board/attacks/rays", "mod tests { use super::super::super::game; }", &["board/attacks/rays: may not use game"]),
        ("board/setup", "fn f(x: crate::eval::Score) {}", &["board/setup: may not use eval"]),
        ("board/setup", "fn f() { tabiya::eval::run(); }", &["board/setup: may not use eval"]),
        ("board/setup", "// use crate::eval;\n/* crate::eval /* */ crate::eval */ const A: &str = \"crate::eval\";", &[]),
        ("board/setup", "const A: &str = r#\"\" crate::eval\"#; const B: char = '\"'; use crate::eval;", &["board/setup: may not use eval"]),
        ("board/setup", "fn f<'a>(x: &'a str) -> &'a str { x } const Q: char = '\\''; use crate::eval;", &["board/setup: may not use eval"]),
        ("types/moves", "use crate::board::Position;", &["types/moves: may not use board"]),
        ("search/worker", "use crate::game::Game;", &["search/worker: may not use game"]),
        ("search/worker", "use crate::tablebase::Tablebase;", &[]),
        ("protocol/uci/parse", "use crate::search::Limits;", &["protocol/uci/parse: may not use search"]),
        ("tools/bench", "use crate::protocol;", &["tools/bench: may not use protocol"]),
        ("cli", "use crate::protocol;", &[]),
        ("attic/box", "", &["attic/box: no room of the plan"]),
        ("lib", "pub mod types; use crate::search;", &[]),
        ("search/negamax", &long_function, &["search/negamax: fn long has 121 lines"]),
        ("search/negamax", &short_function, &[]),
        ("game/play", &long_function, &[]),
        ("board/setup", &long_file, &["board/setup: 601 lines"]),
        ("board/setup", &short_file, &[]),
        ("board/setup", "fn f() { unsafe { g() } }", &["board/setup: unsafe"]),
        ("search/tt", "fn f() { unsafe { g() } }", &[]),
        ("eval/simd/avx2", "fn f() { unsafe { g() } }", &[]),
        ("search/ttl", "fn f() { unsafe { g() } }", &["search/ttl: unsafe"]),
        ("board/setup", "// unsafe\nfn f() { not_unsafe() }", &[]),
        ("search/worker", "fn f() { println!(\"x\") }", &["search/worker: println!"]),
        ("search/worker", "fn f() { eprint!(\"x\") }", &["search/worker: eprint!"]),
        ("protocol/uci", "fn f() { println!(\"x\") }", &[]),
        ("main", "fn f() { eprintln!(\"x\") }", &[]),
    ];
    for (module, text, expected) in table {
        assert_eq!(
            Source::new(module, text).faults(),
            *expected,
            "{module}: {text}"
        );
    }
}
