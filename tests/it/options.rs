//! The table of options: its rows in the documents, and the effect of each option.

#[cfg(target_os = "linux")]
use crate::process;
use crate::session::answer_of;
use tabiya::engine::{EMPTY_TEXT, Engine, Kind, OPTIONS, OptionError, OptionSpec, OptionValues};
use tabiya::game::Game;
use tabiya::search::Limits;
use tabiya::types::CastlingMode;

/// The default of a number or a truth value.
fn default_of(option: &OptionSpec) -> Option<String> {
    let mut defaults = OptionValues::default();
    match option.kind {
        Kind::Spin { get, .. } => Some(get(&defaults).to_string()),
        Kind::Check { field } => Some(field(&mut defaults).to_string()),
        Kind::Text { .. } | Kind::Button { .. } => None,
    }
}

/// An option as a row of the table in docs/options.md.
fn row(option: &OptionSpec) -> String {
    let default = default_of(option).unwrap_or_default();
    let (kind, default) = match option.kind {
        Kind::Spin { min, max, .. } => (format!("{min} to {max}"), default),
        Kind::Check { .. } => ("true, false".to_owned(), default),
        Kind::Text { .. } => ("text".to_owned(), String::new()),
        Kind::Button { .. } => ("button".to_owned(), String::new()),
    };
    format!(
        "| `{}` | {kind} | {default} | {} |",
        option.name, option.about
    )
    .replace("|  |", "| |")
}

#[test]
fn the_documents_have_every_option() {
    let document = include_str!("../../docs/options.md");
    let head = "| name | kind | default | what it does |\n|---|---|---|---|\n";
    let rows: String = OPTIONS.iter().map(|option| row(option) + "\n").collect();
    let table = format!("{head}{rows}\n");
    assert!(
        document.contains(&table),
        "docs/options.md lacks this table:\n{table}"
    );
}

/// The value of an option, if the engine shows it. Other tests cover the rest.
fn shown(engine: &Engine, name: &str) -> Option<String> {
    let settings = engine.settings();
    let rate = settings
        .search
        .node_rate
        .map_or(0, |rate| rate.get() / 1000);
    Some(match name {
        "Hash" => settings.hash_mib.to_string(),
        "Threads" => settings.threads.to_string(),
        "MultiPV" => settings.search.multi_pv.to_string(),
        "Move Overhead" => settings.search.move_overhead.as_millis().to_string(),
        "Ponder" => settings.ponder.to_string(),
        "Resign" => settings.resign.to_string(),
        "UCI_Chess960" => (engine.castling_mode() == CastlingMode::Chess960).to_string(),
        "SyzygyProbeDepth" => settings.search.probe.depth.to_string(),
        "SyzygyProbeLimit" => settings.search.probe.pieces.to_string(),
        "Syzygy50MoveRule" => settings.search.probe.fifty_move_rule.to_string(),
        "OwnBook" => settings.own_book.to_string(),
        "Book Depth" => settings.book_depth.to_string(),
        "Best Book Move" => settings.best_book_move.to_string(),
        "nodestime" => rate.to_string(),
        "UCI_LimitStrength" => settings.limit_strength.to_string(),
        "UCI_Elo" => settings.elo.to_string(),
        "Skill Level" => settings.skill_level.to_string(),
        "UCI_ShowWDL" => settings.show_wdl.to_string(),
        "UCI_AnalyseMode" => settings.analyse_mode.to_string(),
        "UCI_Opponent" => settings.opponent.name.clone().unwrap_or_default(),
        "Minimal" => settings.minimal_output.to_string(),
        "SoftNodes" => settings.soft_nodes.to_string(),
        "PgnComment" => settings.pgn_comment.to_string(),
        _ => return None,
    })
}

/// Options without a value: a button and files.
const NOT_SHOWN: [&str; 5] = [
    "Clear Hash",
    "EvalFile",
    "SyzygyPath",
    "BookFile",
    "Debug Log File",
];

