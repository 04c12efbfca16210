//! The layers: which top-level module may use which, without cycles within a layer. Cargo and
//! clippy hold everything else.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each layer of `src/` and the layers it may use. Only earlier layers are used, so the plan has no
/// cycle.
const LAYERS: &[(&str, &str)] = &[
    ("types", ""),
    ("board", "types"),
    ("game", "types board"),
    ("eval", "types board"),
    ("tablebase", "types board"),
    ("book", "types board game"),
    ("search", "types board eval tablebase"),
    ("engine", "types board game eval tablebase book search"),
    ("protocol", "types board game engine"),
    (
        "tools",
        "types board game eval tablebase book search engine",
    ),
    (
        "cli",
        "types board game eval tablebase book search engine protocol tools",
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

/// A path in the code, as names from the crate's root.
type Names = Vec<String>;

/// One file of `src/`.
struct Source {
    /// Path of the module below `src/`: `search/tt`.
    module: String,
    lines: usize,
    tokens: Vec<TokenTree>,
}

impl Source {
    fn new(module: &str, text: &str) -> Self {
        let tokens: TokenStream = text.parse().expect("a source file consists of tokens");
        Self {
            module: module.to_owned(),
            lines: text.lines().count(),
            tokens: tokens.into_iter().collect(),
        }
    }

    fn layer(&self) -> &str {
        self.module.split('/').next().unwrap_or_default()
    }

    fn is_under(&self, modules: &[&str]) -> bool {
        let is_under =
            |module: &&str| format!("{}/", self.module).starts_with(&format!("{module}/"));
        modules.iter().any(is_under)
    }

    /// Every error of this file, one sentence each.
    fn errors(&self) -> Vec<String> {
        let mut errors = Vec::new();
        let mut error = |what: String| errors.push(format!("{}: {what}", self.module));
        // The front page of the library and the program connect the layers.
        if !matches!(self.layer(), "lib" | "main") {
            match LAYERS.iter().find(|(layer, _)| *layer == self.layer()) {
                None => error("unknown layer".to_owned()),
                Some((_, allowed)) => {
                    let used = paths(&self.module, &self.tokens);
                    let used: BTreeSet<_> = used.iter().filter_map(|path| path.first()).collect();
                    for used in used {
                        let is_layer = LAYERS.iter().any(|(layer, _)| layer == used);
                        let is_allowed = allowed.split(' ').any(|layer| layer == used);
                        if is_layer && used != self.layer() && !is_allowed {
                            error(format!("may not use {used}"));
                        }
                    }
                }
            }
        }
        if self.lines > MAX_FILE_LINES {
            error(format!("{} lines", self.lines));
        }
        if contains(&self.tokens, "unsafe") && !self.is_under(MAY_BE_UNSAFE) {
            error("unsafe".to_owned());
        }
        errors
    }
}

/// Whether the tokens contain an identifier or keyword.
fn contains(tokens: &[TokenTree], word: &str) -> bool {
    tokens.iter().any(|token| match token {
        TokenTree::Group(group) => contains(&trees(group.stream()), word),
        TokenTree::Ident(ident) => ident == word,
        _ => false,
    })
}

fn trees(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

fn is_punct(token: Option<&TokenTree>, letter: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == letter)
}

/// The paths of a module that begin with `crate`, `tabiya` or `super`, from the crate's root.
fn paths(module: &str, tokens: &[TokenTree]) -> Vec<Names> {
    let home: Names = module.split('/').map(str::to_owned).collect();
    let from_root = |path: Names| {
        let supers = path.iter().take_while(|name| *name == "super").count();
        match path.first().map(String::as_str) {
            Some("crate" | "tabiya") => Some(path[1..].to_vec()),
            // A test module is one deeper, so a chain may be longer than the path of the file.
            Some("super") => {
                let base = &home[..home.len().saturating_sub(supers)];
                Some([base, &path[supers..]].concat())
            }
            _ => None,
        }
    };
    all_paths(tokens)
        .into_iter()
        .filter_map(from_root)
        .collect()
}

/// Every path with at least two names, in `use` items and elsewhere.
fn all_paths(tokens: &[TokenTree]) -> Vec<Names> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(_) => {
                let (paths, next) = path_at(tokens, at);
                found.extend(paths.into_iter().filter(|path| path.len() > 1));
                at = next;
            }
            TokenTree::Group(group) => {
                found.extend(all_paths(&trees(group.stream())));
                at += 1;
            }
            _ => at += 1,
        }
    }
    found
}

