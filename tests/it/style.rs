//! The form of comments. What they say is a matter for readers: see CONTRIBUTING.md.

use crate::sources::{root, rust_files};
use std::fs;

const MAX_COMMENT_COLUMNS: usize = 100;

/// The numbers of the lines of a source text whose comments are too long.
fn long_comments(text: &str) -> Vec<usize> {
    let is_long = |line: &str| {
        line.trim_start().starts_with("//") && line.chars().count() > MAX_COMMENT_COLUMNS
    };
    let lines = text.lines().zip(1..);
    lines
        .filter_map(|(line, number)| is_long(line).then_some(number))
        .collect()
}

#[test]
fn comments_wrap_at_100_columns() {
    let folders = [
        "src",
        "tests",
        "training",
        "course",
        "benches",
        "examples",
        "book/pictures",
        "web/src",
        "web/rules",
        "web/bindgen/src",
        "fuzz/src",
        "fuzz/fuzz_targets",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| rust_files(&root().join(folder)));
    let mut errors = Vec::new();
    for path in files.chain([root().join("build.rs")]) {
        let text = fs::read_to_string(&path).expect("a source file can be read");
        let numbers = long_comments(&text).into_iter();
        errors.extend(numbers.map(|number| format!("{}:{number}", path.display())));
    }
    assert!(
        errors.is_empty(),
        "comments too long: {}",
        errors.join("\n")
    );
}

#[test]
fn a_comment_of_101_columns_is_found_and_code_is_not() {
    let comment = format!("    // {}", "é".repeat(93));
    assert_eq!(comment.chars().count(), 100);
    let text = format!("{comment}\n{comment}!\nlet code = \"{comment}\";\n");
    assert_eq!(long_comments(&text), [2]);
}