#[test]
fn options_take_good_values_and_refuse_bad_ones() {
    let mut engine = Engine::new().unwrap();
    for option in OPTIONS {
        // The given text and the resulting value.
        let values = match option.kind {
            // The maximum of Hash and Threads is too large for a test.
            Kind::Spin { min, max, get, .. } => {
                let default = get(&OptionValues::default());
                assert!((min..=max).contains(&default));
                let small = (min + 1).min(max);
                [min, small, default]
                    .map(|value| [value.to_string(), value.to_string()])
                    .to_vec()
            }
            Kind::Check { field } => [
                ["true", "true"],
                ["off", "false"],
                ["1", "true"],
                ["FALSE", "false"],
                ["On", "true"],
                ["0", "false"],
                if *field(&mut OptionValues::default()) {
                    ["true", "true"]
                } else {
                    ["false", "false"]
                },
            ]
            .map(|pair| pair.map(str::to_owned))
            .to_vec(),
            Kind::Text { .. } if option.name == "UCI_Opponent" => {
                vec![["GM 2800 human Gary".to_owned(), "Gary".to_owned()]]
            }
            Kind::Text { .. } => vec![[EMPTY_TEXT, ""].map(str::to_owned)],
            Kind::Button { .. } => vec![["", ""].map(str::to_owned)],
        };
        let name = option.name;
        assert_eq!(
            shown(&engine, name).is_none(),
            NOT_SHOWN.contains(&name),
            "{name}"
        );
        if let (Some(first), Some(default)) = (shown(&engine, name), default_of(option)) {
            assert_eq!(first, default, "{name}");
        }
        for called in option.aliases.iter().chain([&name]) {
            for [given, is] in &values {
                let set = engine.set_option(called, given);
                assert_eq!(set, Ok(Vec::new()), "{called} {given}");
                if let Some(shown) = shown(&engine, name) {
                    assert_eq!(shown, *is, "{called} {given}");
                }
            }
        }
        let bad = match option.kind {
            Kind::Spin { min, max, .. } => vec![
                (min - 1).to_string(),
                (max + 1).to_string(),
                "x".to_owned(),
                String::new(),
            ],
            Kind::Check { .. } => vec!["yes and no".to_owned(), String::new()],
            Kind::Text { .. } | Kind::Button { .. } => Vec::new(),
        };
        for value in bad {
            let before = engine.settings().clone();
            let refused = engine.set_option(name, &value);
            assert!(
                matches!(refused, Err(OptionError::BadValue { .. })),
                "{name} {value}"
            );
            assert_eq!(*engine.settings(), before, "{name} {value}");
        }
    }
    assert_eq!(
        engine.set_option("Contempt", "1"),
        Err(OptionError::Unknown("Contempt".to_owned()))
    );
}

