//! The strength lab (feature `tune`): parameters of the search, and networks, judged by games in this process at a fixed
//! number of nodes a move, so that a busy machine changes nothing.
//!
//! A *match* sets two sides against each other. A *factorial* judges many changes by one set of games: for each opening,
//! played twice with colours changed, side A has a random half of the factors and side B the other half; every game then
//! says something about every factor, and least squares takes the effects apart (Fisher, "The Design of Experiments",
//! 1935). An effect is the average with half the others on. What pays with depth is undervalued at few nodes, and what
//! costs speed is not seen at all: confirm by a match, and by one on the clock.
//!
//! A factor is `NAME=VALUE`, several with commas between them. Parameters belong to the process: one process per core.

mod effects;
mod play;

use crate::board::Position;
use crate::engine::load_network;
use crate::search::{PARAMETERS, Searcher, new_thread, set_parameter};
use crate::tools::datagen::GameFile;
use crate::tools::files::{named, read_text};
use crate::tools::number;
use crate::tools::progress::tell;
use clap::{Args, Subcommand};
use effects::Effects;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

pub use play::Pace;

/// What the lab is asked to do.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Settings {
    /// Set two sides against each other
    Match {
        /// The parameters of the first side, NAME=VALUE with commas between; 'base' changes nothing.
        #[arg(value_parser = Factor::parse)]
        a: Factor,
        /// Those of the second side.
        #[arg(value_parser = Factor::parse)]
        b: Factor,
        /// The network of the first side, if not the program's own.
        #[arg(long, value_name = "FILE")]
        net_a: Option<PathBuf>,
        /// That of the second side.
        #[arg(long, value_name = "FILE")]
        net_b: Option<PathBuf>,
        /// The games.
        #[command(flatten)]
        games: Games,
    },
    /// Judge many factors by one set of games
    Factorial {
        /// The factors, each as a side of a match has them, in one word.
        #[arg(required = true, value_name = "FACTOR;FACTOR;…", value_delimiter = ';', value_parser = Factor::parse)]
        factors: Vec<Factor>,
        /// Where results are appended; a run goes on where the file ends.
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
        /// The games.
        #[command(flatten)]
        games: Games,
    },
    /// Print what each factor is worth
    Effects {
        /// The logs, all of the same factors.
        #[arg(required = true, value_name = "LOG")]
        logs: Vec<PathBuf>,
    },
}

/// How games are played.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Games {
    /// Positions to begin from, a FEN or EPD a line; each is played twice, with colours changed.
    #[arg(long, value_name = "FILE")]
    pub openings: PathBuf,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number(2..=100_000_000_u64))]
    pub games: u64,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = number(1..=100_000_000_u64))]
    pub nodes: u64,
    /// A clock instead that counts nodes: seconds and increment, like 2+0.02.
    #[arg(long, value_name = "S+I")]
    pub clock: Option<Clock>,
    /// So many nodes are a second of that clock.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number(1..=1_000_000_000_u64))]
    pub node_rate: u64,
    /// What all that is random follows from.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Append the games to this file, as datagen writes them: a network may learn from them.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

impl Games {
    /// Pairs of games, each from one opening with colours changed.
    const fn pairs(&self) -> u64 {
        self.games / 2
    }

    /// Where games are recorded, if anywhere.
    fn open_record(&self) -> io::Result<Option<GameFile>> {
        self.record.as_deref().map(GameFile::open).transpose()
    }

    /// What a move may take.
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
    /// At the start.
    pub seconds: f64,
    /// After each move.
    pub increment: f64,
}

impl FromStr for Clock {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WANTED: &str = "it must be seconds and increment, like 2+0.02";
        let read = |text: &str| {
            let number: f64 = text.parse().ok()?;
            (0.0..=1e6).contains(&number).then_some(number)
        };
        let (seconds, increment) = text.split_once('+').ok_or(WANTED)?;
        Ok(Self {
            seconds: read(seconds).ok_or(WANTED)?,
            increment: read(increment).ok_or(WANTED)?,
        })
    }
}

/// Parameters that are changed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor(Vec<(&'static str, i32)>);

