//! The layers, held: which top-level module may use which, and a few rules of style that a compiler does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each layer of `src/` and the layers it may use. A layer stands below all that it uses, so there is no cycle.
const LAYERS: &[(&str, &[&str])] = &[
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
    "src/board/cycle/cuckoo.rs",
];

const LONGEST_SEARCH_FUNCTION: usize = 100;
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

    fn layer(&self) -> &str {
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
        // The library's front page and the program tie the layers together.
        if !matches!(self.layer(), "lib" | "main") {
            match LAYERS.iter().find(|(layer, _)| *layer == self.layer()) {
                None => fault("no layer of the plan".to_owned()),
                Some((_, allowed)) => {
                    for used in self.uses() {
                        if used != self.layer() && !allowed.contains(&used.as_str()) {
                            fault(format!("may not use {used}"));
                        }
                    }
                }
            }
        }
        if self.lines > LONGEST_FILE {
            fault(format!("{} lines", self.lines));
        }
        if self.layer() == "search" {
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

    /// The layers that this file names, in paths from the crate's root: `crate::…`, `tabiya::…`, or `super::…` up to it.
    fn uses(&self) -> BTreeSet<String> {
        // `super::name` may be something of the module itself; from the root only layers count.
        let is_layer = |name: &String| LAYERS.iter().any(|(layer, _)| layer == name);
        let paths = paths_from_root(&self.module, &self.code);
        let heads = paths.into_iter().filter_map(|path| path.into_iter().next());
        heads.filter(is_layer).collect()
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

/// The paths of a module's code that begin with `crate`, `tabiya` or `super`, as names from the crate's root.
fn paths_from_root(module: &str, code: &str) -> Vec<Vec<String>> {
    let home: Vec<_> = module.split('/').map(str::to_owned).collect();
    let mut found = Vec::new();
    for (at, word) in words(code) {
        let rest = code[at + word.len()..].trim_start();
        let (base, rest) = match word {
            "crate" | "tabiya" => (&home[..0], rest),
            // The first of a chain: count its links. A test module is one deeper, so more links reach as far.
            "super" if !code[..at].trim_end().ends_with("super::") => {
                let (mut rest, mut links) = (rest, 1);
                while let Some(next) = rest.strip_prefix("::").map(str::trim_start) {
                    let Some(after) = next.strip_prefix("super") else {
                        break;
                    };
                    rest = after.trim_start();
                    links += 1;
                }
                (&home[..home.len().saturating_sub(links)], rest)
            }
            _ => continue,
        };
        if let Some(path) = rest.strip_prefix("::") {
            found.extend(spelled(path).into_iter().map(|tail| [base, &tail].concat()));
        }
    }
    found
}

/// The paths that `a::b` or `{a::b, c::{d, e}}` spells, each as its names.
fn spelled(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start();
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 0;
        let mut paths = Vec::new();
        let mut start = 0;
        for (at, letter) in group.char_indices() {
            if depth == 0 && matches!(letter, ',' | '}') {
                paths.extend(spelled(&group[start..at]));
                start = at + 1;
            }
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                _ => {}
            }
        }
        return paths;
    }
    let Some((_, name)) = words(text).next().filter(|(at, _)| *at == 0) else {
        return Vec::new();
    };
    let rest = text[name.len()..].trim_start().strip_prefix("::");
    let tails = rest.map_or(Vec::new(), spelled);
    if tails.is_empty() {
        return vec![vec![name.to_owned()]];
    }
    let whole = |tail: Vec<String>| [vec![name.to_owned()], tail].concat();
    tails.into_iter().map(whole).collect()
}

/// Which modules use which. A name is looked up where it is defined, not where it is passed on.
///
/// A module's file and those below it are one thing written in several places: what a file uses of those it belongs to
/// is no edge, what it uses of its own parts is. Tests are left out.
struct Modules<'a>(BTreeMap<&'a str, &'a str>);

impl Modules<'_> {
    fn new(files: &[Source]) -> Modules<'_> {
        let without_tests = |code| str::split(code, "#[cfg(test)]").next().unwrap_or_default();
        let modules = files.iter();
        Modules(
            modules
                .map(|file| (file.module.as_str(), without_tests(&file.code)))
                .collect(),
        )
    }

    /// The modules of its own layer that a module uses.
    fn used_by(&self, module: &str) -> BTreeSet<&str> {
        let layer = module.split('/').next();
        let code = self.0[module];
        let from_root = paths_from_root(module, code);
        let own_parts = self.part_paths(module, code);
        let defined = from_root.iter().chain(&own_parts);
        let mut used: BTreeSet<_> = defined.filter_map(|path| self.definer(path)).collect();
        used.retain(|&used| {
            let is_at_or_above = format!("{module}/").starts_with(&format!("{used}/"));
            used.split('/').next() == layer && !is_at_or_above
        });
        used
    }

    /// The paths in a module's code that begin with one of its own parts.
    fn part_paths(&self, module: &str, code: &str) -> Vec<Vec<String>> {
        let home: Vec<_> = module.split('/').map(str::to_owned).collect();
        let starts = words(code).filter(|&(at, word)| {
            let is_tail = code[..at].trim_end().ends_with("::");
            let is_part = self.0.contains_key(format!("{module}/{word}").as_str());
            is_part && !is_tail && code[at + word.len()..].trim_start().starts_with("::")
        });
        let tails = starts.flat_map(|(at, _)| spelled(&code[at..]));
        tails.map(|tail| [home.clone(), tail].concat()).collect()
    }

    /// The module that defines what a path names.
    fn definer(&self, path: &[String]) -> Option<&str> {
        let mut module = path.first()?.clone();
        for name in &path[1..] {
            let below = format!("{module}/{name}");
            if self.0.contains_key(below.as_str()) {
                module = below;
                continue;
            }
            let code = self.0.get(module.as_str())?;
            // Passed on from a part of the module?
            let passed_on = self.part_paths(&module, code);
            let source = passed_on.iter().find(|path| path.last() == Some(name));
            return source.map_or_else(|| self.name(&module), |path| self.definer(path));
        }
        self.name(&module)
    }

    fn name(&self, module: &str) -> Option<&str> {
        self.0.get_key_value(module).map(|(&name, _)| name)
    }

    /// A way from a module back to itself, if there is one.
    fn cycle(&self) -> Option<Vec<&str>> {
        let uses: BTreeMap<_, _> = self
            .0
            .keys()
            .map(|&name| (name, self.used_by(name)))
            .collect();
        // Whatever uses nothing that is left is in no cycle, and can go.
        let mut left: BTreeSet<&str> = uses.keys().copied().collect();
        while let Some(&leaf) = left.iter().find(|&&name| uses[name].is_disjoint(&left)) {
            left.remove(leaf);
        }
        let mut way = vec![*left.first()?];
        loop {
            let next = *uses[way[way.len() - 1]].intersection(&left).next()?;
            if let Some(start) = way.iter().position(|&name| name == next) {
                way.drain(..start);
                way.push(next);
                return Some(way);
            }
            way.push(next);
        }
    }
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

