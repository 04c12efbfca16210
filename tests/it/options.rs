//! The table of options: what the README says of it, and what each option does.

use std::time::Duration;
use tabiya::engine::{Engine, Event, Kind, OPTIONS, OptionError, OptionSpec};

/// An option as a row of the README's table.
fn row(option: &OptionSpec) -> String {
    let (kind, default) = match option.kind {
        Kind::Spin {
            default, min, max, ..
        } => (format!("{min} to {max}"), default.to_string()),
        Kind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
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
fn the_readme_has_the_table() {
    let readme = include_str!("../../README.md");
    let head = "| name | kind | default | what it does |\n|---|---|---|---|\n";
    let rows: String = OPTIONS.iter().map(|option| row(option) + "\n").collect();
    let table = format!("{head}{rows}\n");
    assert!(
        readme.contains(&table),
        "the README lacks this table:\n{table}"
    );
}

#[test]
fn what_an_option_can_be_set_to_is_set_and_nothing_else() {
    let mut engine = Engine::new().unwrap();
    for option in OPTIONS {
        let values = match option.kind {
            // No table that large, no pool that large: the bounds themselves are for a machine that has them.
            Kind::Spin { min, default, .. } => vec![min.to_string(), default.to_string()],
            Kind::Check { .. } => ["true", "off", "1", "FALSE"].map(str::to_owned).to_vec(),
            Kind::Text { .. } => vec![String::new(), "<empty>".to_owned()],
            Kind::Button { .. } => vec![String::new()],
        };
        for value in values {
            assert_eq!(
                engine.set_option(option.name, &value),
                Ok(()),
                "{} {value}",
                option.name
            );
        }
        for alias in option.aliases {
            assert_ne!(
                engine.set_option(alias, ""),
                Err(OptionError::Unknown((*alias).to_owned()))
            );
        }
        if let Kind::Spin { min, max, .. } = option.kind {
            for value in [
                (min - 1).to_string(),
                (max + 1).to_string(),
                "x".to_owned(),
                String::new(),
            ] {
                let refused = engine.set_option(option.name, &value);
                assert!(
                    matches!(refused, Err(OptionError::BadValue { .. })),
                    "{} {value}",
                    option.name
                );
            }
        }
    }
}

/// 32 TiB is more than a machine has, and where it is promised all the same nothing is lost.
#[test]
fn without_memory_the_old_table_stays() {
    let mut engine = Engine::new().unwrap();
    engine.set_option("Hash", "2").unwrap();
    engine.set_option("Hash", "33554432").unwrap();
    match engine.events().recv_timeout(Duration::from_secs(20)) {
        Ok(event) => {
            assert_eq!(
                event,
                Event::NoMemory {
                    wanted: 33_554_432,
                    kept: 2
                }
            );
            assert!(engine.accept(event).is_some());
            assert_eq!(engine.settings().hash_mib, 2);
        }
        Err(_) => assert_eq!(engine.settings().hash_mib, 33_554_432),
    }
}

#[test]
fn a_log_that_cannot_be_written_is_refused_in_a_sentence() {
    let mut engine = Engine::new().unwrap();
    let refused = engine.set_option("debug log file", "/no/such/folder/log");
    assert!(
        matches!(&refused, Err(OptionError::Refused(reason)) if reason.starts_with("the log /no/such/folder/log cannot be written: ")),
        "{refused:?}"
    );
    assert!(engine.log().is_none());
}
