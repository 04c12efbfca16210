// ANCHOR: all
//! Trains the network of step 10, in two commands.
//!
//! `train games ENGINE GAMES NODES SEED > games.txt` lets an engine play against itself.
//! `train fit NETWORK EPOCHS games.txt...` fits a network to these games.

use course::network::{HIDDEN, Network, SCALE, inputs};
use course::rules::{Color, Move, Position, captured, move_text, read_fen};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};

/// Random numbers (xorshift; Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number from -1 to 1.
    fn symmetric(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

// ANCHOR: play
/// An engine that runs as a child of this program and is asked over UCI.
struct Player {
    input: std::process::ChildStdin,
    output: io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Player {
    fn start(program: &str) -> io::Result<Self> {
        let mut command = Command::new(program);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Ok(Self {
            input,
            output: BufReader::new(output).lines(),
        })
    }

    /// The engine's move, as text, and its score in centipawns; no score if it sees a mate.
    fn ask(&mut self, moves: &str, nodes: u64) -> io::Result<(String, Option<i32>)> {
        writeln!(
            self.input,
            "position startpos moves{moves}\ngo nodes {nodes}"
        )?;
        let mut score = None;
        for line in &mut self.output {
            let line = line?;
            if let Some(best) = line.strip_prefix("bestmove ") {
                let best = best.split(' ').next().unwrap_or_default();
                return Ok((best.to_owned(), score));
            }
            if let Some((_, rest)) = line.split_once(" score ") {
                // A mate has no centipawns.
                let value = rest.strip_prefix("cp ").and_then(|cp| cp.split(' ').next());
                score = value.and_then(|value| value.parse().ok());
            }
        }
        Err(io::Error::other("the engine ended"))
    }
}

/// Plays a game from a random opening. Returns its quiet positions with their scores for the side
/// to move, and the result for White: 0, 0.5 or 1.
fn play(
    player: &mut Player,
    nodes: u64,
    random: &mut Random,
) -> io::Result<(Vec<(Position, i32)>, f32)> {
    let mut game = vec![Position::start()];
    let mut text = String::new();
    let mut quiet = Vec::new();
    // The result for White if the side to move has won.
    let won_by_mover = |position: &Position| match position.side_to_move() {
        Color::White => 1.0,
        Color::Black => 0.0,
    };
    loop {
        let position = game[game.len() - 1];
        let moves = position.legal_moves();
        let repeated = game
            .iter()
            .filter(|earlier| earlier.key() == position.key())
            .count()
            > 2;
        if moves.is_empty() && position.in_check() {
            return Ok((quiet, 1.0 - won_by_mover(&position)));
        }
        if moves.is_empty() || repeated || position.halfmove_clock() >= 100 || game.len() > 300 {
            return Ok((quiet, 0.5));
        }
        let mv: Move = if game.len() <= 8 {
            moves[random.below(moves.len())]
        } else {
            let (best, score) = player.ask(&text, nodes)?;
            let mv = moves.iter().copied().find(|&mv| move_text(mv) == best);
            let mv = mv.ok_or_else(|| io::Error::other(format!("illegal move {best}")))?;
            match score {
                // Such an advantage wins: the rest of the game teaches nothing.
                Some(1500..) => return Ok((quiet, won_by_mover(&position))),
                Some(..=-1500) => return Ok((quiet, 1.0 - won_by_mover(&position))),
                Some(score)
                    if !position.in_check()
                        && captured(&position, mv).is_none()
                        && mv.promotion().is_none() =>
                {
                    quiet.push((position, score));
                }
                _ => {}
            }
            mv
        };
        text.push(' ');
        text.push_str(&move_text(mv));
        game.push(position.play_unchecked(mv));
    }
}
// ANCHOR_END: play

/// Plays games and prints a line for each quiet position: FEN, score and result for the side to
/// move.
fn games(engine: &str, games: usize, nodes: u64, seed: u64) -> io::Result<()> {
    let mut player = Player::start(engine)?;
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..games {
        let (quiet, result) = play(&mut player, nodes, &mut random)?;
        for (position, score) in quiet {
            let result = match position.side_to_move() {
                Color::White => result,
                Color::Black => 1.0 - result,
            };
            writeln!(out, "{position};{score};{result}")?;
        }
    }
    out.flush()
}

// ANCHOR: sample
/// A position to learn from.
struct Sample {
    inputs: Vec<u16>,
    /// The expected result for the side to move, from 0 to 1.
    target: f32,
}

/// How much the result of the game counts; the rest is the score of the search.
const RESULT_SHARE: f32 = 0.1;

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn read_sample(line: &str) -> Option<Sample> {
    let mut fields = line.split(';');
    let position = read_fen(fields.next()?)?;
    let score: f32 = fields.next()?.parse().ok()?;
    let result: f32 = fields.next()?.parse().ok()?;
    let target = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * sigmoid(score / SCALE);
    let inputs = inputs(&position).map(|input| input as u16).collect();
    Some(Sample { inputs, target })
}
// ANCHOR_END: sample

// ANCHOR: backward
/// Adds the gradient of the squared error of a sample to `gradient`, and returns the error.
///
/// The low three bits of an input are its file. With a `mirror` of 7 instead of 0 they are
/// flipped, and the board is seen in a mirror.
fn learn(network: &Network, sample: &Sample, mirror: usize, gradient: &mut Network) -> f32 {
    let inputs = || {
        sample
            .inputs
            .iter()
            .map(|&input| usize::from(input) ^ mirror)
    };
    let hidden = network.hidden(inputs());
    let expected = sigmoid(network.output(&hidden));
    let error = expected - sample.target;
    // The chain rule, from the end: error squared, sigmoid, output, clipping, input.
    let slope = 2.0 * error * expected * (1.0 - expected);
    gradient.output_bias += slope;
    let mut back = [0.0; HIDDEN];
    for neuron in 0..HIDDEN {
        gradient.output[neuron] += slope * hidden[neuron].clamp(0.0, 1.0);
        if (0.0..1.0).contains(&hidden[neuron]) {
            back[neuron] = slope * network.output[neuron];
            gradient.hidden_bias[neuron] += back[neuron];
        }
    }
    for input in inputs() {
        for (sum, back) in gradient.input[input].iter_mut().zip(&back) {
            *sum += back;
        }
    }
    error * error
}
// ANCHOR_END: backward

// ANCHOR: adam
/// Steps of the optimiser Adam (Kingma and Ba 2014): each weight moves by the mean of its last
/// gradients, divided by their usual size. The paper's correction of the first steps is left out.
/// They are up to six and a half times as long here, which this small network bears.
struct Adam {
    mean: Network,
    square: Network,
}

impl Adam {
    fn step(&mut self, network: &mut Network, gradient: &mut Network, rate: f32) {
        let moments = self.mean.weights().zip(self.square.weights());
        let weights = network.weights().zip(gradient.weights());
        for ((weight, gradient), (mean, square)) in weights.zip(moments) {
            *mean += 0.1 * (*gradient - *mean);
            *square += 0.001 * (*gradient * *gradient - *square);
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
            *gradient = 0.0;
        }
    }
}
// ANCHOR_END: adam

/// Positions whose gradients are added before the weights move.
const BATCH: usize = 4096;

// ANCHOR: fit
fn fit(file: &str, epochs: usize, data: &[String]) -> io::Result<()> {
    let mut samples = Vec::new();
    for name in data {
        let lines = BufReader::new(std::fs::File::open(name)?).lines();
        for (number, line) in (1..).zip(lines) {
            let bad = || io::Error::other(format!("{name}, line {number}: not FEN;score;result"));
            samples.push(read_sample(&line?).ok_or_else(bad)?);
        }
    }
    // The last games are not trained on: their error shows what was learned and not memorised.
    let held_back = samples.split_off(samples.len() - samples.len() / 20);
    if held_back.is_empty() {
        return Err(io::Error::other("too few positions"));
    }
    println!("{} positions, {} held back", samples.len(), held_back.len());

    let mut random = Random(1);
    let mut network = Network::zero();
    // About 30 inputs are 1, so weights of this size make sums of about 1.
    network
        .input
        .iter_mut()
        .flatten()
        .for_each(|weight| *weight = 0.2 * random.symmetric());
    network
        .output
        .iter_mut()
        .for_each(|weight| *weight = 0.5 * random.symmetric());
    let mut gradient = Network::zero();
    let mut adam = Adam {
        mean: Network::zero(),
        square: Network::zero(),
    };

    for epoch in 0..epochs {
        for last in (1..samples.len()).rev() {
            samples.swap(last, random.below(last + 1));
        }
        let rate = 0.006 * (1.0 - epoch as f32 / epochs as f32);
        let mut error = 0.0;
        for batch in samples.chunks(BATCH) {
            for sample in batch {
                // But for castling, a position is worth as much as its image in a mirror. To see
                // each in both forms is like having twice as many.
                let mirror = 7 * random.below(2);
                error += learn(&network, sample, mirror, &mut gradient);
            }
            gradient
                .weights()
                .for_each(|gradient| *gradient /= batch.len() as f32);
            adam.step(&mut network, &mut gradient, rate);
        }
        let mut unused = Network::zero();
        let check: f32 = held_back
            .iter()
            .map(|s| learn(&network, s, 0, &mut unused))
            .sum();
        println!(
            "epoch {}: error {:.5}, on positions held back {:.5}",
            epoch + 1,
            error / samples.len() as f32,
            check / held_back.len() as f32
        );
    }
    std::fs::write(file, network.to_bytes())
}
// ANCHOR_END: fit

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| {
        let bad = |_| io::Error::other(format!("'{text}' is not a whole number"));
        text.parse::<u64>().map_err(bad)
    };
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["games", engine, count, nodes, seed] => games(
            engine,
            number(count)? as usize,
            number(nodes)?,
            number(seed)?,
        ),
        ["fit", file, epochs, _, ..] => fit(file, number(epochs)? as usize, &words[3..]),
        _ => Err(io::Error::other(
            "train games ENGINE GAMES NODES SEED, or train fit NETWORK EPOCHS FILES",
        )),
    }
}
// ANCHOR_END: all