fn sources() -> Vec<Source> {
    let src = root().join("src");
    let files = rust_files(&src);
    assert!(files.len() > 20, "is this src/?");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let below = path.strip_prefix(&src).expect("it is below src/");
        let name = below
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        let module = name.strip_suffix("/mod").unwrap_or(&name);
        Source::new(module, &text)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_file_keeps_to_the_plan() {
    let faults: Vec<_> = sources().iter().flat_map(Source::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_modules_of_a_layer_use_each_other_in_a_circle() {
    let sources = sources();
    let modules = Modules::new(&sources);
    assert_eq!(modules.cycle(), None, "each uses the next");
}

/// Circles are found, and what only looks like one is not.
#[test]
fn circles_are_found() {
    type File = (&'static str, &'static str);
    #[rustfmt::skip]
    let table: &[(&[File], Option<&[&str]>)] = &[
        (&[("search/a", "use super::b::B;"), ("search/b", "use super::a::A;")], Some(&["search/a", "search/b", "search/a"])),
        (&[("search/a", "use super::b::B;"), ("search/b", "")], None),
        (&[("search/a", "use super::{b::B, c};"), ("search/b", ""), ("search/c", "fn f() { super::d::g() }"), ("search/d", "use crate::search::a;")],
            Some(&["search/a", "search/c", "search/d", "search/a"])),
        // Passed on by the layer's front page.
        (&[("search", "pub use a::A; pub use b::{B, C};"), ("search/a", "use super::C;"), ("search/b", "use super::A;")],
            Some(&["search/a", "search/b", "search/a"])),
        (&[("search", "pub use a::A; pub use b::{B, C};"), ("search/a", "use super::C;"), ("search/b", "use super::Own;")], None),
        // A part and what it is a part of.
        (&[("search", "use a::A;"), ("search/a", "use super::Own;")], None),
        // From outside through the whole into a part, and out again.
        (&[("search/a", "use super::b::B;"), ("search/b", "use c::C;"), ("search/b/c", "use super::super::a::A;")],
            Some(&["search/a", "search/b", "search/b/c", "search/a"])),
        (&[("search/a", "use super::b::B;"), ("search/b", "#[cfg(test)] mod tests { use crate::search::a; }")], None),
    ];
    for (files, expected) in table {
        let sources: Vec<_> = files
            .iter()
            .map(|(name, code)| Source::new(name, code))
            .collect();
        let modules = Modules::new(&sources);
        assert_eq!(modules.cycle().as_deref(), *expected, "{files:?}");
    }
}

#[test]
fn the_plan_has_no_cycle() {
    for (index, (layer, allowed)) in LAYERS.iter().enumerate() {
        let above: Vec<_> = LAYERS[..index].iter().map(|(layer, _)| layer).collect();
        for used in *allowed {
            assert!(
                above.contains(&used),
                "{layer} uses {used}, which is not above it"
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
    let (long_function, short_function) = (long(101), long(100));
    let (long_file, short_file) = (file(601), file(600));
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("board/setup", "use crate::game::Game;", &["board/setup: may not use game"]),
        ("board/setup", "use crate::types::Move; use super::Position; use crate::board::fen;", &[]),
        ("board/setup", "use crate::{types::Move, search::{tt, engine}};", &["board/setup: may not use search"]),
        ("board/setup", "use crate::{types::{search, Move}, board};", &[]),
        ("board/setup", "use crate :: { \n types , \n eval as e };", &["board/setup: may not use eval"]),
        ("board/setup", "use super::super::engine::Engine;", &["board/setup: may not use engine"]),
        ("board/setup", "use super::engine::Engine;", &[]), // a module of the layer's own
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
        ("attic/box", "", &["attic/box: no layer of the plan"]),
        ("lib", "pub mod types; use crate::search;", &[]),
        ("search/negamax", &long_function, &["search/negamax: fn long has 101 lines"]),
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
