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
mod log;

use clap::{Args, Subcommand};
use game::Pace;
use log::{Log, read_logs};
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
use tabiya::eval::{Network, fingerprint};
use tabiya::search::{PARAMETERS, Searcher, set_parameter};
use tabiya::tools::datagen::GameFile;
use tabiya::tools::files::read_bytes;
use tabiya::tools::number;
use tabiya::tools::openings::{Start, read_openings};
use tabiya::tools::progress::status;

/// An experiment.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// Play a match between two settings of the search, or two networks
    ///
    /// 'tabiya params', in a build with the feature tune, lists the parameters. Processes that
    /// share a match need the same --games, and the seeds 1, 2, 3 and so on.
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
    /// Continues where the log ends, if it has the same factors, number of games, nodes or clock,
    /// seed, openings, network and defaults of the parameters. More games need another seed and
    /// another log. 'tabiya-train effects' prints the result.
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
    /// Number of games; of an odd number, one fewer.
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
    fn conditions(&self) -> io::Result<String> {
        let pace = match self.clock {
            None => format!("nodes {}", self.nodes),
            Some(Clock { seconds, increment }) => {
                format!("clock {seconds}+{increment}, node rate {}", self.node_rate)
            }
        };
        // The same file may be named by several paths.
        let name = self.openings.file_name().unwrap_or_default();
        let openings = fingerprint(&read_bytes(&self.openings)?);
        let values = PARAMETERS.iter().flat_map(|parameter| {
            let name = parameter.name.bytes();
            name.chain(parameter.value.to_le_bytes())
        });
        Ok(format!(
            "{pace}, games {}, seed {}, openings {} {openings:016x}, network {:016x}, parameters {:016x}",
            2 * self.pairs(),
            self.seed,
            name.display(),
            Network::embedded().fingerprint(),
            fingerprint(&values.collect::<Vec<_>>())
        ))
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

/// From this number of factors on, an opening may serve for several pairs: 32 or more of them are
/// different games.
const MANY_FACTORS: usize = 6;

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
            let effects = read_logs(logs)?;
            if !effects.has_enough() {
                let reason = "too few games to estimate the errors of so many factors";
                return Err(io::Error::other(reason));
            }
            write!(output, "{effects}")
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
    let openings = shuffled_openings(games)?;
    if let Some(warning) = shortage(games, openings.len() as u64) {
        status(&warning);
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
            let result = match error {
                Some(error) => format!("{elo:+.1} +- {error:.1} Elo"),
                None => format!("{elo:+.1} Elo, no interval yet"),
            };
            let draws = 2 * done as usize - wins - losses;
            writeln!(
                output,
                "{} games: {wins} won, {losses} lost, {draws} drawn; pairs {pairs:?}; {result}",
                2 * done
            )?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The openings, in an order of chance that is the same for all seeds, of which each takes its own
/// part.
fn shuffled_openings(games: &Games) -> io::Result<Vec<Start>> {
    if games.seed == 0 {
        let reason = "--seed begins at 1: seed N takes the Nth part of the openings";
        return Err(io::Error::other(reason));
    }
    let mut openings = read_openings(&games.openings)?;
    openings.shuffle(&mut ChaCha8Rng::seed_from_u64(0));
    Ok(openings)
}

/// A warning if fewer pairs can be played than the seeds up to this one play.
fn shortage(games: &Games, available: u64) -> Option<String> {
    let needed = games.seed.saturating_mul(games.pairs());
    (needed > available).then(|| {
        format!(
            "warning: seeds up to {} play {needed} pairs, and the openings are enough for \
             {available}: games that repeat make the interval too small",
            games.seed
        )
    })
}

/// The index of the opening of a pair. None comes twice before all have come: with the same nodes,
/// two pairs of a match from one opening are the same games, and count once.
fn dealt(games: &Games, pair: u64, openings: usize) -> usize {
    let first = (games.seed - 1).wrapping_mul(games.pairs());
    (first.wrapping_add(pair) % openings as u64) as usize
}

/// Elo and half of its 95 % interval, from the number of pairs by points. While all pairs have the
/// same points, they do not show how far others may be from these.
fn elo_of(pairs: &[u64; 5]) -> (f64, Option<f64>) {
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
    let elo = |share: f64| {
        let share = share.clamp(0.001, 0.999);
        400.0 * (share / (1.0 - share)).log10()
    };
    let error = (elo(mean + margin) - elo(mean - margin)) / 2.0;
    let varies = pairs.iter().filter(|&&pairs| pairs > 0).count() > 1;
    (elo(mean), varies.then_some(error))
}

fn run_factorial(factors: &[Factor], games: &Games, log: &Path) -> io::Result<()> {
    let mut changed = HashSet::new();
    for (name, _) in factors.iter().flat_map(|factor| &factor.0) {
        if !changed.insert(name) {
            let reason = format!("{name} is in two factors, and a side may have both");
            return Err(io::Error::other(reason));
        }
    }
    let openings = shuffled_openings(games)?;
    // With many factors half of the different pairs of an opening may be played: more would repeat.
    let pairs_per_opening = match factors.len() {
        ..MANY_FACTORS => 1,
        many => 1 << (many - 2),
    };
    let available = (openings.len() as u64).saturating_mul(pairs_per_opening);
    if let Some(warning) = shortage(games, available) {
        status(&warning);
    }
    let mut searchers = [Searcher::new(HASH_MIB)?, Searcher::new(HASH_MIB)?];
    let names: Vec<_> = factors.iter().map(Factor::name).collect();
    let header = format!("factors {}\t{}", names.join(";"), games.conditions()?);
    let mut log = Log::open(log, &header)?;
    let mut record = games.open_record()?;
    for pair in log.pairs..games.pairs() {
        let opening = openings[dealt(games, pair, openings.len())];
        let mask = random_of(games.seed, pair).random::<u64>() & (u64::MAX >> (64 - factors.len()));
        let apply_where = |is_in_mask: bool| {
            let chosen = factors.iter().enumerate();
            apply(
                chosen
                    .filter(|&(index, _)| (mask >> index & 1 == 1) == is_in_mask)
                    .flat_map(|(_, factor)| &factor.0),
            );
        };
        let setups: [&dyn Fn(); 2] = [&|| apply_where(true), &|| apply_where(false)];
        let results = play_pair(&opening, &mut searchers, setups, &games.pace(), &mut record)?;
        log.add(mask, results)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tabiya::engine::Engine;
    use tabiya::tools::viriformat::read_games;
    use viriformat::dataformat::{Game, WDL};

    /// Short games at fixed nodes.
    pub(super) fn games(openings: &Path) -> Games {
        Games {
            openings: openings.to_owned(),
            games: 4,
            nodes: 300,
            clock: None,
            node_rate: 1,
            seed: 1,
            record: None,
        }
    }

    /// Two pairs from one opening are the same games.
    #[test]
    fn processes_of_a_match_play_from_different_openings() {
        let games = |seed| Games {
            games: 20,
            seed,
            ..games(Path::new(""))
        };
        let of_seed = |seed| (0..10).map(move |pair| dealt(&games(seed), pair, 30));
        let dealt: HashSet<_> = (1..=3).flat_map(of_seed).collect();
        assert_eq!(dealt, (0..30).collect());
        // The fourth one plays the games of the first again.
        assert!((1..=3).all(|seed| shortage(&games(seed), 30).is_none()));
        let warning = shortage(&games(4), 30).unwrap();
        assert!(
            warning.contains("play 40 pairs, and the openings are enough for 30"),
            "{warning}"
        );
        // As seed 0 would.
        let base: Factor = "base".parse().unwrap();
        let a_match = Command::Match {
            a: base.clone(),
            b: base.clone(),
            net_a: None,
            net_b: None,
            games: games(0),
        };
        let factorial = Command::Factorial {
            factors: vec![base],
            log: PathBuf::from("not-written"),
            games: games(0),
        };
        for command in [a_match, factorial] {
            let error = run(&command, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains("--seed begins at 1"), "{error}");
        }
    }

    #[test]
    fn pairs_that_are_all_alike_have_no_interval() {
        for pairs in [[0, 0, 8, 0, 0], [0, 0, 0, 0, 20], [0, 1, 0, 0, 0]] {
            assert_eq!(elo_of(&pairs).1, None, "{pairs:?}");
        }
        let (elo, error) = elo_of(&[0, 0, 8, 0, 0]);
        assert!(elo.is_sign_positive() && error.is_none());
        assert!(elo_of(&[0, 1, 2, 1, 0]).1.is_some_and(|error| error > 0.0));
    }

    #[test]
    fn a_clock_is_seconds_and_an_increment() {
        let clock = |text: &str| text.parse::<Clock>();
        let (seconds, increment) = (2.0, 0.02);
        assert_eq!(clock("2+0.02"), Ok(Clock { seconds, increment }));
        for text in ["2", "", "+", "-1+0", "2+-0.1", "nan+0", "1e9+0", "2+0+0"] {
            assert!(clock(text).is_err(), "{text}");
        }
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

    /// With one factor, all pairs from one opening are the same two games.
    #[test]
    fn a_factorial_plays_each_opening_before_one_comes_twice() {
        let folder = std::env::temp_dir().join(format!("tabiya-dealt-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (openings, record) = (folder.join("openings.epd"), folder.join("games.vf"));
        let starts = ["Q3K3", "1Q2K3", "2Q1K3", "3QK3", "4KQ2", "4K1Q1"];
        fs::write(
            &openings,
            starts
                .map(|queen| format!("4k3/8/8/8/8/8/8/{queen} w - -\n"))
                .concat(),
        )
        .unwrap();
        let command = Command::Factorial {
            factors: vec!["razor_margin=250".parse().unwrap()],
            log: folder.join("log"),
            games: Games {
                games: 12,
                nodes: 100,
                record: Some(record.clone()),
                ..games(&openings)
            },
        };
        run(&command, &mut Vec::new()).unwrap();
        let bytes = fs::read(&record).unwrap();
        let games: Vec<_> = read_games(&bytes).map(|(_, game)| game.unwrap()).collect();
        let starts = games
            .iter()
            .map(|game| game.positions().unwrap()[0].position.to_string());
        let starts: HashSet<_> = starts.collect();
        assert_eq!((games.len(), starts.len()), (12, 6), "{starts:?}");
        fs::remove_dir_all(folder).unwrap();
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
                record: Some(record.clone()),
                ..games(&openings)
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
