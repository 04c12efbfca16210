//! The documents: their length, their links, their commands, and the numbers that occur in several
//! places.

use crate::bench::signature;
use crate::help::has_option;
use crate::process;
use crate::shared;
use crate::sources::{between, documents, read, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use tabiya::engine::strength::{MAX_ELO, MIN_ELO, NAMED_LEVELS};
use tabiya::eval::Network;

const MAX_WORDS: usize = 1_500;
/// For the two pages that everybody opens first.
const MAX_FRONT_WORDS: usize = 1_000;

fn text_of(path: &str) -> String {
    read(&root().join(path))
}

/// The pages that state what is true now. The laboratory, the chapters and the history may be
/// longer.
fn window() -> Vec<PathBuf> {
    let folders = ["docs", "book/src/guide"].map(|folder| documents(&root().join(folder)));
    let top = top().filter(|page| !page.ends_with("CHANGELOG.md"));
    let pages = folders.into_iter().flatten().chain(top);
    pages.chain([root().join("web/README.md")]).collect()
}

/// The pages in the first folder of the project.
fn top() -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(root()).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"))
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

/// A page as mdBook sees it: with the text of included documents. Included code has no links.
fn expanded(page: &Path) -> String {
    let folder = page.parent().expect("a file has a folder");
    let mut text = read(page);
    for include in between(&read(page), "{{#include ", "}}") {
        let whole = format!("{{{{#include {include}}}}}");
        let is_document = include.ends_with(".md");
        let content = if is_document {
            expanded(&folder.join(include))
        } else {
            String::new()
        };
        text = text.replace(&whole, &content);
    }
    text
}

/// The targets of the links and pictures of a text, without addresses of the web.
fn local_links(text: &str) -> Vec<&str> {
    let links = between(text, "](", ")").chain(between(text, "src=\"", "\""));
    links.filter(|link| !link.contains("://")).collect()
}

/// The names that GitHub and mdBook give to the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let name = |heading: &str| {
        let title = heading
            .trim_start_matches('#')
            .trim()
            .to_lowercase()
            .replace(' ', "-");
        title
            .chars()
            .filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter))
            .collect()
    };
    headings.map(name).collect()
}

/// The dead links of a page; what it links to must be below `limit`.
fn dead_links(page: &Path, limit: &Path) -> (usize, Vec<String>) {
    let text = expanded(page);
    let folder = page.parent().expect("a file has a folder");
    let links = local_links(&text);
    let is_dead = |link: &&&str| {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() {
            page.to_owned()
        } else {
            normal(&folder.join(path))
        };
        let has_anchor = || anchor.is_empty() || anchors(&expanded(&target)).contains(anchor);
        !(target.starts_with(limit) && target.exists() && has_anchor())
    };
    let dead = links.iter().filter(is_dead);
    let dead = dead
        .map(|link| format!("{}: {link}", page.display()))
        .collect();
    (links.len(), dead)
}

