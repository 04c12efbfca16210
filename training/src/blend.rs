//! `tabiya-train blend`: mixes a network's evaluations into the scores of games.
//!
//! The score of a short search is a noisy label, so a network from random weights needs many of
//! them. The evaluation of a trained network has no noise and knows what its own games taught, even
//! if they are lost. A network of another shape therefore learns faster from a mean of both
//! (knowledge distillation; Hinton, Vinyals and Dean, "Distilling the Knowledge in a Neural
//! Network", 2015). The network itself has nothing to learn from its own evaluations.
//!
//! The program can only load networks of its own shape, so the blended scores go into files: the
//! program of the old shape writes them, the program of the new shape trains on them.

use crate::targets::logit;
use crate::train::manifest;
use clap::Parser;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};
use tabiya::board::Position;
use tabiya::engine::WdlModel;
use tabiya::eval::{Evaluator, Network};
use tabiya::tools::files::{
    named, network_or_embedded, read_bytes, refuse_to_replace, try_to_write, write_whole,
};
use tabiya::tools::number;
use tabiya::tools::viriformat::{ScoredPosition, TrainingGame, is_quiet, read_games, write_game};
use tabiya::types::Score;

/// Mix a network's evaluations into the scores of games
///
/// Writes each file of games again, into another folder. There, the score of each quiet position is
/// the mean of the old one and the network's static evaluation, as expected scores. A network of a
/// new shape learns from such games what the other one knows. The manifest of NAME.vf is
/// NAME.jsonl. Games that cannot be read are left out. Prints the counts as JSON.
#[derive(Debug, Clone, PartialEq, Parser, serde::Serialize)]
#[command(name = "blend")]
pub struct Settings {
    /// Folder for the files, which keep their names. It is created if it is missing.
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip)]
    pub out: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    #[serde(skip)]
    pub force: bool,
    /// Network to evaluate with [default: the built-in one]
    #[arg(long, value_name = "FILE.net")]
    #[serde(skip)]
    pub net: Option<PathBuf>,
    /// Weight of the evaluation in the mean, 0 to 1.
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = number(0.0..=1.0_f64))]
    pub weight: f64,
    /// Scale of the score sigmoid: this many centipawns mean an expected score of 0.73.
    #[arg(long, value_name = "CP", default_value_t = 180.0, value_parser = number(10.0..=10_000.0_f64))]
    pub score_scale: f64,
    /// Keep scores as they are if |score| is larger.
    #[arg(long, value_name = "CP", default_value_t = 3_000, value_parser = number(1..=32_000_i32))]
    pub max_score: i32,
    /// For each position, add up to N others, each after another random move, with the evaluation
    /// alone as score. They cost no search and resemble what a search evaluates.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number(0..=100_usize))]
    pub children: usize,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0..=u64::MAX))]
    pub seed: u64,
    /// Files of games in viriformat.
    #[arg(required = true, value_name = "GAMES.vf")]
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Counts of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Counts {
    /// Games written.
    pub games: u64,
    /// Scores that were blended.
    pub blended: u64,
    /// Positions added after random moves.
    pub children: u64,
    /// Games that could not be read, which are left out.
    pub bad_games: u64,
}

/// Blends the scores of all files.
///
/// # Errors
/// If a file cannot be read or written, or exists, or has no games, or the network is not one.
pub fn run(settings: &Settings) -> io::Result<Counts> {
    fs::create_dir_all(&settings.out).map_err(named(&settings.out))?;
    let outputs = outputs(settings)?;
    let network = network_or_embedded(settings.net.as_deref())?;
    let fingerprint = format!("{:016x}", network.fingerprint());
    let mut blender = Blender::new(network, settings);
    let mut counts = Counts::default();
    for (file, [games, manifest_path]) in settings.files.iter().zip(outputs) {
        let bytes = read_bytes(file)?;
        let blended = blender.blend_all(&bytes, &mut counts);
        if blended.is_empty() && !bytes.is_empty() {
            let reason = "no games in viriformat; unpack it if it is packed";
            let error = io::Error::new(io::ErrorKind::InvalidData, reason);
            return Err(named(file)(error));
        }
        write_whole(&games, &blended)?;
        let blend = json!({ "blend": { "network": fingerprint, "settings": settings } });
        let lines = manifest(file).into_iter().chain([blend]);
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        write_whole(&manifest_path, text.as_bytes())?;
    }
    Ok(counts)
}

