//! How a network was made, for its header: the settings, and the manifests of the games.

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
    let mut paths = [Some(&*stem), prefix]
        .into_iter()
        .flatten()
        .map(|name| file.with_file_name(format!("{name}.jsonl")));
    let found = paths.find(|path| path.exists());
    if found.is_none() {
        let file = file.display();
        status(&format!(
            "{file}: no manifest tells how these games were made"
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

/// How a training makes its network: the settings, and the manifests of the games.
pub(super) fn provenance(settings: &Settings) -> Value {
    json!({
        "engine": env!("CARGO_PKG_VERSION"),
        "training": settings,
        "games": manifests(&settings.files),
    })
}
