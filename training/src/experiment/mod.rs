//! Compares settings of the search, and networks, by games in this process (feature `tune`). Moves
//! have a fixed number of nodes, or a clock that counts nodes, so the load of the machine has no
//! influence.
//!
//! A *match* compares two sides. A *factorial* measures many factors with one set of games. For
//! each opening, played twice with colours changed, chance gives each factor to side A or to side
//! B. So each game carries information about each factor, and least squares separates the effects
//! (Fisher, "The Design of Experiments", 1935). An effect is an average over the other factors, of
//! which each side has half on average.
//!
//! A factorial at few nodes undervalues factors that gain with depth, and does not see the cost of
//! slower code. Confirm the result by a match, and by a match on the clock.
//!
//! A factor is one or more parameters, `NAME=VALUE` with commas between. Parameters are global to
//! the process, so run one process per core.

mod effects;
mod game;

use clap::{Args, Subcommand};
use effects::Effects;
use game::Pace;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use tabiya::eval::Network;
use tabiya::files::open_to_append;
use tabiya::search::{PARAMETERS, Searcher, set_parameter};
use tabiya::tools::datagen::GameFile;
use tabiya::tools::files::{named, read_text};
use tabiya::tools::number;
use tabiya::tools::openings::{Start, read_openings};
use tabiya::tools::progress::status;

/// An experiment.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Play a match between two settings of the search, or two networks
    ///
    /// 'tabiya params', in a build with the feature tune, lists the parameters.
    Match {
        /// Parameters of the first side, NAME=VALUE with commas between; 'base' changes nothing.
        a: Factor,
        /// Parameters of the second side.
        b: Factor,
        /// Network of the first side [default: the built-in one]
        #[arg(long, value_name = "FILE")]
        net_a: Option<PathBuf>,
        /// Network of the second side [default: the built-in one]
        #[arg(long, value_name = "FILE")]
        net_b: Option<PathBuf>,
        /// The games.
        #[command(flatten)]
        games: Games,
    },
    /// Measure many factors with one set of games
    ///
    /// Continues where the log ends, if it has the same factors, nodes or clock, seed and openings.
    /// 'tabiya-train effects' prints the result.
    Factorial {
        /// The factors, each written like a side of a match; the semicolons need quotes.
        #[arg(required = true, value_name = "FACTOR;FACTOR;…", value_delimiter = ';')]
        factors: Vec<Factor>,
        /// File to append results to.
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
        /// The games.
        #[command(flatten)]
        games: Games,
    },
    /// Print the effect of each factor of a factorial, in Elo
    Effects {
        /// Logs of the same factors.
        #[arg(required = true, value_name = "LOG")]
        logs: Vec<PathBuf>,
    },
}

/// How games are played.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Games {
    /// File of start positions, one FEN or EPD a line; each is played twice, with colours changed.
    #[arg(long, value_name = "FILE")]
    pub openings: PathBuf,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number(2..=100_000_000_u64))]
    pub games: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// Use a clock that counts nodes instead: seconds and increment, such as 2+0.02.
    #[arg(long, value_name = "S+I")]
    pub clock: Option<Clock>,
    /// Nodes that count as one second of that clock.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number(1..=1_000_000_000_u64))]
    pub node_rate: u64,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Append the games to this file in viriformat, for training.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl Games {
    /// Number of pairs: two games from one opening, with colours changed.
    const fn pairs(&self) -> u64 {
        self.games / 2
    }

    /// Opens the file of `--record`, if it is given.
    fn open_record(&self) -> io::Result<Option<GameFile>> {
        self.record.as_deref().map(GameFile::open).transpose()
    }

    /// What the games of one log have in common beside the factors.
    fn conditions(&self) -> String {
        let pace = match self.clock {
            None => format!("nodes {}", self.nodes),
            Some(Clock { seconds, increment }) => {
                format!("clock {seconds}+{increment}, node rate {}", self.node_rate)
            }
        };
        // The same file may be named by several paths.
        let openings = self.openings.file_name().unwrap_or_default();
        format!(
            "{pace}, seed {}, openings {}",
            self.seed,
            openings.display()
        )
    }

    /// The limit of a move.
    fn pace(&self) -> Pace {
        match self.clock {
            None => Pace::Nodes(self.nodes),
            Some(Clock { seconds, increment }) => Pace::Clock {
                seconds,
                increment,
                node_rate: NonZeroU64::new(self.node_rate).unwrap_or(NonZeroU64::MIN),
            },
        }
    }
}

