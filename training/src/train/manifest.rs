//! How a network was made: the settings, the manifests of the games, and the same of what the
//! training began with. It stands in the header of the network and in checkpoints, so that neither
//! a resumed training nor one that starts from networks loses the steps before it.

use super::Settings;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tabiya::tools::files::read_bytes;
use tabiya::tools::progress::status;

/// The lines of the manifest of a file of games. Says on standard error if it is missing or has
/// lines that cannot be read.
pub(crate) fn manifest(file: &Path) -> Vec<Value> {
    find(file).map_or_else(Vec::new, |path| read(&path))
}

/// The manifest of a file of games: NAME.jsonl for NAME-3.vf from datagen, and for NAME.vf from
/// convert and blend. Says if there is none.
fn find(file: &Path) -> Option<PathBuf> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let prefix = stem.rsplit_once('-').map(|(name, _)| name);
    let names = [Some(&*stem), prefix].into_iter().flatten();
    let paths: Vec<_> = names
        .map(|name| file.with_file_name(format!("{name}.jsonl")))
        .collect();
    let found = paths.iter().find(|path| path.exists()).cloned();
    if found.is_none() {
        let wanted: Vec<_> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        status(&format!(
            "{}: no manifest tells how these games were made: there is no {}",
            file.display(),
            wanted.join(" or ")
        ));
    }
    found
}

/// The lines of a manifest that can be read. Says if there are others.
fn read(path: &Path) -> Vec<Value> {
    let bytes = read_bytes(path).unwrap_or_else(|error| {
        status(&error.to_string());
        Vec::new()
    });
    let lines = bytes.split(|&byte| byte == b'\n').zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let (mut values, mut bad) = (Vec::new(), Vec::new());
    for (line, number) in lines {
        match serde_json::from_slice(line) {
            Ok(value) => values.push(value),
            Err(_) => bad.push(number),
        }
    }
    if let [first, ..] = bad[..] {
        let (path, count) = (path.display(), bad.len());
        let lines = if count == 1 { "line" } else { "lines" };
        status(&format!(
            "{path}: skipped {count} bad {lines}, the first is line {first}"
        ));
    }
    values
}

/// The manifests of all files. The files of one run share one.
fn manifests(files: &[PathBuf]) -> Vec<Vec<Value>> {
    let (mut paths, mut manifests) = (HashSet::new(), Vec::new());
    for path in files.iter().filter_map(|file| find(file)) {
        if paths.insert(path.clone()) {
            let manifest = read(&path);
            if !manifest.is_empty() && !manifests.contains(&manifest) {
                manifests.push(manifest);
            }
        }
    }
    manifests
}

/// How a training makes its network. `before` has, for each network or checkpoint that it begins
/// with, its fingerprint or its finished epochs, and its own provenance.
pub(super) fn provenance(settings: &Settings, before: Vec<Value>) -> Value {
    let mut steps = Vec::new();
    for last in before {
        add_steps(last, &mut steps);
    }
    let games = json!(manifests(&settings.files));
    // The manifests are long. A step without them learned from the games of a later one.
    let mut recorded = vec![games.clone()];
    for step in steps.iter_mut().rev() {
        let fields = step.get_mut("provenance").and_then(Value::as_object_mut);
        if let Some(fields) = fields
            && let Some(games) = fields.remove("games")
            && !recorded.contains(&games)
        {
            recorded.push(games.clone());
            fields.insert("games".to_owned(), games);
        }
    }
    json!({
        "engine": env!("CARGO_PKG_VERSION"),
        "training": settings,
        "games": games,
        "before": steps,
    })
}

/// Adds the steps that led to a network, the earliest first, and at last its own. They are a list,
/// not a tree, so that networks with the same past record it once, and a long one can be read.
fn add_steps(mut last: Value, steps: &mut Vec<Value>) {
    let fields = last["provenance"].as_object_mut();
    match fields.and_then(|fields| fields.remove("before")) {
        Some(Value::Array(earlier)) => {
            for step in earlier {
                add_step(step, steps);
            }
        }
        // As fold and widen write it.
        Some(provenance) => add_steps(json!({ "provenance": provenance }), steps),
        None => {}
    }
    add_step(last, steps);
}

fn add_step(step: Value, steps: &mut Vec<Value>) {
    if !steps.contains(&step) {
        steps.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn settings() -> Settings {
        Settings::try_parse_from(["train", "--out", "net", "no-games.vf"]).unwrap()
    }

    /// A tree of them would exceed the depth to which JSON is read.
    #[test]
    fn the_steps_of_a_long_training_can_be_read() {
        let mut last = Value::Null;
        for epochs in 0..200 {
            last = provenance(
                &settings(),
                vec![json!({ "epochs": epochs, "provenance": last })],
            );
        }
        let read: Value = serde_json::from_str(&last.to_string()).unwrap();
        let steps = read["before"].as_array().unwrap();
        assert_eq!(steps.len(), 200);
        assert_eq!(steps[0]["epochs"], 0);
        assert_eq!(steps[199]["epochs"], 199);
    }

    #[test]
    fn networks_with_the_same_past_record_it_once() {
        let old = json!({ "network": "old", "provenance": { "games": ["long"] } });
        let networks = ["a", "b"].map(
            |name| json!({ "network": name, "provenance": { "games": ["long"], "before": [old] } }),
        );
        let folded = json!({ "folded": 3, "before": { "training": 4, "before": [5] } });
        let [a, b] = networks;
        let before = vec![a, b, json!({ "network": "c", "provenance": folded })];
        let steps = json!([
            { "network": "old", "provenance": {} },
            { "network": "a", "provenance": {} },
            { "network": "b", "provenance": { "games": ["long"] } },
            5,
            { "provenance": { "training": 4 } },
            { "network": "c", "provenance": { "folded": 3 } },
        ]);
        assert_eq!(provenance(&settings(), before)["before"], steps);
    }
}
