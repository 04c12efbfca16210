//! The layers: which top-level module may use which, and that no modules of a layer use each other
//! in a circle. Cargo and clippy hold everything else.
//!
//! The test reads `src/` line by line. It knows the paths that begin with `crate`, `tabiya` or
//! `super`, and refuses the one form that it cannot read, `crate::{`. Within a layer it does not
//! see through what a module exports from another.

use crate::sources::{root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Each layer of `src/` and the layers it may use. Only earlier layers are used, so the plan has no
/// cycle.
const LAYERS: &[(&str, &str)] = &[
    ("types", ""),
    ("files", ""),
    ("board", "types"),
    ("game", "types board"),
    ("eval", "files types board"),
    ("tablebase", "files types board"),
    ("book", "files types board game"),
    ("search", "types board eval tablebase"),
    (
        "engine",
        "files types board game eval tablebase book search",
    ),
    ("review", "types board game engine"),
    ("protocol", "files types board game book search engine"),
    (
        "tools",
        "files types board game eval tablebase book search engine review",
    ),
    (
        "cli",
        "files types board game eval tablebase book search engine review protocol tools",
    ),
];

/// What `build.rs` may compile in: the vocabulary and what fills the tables.
const BUILD_MAY_INCLUDE: &[&str] = &[
    "src/types/mod.rs",
    "src/board/attacks/rays.rs",
    "src/board/attacks/magic.rs",
    "src/board/cycle/cuckoo.rs",
];

const MAY_BE_UNSAFE: &[&str] = &["eval/simd", "search/memory", "search/tt"];
const MAX_FILE_LINES: usize = 600;

/// Every error of a file, one sentence each. `module` is its path below `src/`: `search/tt`.
fn errors(module: &str, text: &str) -> Vec<String> {
    let layer = module.split('/').next().unwrap_or_default();
    let mut errors = Vec::new();
    let mut error = |what: String| errors.push(format!("{module}: {what}"));
    let is_unsafe = text.contains("allow(unsafe_code)");
    let may_be_unsafe = |of: &&str| format!("{module}/").starts_with(&format!("{of}/"));
    if is_unsafe && !MAY_BE_UNSAFE.iter().any(may_be_unsafe) {
        error("unsafe".to_owned());
    }
    let lines = text.lines().count();
    if lines > MAX_FILE_LINES {
        error(format!("{lines} lines"));
    }
    // The front page of the library and the program connect the layers.
    if matches!(layer, "lib" | "main") {
        return errors;
    }
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
        error("unknown layer".to_owned());
        return errors;
    };
    let depth = module.split('/').count();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    for used in code.flat_map(|line| names_in_root(line, depth)) {
        let is_layer = LAYERS.iter().any(|(name, _)| *name == used);
        if used == "{" {
            error("a path may not begin with crate::{".to_owned());
        } else if is_layer && used != layer && !allowed.split(' ').any(|name| name == used) {
            error(format!("may not use {used}"));
        }
    }
    errors
}

/// The names that a line takes from the root of the crate, in a module this deep: the words after
/// `crate::`, `tabiya::`, or as many `super::` as lead to the root. `{` stands for a list of names.
fn names_in_root(line: &str, depth: usize) -> Vec<&str> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut names = Vec::new();
    for root in [
        "crate::".to_owned(),
        "tabiya::".to_owned(),
        "super::".repeat(depth),
    ] {
        for (at, _) in line.match_indices(&root) {
            if line[..at].ends_with(is_letter) {
                continue;
            }
            let rest = line[at + root.len()..].trim_start_matches("super::");
            let end = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
            names.push(if rest.starts_with('{') {
                "{"
            } else {
                &rest[..end]
            });
        }
    }
    names
}

/// The paths of a use tree: `a::b` and `a::c` in `a::{b, c}`.
fn paths(tree: &str) -> Vec<String> {
    let Some((prefix, list)) = tree.split_once('{') else {
        return vec![tree.split_whitespace().collect()];
    };
    let list = &list[..list.rfind('}').unwrap_or(list.len())];
    let mut depth = 0;
    let ends_path = |letter: char| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    };
    let parts = list.split(ends_path);
    parts
        .flat_map(|part| paths(&format!("{prefix}{part}")))
        .collect()
}

