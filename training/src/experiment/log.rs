//! The log of a factorial: a header, then a line for each pair of games.
//!
//! The header has the factors and, after a tab, what else the games depend on. A log is continued
//! only under the same conditions, and logs are added only if nothing but their seeds differs.
//! Changes of the search other than to its parameters are not noticed. Logs of old versions have
//! fewer conditions or none; they are read, but not continued.

use super::effects::Effects;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tabiya::tools::files::{named, open_to_append_alone, read_bytes, read_text};

/// A log to which a factorial adds pairs.
pub(super) struct Log {
    file: File,
    path: PathBuf,
    /// Number of pairs when it was opened.
    pub(super) pairs: u64,
}

impl Log {
    /// Opens the log with this header, or begins it. Cuts off the last line if a run was killed
    /// while it wrote it.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use, or is not such a log.
    pub(super) fn open(path: &Path, header: &str) -> io::Result<Self> {
        let file = open_to_append_alone(path)?;
        let bytes = read_bytes(path)?;
        let last = bytes.iter().rposition(|&byte| byte == b'\n');
        let (complete, rest) = bytes.split_at(last.map_or(0, |last| last + 1));
        let refuse = |reason| Err(io::Error::other(format!("{} {reason}", path.display())));
        let Ok(text) = str::from_utf8(complete) else {
            return refuse("is not a log of a factorial".to_owned());
        };
        // An editor may have put a mark before the text and carriage returns into it.
        let mut lines = text.trim_start_matches('\u{FEFF}').lines();
        let begun = lines.next();
        match begun {
            None if !header.as_bytes().starts_with(rest) => {
                return refuse("is not a log of a factorial".to_owned());
            }
            Some(first) if first != header => {
                let reason = format!("is of '{first}', not of '{header}'");
                return refuse(reason.replace('\t', ", "));
            }
            _ => {}
        }
        file.set_len(complete.len() as u64).map_err(named(path))?;
        let mut log = Self {
            file,
            path: path.to_owned(),
            pairs: lines.count() as u64,
        };
        if begun.is_none() {
            log.write(header)?;
        }
        Ok(log)
    }

    /// Adds a pair: the mask of side A's factors, and its results in the two games.
    pub(super) fn add(&mut self, mask: u64, [first, second]: [i32; 2]) -> io::Result<()> {
        self.write(&format!("{mask} {first} {second}"))
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.map_err(named(&self.path))
    }
}

/// The text without a last line that was cut off.
fn complete_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// Logs of one factorial.
#[derive(Default)]
struct Logs {
    headers: Vec<String>,
    effects: Option<Effects>,
}

/// Reads the logs of one factorial, each without a last line that is being written or was cut off.
pub(super) fn read_logs(files: &[PathBuf]) -> io::Result<Effects> {
    let mut logs = Logs::default();
    for file in files {
        logs.read(file)?;
    }
    logs.effects.ok_or_else(|| io::Error::other("no logs"))
}

impl Logs {
    fn read(&mut self, file: &Path) -> io::Result<()> {
        let text = read_text(file)?;
        let bad = || {
            io::Error::other(format!(
                "{} is not a log of a factorial with these factors",
                file.display()
            ))
        };
        let mut lines = complete_lines(&text).lines();
        let header = lines
            .next()
            .and_then(|line| line.strip_prefix("factors "))
            .ok_or_else(bad)?;
        let refuse = |reason| Err(io::Error::other(format!("{}: {reason}", file.display())));
        // Logs of old versions have no conditions.
        let (names, conditions) = header.split_once('\t').unwrap_or((header, ""));
        if !conditions.is_empty() {
            if self.headers.iter().any(|other| other == header) {
                return refuse(
                    "these games are in another log too: each process needs its own --seed",
                );
            }
            let is_other = |other: &String| without_seed(other) != without_seed(header);
            if self.headers.iter().any(is_other) {
                return refuse("these games had other conditions than those of another log");
            }
            self.headers.push(header.to_owned());
        }
        let effects = self.effects.get_or_insert_with(|| Effects::new(names));
        if !effects.is_of(names) {
            return Err(bad());
        }
        for line in lines {
            let (mask, result) = read_pair(line).ok_or_else(bad)?;
            effects.add(mask, result);
        }
        Ok(())
    }
}