/// For each file, the games and the manifest to be written; checked before the long work, because
/// one output could replace another input.
fn outputs(settings: &Settings) -> io::Result<Vec<[PathBuf; 2]>> {
    let inputs: Vec<_> = settings.files.iter().map(PathBuf::as_path).collect();
    let mut written = HashSet::new();
    let mut outputs = Vec::new();
    for file in &settings.files {
        let games = settings.out.join(file.file_name().unwrap_or_default());
        let manifest = games.with_extension("jsonl");
        for path in [&games, &manifest] {
            if !written.insert(path.clone()) {
                let (file, path) = (file.display(), path.display());
                let reason = format!("{file}: {path} would be written twice");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
            }
            refuse_to_replace(path, &inputs, settings.force)?;
            try_to_write(path)?;
        }
        outputs.push([games, manifest]);
    }
    Ok(outputs)
}

/// Smallest expected score of a mean, so that its logit is finite: -3,700 centipawns at the usual
/// scale.
const LEAST: f64 = 1e-9;

/// Blends scores with the evaluations of a network.
struct Blender<'a> {
    settings: &'a Settings,
    evaluator: Evaluator,
    model: WdlModel,
    random: ChaCha8Rng,
}

impl<'a> Blender<'a> {
    fn new(network: Arc<Network>, settings: &'a Settings) -> Self {
        Self {
            settings,
            evaluator: Evaluator::new(network),
            model: WdlModel::logistic(settings.score_scale),
            random: ChaCha8Rng::seed_from_u64(settings.seed),
        }
    }

    /// The games of a file with blended scores. Bad games are counted and left out.
    fn blend_all(&mut self, bytes: &[u8], counts: &mut Counts) -> Vec<u8> {
        let mut blended = Vec::with_capacity(bytes.len());
        let mut write = |game: Option<TrainingGame>| {
            game.iter().for_each(|game| write_game(game, &mut blended));
        };
        // Written once its lone positions, which follow it, are read.
        let mut last: Option<TrainingGame> = None;
        for (_, game) in read_games(bytes) {
            let read = game.and_then(|game| Ok((game, game.result()?, game.positions()?)));
            let Ok((game, result, mut positions)) = read else {
                counts.bad_games += 1;
                // The lone positions that follow are left out, too.
                write(last.take());
                continue;
            };
            let is_lone = game.is_lone_position();
            if is_lone && last.is_none() {
                continue;
            }
            let mut tree = Vec::new();
            for scored in &mut positions {
                tree.extend(self.children(&scored.position));
                counts.blended += u64::from(self.blend(scored));
            }
            counts.children += tree.len() as u64;
            if is_lone {
                if let Some(last) = &mut last {
                    last.tree.extend(positions.iter().chain(&tree));
                }
            } else if let Some(first) = positions.first() {
                counts.games += 1;
                let start = first.position;
                let game = TrainingGame {
                    start,
                    positions,
                    result,
                    tree,
                };
                write(last.replace(game));
            }
        }
        write(last);
        blended
    }

    /// Replaces the score of a position by its mean with the evaluation. Returns whether it did.
    fn blend(&mut self, scored: &mut ScoredPosition) -> bool {
        // In check or before a capture an evaluation means nothing, and TD(λ) would hand it on.
        let (is_quiet, pieces) = (scored.is_quiet(), scored.pieces());
        let Some(score) = &mut scored.score else {
            return false;
        };
        if !is_quiet || score.0.abs() > self.settings.max_score {
            return false;
        }
        let evaluation = self.evaluation(&scored.position);
        let [own, evaluated] =
            [*score, evaluation].map(|score| self.model.expected(f64::from(score.0), pieces));
        let mean = (own + self.settings.weight * (evaluated - own)).clamp(LEAST, 1.0 - LEAST);
        *score = Score((self.settings.score_scale * logit(mean)).round() as i32);
        true
    }

    /// The evaluation of a position from White's point of view.
    fn evaluation(&mut self, position: &Position) -> Score {
        self.evaluator.reset();
        (self.evaluator.evaluate(position)).for_white(position.side_to_move())
    }

    /// Quiet positions after random legal moves, scored by the evaluation.
    fn children(&mut self, position: &Position) -> Vec<ScoredPosition> {
        let moves = position.legal_moves();
        let count = self.settings.children.min(moves.len());
        let chosen = rand::seq::index::sample(&mut self.random, moves.len(), count);
        let mut children = Vec::new();
        for index in chosen {
            let position = position.play_unchecked(moves[index]);
            // A lone position needs a move, and training leaves out noisy ones.
            let replies = position.legal_moves();
            let Some(&best) = replies.iter().find(|&&mv| is_quiet(&position, mv)) else {
                continue;
            };
            let score = self.evaluation(&position);
            if score.0.abs() <= self.settings.max_score {
                children.push(ScoredPosition {
                    position,
                    best: Some(best),
                    score: Some(score),
                });
            }
        }
        children
    }
}