/// The paths in a file that begin with `crate` or `super`, outside its tests.
fn paths_in(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let is_path = |letter: char| letter.is_ascii_alphanumeric() || "_:".contains(letter);
    let mut found = Vec::new();
    for statement in code.split(';') {
        match statement.rsplit_once("use ") {
            Some((_, tree)) if tree.starts_with("crate::") || tree.starts_with("super::") => {
                found.extend(paths(tree));
            }
            _ => found.extend(
                statement
                    .split(|letter| !is_path(letter))
                    .filter(|path| path.starts_with("crate::") || path.starts_with("super::"))
                    .map(str::to_owned),
            ),
        }
    }
    found
}

/// The modules of a folder that use each other in a circle, or lie between such circles. `files`
/// has the path of each file below `src/`, such as `search/tt`, and its text.
fn circles(files: &[(String, String)]) -> Vec<String> {
    let modules: BTreeSet<_> = files.iter().map(|(module, _)| module.as_str()).collect();
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, text) in files {
        let from: Vec<_> = module.split('/').collect();
        for path in paths_in(text) {
            let mut to = from.clone();
            for name in path.split("::") {
                match name {
                    "crate" => to.clear(),
                    "super" => drop(to.pop()),
                    _ if modules.contains([&to[..], &[name]].concat().join("/").as_str()) => {
                        to.push(name);
                    }
                    _ => break,
                }
            }
            let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if from.len() > shared && to.len() > shared {
                let [from, to] = [&from, &to].map(|path| path[..=shared].join("/"));
                edges.entry(from).or_default().insert(to);
            }
        }
    }
    // A module that uses nothing else, or that nothing else uses, is in no circle.
    loop {
        let used: BTreeSet<_> = edges.values().flatten().cloned().collect();
        let before = edges.values().map(BTreeSet::len).sum::<usize>();
        edges.retain(|module, _| used.contains(module));
        let left: BTreeSet<_> = edges.keys().cloned().collect();
        for uses in edges.values_mut() {
            uses.retain(|module| left.contains(module));
        }
        edges.retain(|_, uses| !uses.is_empty());
        if edges.values().map(BTreeSet::len).sum::<usize>() == before {
            return edges.into_keys().collect();
        }
    }
}

#[test]
fn every_file_keeps_to_its_layer() {
    let src = root().join("src");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let below = path.strip_prefix(&src).expect("the file is below src/");
        let name = below
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        (name.strip_suffix("/mod").unwrap_or(&name).to_owned(), text)
    };
    let files: Vec<_> = rust_files(&src).into_iter().map(read).collect();
    assert!(files.len() > 20, "src/ has more files");
    let errors: Vec<_> = files
        .iter()
        .flat_map(|(module, text)| errors(module, text))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    assert_eq!(circles(&files), Vec::<String>::new());
}

#[test]
fn circles_within_a_layer_are_found() {
    let circles_of = |files: &[(&str, &str)]| {
        let owned = [("search", "")]
            .iter()
            .chain(files)
            .map(|(module, text)| (module.to_string(), text.to_string()));
        circles(&owned.collect::<Vec<_>>())
    };
    let report = ("search/report", "use super::bench::BenchError;");
    let bench = (
        "search/bench",
        "use super::{\n    limits::Limits,\n    smp::{self, Searcher},\n};",
    );
    let smp = ("search/smp", "fn f() -> crate::search::report::Answer {}");
    let limits = ("search/limits", "");
    let nested = ("search/smp/pool", "use super::super::report::Answer;");
    assert!(circles_of(&[report, bench, limits]).is_empty());
    let circle = ["search/bench", "search/report", "search/smp"];
    assert_eq!(circles_of(&[report, bench, limits, smp]), circle);
    let empty = ("search/smp", "mod pool;");
    assert_eq!(circles_of(&[report, bench, limits, empty, nested]), circle);
    let in_tests = (
        "search/smp",
        "#[cfg(test)]\nmod tests {\n    use super::super::report::Answer;\n}",
    );
    assert!(circles_of(&[report, bench, limits, in_tests]).is_empty());
}

#[test]
fn each_layer_uses_earlier_ones_only() {
    for (index, (layer, allowed)) in LAYERS.iter().enumerate() {
        let earlier: Vec<_> = LAYERS[..index].iter().map(|(layer, _)| *layer).collect();
        let mut allowed = allowed.split(' ').filter(|name| !name.is_empty());
        assert!(allowed.all(|used| earlier.contains(&used)), "{layer}");
    }
}