#[test]
fn the_index_of_the_laboratory_has_every_entry() {
    let index = text_of("lab/README.md");
    let entries = documents(&root().join("lab"));
    let names = entries
        .iter()
        .map(|entry| entry.file_name().unwrap().to_str().unwrap());
    let missing: Vec<_> = names
        .filter(|name| *name != "README.md" && !index.contains(&format!("({name})")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(entries.len() > 30);
}

#[test]
fn every_local_link_leads_to_a_file_and_a_heading() {
    let folders = [
        "docs",
        "lab",
        "book/src/guide",
        "assets",
        "tests/data",
        ".github",
    ];
    let folders = folders.map(|folder| documents(&root().join(folder)));
    let pages = folders.into_iter().flatten().chain(top());
    let (mut links, mut dead) = (0, Vec::new());
    let of_web = ["web/README.md", "web/page/README.md"].map(|path| root().join(path));
    for page in pages.chain(of_web) {
        let (count, found) = dead_links(&page, root());
        links += count;
        dead.extend(found);
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(links > 100, "{links}");
}

#[test]
fn every_local_link_of_the_rendered_book_leads_to_a_page_of_it() {
    let book = root().join("book/src");
    let (mut links, mut dead) = (0, Vec::new());
    for page in documents(&book) {
        let (count, found) = dead_links(&page, &book);
        links += count;
        dead.extend(found);
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
    assert!(links > 50, "{links}");
}

#[test]
fn dead_links_are_found() {
    let folder = crate::temporary::Folder::new("documents_links");
    folder.write("part.md", "# A part, with 2 words\n[dead](none.md)");
    let text = "[a](part.md#a-part-with-2-words) [b](part.md#else) [c](../x.md) [d](https://x.y)\n{{#include part.md}}";
    let page = folder.write("page.md", text);
    let (links, dead) = dead_links(&page, &folder.path(""));
    let dead: Vec<_> = dead
        .iter()
        .filter_map(|line| line.rsplit(": ").next())
        .collect();
    assert_eq!(
        (links, dead),
        (4, vec!["part.md#else", "../x.md", "none.md"])
    );
}

#[test]
fn no_link_in_the_tree_is_symbolic() {
    let mut git = Command::new("git");
    let listed = git.args(["ls-files", "-s"]).current_dir(root()).output();
    let Some(listed) = listed.ok().filter(|ran| ran.status.success()) else {
        return shared::skipped("there is no Git, or no repository");
    };
    let listed = String::from_utf8(listed.stdout).expect("paths are text");
    // The mode of a symbolic link.
    let links: Vec<_> = listed
        .lines()
        .filter(|line| line.starts_with("120000"))
        .collect();
    assert!(links.is_empty(), "text files on Windows: {links:?}");
}

/// The expressions that a workflow puts into the text of a command.
fn pasted(workflow: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // The column of a `run:` whose command may go on below it.
    let mut run = None;
    for line in workflow.lines().filter(|line| !line.trim().is_empty()) {
        let column = line.len() - line.trim_start_matches([' ', '-']).len();
        if line[column..].starts_with("run:") {
            run = Some(column);
        } else if run.is_some_and(|run| column <= run) {
            run = None;
        }
        if run.is_some() {
            found.extend(between(line, "${{", "}}").map(str::trim));
        }
    }
    found
}

/// The name of a tag or a branch is a text that anybody chooses: a shell reads it from a variable,
/// not as a part of its command.
#[test]
fn no_workflow_pastes_a_text_of_others_into_a_command() {
    let mut count = 0;
    for entry in fs::read_dir(root().join(".github/workflows")).expect("there are workflows") {
        let path = entry.expect("the folder can be read").path();
        for expression in pasted(&read(&path)) {
            count += 1;
            // What the file itself lists.
            let is_own = expression.starts_with("matrix.");
            assert!(is_own, "{}: {expression}", path.display());
        }
    }
    assert!(count > 1, "{count}");
}

#[test]
fn a_text_that_is_pasted_into_a_command_is_found() {
    let workflow = "
      - run: echo ${{ github.ref_name }}
        env:
          TAG: ${{ github.ref_name }}
      - name: ${{ matrix.os }}
        run: |
          echo ${{ inputs.a }} ${{ inputs.b }}

          echo ${{ inputs.c }}
      - if: ${{ inputs.d }}
        run: true
";
    let found = ["github.ref_name", "inputs.a", "inputs.b", "inputs.c"];
    assert_eq!(pasted(workflow), found);
}

/// The values in one line of a workflow that are not YAML: without quotes, a colon before a blank
/// or at the end begins another value.
fn broken_values(workflow: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // The column of a key whose text stands below it.
    let mut block = None;
    for line in workflow.lines().filter(|line| !line.trim().is_empty()) {
        let column = line.len() - line.trim_start_matches([' ', '-']).len();
        let is_below = block.is_some_and(|block| column > block);
        if is_below || line[column..].starts_with(['#', '{']) {
            continue;
        }
        block = None;
        let Some((_, value)) = line.split_once(": ") else {
            continue;
        };
        let value = value.split(" #").next().unwrap_or_default().trim();
        if value.starts_with(['|', '>']) {
            block = Some(column);
        } else if !value.starts_with(['"', '\'', '{', '['])
            && (value.contains(": ") || value.ends_with(':'))
        {
            found.push(value);
        }
    }
    found
}

#[test]
fn the_values_in_the_workflows_are_yaml() {
    for entry in fs::read_dir(root().join(".github/workflows")).expect("there are workflows") {
        let path = entry.expect("the folder can be read").path();
        let text = read(&path);
        let broken = broken_values(&text);
        assert!(broken.is_empty(), "{}: {broken:?}", path.display());
    }
}

#[test]
fn a_value_that_is_not_yaml_is_found() {
    let workflow = "
# A comment: text:
on: push # A comment: text:
jobs:
  - name: a: b
    run: cargo test a::
    with: { key: value, other: value }
  - { key: value, other: value }
  - run: 'cargo test a::'
  - run: |
      echo a: b
      cargo test a::
    if: b:
";
    assert_eq!(broken_values(workflow), ["a: b", "cargo test a::", "b:"]);
}

#[test]
fn the_pages_of_the_window_are_short() {
    let mut long = Vec::new();
    for page in window() {
        let name = page.strip_prefix(root()).expect("it is below the root");
        let max = match name.to_str() {
            Some("README.md" | "CONTRIBUTING.md") => MAX_FRONT_WORDS,
            _ => MAX_WORDS,
        };
        let words = read(&page).split_whitespace().count();
        if words > max {
            long.push(format!(
                "{}: {words} words of at most {max}",
                name.display()
            ));
        }
    }
    assert!(
        long.is_empty(),
        "move results to lab/:\n{}",
        long.join("\n")
    );
}

/// The fields of each row of a table in CSV, without its head. Only names may be quoted.
fn rows(path: &str) -> Vec<Vec<String>> {
    let fields = |line: &str| {
        let (mut fields, mut quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '"' => quoted = !quoted,
                ',' if !quoted => fields.push(String::new()),
                letter => fields.last_mut().expect("there is a field").push(letter),
            }
        }
        fields
    };
    text_of(path).lines().skip(1).map(fields).collect()
}

/// A row of `lab/matches.csv`.
struct Match {
    date: String,
    engine: String,
    opponent: String,
    condition: String,
    games: Option<u32>,
    /// Games won, drawn and lost.
    counts: Option<[u32; 3]>,
    elo: Option<i32>,
    error: Option<i32>,
    entry: String,
}

fn matches() -> Vec<Match> {
    let rows = rows("lab/matches.csv");
    let read = rows.into_iter().map(|row| {
        let [
            date,
            engine,
            _,
            opponent,
            _,
            condition,
            games,
            won,
            drawn,
            lost,
            elo,
            error,
            entry,
        ] = <[String; 13]>::try_from(row).expect("a match has thirteen fields");
        let number = |text: &String| (!text.is_empty()).then(|| text.parse().expect("a number"));
        let counts = [won, drawn, lost].map(|text| number(&text));
        Match {
            date,
            engine,
            opponent,
            condition,
            games: number(&games),
            counts: match counts {
                [Some(won), Some(drawn), Some(lost)] => Some([won, drawn, lost]),
                counts => {
                    assert_eq!(counts, [None; 3], "all three counts or none");
                    None
                }
            },
            elo: (!elo.is_empty()).then(|| elo.parse().expect("Elo")),
            error: (!error.is_empty()).then(|| error.parse().expect("an error")),
            entry,
        }
    });
    read.collect()
}

#[test]
fn the_matches_of_the_laboratory_agree_with_themselves() {
    let matches = matches();
    assert!(matches.len() > 150);
    assert!(
        matches.is_sorted_by(|one, next| one.date <= next.date),
        "the newest is the last"
    );
    for one in &matches {
        let name = format!("{} {} - {}", one.date, one.engine, one.opponent);
        assert!(
            root().join("lab").join(&one.entry).exists(),
            "{name}: {}",
            one.entry
        );
        let Some([won, drawn, lost]) = one.counts else {
            continue;
        };
        assert_eq!(Some(won + drawn + lost), one.games, "{name}");
        let score = f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
        if let Some(elo) = one.elo {
            let exact = -400.0 * (1.0 / score - 1.0).log10();
            let difference = exact - f64::from(elo);
            // Without an error, Elo may be the lower end of the interval.
            let is_right = difference.abs() <= 1.0 || one.error.is_none() && difference > 0.0;
            assert!(is_right, "{name}: {elo}, not {exact:.1}");
        }
    }
}

/// The newest match against Debian's Stockfish at the pace that the documents name.
fn newest_against_stockfish() -> Match {
    let is_one = |one: &Match| {
        one.opponent == "Stockfish 15.1 (Debian)"
            && one.condition == "2 + 0.02 s"
            && one.engine.starts_with("generation ")
    };
    matches()
        .into_iter()
        .rev()
        .find(is_one)
        .expect("there is a match")
}

#[test]
fn the_documents_have_the_newest_match_against_stockfish() {
    let newest = newest_against_stockfish();
    let (elo, error) = (-newest.elo.expect("Elo"), newest.error.expect("an error"));
    for (path, sentence) in [
        ("README.md", format!("{elo} Elo below Stockfish 15.1")),
        (
            "docs/strength.md",
            format!("{elo} ± {error} Elo below Stockfish 15.1"),
        ),
    ] {
        let text = text_of(path).replace('\n', " ");
        assert!(text.contains(&sentence), "{path} lacks '{sentence}'");
    }
}

#[test]
fn each_row_of_the_strength_page_is_a_match_of_a_network_that_it_names() {
    let text = text_of("docs/strength.md");
    let is_named = |engine: &str| engine.starts_with("generation ") && text.contains(engine);
    let known: BTreeSet<_> = matches()
        .into_iter()
        .filter(|one| is_named(&one.engine) && one.condition == "2 + 0.02 s")
        .filter_map(|one| Some((one.counts?, one.elo?, one.error)))
        .collect();
    let mut rows = 0;
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, games, won, drawn, lost, result] = cells[..] else {
            panic!("{line}")
        };
        let Ok(games) = games.parse::<u32>() else {
            continue;
        };
        let counts = [won, drawn, lost].map(|count| count.parse().expect("a number"));
        assert_eq!(counts.iter().sum::<u32>(), games, "{line}");
        let (elo, error) = result.split_once(" ± ").expect("Elo ± error");
        let row = (counts, elo.parse().expect("Elo"), error.parse().ok());
        assert!(known.contains(&row), "not in lab/matches.csv: {line}");
        rows += 1;
    }
    assert!(rows > 5);
}

/// A count of the trainer, from the header of the built-in network.
fn trained(count: &str) -> u64 {
    let network = Network::embedded();
    let counts = &network.header().provenance["outcome"]["counts"];
    counts[count].as_u64().expect("the header has the count")
}

/// A number with commas between thousands.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let separated = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = separated
        .map(|group| String::from_utf8_lossy(group))
        .collect();
    groups.join(",")
}