impl Factor {
    /// Reads `NAME=VALUE,NAME=VALUE`; `base` and nothing change nothing.
    ///
    /// # Errors
    /// If a name or a value is none.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = text
            .split(',')
            .filter(|word| !word.is_empty() && *word != "base");
        let change = |word: &str| {
            let (name, value) = word
                .split_once('=')
                .ok_or(format!("'{word}' is no NAME=VALUE"))?;
            let parameter = PARAMETERS.iter().find(|parameter| parameter.name == name);
            let parameter = parameter.ok_or(format!("there is no parameter '{name}'"))?;
            let value = value
                .parse()
                .map_err(|_| format!("'{value}' is no number"))?;
            Ok((parameter.name, value))
        };
        words.map(change).collect::<Result<_, _>>().map(Self)
    }

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
    /// Its parameters, where they are not those that are built in.
    factor: &'a Factor,
    /// Its network, if not the program's own.
    net: Option<&'a Path>,
}

/// Each has a bit in the log.
const MAX_FACTORS: usize = 64;

/// Hash of each side, in MiB.
const HASH_MIB: usize = 8;

/// A match is reported after so many pairs.
const PAIRS_PER_REPORT: u64 = 50;

/// Does what is asked, and prints results.
fn work(settings: &Settings, output: &mut impl Write) -> io::Result<()> {
    match settings {
        Settings::Match {
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
        Settings::Factorial {
            factors,
            games,
            log,
        } => {
            if factors.len() > MAX_FACTORS {
                return Err(io::Error::other(format!("more than {MAX_FACTORS} factors")));
            }
            run_factorial(factors, games, log)
        }
        Settings::Effects { logs } => {
            let mut effects = None;
            for log in logs {
                read_log(log, &mut effects)?;
            }
            match effects {
                Some(effects) => write!(output, "{effects}"),
                None => Err(io::Error::other("no log was named")),
            }
        }
    }
}

/// Sets every parameter: those of the factor, the others to what is built in.
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
    let openings = read_openings(&games.openings)?;
    let mut searchers = Vec::new();
    for side in sides {
        let mut searcher = Searcher::new(HASH_MIB)?;
        if let Some(net) = side.net {
            searcher.set_network(Arc::new(load_network(net)?));
        }
        searchers.push(searcher);
    }
    let mut record = games.open_record()?;
    // Pairs by the points of side A: 0, 1/2, 1, 3/2, 2.
    let mut pairs = [0_u64; 5];
    let (mut wins, mut losses) = (0, 0);
    for pair in 0..games.pairs() {
        let opening = openings[random_of(games.seed, pair).random_range(0..openings.len())];
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

/// Elo and the half of its 95 % interval, from pairs by points.
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
    let openings = read_openings(&games.openings)?;
    let mut searchers = vec![Searcher::new(HASH_MIB)?, Searcher::new(HASH_MIB)?];
    let names = factors
        .iter()
        .map(Factor::name)
        .collect::<Vec<_>>()
        .join(";");
    let header = format!("factors {names}");
    let done = match fs::read_to_string(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::write(log, format!("{header}\n")).map_err(named(log))?;
            0
        }
        Err(error) => return Err(named(log)(error)),
        Ok(text) if text.lines().next() == Some(&header) => text.lines().count() as u64 - 1,
        Ok(_) => {
            return Err(io::Error::other(format!(
                "{} is of other factors",
                log.display()
            )));
        }
    };
    let mut file = OpenOptions::new()
        .append(true)
        .open(log)
        .map_err(named(log))?;
    let mut record = games.open_record()?;
    for pair in done..games.pairs() {
        let mut random = random_of(games.seed, pair);
        let opening = openings[random.random_range(0..openings.len())];
        let mask = random.random::<u64>() & (u64::MAX >> (64 - factors.len()));
        let apply_where = |wanted: bool| {
            let chosen = factors.iter().enumerate();
            apply(
                chosen
                    .filter(|&(index, _)| (mask >> index & 1 == 1) == wanted)
                    .flat_map(|(_, factor)| &factor.0),
            );
        };
        let setups: [&dyn Fn(); 2] = [&|| apply_where(true), &|| apply_where(false)];
        let [first, second] =
            play_pair(&opening, &mut searchers, setups, &games.pace(), &mut record)?;
        writeln!(file, "{mask} {first} {second}")?;
        if (pair + 1).is_multiple_of(10 * PAIRS_PER_REPORT) {
            tell(&format!("{} of {} pairs", pair + 1, games.pairs()));
        }
    }
    Ok(())
}