/// The table in the documentation of the library is the plan that the other tests hold.
#[test]
fn the_table_of_the_library_is_the_plan() {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("lib.rs can be read");
    let rows = text.lines().filter_map(|line| {
        let (layer, row) = line.strip_prefix("//! | [`")?.split_once("`] | ")?;
        Some((layer, row.strip_suffix(" |")?.rsplit_once(" | ")?.1))
    });
    let mut before: Vec<&str> = Vec::new();
    for (layer, uses) in rows {
        let uses: BTreeSet<_> = match uses {
            "nothing" => BTreeSet::new(),
            "all of these" | "everything" => before.iter().copied().collect(),
            "everything but protocol" => {
                let others = before.iter().copied();
                others.filter(|&name| name != "protocol").collect()
            }
            names => names.split(", ").collect(),
        };
        let (name, allowed) = LAYERS[before.len()];
        assert_eq!((layer, uses), (name, allowed.split_whitespace().collect()));
        before.push(layer);
    }
    assert_eq!(before.len(), LAYERS.len());
}

#[test]
fn the_build_script_compiles_in_vocabulary_and_tables_only() {
    let text = fs::read_to_string(root().join("build.rs")).expect("build.rs can be read");
    let paths = text.split("#[path = \"").skip(1);
    let included: Vec<_> = paths.filter_map(|rest| rest.split('"').next()).collect();
    assert!(!included.is_empty());
    for path in included {
        assert!(
            BUILD_MAY_INCLUDE.contains(&path),
            "build.rs includes {path}"
        );
    }
    assert!(!text.contains("include!("), "build.rs includes text");
}

#[test]
fn errors_are_found() {
    let file = |lines: usize| "\n".repeat(lines);
    let (long_file, short_file) = (file(601), file(600));
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("board/setup", "use crate::game::Game;", &["board/setup: may not use game"]),
        ("board/setup", "use crate::types::Move;\nuse super::Position;\nuse crate::board::fen;", &[]),
        ("board/setup", "use crate::{types::Move, search::tt};", &["board/setup: a path may not begin with crate::{"]),
        ("board/setup", "use crate::eval as e;", &["board/setup: may not use eval"]),
        ("board/setup", "use super::super::engine::Engine;", &["board/setup: may not use engine"]),
        ("board/setup", "use super::engine::Engine;", &[]), // a module of the same layer
        ("board", "use super::engine::Engine;", &["board: may not use engine"]),
        ("board/attacks/rays", "mod tests { use super::super::super::super::game; }", &["board/attacks/rays: may not use game"]),
        ("board/setup", "fn f(x: crate::eval::Score) {}", &["board/setup: may not use eval"]),
        ("board/setup", "fn f() { assert!(tabiya::eval::run()); }", &["board/setup: may not use eval"]),
        ("board/setup", "    // use crate::eval;", &[]),
        ("board/setup", "use outercrate::eval;", &[]),
        ("types/moves", "use crate::board::Position;", &["types/moves: may not use board"]),
        ("search/worker", "use crate::game::Game;", &["search/worker: may not use game"]),
        ("search/worker", "use crate::tablebase::Tablebase;", &[]),
        ("protocol/uci/parse", "use crate::search::Limits;", &[]),
        ("protocol/uci/parse", "use crate::eval::Network;", &["protocol/uci/parse: may not use eval"]),
        ("tools/net", "use crate::protocol;", &["tools/net: may not use protocol"]),
        ("cli", "use crate::protocol;", &[]),
        ("attic/box", "", &["attic/box: unknown layer"]),
        ("lib", "pub mod types;\nuse crate::search;", &[]),
        ("board/setup", &long_file, &["board/setup: 601 lines"]),
        ("board/setup", &short_file, &[]),
        ("board/setup", "#![allow(unsafe_code)]", &["board/setup: unsafe"]),
        ("search/tt", "#![allow(unsafe_code)]", &[]),
        ("search/ttl", "#![allow(unsafe_code)]", &["search/ttl: unsafe"]),
    ];
    for (module, text, expected) in table {
        assert_eq!(errors(module, text), *expected, "{module}: {text}");
    }
}