/// The paths that begin at an identifier, `a::b` or `a::{b, c::d}`, and the index after them.
fn path_at(tokens: &[TokenTree], at: usize) -> (Vec<Names>, usize) {
    let name = vec![tokens[at].to_string()];
    let (colons, after) = (&tokens[at + 1..], at + 3);
    if !(is_punct(colons.first(), ':') && is_punct(colons.get(1), ':')) {
        return (vec![name], at + 1);
    }
    let (tails, next) = match tokens.get(after) {
        Some(TokenTree::Ident(_)) => path_at(tokens, after),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            let tokens = trees(group.stream());
            let items = tokens.split(|token| is_punct(Some(token), ','));
            let items = items.filter(|item| matches!(item.first(), Some(TokenTree::Ident(_))));
            (
                items.flat_map(|item| path_at(item, 0).0).collect(),
                after + 1,
            )
        }
        _ => return (vec![name], after),
    };
    let whole = |tail: Names| [name.clone(), tail].concat();
    (tails.into_iter().map(whole).collect(), next)
}

/// The modules and the paths that each uses. A path is resolved to the module that defines its
/// name, through re-exports. The files of a module and of its parts belong together: the use of a
/// parent is not an edge, the use of a part is. Unit tests are left out.
struct Modules<'a>(BTreeMap<&'a str, Vec<Names>>);

impl Modules<'_> {
    fn new(sources: &[Source]) -> Modules<'_> {
        let names: BTreeSet<_> = sources
            .iter()
            .map(|source| source.module.as_str())
            .collect();
        let paths_of = |source: &Source| {
            let code = without_tests(&source.tokens);
            let home: Names = source.module.split('/').map(str::to_owned).collect();
            // A path may begin with a part of the module.
            let parts = all_paths(&code).into_iter().filter_map(|path| {
                let is_part = names.contains(format!("{}/{}", source.module, path[0]).as_str());
                is_part.then(|| [home.clone(), path].concat())
            });
            paths(&source.module, &code)
                .into_iter()
                .chain(parts)
                .collect()
        };
        let modules = sources
            .iter()
            .map(|source| (source.module.as_str(), paths_of(source)));
        Modules(modules.collect())
    }

    /// The modules of the same layer that a module uses.
    fn used_by(&self, module: &str) -> BTreeSet<&str> {
        let layer = module.split('/').next();
        let mut used: BTreeSet<_> = self.0[module]
            .iter()
            .filter_map(|path| self.definer(path))
            .collect();
        used.retain(|&used| {
            let is_parent = format!("{module}/").starts_with(&format!("{used}/"));
            used.split('/').next() == layer && !is_parent
        });
        used
    }

    /// The module that defines the name at the end of a path.
    fn definer(&self, path: &[String]) -> Option<&str> {
        let mut module = path.first()?.clone();
        for name in &path[1..] {
            let part = format!("{module}/{name}");
            if self.0.contains_key(part.as_str()) {
                module = part;
                continue;
            }
            let prefix = format!("{module}/");
            let reexport = self
                .0
                .get(module.as_str())?
                .iter()
                .find(|path| path.last() == Some(name) && path.join("/").starts_with(&prefix));
            return reexport.map_or_else(|| self.name(&module), |path| self.definer(path));
        }
        self.name(&module)
    }

    fn name(&self, module: &str) -> Option<&str> {
        self.0.get_key_value(module).map(|(&name, _)| name)
    }

    /// A path of uses from a module back to itself, if there is one.
    fn cycle(&self) -> Option<Vec<&str>> {
        let uses: BTreeMap<_, _> = self
            .0
            .keys()
            .map(|&name| (name, self.used_by(name)))
            .collect();
        // A module that uses none of the remaining ones is in no cycle.
        let mut left: BTreeSet<&str> = uses.keys().copied().collect();
        while let Some(&leaf) = left.iter().find(|&&name| uses[name].is_disjoint(&left)) {
            left.remove(leaf);
        }
        let mut path = vec![*left.first()?];
        loop {
            let next = *uses[path[path.len() - 1]].intersection(&left).next()?;
            if let Some(start) = path.iter().position(|&name| name == next) {
                path.drain(..start);
                path.push(next);
                return Some(path);
            }
            path.push(next);
        }
    }
}