#[test]
fn the_documents_count_the_games_of_the_network_as_its_trainer_did() {
    let games = trained("games");
    let training = text_of("docs/training.md");
    assert!(training.contains(&format!("{} games", with_commas(games))));
    let assets = text_of("assets/README.md");
    // The table of the shipped network comes first.
    let (shipped, _) = assets
        .split_once("\n## Generation 19\n")
        .expect("a section");
    let cells = shipped.lines().filter_map(|line| {
        let cells: Vec<_> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
        cells.get(2)?.replace(',', "").parse::<u64>().ok()
    });
    let with_repeated = games + trained("repeated");
    assert_eq!(
        cells.sum::<u64>(),
        with_repeated,
        "the games in assets/README.md"
    );
    let millions = format!("{:.1}", trained("kept") as f64 / 1e6);
    for (path, text) in [
        ("docs/training.md", &training),
        ("assets/README.md", &assets),
    ] {
        assert!(
            text.contains(&millions),
            "{path} lacks {millions} million positions"
        );
    }
}

#[test]
fn the_documents_name_the_same_network_and_generation() {
    let learning = rows("lab/learning.csv");
    let number = &learning.last().expect("a row")[0];
    for path in ["assets/README.md", "docs/network.md", "docs/strength.md"] {
        assert!(
            text_of(path).contains(&format!("generation {number}")),
            "{path}"
        );
    }
    let training = text_of("docs/training.md");
    let last = training
        .lines()
        .rfind(|line| line.starts_with("| "))
        .expect("a table");
    assert!(last.starts_with(&format!("| {number} |")), "{last}");
    let fingerprint = format!("{:016x}", Network::embedded().fingerprint());
    assert!(
        text_of("assets/README.md").contains(&fingerprint),
        "{fingerprint}"
    );
}