/// Output and errors of the program with this address space, in KiB.
#[cfg(target_os = "linux")]
fn run_within(kib: u32, arguments: &str, script: &str) -> [String; 2] {
    let mut command = process::limited(&format!("-v {kib}"));
    let output = process::run(command.args(arguments.split_whitespace()), script);
    [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn without_memory_the_old_table_stays() {
    let script = "uci\nsetoption name Hash value 2\nsetoption name Hash value 4096\nisready\n\
                  go depth 8\nisready\n";
    let [output, _] = run_within(600_000, "", script);
    let refusal = "not enough memory for a hash table of 4096 MiB; keeping 2 MiB\n";
    let is_told = |output: &str, told: &str| output.contains(&format!("{told}{refusal}"));
    assert!(is_told(&output, "info string "), "{output}");
    assert!(output.contains("\nbestmove "), "{output}");
    // What was refused is told before the next line is answered, so `quit` does not hide it.
    for (script, told, answer) in [
        (
            "uci\nsetoption name Hash value 2\nsetoption name Hash value 4096\nisready\nquit\n",
            "info string ",
            "readyok\n",
        ),
        (
            "xboard\nmemory 2\nmemory 4096\nping 1\nquit\n",
            "tellusererror ",
            "pong 1\n",
        ),
    ] {
        let [output, _] = run_within(600_000, "", script);
        let expected = format!("{told}{refusal}{answer}");
        assert!(output.ends_with(&expected), "{output}");
    }
}

/// A thread reserves what it needs and not much more.
#[cfg(target_os = "linux")]
#[test]
fn as_many_threads_search_as_the_address_space_has_room_for() {
    let script = "uci\nsetoption name Threads value 128\nisready\ngo depth 4\n";
    for (kib, is_enough) in [(500_000, false), (1_500_000, false), (8_000_000, true)] {
        let [output, error] = run_within(kib, "", script);
        assert!(output.contains("\nbestmove "), "{kib}: {output} {error}");
        assert_eq!(output.contains("not enough memory"), !is_enough, "{output}");
    }
}

/// For a new game the new table is refused, and so are the threads that would clear the old one:
/// the program clears it alone.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_a_new_game_still_begins() {
    let script = "uci\nsetoption name Threads value 4\nsetoption name Hash value 300\nisready\n\
                  ucinewgame\nisready\nsetoption name Clear Hash\ngo depth 6\n";
    // Room for one table, but not for two. What is left lets some threads start, or none.
    let mut have_begun = 0;
    for kib in (560_000..760_000).step_by(4_000) {
        let [output, error] = run_within(kib, "", script);
        assert!(output.contains("\nbestmove "), "{kib}: {output} {error}");
        have_begun += u32::from(!output.contains("keeping"));
    }
    assert!(have_begun > 5, "{have_begun}");
}

/// Memory that threads cannot get ends neither the program nor the bench: the old number stays.
#[cfg(target_os = "linux")]
#[test]
fn without_memory_the_old_number_of_threads_stays() {
    let run = |arguments: &str, script: &str| run_within(600_000, arguments, script);
    let script =
        "setoption name Threads value 2\nsetoption name Threads value 512\nisready\ngo depth 8\n";
    let [output, _] = run("", &format!("uci\n{script}isready\n"));
    assert!(
        output.contains("info string not enough memory for 512 threads; keeping 2\n"),
        "{output}"
    );
    assert!(output.contains("\nbestmove "), "{output}");
    let [_, error] = run("bench 2 512", "");
    assert!(
        error.contains("no memory for 512 search threads"),
        "{error}"
    );
}

#[test]
fn a_log_that_cannot_be_written_is_refused() {
    let mut engine = Engine::new().unwrap();
    let refused = engine.set_option("debug log file", "/no/such/folder/log");
    assert!(
        matches!(&refused, Err(OptionError::Refused(reason)) if reason.starts_with("the log /no/such/folder/log cannot be written: ")),
        "{refused:?}"
    );
    assert!(engine.log().is_none());
}

/// The results of tablebases by the old rule stay in the transposition table otherwise.
#[test]
fn another_fifty_move_rule_clears_the_hash() {
    let nodes_of_second_search = |name: Option<&str>, value: &str| {
        let mut engine = Engine::new().unwrap();
        let search = |engine: &mut Engine| {
            let answer = answer_of(engine, &Game::default(), Limits::depth(9));
            answer.lines[0].nodes
        };
        search(&mut engine);
        if let Some(name) = name {
            engine.set_option(name, value).unwrap();
        }
        search(&mut engine)
    };
    let cleared = nodes_of_second_search(Some("Clear Hash"), "");
    let kept = nodes_of_second_search(None, "");
    assert_ne!(cleared, kept);
    let rule = Some("Syzygy50MoveRule");
    assert_eq!(nodes_of_second_search(rule, "false"), cleared);
    assert_eq!(nodes_of_second_search(rule, "true"), kept);
}