/// The tokens before the unit tests of a file.
fn without_tests(tokens: &[TokenTree]) -> Vec<TokenTree> {
    let is_test = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.to_string() == "[cfg (test)]" || group.to_string() == "[cfg(test)]");
    tokens
        .iter()
        .take_while(|token| !is_test(token))
        .cloned()
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files of a folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
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
    assert!(files.len() > 20, "src/ has more files");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let below = path.strip_prefix(&src).expect("the file is below src/");
        let name = below
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        Source::new(name.strip_suffix("/mod").unwrap_or(&name), &text)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_file_keeps_to_its_layer() {
    let errors: Vec<_> = sources().iter().flat_map(Source::errors).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn no_layer_has_a_cycle_of_modules() {
    let sources = sources();
    assert_eq!(Modules::new(&sources).cycle(), None, "each uses the next");
}

#[test]
fn each_layer_uses_earlier_ones_only() {
    for (index, (layer, allowed)) in LAYERS.iter().enumerate() {
        let earlier: Vec<_> = LAYERS[..index].iter().map(|(layer, _)| *layer).collect();
        let mut allowed = allowed.split(' ').filter(|name| !name.is_empty());
        assert!(allowed.all(|used| earlier.contains(&used)), "{layer}");
    }
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
    let code: TokenStream = text.parse().expect("build.rs consists of tokens");
    assert!(!contains(&trees(code), "include"), "build.rs includes text");
}

#[test]
fn cycles_are_found() {
    type File = (&'static str, &'static str);
    #[rustfmt::skip]
    let table: &[(&[File], Option<&[&str]>)] = &[
        (&[("search/a", "use super::b::B;"), ("search/b", "use super::a::A;")], Some(&["search/a", "search/b", "search/a"])),
        (&[("search/a", "use super::b::B;"), ("search/b", "")], None),
        (&[("search/a", "use super::{b::B, c};"), ("search/b", ""), ("search/c", "fn f() { super::d::g() }"), ("search/d", "use crate::search::a;")],
            Some(&["search/a", "search/c", "search/d", "search/a"])),
        // Re-exported by the layer.
        (&[("search", "pub use a::A; pub use b::{B, C};"), ("search/a", "use super::C;"), ("search/b", "use super::A;")],
            Some(&["search/a", "search/b", "search/a"])),
        (&[("search", "pub use a::A; pub use b::{B, C};"), ("search/a", "use super::C;"), ("search/b", "use super::Own;")], None),
        // A part and its parent.
        (&[("search", "use a::A;"), ("search/a", "use super::Own;")], None),
        // Into a part of another module and back.
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
fn errors_are_found() {
    let file = |lines: usize| "\n".repeat(lines);
    let (long_file, short_file) = (file(601), file(600));
    #[rustfmt::skip]
    let table: &[(&str, &str, &[&str])] = &[
        ("board/setup", "use crate::game::Game;", &["board/setup: may not use game"]),
        ("board/setup", "use crate::types::Move; use super::Position; use crate::board::fen;", &[]),
        ("board/setup", "use crate::{types::Move, search::{tt, engine}};", &["board/setup: may not use search"]),
        ("board/setup", "use crate::{types::{search, Move}, board};", &[]),
        ("board/setup", "use crate :: { \n types , \n eval as e };", &["board/setup: may not use eval"]),
        ("board/setup", "use super::super::engine::Engine;", &["board/setup: may not use engine"]),
        ("board/setup", "use super::engine::Engine;", &[]), // a module of the same layer
        ("board", "use super::engine::Engine;", &["board: may not use engine"]),
        ("board/attacks/rays", "mod tests { use super::super::super::game; }", &["board/attacks/rays: may not use game"]),
        ("board/setup", "fn f(x: crate::eval::Score) {}", &["board/setup: may not use eval"]),
        ("board/setup", "fn f() { assert!(tabiya::eval::run()); }", &["board/setup: may not use eval"]),
        ("board/setup", "// use crate::eval;\nconst A: &str = \"crate::eval\";", &[]),
        ("board/setup", "const A: &str = r#\"\" crate::eval\"#; const B: char = '\"'; use crate::eval;", &["board/setup: may not use eval"]),
        ("types/moves", "use crate::board::Position;", &["types/moves: may not use board"]),
        ("search/worker", "use crate::game::Game;", &["search/worker: may not use game"]),
        ("search/worker", "use crate::tablebase::Tablebase;", &[]),
        ("protocol/uci/parse", "use crate::search::Limits;", &["protocol/uci/parse: may not use search"]),
        ("tools/net", "use crate::protocol;", &["tools/net: may not use protocol"]),
        ("cli", "use crate::protocol;", &[]),
        ("attic/box", "", &["attic/box: unknown layer"]),
        ("lib", "pub mod types; use crate::search;", &[]),
        ("board/setup", &long_file, &["board/setup: 601 lines"]),
        ("board/setup", &short_file, &[]),
        ("board/setup", "fn f() { unsafe { g() } }", &["board/setup: unsafe"]),
        ("search/tt", "fn f() { unsafe { g() } }", &[]),
        ("search/ttl", "fn f() { unsafe { g() } }", &["search/ttl: unsafe"]),
        ("board/setup", "// unsafe\nfn f() { not_unsafe() }", &[]),
    ];
    for (module, text, expected) in table {
        assert_eq!(
            Source::new(module, text).errors(),
            *expected,
            "{module}: {text}"
        );
    }
}