/// A clock, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// Time at the start.
    pub seconds: f64,
    /// Increment per move.
    pub increment: f64,
}

impl FromStr for Clock {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected seconds and increment, such as 2+0.02";
        let read = |text: &str| {
            let number: f64 = text.parse().ok()?;
            (0.0..=1e6).contains(&number).then_some(number)
        };
        let (seconds, increment) = text.split_once('+').ok_or(EXPECTED)?;
        Ok(Self {
            seconds: read(seconds).ok_or(EXPECTED)?,
            increment: read(increment).ok_or(EXPECTED)?,
        })
    }
}

/// Parameters changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor(Vec<(&'static str, i32)>);

/// Why a text is not a factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactorError {
    /// A word is not `NAME=VALUE`.
    NoValue(String),
    /// The search has no parameter of this name.
    UnknownParameter(String),
    /// A value is not a whole number.
    BadValue(String),
}

impl fmt::Display for FactorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(word) => write!(f, "expected NAME=VALUE, not '{word}'"),
            Self::UnknownParameter(name) => write!(f, "unknown parameter '{name}'"),
            Self::BadValue(value) => write!(f, "expected a whole number, not '{value}'"),
        }
    }
}

impl std::error::Error for FactorError {}

impl FromStr for Factor {
    type Err = FactorError;

    /// Reads `NAME=VALUE,NAME=VALUE`. An empty text or `base` changes nothing.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = text
            .split(',')
            .filter(|word| !word.is_empty() && *word != "base");
        let change = |word: &str| {
            let no_value = || FactorError::NoValue(word.to_owned());
            let (name, value) = word.split_once('=').ok_or_else(no_value)?;
            let parameter = (PARAMETERS.iter().find(|parameter| parameter.name == name))
                .ok_or_else(|| FactorError::UnknownParameter(name.to_owned()))?;
            let bad_value = |_| FactorError::BadValue(value.to_owned());
            Ok((parameter.name, value.parse().map_err(bad_value)?))
        };
        words.map(change).collect::<Result<_, _>>().map(Self)
    }
}

impl Factor {
    /// The text from which it can be read.
    fn name(&self) -> String {
        let words: Vec<_> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        words.join(",")
    }
}

/// One side of a match.
struct Side<'a> {
    /// Parameters that differ from their defaults.
    factor: &'a Factor,
    /// Network; `None` for the built-in one.
    net: Option<&'a Path>,
}

/// Maximum number of factors: each has a bit in a 64-bit mask of the log.
const MAX_FACTORS: usize = 64;

/// Transposition table of each side, in MiB.
const HASH_MIB: usize = 8;

/// Pairs of games between two reports of a match.
const PAIRS_PER_REPORT: u64 = 50;

/// Runs an experiment and writes results to `output`.
///
/// # Errors
/// If a file cannot be read or written, or memory or a thread is not available.
pub fn run(command: &Command, output: &mut impl Write) -> io::Result<()> {
    match command {
        Command::Match {
            a,
            b,
            net_a,
            net_b,
            games,
        } => {
            let sides = [(a, net_a), (b, net_b)].map(|(factor, net)| Side {
                factor,
                net: net.as_deref(),
            });
            run_match(&sides, games, output)
        }
        Command::Factorial {
            factors,
            games,
            log,
        } => {
            if factors.len() > MAX_FACTORS {
                return Err(io::Error::other(format!("more than {MAX_FACTORS} factors")));
            }
            run_factorial(factors, games, log)
        }
        Command::Effects { logs } => {
            let (mut effects, mut headers) = (None, Vec::new());
            for log in logs {
                read_log(log, &mut headers, &mut effects)?;
            }
            match effects {
                Some(effects) if effects.has_enough() => write!(output, "{effects}"),
                Some(_) => Err(io::Error::other("too few games for so many factors")),
                None => Err(io::Error::other("no logs")),
            }
        }
    }
}

/// Sets the parameters of `changes`, and the others to their defaults.
fn apply<'a>(changes: impl IntoIterator<Item = &'a (&'static str, i32)>) {
    let changes: Vec<_> = changes.into_iter().collect();
    for parameter in PARAMETERS {
        let changed = changes.iter().find(|(name, _)| *name == parameter.name);
        set_parameter(
            parameter.name,
            changed.map_or(parameter.value, |&&(_, value)| value),
        );
    }
}

