//! Games for tests, as `tabiya datagen` makes them.

use crate::temporary::Folder;
use clap::Parser;
use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use tabiya::tools::datagen;

/// A folder with the games of `tabiya datagen` with these options in `games-0.vf`.
pub(crate) fn folder_with_games(name: &str, options: &str) -> Folder {
    let folder = Folder::new(name);
    let mut words = words(options);
    words.extend(["--out".into(), folder.path("games").into()]);
    let settings = datagen::Settings::try_parse_from(with_name(words)).unwrap();
    datagen::run(&settings, &AtomicBool::new(false)).unwrap();
    folder
}

/// Puts the name of a program before the arguments.
pub(crate) fn with_name(words: Vec<OsString>) -> impl Iterator<Item = OsString> + Clone {
    ["tabiya".into()].into_iter().chain(words)
}

pub(crate) fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(Into::into).collect()
}