#[test]
fn the_documents_have_the_present_signature() {
    let (text, signature) = (text_of("CONTRIBUTING.md"), signature().to_string());
    for sentence in [
        format!("Bench: {signature}\n"),
        format!("signature: {signature} nodes"),
    ] {
        assert!(
            text.contains(&sentence),
            "CONTRIBUTING.md lacks '{sentence}'"
        );
    }
    for page in window() {
        for found in between(&read(&page), "Bench: ", "\n") {
            assert_eq!(found, signature, "{}", page.display());
        }
    }
}

/// The lines of code of a page: between fences, or indented by four. `\` continues a line.
fn code(text: &str) -> Vec<String> {
    let (mut lines, mut in_fence) = (Vec::new(), false);
    let text = text.replace("\\\n", " ");
    for line in text.lines() {
        if line.starts_with("```") {
            in_fence = !in_fence;
        } else if in_fence {
            lines.push(line.to_owned());
        } else if let Some(line) = line.strip_prefix("    ") {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The calls of a program in a line of code, as lists of words. Comments are left out.
fn calls<'a>(line: &'a str, program: &str) -> Vec<Vec<&'a str>> {
    let line = line
        .split(" # ")
        .next()
        .unwrap_or(line)
        .trim_start_matches("$ ");
    let parts = line.split(['|', '&', ';']);
    let words = parts.map(|part| part.split_whitespace().collect::<Vec<_>>());
    words
        .filter(|words| {
            let path = words
                .first()
                .map(|word| word.rsplit('/').next().unwrap_or(word));
            path == Some(program)
        })
        .map(|words| words[1..].to_vec())
        .collect()
}

/// The pages with commands, and the name and text of each.
fn pages_with_commands() -> impl Iterator<Item = (String, String)> {
    let others = ["assets/README.md", "CHANGELOG.md"].map(|path| root().join(path));
    let chapters = documents(&root().join("book/src/chapters"));
    let pages = window().into_iter().chain(others).chain(chapters);
    pages.map(|page| (page.display().to_string(), read(&page)))
}

fn output_of(arguments: &[&str]) -> Option<String> {
    let output = process::tabiya().args(arguments).output();
    let output = output.expect("the program runs");
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn every_call_of_tabiya_in_the_documents_has_a_command_and_options_that_exist() {
    let mut count = 0;
    for (page, text) in pages_with_commands() {
        let in_sentences = between(&text, "`", "`").map(str::to_owned);
        for line in code(&text).into_iter().chain(in_sentences) {
            for words in calls(&line, "tabiya") {
                // `params` needs the feature `tune`; a quoted command is genfens.
                let command = match words.first() {
                    Some(&word) if word.starts_with('"') => "genfens",
                    Some(&"params" | &"help") | None => continue,
                    Some(&word) if word.starts_with('-') => continue,
                    Some(&word) => word,
                };
                let help = output_of(&[command, "--help"]);
                let help = help.unwrap_or_else(|| panic!("{page}: no command in '{line}'"));
                for option in words.iter().filter(|word| word.starts_with("--")) {
                    let is_known = has_option(&help, option);
                    assert!(is_known, "{page}: no {option} in '{line}'");
                }
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Checks each script that a line of a page names; the options behind it must be in its source.
fn check_scripts(page: &str, line: &str) -> usize {
    let mut count = 0;
    for (at, _) in line.match_indices("scripts/") {
        let ends = |letter: char| !(letter.is_alphanumeric() || "/_.".contains(letter));
        let path = line[at..]
            .split(ends)
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        if !(path.ends_with(".py") || path.ends_with(".sh")) {
            continue;
        }
        let script = root().join(path);
        assert!(script.exists(), "{page}: no script in '{line}'");
        let call = line[at..].split(['`', '|', '#']).next().unwrap_or_default();
        let options = call
            .split_whitespace()
            .filter(|word| word.starts_with("--"));
        for option in options {
            assert!(
                read(&script).contains(option),
                "{page}: no {option} in '{line}'"
            );
        }
        count += 1;
    }
    count
}

#[test]
fn every_script_and_bench_in_the_documents_exists_with_its_options() {
    let mut count = 0;
    for (page, text) in pages_with_commands() {
        for line in text.lines() {
            count += check_scripts(&page, line);
        }
        for bench in between(&text, "--bench ", "\n") {
            let name = bench.split(|letter: char| !letter.is_alphanumeric()).next();
            let name = name.unwrap_or_default();
            assert!(
                root().join(format!("benches/{name}.rs")).exists(),
                "{page}: {name}"
            );
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn the_json_in_the_documents_is_json() {
    let mut count = 0;
    for (page, text) in pages_with_commands() {
        for block in between(&text, "```json\n", "```") {
            let read: Result<Value, _> = serde_json::from_str(block);
            assert!(read.is_ok(), "{page}: {block}");
            count += 1;
        }
    }
    assert!(count > 0);
}

/// A `…` in the page stands for a part that is left out.
#[test]
fn the_referee_answers_as_its_page_shows() {
    let text = text_of("docs/referee.md");
    let example = between(&text, "    $ echo '", "\n\n")
        .next()
        .expect("there is an example");
    let (question, answer) = example
        .split_once("' | tabiya referee\n")
        .expect("a question");
    let ran = process::run(process::tabiya().arg("referee"), question);
    let output = String::from_utf8(ran.stdout).expect("UTF-8");
    let mut rest = output.as_str();
    for part in answer.trim().split(" … ") {
        rest = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part} is not in {rest}"))
            .1;
    }
}

#[test]
fn the_page_of_the_levels_has_their_names() {
    let page = text_of("docs/levels.md");
    for (name, elo) in NAMED_LEVELS {
        assert!(page.contains(&format!("| {name} | {elo} |")), "{name}");
    }
    let range = format!("from {MIN_ELO} to {MAX_ELO}");
    assert!(page.contains(&range), "{range}");
}