/// A header without the seed, in which logs that belong together differ.
fn without_seed(header: &str) -> String {
    let parts = header.split(", ").filter(|part| !part.starts_with("seed "));
    parts.collect::<Vec<_>>().join(", ")
}

/// Reads a line of a log: the mask of side A's factors, and its mean result in the two games, -0.5
/// to 0.5.
fn read_pair(line: &str) -> Option<(u64, f64)> {
    let (mask, results) = line.split_once(' ')?;
    let (first, second) = results.split_once(' ')?;
    let sum = first.parse::<i32>().ok()? + second.parse::<i32>().ok()?;
    Some((mask.parse().ok()?, f64::from(sum) / 4.0))
}

#[cfg(test)]
mod tests {
    use super::super::tests::games;
    use super::super::{Command, Games, run};
    use super::*;
    use std::{fs, slice};

    /// Plays games of a factorial with one factor.
    fn factorial(openings: &Path, log: &Path, count: u64, nodes: u64) -> io::Result<()> {
        let command = Command::Factorial {
            factors: vec!["razor_margin=250".parse().unwrap()],
            log: log.to_owned(),
            games: Games {
                games: count,
                nodes,
                ..games(openings)
            },
        };
        run(&command, &mut Vec::new())
    }

    #[test]
    fn a_log_with_the_maximum_number_of_factors_is_read() {
        assert_eq!(
            read_pair(&format!("{} 1 1", u64::MAX)),
            Some((u64::MAX, 0.5))
        );
        assert_eq!(read_pair("5 0 -1"), Some((5, -0.25)));
        for bad in ["", "5", "5 1", "5 1 x", "-1 0 0"] {
            assert_eq!(read_pair(bad), None, "{bad}");
        }
    }

