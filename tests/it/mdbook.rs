//! The book: its includes and chapters are complete. `documents` checks its links.

use crate::sources::{between, documents, read, root};

#[test]
fn every_include_names_a_file_and_an_anchor_that_exist() {
    let mut includes = 0;
    for document in documents(&root().join("book/src")) {
        for include in between(&read(&document), "{{#include ", "}}") {
            let (path, anchor) = include.split_once(':').unwrap_or((include, ""));
            let folder = document.parent().expect("a file has a folder");
            let included = read(&folder.join(path));
            if !anchor.is_empty() {
                for mark in [
                    format!("// ANCHOR: {anchor}\n"),
                    format!("// ANCHOR_END: {anchor}\n"),
                ] {
                    assert_eq!(included.matches(&mark).count(), 1, "{include}: {mark}");
                }
            }
            includes += 1;
        }
    }
    assert!(includes > 20);
}

/// The parts of a chapter, in order.
const PARTS: [&str; 8] = [
    "The problem",
    "The idea",
    "A simple version",
    "The code",
    "What it gained, and how we know",
    "Mistakes that everyone makes",
    "Exercises",
    "Sources",
];

#[test]
fn every_chapter_has_its_parts_code_a_figure_and_three_answered_exercises() {
    let chapters = documents(&root().join("book/src/chapters"));
    assert_eq!(chapters.len(), 18);
    let summary = read(&root().join("book/src/SUMMARY.md"));
    for chapter in chapters {
        let (name, text) = (chapter.display(), read(&chapter));
        assert!(text.contains("{{#include "), "{name}");
        assert!(text.contains(".svg)"), "{name}");
        let mut rest = text.as_str();
        for part in PARTS {
            let heading = format!("\n## {part}\n");
            let (_, after) = rest.split_once(&heading).expect(part);
            rest = after;
        }
        let (_, exercises) = text.split_once("## Exercises").expect("exercises");
        for number in ["\n1. ", "\n2. ", "\n3. "] {
            assert!(exercises.contains(number), "{name}: {number}");
        }
        let file = chapter.file_name().expect("a file name").to_string_lossy();
        let answers = read(&root().join("book/src/answers").join(&*file));
        for number in ["\n## 1. ", "\n## 2. ", "\n## 3. "] {
            assert!(answers.contains(number), "answers to {name}: {number}");
        }
        for folder in ["chapters", "answers"] {
            assert!(summary.contains(&format!("({folder}/{file})")), "{name}");
        }
    }
}

/// The terms of the glossary, in lower case: `Late move reduction (LMR)` and `Fail high, fail low`
/// give one and two.
fn terms(glossary: &str) -> Vec<String> {
    let headings = glossary.lines().filter_map(|line| line.strip_prefix("## "));
    let names = headings.map(|heading| heading.split(" (").next().unwrap_or(heading));
    names
        .flat_map(|name| name.split(", ").flat_map(|part| part.split(" and ")))
        .map(str::to_lowercase)
        .collect()
}

/// The terms that stand in italics in a page without a link.
fn unlinked<'a>(text: &str, terms: &'a [String]) -> Vec<&'a str> {
    // What lies between backquotes is code.
    let prose: String = text.split('`').step_by(2).collect();
    let prose = prose.to_lowercase();
    let is_unlinked = |term: &&String| {
        let italic = format!("*{term}*");
        prose.match_indices(&italic).any(|(at, _)| {
            let after = &prose[at + italic.len()..];
            !prose[..at].ends_with(['[', '*']) && !after.starts_with('*')
        })
    };
    terms
        .iter()
        .filter(is_unlinked)
        .map(String::as_str)
        .collect()
}

#[test]
fn a_term_of_the_glossary_in_italics_links_to_it() {
    let source = root().join("book/src");
    let glossary = source.join("course/glossary.md");
    let terms = terms(&read(&glossary));
    assert!(terms.len() > 40 && terms.contains(&"fail low".to_owned()));
    for page in documents(&source)
        .into_iter()
        .filter(|page| *page != glossary)
    {
        let found = unlinked(&read(&page), &terms);
        assert!(found.is_empty(), "{}: {found:?}", page.display());
    }
    let terms = ["ply".to_owned()];
    assert_eq!(unlinked("A *Ply*.", &terms), ["ply"]);
    assert!(unlinked("A [*ply*](g.md#ply), a **ply**, `*ply*`.", &terms).is_empty());
}