fn run_match(sides: &[Side<'_>; 2], games: &Games, output: &mut impl Write) -> io::Result<()> {
    let mut openings = read_openings(&games.openings)?;
    // The same order for all seeds, of which each takes its own part.
    openings.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
    if games.pairs() > openings.len() as u64 {
        status("warning: more pairs than openings: repeated games make the interval too small");
    }
    let mut searchers = [Searcher::new(HASH_MIB)?, Searcher::new(HASH_MIB)?];
    for (searcher, side) in searchers.iter_mut().zip(sides) {
        if let Some(net) = side.net {
            searcher.set_network(Arc::new(Network::load(net)?));
        }
    }
    let mut record = games.open_record()?;
    // Number of pairs by points of side A: 0, 1/2, 1, 3/2, 2.
    let mut pairs = [0_u64; 5];
    let (mut wins, mut losses) = (0, 0);
    for pair in 0..games.pairs() {
        let opening = openings[dealt(games, pair, openings.len())];
        let setups: [&dyn Fn(); 2] = [&|| apply(&sides[0].factor.0), &|| apply(&sides[1].factor.0)];
        let results = play_pair(&opening, &mut searchers, setups, &games.pace(), &mut record)?;
        wins += results.iter().filter(|&&result| result > 0).count();
        losses += results.iter().filter(|&&result| result < 0).count();
        pairs[(results[0] + results[1] + 2) as usize] += 1;
        let done = pair + 1;
        if done == games.pairs() || done.is_multiple_of(PAIRS_PER_REPORT) {
            let (elo, error) = elo_of(&pairs);
            let draws = 2 * done as usize - wins - losses;
            writeln!(
                output,
                "{} games: {wins} won, {losses} lost, {draws} drawn; pairs {pairs:?}; {elo:+.1} +- {error:.1} Elo",
                2 * done
            )?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The index of the opening of a pair in a match. None comes twice before all have come: with the
/// same nodes, two pairs from one opening are the same games, and count once.
fn dealt(games: &Games, pair: u64, openings: usize) -> usize {
    let first = games.seed.saturating_sub(1).wrapping_mul(games.pairs());
    (first.wrapping_add(pair) % openings as u64) as usize
}

/// Elo and half of its 95 % interval, from the number of pairs by points.
fn elo_of(pairs: &[u64; 5]) -> (f64, f64) {
    let count: u64 = pairs.iter().sum();
    let share = |index: usize| index as f64 / 4.0;
    let moment = |value: &dyn Fn(f64) -> f64| {
        let sum: f64 = pairs
            .iter()
            .enumerate()
            .map(|(index, &pairs)| value(share(index)) * pairs as f64)
            .sum();
        sum / count as f64
    };
    let mean = moment(&|share| share);
    let variance = moment(&|share| (share - mean).powi(2));
    let margin = 1.96 * (variance / count as f64).sqrt();
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    (elo(mean), (elo(mean + margin) - elo(mean - margin)) / 2.0)
}

fn run_factorial(factors: &[Factor], games: &Games, log: &Path) -> io::Result<()> {
    let mut changed = HashSet::new();
    for (name, _) in factors.iter().flat_map(|factor| &factor.0) {
        if !changed.insert(name) {
            let reason = format!("{name} is in two factors, and a side may have both");
            return Err(io::Error::other(reason));
        }
    }
    let openings = read_openings(&games.openings)?;
    let mut searchers = [Searcher::new(HASH_MIB)?, Searcher::new(HASH_MIB)?];
    let names = factors
        .iter()
        .map(Factor::name)
        .collect::<Vec<_>>()
        .join(";");
    let old_header = format!("factors {names}");
    let header = format!("{old_header}\t{}", games.conditions());
    let text = match read_text(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    let complete = complete_lines(&text);
    let begun = complete.lines().next();
    // Logs of old versions have no conditions.
    if let Some(first) = begun.filter(|&first| first != header && first != old_header) {
        let reason = format!("{} is of '{first}', not of '{header}'", log.display());
        return Err(io::Error::other(reason.replace('\t', ", ")));
    }
    let mut file = open_to_append(log).map_err(named(log))?;
    // Cuts off the last line if a run was killed while it wrote it.
    file.set_len(complete.len() as u64).map_err(named(log))?;
    if begun.is_none() {
        writeln!(file, "{header}")?;
    }
    let done = complete.lines().count().saturating_sub(1) as u64;
    let mut record = games.open_record()?;
    for pair in done..games.pairs() {
        let mut random = random_of(games.seed, pair);
        let opening = openings[random.random_range(0..openings.len())];
        let mask = random.random::<u64>() & (u64::MAX >> (64 - factors.len()));
        let apply_where = |is_in_mask: bool| {
            let chosen = factors.iter().enumerate();
            apply(
                chosen
                    .filter(|&(index, _)| (mask >> index & 1 == 1) == is_in_mask)
                    .flat_map(|(_, factor)| &factor.0),
            );
        };
        let setups: [&dyn Fn(); 2] = [&|| apply_where(true), &|| apply_where(false)];
        let [first, second] =
            play_pair(&opening, &mut searchers, setups, &games.pace(), &mut record)?;
        writeln!(file, "{mask} {first} {second}")?;
        if (pair + 1).is_multiple_of(10 * PAIRS_PER_REPORT) {
            status(&format!("{} of {} pairs", pair + 1, games.pairs()));
        }
    }
    Ok(())
}

/// Plays two games from an opening. Returns the results of the first side: 1, 0 or -1.
fn play_pair(
    opening: &Start,
    searchers: &mut [Searcher; 2],
    setups: [&(dyn Fn() + '_); 2],
    pace: &Pace,
    record: &mut Option<GameFile>,
) -> io::Result<[i32; 2]> {
    let [first, second] = searchers;
    let one = game::play(
        opening,
        [(&mut *first, setups[0]), (&mut *second, setups[1])],
        pace,
    )?;
    let two = game::play(opening, [(second, setups[1]), (first, setups[0])], pace)?;
    if let Some(file) = record {
        for played in [&one, &two]
            .into_iter()
            .filter(|played| !played.lost_on_time)
        {
            file.append(&played.game)?;
        }
    }
    Ok([one.result(), -two.result()])
}

/// The random generator of a pair of games, the same on every run.
fn random_of(seed: u64, pair: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(pair);
    random
}

/// The text without a last line that was cut off.
fn complete_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// Reads a log, without a last line that is being written or was cut off. `headers` are those of
/// the logs before.
fn read_log(
    file: &Path,
    headers: &mut Vec<String>,
    effects: &mut Option<Effects>,
) -> io::Result<()> {
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
        if headers.iter().any(|other| other == header) {
            return refuse("these games are in another log too: each process needs its own --seed");
        }
        let is_other = |other: &String| without_seed(other) != without_seed(header);
        if headers.iter().any(is_other) {
            return refuse("these games had other conditions than those of another log");
        }
        headers.push(header.to_owned());
    }
    let effects = effects.get_or_insert_with(|| Effects::new(names));
    if !effects.is_of(names) {
        return Err(bad());
    }
    for line in lines {
        let (mask, result) = read_pair(line).ok_or_else(bad)?;
        effects.add(mask, result);
    }
    Ok(())
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
    use super::*;
    use std::fs;
    use tabiya::engine::Engine;
    use viriformat::dataformat::{Game, WDL};

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
        let try_to_play = |nodes| {
            let command = Command::Factorial {
                factors: vec!["razor_margin=250".parse().unwrap()],
                log: log.clone(),
                games: Games {
                    openings: openings.clone(),
                    games: 6,
                    nodes,
                    clock: None,
                    node_rate: 1,
                    seed: 1,
                    record: None,
                },
            };
            run(&command, &mut Vec::new())
        };
        let play = || {
            try_to_play(200).unwrap();
            fs::read_to_string(&log).unwrap()
        };
        let whole = play();
        assert_eq!(whole.lines().count(), 4, "{whole}");
        for cut in [1, 2, 4, 9, whole.len() - 3, whole.len()] {
            fs::write(&log, &whole[..whole.len() - cut]).unwrap();
            let (mut effects, mut headers) = (None, Vec::new());
            let is_read = read_log(&log, &mut headers, &mut effects).is_ok();
            assert_eq!(is_read, whole[..whole.len() - cut].contains('\n'), "{cut}");
            assert_eq!(play(), whole, "{cut}");
        }
        // The log is not continued under other conditions, but that of an old version, which has
        // none, is.
        let error = try_to_play(300).unwrap_err().to_string();
        let conditions = "razor_margin=250, nodes 200, seed 1, openings openings.epd', not of";
        assert!(error.contains(conditions), "{error}");
        let (header, rest) = whole.split_once('\n').unwrap();
        let (factors, _) = header.split_once('\t').unwrap();
        let old = format!("{factors}\n{rest}");
        fs::write(&log, &old).unwrap();
        assert_eq!(play(), old);
        fs::write(&log, "factors lmp_base=5\n").unwrap();
        try_to_play(200).unwrap_err();
        let mut effects = None;
        assert!(read_log(&log, &mut Vec::new(), &mut effects).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }

    /// Two pairs from one opening are the same games.
    #[test]
    fn processes_of_a_match_play_from_different_openings() {
        let games = |seed| Games {
            openings: PathBuf::new(),
            games: 20,
            nodes: 1,
            clock: None,
            node_rate: 1,
            seed,
            record: None,
        };
        let of_seed = |seed| (0..10).map(move |pair| dealt(&games(seed), pair, 30));
        let dealt: HashSet<_> = (1..=3).flat_map(of_seed).collect();
        assert_eq!(dealt, (0..30).collect());
    }

    #[test]
    fn logs_of_the_same_games_or_of_other_conditions_are_not_added() {
        let folder = std::env::temp_dir().join(format!("tabiya-logs-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let log = |name: &str, conditions: &str| {
            let file = folder.join(name);
            let pairs = "1 1 0\n0 0 -1\n1 0 1\n";
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
        fs::write(&first, "factors razor_margin=250\n1 1 0\n").unwrap();
        assert!(effects(&[&first]).unwrap_err().contains("too few games"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_bad_line_of_the_openings_is_named() {
        let file = std::env::temp_dir().join(format!("tabiya-bad-{}", std::process::id()));
        fs::write(&file, "4k3/8/8/8/8/8/8/Q3K3 w - -\n\nnonsense\n").unwrap();
        let error = read_openings(&file).unwrap_err().to_string();
        assert!(error.contains(":3: bad FEN: "), "{error}");
        fs::remove_file(&file).unwrap();
    }

    /// A tuner that leaves the range would measure nothing that can be used.
    #[test]
    fn an_option_takes_only_values_of_the_range_of_its_parameter() {
        let mut engine = Engine::new().unwrap();
        for parameter in PARAMETERS {
            let (name, min, max) = (parameter.name, parameter.min, parameter.max);
            let accepted = engine.set_option(name, &parameter.value.to_string());
            assert_eq!(accepted, Ok(Vec::new()), "{name}");
            let beyond = [i64::from(min) - 1, i64::from(max) + 1, i64::MIN, i64::MAX];
            let texts = beyond.map(|value| value.to_string());
            for text in texts.iter().map(String::as_str).chain(["", "x", "1.5"]) {
                let error = engine.set_option(name, text).unwrap_err().to_string();
                let range = format!("a whole number from {min} to {max}, not '{text}'");
                assert!(error.contains(&range), "{error}");
            }
        }
    }

    #[test]
    fn a_factor_needs_known_names_and_numbers() {
        for text in [
            "",
            "base",
            "razor_margin=250",
            "razor_margin=250,lmp_base=5",
        ] {
            assert!(text.parse::<Factor>().is_ok(), "{text}");
        }
        for (text, expected) in [
            ("razor_margin", "expected NAME=VALUE, not 'razor_margin'"),
            ("razer=1", "unknown parameter 'razer'"),
            ("razor_margin=x", "expected a whole number, not 'x'"),
        ] {
            assert_eq!(text.parse::<Factor>().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_match_records_its_games_for_training() {
        let folder = std::env::temp_dir().join(format!("tabiya-match-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (openings, record) = (folder.join("openings.epd"), folder.join("games.vf"));
        fs::write(&openings, "4k3/8/8/8/8/8/8/Q3K3 w - -").unwrap();
        let base: Factor = "base".parse().unwrap();
        let command = Command::Match {
            a: base.clone(),
            b: base,
            net_a: None,
            net_b: None,
            games: Games {
                openings,
                games: 4,
                nodes: 300,
                clock: None,
                node_rate: 1,
                seed: 1,
                record: Some(record.clone()),
            },
        };
        let mut output = Vec::new();
        run(&command, &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(
            output.starts_with("4 games: 2 won, 2 lost, 0 drawn"),
            "{output}"
        );
        let bytes = fs::read(&record).unwrap();
        let mut rest = &bytes[..];
        for _ in 0..4 {
            let game = Game::deserialise_from(&mut rest, Vec::new()).unwrap();
            // White is far ahead, so the game is adjudicated.
            assert!(matches!(game.outcome(), WDL::Win));
            assert!(game.moves.len() >= 6);
        }
        assert!(rest.is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