    /// A run that is killed leaves part of a line; the next run goes on after the lines before it.
    #[test]
    fn a_cut_off_line_of_a_log_is_played_again() {
        let folder = std::env::temp_dir().join(format!("tabiya-log-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (openings, log) = (folder.join("openings.epd"), folder.join("log"));
        fs::write(&openings, "4k3/8/8/8/8/8/8/Q3K3 w - -").unwrap();
        let play = || {
            factorial(&openings, &log, 6, 200).unwrap();
            fs::read_to_string(&log).unwrap()
        };
        let whole = play();
        assert_eq!(whole.lines().count(), 4, "{whole}");
        for cut in [1, 2, 4, 9, whole.len() - 3, whole.len()] {
            fs::write(&log, &whole[..whole.len() - cut]).unwrap();
            let is_read = read_logs(slice::from_ref(&log)).is_ok();
            assert_eq!(is_read, whole[..whole.len() - cut].contains('\n'), "{cut}");
            assert_eq!(play(), whole, "{cut}");
        }
        // An editor has put carriage returns into it, and the last line is cut off.
        let edited = whole.replace('\n', "\r\n");
        let cut = &edited[..edited.len() - 3];
        fs::write(&log, cut).unwrap();
        let end = cut.rfind('\n').unwrap() + 1;
        let last = whole.lines().last().unwrap();
        assert_eq!(play(), format!("{}{last}\n", &cut[..end]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_log_is_continued_under_its_own_conditions_only() {
        let folder = std::env::temp_dir().join(format!("tabiya-begun-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (openings, log) = (folder.join("openings.epd"), folder.join("log"));
        fs::write(&openings, "4k3/8/8/8/8/8/8/Q3K3 w - -").unwrap();
        let try_to_play = |nodes| factorial(&openings, &log, 2, nodes).map_err(|e| e.to_string());
        try_to_play(200).unwrap();
        let whole = fs::read_to_string(&log).unwrap();
        let (header, rest) = whole.split_once('\n').unwrap();
        let error = try_to_play(300).unwrap_err();
        let conditions = "razor_margin=250, nodes 200, games 2, seed 1, openings openings.epd ";
        assert!(error.contains(conditions), "{error}");
        // More games would take the openings of the next seed.
        let error = factorial(&openings, &log, 4, 200).unwrap_err().to_string();
        assert!(error.contains("games 2, "), "{error}");
        // Of another network or search, or of an old version.
        let (network, parameters) = header.split_once(", parameters ").unwrap();
        let (openings_only, _) = network.split_once(", network ").unwrap();
        let (factors, _) = header.split_once('\t').unwrap();
        for other in [
            &format!("{network}, parameters 0123456789abcdef"),
            &format!("{openings_only}, network 0123456789abcdef, parameters {parameters}"),
            factors,
            "factors lmp_base=5",
        ] {
            let other = format!("{other}\n{rest}");
            fs::write(&log, &other).unwrap();
            let error = try_to_play(200).unwrap_err();
            assert!(
                error.contains("not of 'factors razor_margin=250"),
                "{error}"
            );
            assert_eq!(fs::read_to_string(&log).unwrap(), other);
            // It can still be read.
            read_logs(slice::from_ref(&log)).unwrap();
        }
        // Other openings under the same name.
        fs::write(&log, &whole).unwrap();
        fs::write(&openings, "4k3/8/8/8/8/8/8/R3K3 w - -").unwrap();
        assert!(try_to_play(200).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_is_not_a_log_is_kept() {
        let log = std::env::temp_dir().join(format!("tabiya-notes-{}", std::process::id()));
        for text in [&b"no line feed"[..], b"two\nlines", b"\xFF", b"\xFF\n"] {
            fs::write(&log, text).unwrap();
            assert!(Log::open(&log, "factors a=1").is_err());
            assert_eq!(fs::read(&log).unwrap(), text);
        }
        fs::remove_file(&log).unwrap();
    }

    #[cfg(not(windows))]
    #[test]
    fn only_one_process_at_a_time_writes_a_log() {
        let path = std::env::temp_dir().join(format!("tabiya-locked-{}", std::process::id()));
        let log = Log::open(&path, "factors a=1").unwrap();
        let error = Log::open(&path, "factors a=1").err().unwrap().to_string();
        assert!(error.ends_with("is in use by another process"), "{error}");
        drop(log);
        assert!(Log::open(&path, "factors a=1").is_ok());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn logs_of_the_same_games_or_of_other_conditions_are_not_added() {
        let folder = std::env::temp_dir().join(format!("tabiya-logs-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let log = |name: &str, conditions: &str| {
            let file = folder.join(name);
            let pairs = "1 1 0\n0 0 -1\n1 0 -1\n";
            fs::write(
                &file,
                format!("factors razor_margin=250\t{conditions}\n{pairs}"),
            )
            .unwrap();
            file
        };
        let first = log("a", "nodes 200, seed 1, openings x.epd");
        let second = log("b", "nodes 200, seed 2, openings x.epd");
        let deeper = log("c", "nodes 900, seed 3, openings x.epd");
        let effects = |logs: &[&PathBuf]| {
            let logs = logs.iter().map(|&log| log.clone()).collect();
            let mut output = Vec::new();
            run(&Command::Effects { logs }, &mut output).map_err(|error| error.to_string())
        };
        effects(&[&first, &second]).unwrap();
        assert!(
            effects(&[&first, &first])
                .unwrap_err()
                .contains("its own --seed")
        );
        assert!(
            effects(&[&first, &deeper])
                .unwrap_err()
                .contains("other conditions")
        );
        // One pair, and pairs that are all alike, from which no error can be estimated.
        for pairs in ["1 1 0\n", "1 1 -1\n0 1 -1\n1 0 0\n"] {
            fs::write(&first, format!("factors razor_margin=250\n{pairs}")).unwrap();
            assert!(effects(&[&first]).unwrap_err().contains("too few games"));
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
