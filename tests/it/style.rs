//! Plain English: no comment, message or document uses a phrase that readers found hard.

use crate::architecture::rust_files;
use crate::mdbook::documents;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Phrases that a plainer one replaces.
const HARD_PHRASES: &[&str] = &[
    "so many",
    "is no",
    "are no",
    "was no",
    "whoever",
    "nobody",
    "told",
    "tells",
    "heard",
    "hears",
    "comes to",
    "came to",
    "beside",
    "shall",
    "held to be",
    "hold to be",
    "all that is",
    "that of",
    "those of",
    "officers",
    "men",
    "met",
];

const MAX_COMMENT_COLUMNS: usize = 100;
const MAX_DOCUMENT_COLUMNS: usize = 120;

/// The hard phrases in a text, as whole words. `is no longer` is plain.
fn hard_phrases(text: &str) -> Vec<&'static str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let lower = text.to_lowercase().replace("no longer", "");
    let has = |phrase: &&&str| {
        lower.match_indices(**phrase).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + phrase.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
    };
    HARD_PHRASES.iter().filter(has).copied().collect()
}

/// The comments of a source file, its strings, and the names of its functions as words.
fn prose(line: &str) -> String {
    let code = line.trim_start();
    if let Some(comment) = code.strip_prefix("//") {
        return comment.to_owned();
    }
    let strings: Vec<_> = code.split('"').skip(1).step_by(2).collect();
    let comment = code.split_once(" // ").map_or("", |(_, comment)| comment);
    let name = code.split_once("fn ").map_or("", |(_, rest)| rest);
    let name = name.split('(').next().unwrap_or_default().replace('_', " ");
    format!("{} {comment} {name}", strings.join(" "))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_source_is_in_plain_english() {
    let mut errors = Vec::new();
    let folders = [
        "src",
        "training/src",
        "benches",
        "examples",
        "fuzz/src",
        "fuzz/fuzz_targets",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| rust_files(&root().join(folder)));
    for path in files.chain([root().join("build.rs")]) {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let path = path
            .strip_prefix(root())
            .expect("the file is below the root");
        for (line, number) in text.lines().zip(1..) {
            let phrases = hard_phrases(&prose(line));
            if !phrases.is_empty() {
                errors.push(format!("{}:{number}: {phrases:?}", path.display()));
            }
            let is_comment = line.trim_start().starts_with("//");
            if is_comment && line.chars().count() > MAX_COMMENT_COLUMNS {
                errors.push(format!("{}:{number}: comment too long", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn the_documents_are_in_plain_english() {
    let mut errors = Vec::new();
    let folders = ["docs", "book/src"].map(|folder| documents(&root().join(folder)));
    let others = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "assets/README.md",
    ]
    .map(|name| root().join(name));
    for path in folders.into_iter().flatten().chain(others) {
        let text = fs::read_to_string(&path).expect("a document can be read");
        let path = path
            .strip_prefix(root())
            .expect("the file is below the root");
        for (line, number) in text.lines().zip(1..) {
            let phrases = hard_phrases(line);
            if !phrases.is_empty() {
                errors.push(format!("{}:{number}: {phrases:?}", path.display()));
            }
            // A table row cannot be wrapped.
            if line.chars().count() > MAX_DOCUMENT_COLUMNS && !line.starts_with('|') {
                errors.push(format!("{}:{number}: line too long", path.display()));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn the_help_of_every_command_is_in_plain_english() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .args(arguments)
            .output();
        String::from_utf8(output.expect("the program runs").stdout).expect("help is UTF-8")
    };
    let overview = help(&["--help"]);
    assert_eq!(hard_phrases(&overview), [""; 0], "{overview}");
    let (_, commands) = overview
        .split_once("Commands:\n")
        .expect("there are commands");
    let commands = commands.split("\n\n").next().unwrap_or_default();
    let names: Vec<_> = commands
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 5, "{overview}");
    for name in names {
        let text = help(&[name, "--help"]);
        assert_eq!(hard_phrases(&text), [""; 0], "{name}: {text}");
    }
}

#[test]
fn hard_phrases_are_found() {
    for (text, phrases) in [
        ("At most `limit` nodes.", &[][..]),
        ("So many nodes.", &["so many"]),
        ("not a network, and no longer one", &[]),
        ("this is no network", &["is no"]),
        ("comments, documents and mementos", &[]),
        ("the men", &["men"]),
        ("besides, beside", &["beside"]),
    ] {
        assert_eq!(hard_phrases(text), phrases, "{text}");
    }
}