/// Two games from an opening; the results for the first side: 1, 0 or -1.
fn play_pair(
    opening: &Position,
    searchers: &mut [Searcher],
    setups: [&(dyn Fn() + '_); 2],
    pace: &Pace,
    record: &mut Option<GameFile>,
) -> io::Result<[i32; 2]> {
    let [first, second] = searchers else {
        return Err(io::Error::other("a match has two sides"));
    };
    let one = play::game(
        opening,
        [(&mut *first, setups[0]), (&mut *second, setups[1])],
        pace,
    );
    let two = play::game(opening, [(second, setups[1]), (first, setups[0])], pace);
    if let Some(file) = record {
        for played in [&one, &two]
            .into_iter()
            .filter(|played| !played.lost_on_time)
        {
            file.append(&played.record)?;
        }
    }
    Ok([one.result(), -two.result()])
}

/// What is random in a pair of games: the same whenever it is played.
fn random_of(seed: u64, pair: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(pair);
    random
}

fn read_openings(file: &Path) -> io::Result<Vec<Position>> {
    let text = read_text(file)?;
    let positions: Vec<_> = text
        .lines()
        .filter_map(|line| {
            let fields: Vec<_> = line.split_whitespace().take(4).collect();
            Position::from_fen(&format!("{} 0 1", fields.join(" "))).ok()
        })
        .collect();
    if positions.is_empty() {
        let reason = format!("{} has no openings", file.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(positions)
}

fn read_log(file: &Path, effects: &mut Option<Effects>) -> io::Result<()> {
    let text = read_text(file)?;
    let bad = || io::Error::other(format!("{} is no log of a factorial", file.display()));
    let mut lines = text.lines();
    let names = lines
        .next()
        .and_then(|line| line.strip_prefix("factors "))
        .ok_or_else(bad)?;
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

/// A line of a log: the factors that side A had, and its mean result in the two games, -0.5 to 0.5.
fn read_pair(line: &str) -> Option<(u64, f64)> {
    let (mask, results) = line.split_once(' ')?;
    let (first, second) = results.split_once(' ')?;
    let sum = first.parse::<i32>().ok()? + second.parse::<i32>().ok()?;
    Some((mask.parse().ok()?, f64::from(sum) / 4.0))
}

/// Does what is asked, on a thread that can search, and prints results.
///
/// # Errors
/// If a file cannot be read or written, there is no thread to be had, or nobody reads the output.
pub fn run(settings: &Settings, output: &mut (impl Write + Send)) -> io::Result<()> {
    std::thread::scope(|scope| {
        let worker = new_thread().spawn_scoped(scope, || work(settings, output))?;
        worker
            .join()
            .map_err(|_| io::Error::other("the lab was broken off by a fault of the engine"))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use viriformat::dataformat::{Game, WDL};

    #[test]
    fn a_log_of_as_many_factors_as_there_may_be_is_read() {
        assert_eq!(
            read_pair(&format!("{} 1 1", u64::MAX)),
            Some((u64::MAX, 0.5))
        );
        assert_eq!(read_pair("5 0 -1"), Some((5, -0.25)));
        for bad in ["", "5", "5 1", "5 1 x", "-1 0 0"] {
            assert_eq!(read_pair(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_match_records_its_games_for_training() {
        let folder = std::env::temp_dir().join(format!("tabiya-lab-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (openings, record) = (folder.join("openings.epd"), folder.join("games.vf"));
        fs::write(&openings, "4k3/8/8/8/8/8/8/Q3K3 w - -").unwrap();
        let base = Factor::parse("base").unwrap();
        let settings = Settings::Match {
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
        run(&settings, &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(
            output.starts_with("4 games: 2 won, 2 lost, 0 drawn"),
            "{output}"
        );
        let bytes = fs::read(&record).unwrap();
        let mut rest = &bytes[..];
        for _ in 0..4 {
            let game = Game::deserialise_from(&mut rest, Vec::new()).unwrap();
            // It is given up when White has been far ahead for a while.
            assert!(matches!(game.outcome(), WDL::Win));
            assert!(game.moves.len() >= 6);
        }
        assert!(rest.is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
