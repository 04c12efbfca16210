//! The effect of each factor of a factorial, by least squares over pairs of games.

use std::fmt;

/// Derivative of Elo with respect to the expected score, at 0.5.
const ELO_PER_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;
/// Makes the normal matrix regular where two factors were always on the same side.
const RIDGE: f64 = 1e-6;
/// Prior standard deviation of a factor's effect, in Elo (mean 0).
const PRIOR_ELO: f64 = 15.0;

/// Pairs of games, and the factors of each side.
pub(super) struct Effects {
    names: Vec<String>,
    /// For each pair: the factors of side A, one bit each, and its mean result, -0.5 to 0.5.
    pairs: Vec<(u64, f64)>,
}

/// The effect of a factor, in Elo.
pub(super) struct Effect<'a> {
    pub(super) name: &'a str,
    pub(super) elo: f64,
    /// Half of the 95 % interval.
    pub(super) error: f64,
    /// The effect shrunk by the prior.
    pub(super) shrunk: f64,
}

/// Half of a 95 % interval in standard deviations that were estimated with `freedom` degrees of
/// freedom (Student's t; Abramowitz and Stegun, 26.7.5).
fn student_95(freedom: f64) -> f64 {
    1.96 + 2.37 / freedom + 2.82 / freedom.powi(2) + 2.56 / freedom.powi(3)
}

/// 1 for a factor of side A and -1 for one of side B.
fn sign(mask: u64, factor: usize) -> f64 {
    if mask >> factor & 1 == 1 { 1.0 } else { -1.0 }
}

impl Effects {
    /// No pairs yet. `names` are the factors, separated by semicolons.
    pub(super) fn new(names: &str) -> Self {
        Self {
            names: names.split(';').map(str::to_owned).collect(),
            pairs: Vec::new(),
        }
    }

    /// Whether these are the factors.
    pub(super) fn is_of(&self, names: &str) -> bool {
        names.split(';').eq(self.names.iter().map(String::as_str))
    }

    /// Whether there are more pairs than factors, and the effects leave something unexplained. If
    /// not, all errors would be 0.
    pub(super) fn has_enough(&self) -> bool {
        let (effects, _) = self.solve(RIDGE);
        // Results are quarters, so what is left is nothing or much more than this.
        self.pairs.len() > self.names.len() && self.residual(&effects) > 1e-6
    }

    /// Adds a pair: `mask` has the factors of side A, and `result` is its mean result.
    pub(super) fn add(&mut self, mask: u64, result: f64) {
        self.pairs.push((mask, result));
    }

    /// The effects, and the inverse of the normal matrix, with `ridge` added to its diagonal.
    fn solve(&self, ridge: f64) -> (Vec<f64>, Vec<Vec<f64>>) {
        let count = self.names.len();
        let mut matrix = vec![vec![0.0; count]; count];
        let mut right = vec![0.0; count];
        for &(mask, result) in &self.pairs {
            for (i, row) in matrix.iter_mut().enumerate() {
                right[i] += sign(mask, i) * result;
                for (j, value) in row.iter_mut().enumerate() {
                    *value += sign(mask, i) * sign(mask, j);
                }
            }
        }
        for (index, row) in matrix.iter_mut().enumerate() {
            row[index] += ridge;
        }
        let inverse = invert(matrix);
        let effects = inverse
            .iter()
            .map(|row| row.iter().zip(&right).map(|(a, b)| a * b).sum())
            .collect();
        (effects, inverse)
    }

    /// The sum of the squares of what these effects leave unexplained.
    fn residual(&self, effects: &[f64]) -> f64 {
        let squares = self.pairs.iter().map(|&(mask, result)| {
            let each = effects.iter().enumerate();
            let expected: f64 = each.map(|(index, effect)| sign(mask, index) * effect).sum();
            (result - expected).powi(2)
        });
        squares.sum()
    }

    /// The effects, the best first.
    pub(super) fn table(&self) -> Vec<Effect<'_>> {
        let (effects, inverse) = self.solve(RIDGE);
        let freedom = self.pairs.len().saturating_sub(self.names.len()).max(1);
        let variance = self.residual(&effects) / freedom as f64;
        let (shrunk, _) = self.solve(variance / (PRIOR_ELO / ELO_PER_SCORE).powi(2));
        let mut table: Vec<_> = self
            .names
            .iter()
            .enumerate()
            .map(|(index, name)| Effect {
                name,
                elo: ELO_PER_SCORE * effects[index],
                error: ELO_PER_SCORE
                    * student_95(freedom as f64)
                    * (inverse[index][index] * variance).sqrt(),
                shrunk: ELO_PER_SCORE * shrunk[index],
            })
            .collect();
        table.sort_by(|a, b| b.elo.total_cmp(&a.elo));
        table
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games", 2 * self.pairs.len())?;
        for Effect {
            name,
            elo,
            error,
            shrunk,
        } in self.table()
        {
            writeln!(
                f,
                "{elo:+7.1} +- {error:4.1}  (shrunk {shrunk:+6.1})  {name}"
            )?;
        }
        Ok(())
    }
}

/// Inverts a matrix by Gauss-Jordan elimination with partial pivoting.
fn invert(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .into_iter()
        .enumerate()
        .map(|(index, mut row)| {
            row.extend((0..count).map(|column| f64::from(u8::from(column == index))));
            row
        })
        .collect();
    for column in 0..count {
        let pivot = (column..count)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, pivot.unwrap_or(column));
        let divisor = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != column && factor != 0.0 {
                row.iter_mut()
                    .zip(&pivot_row)
                    .for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    rows.into_iter().map(|row| row[count..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// The standard deviation of few pairs is itself a guess, and often too small.
    #[test]
    fn the_intervals_of_few_pairs_hold_what_they_promise() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (mut held, mut all) = (0, 0);
        for _ in 0..2_000 {
            let mut effects = Effects::new("a=1;b=2");
            for _ in 0..6 {
                let result = f64::from(random.random_range(-2..=2)) / 4.0;
                effects.add(random.random_range(0..4), result);
            }
            if effects.has_enough() {
                let table = effects.table();
                held += table
                    .iter()
                    .filter(|effect| effect.elo.abs() <= effect.error)
                    .count();
                all += table.len();
            }
        }
        let share = held as f64 / all as f64;
        assert!(all > 2_000 && (0.92..0.98).contains(&share), "{share}");
    }

    #[test]
    fn known_effects_are_recovered() {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let effects_in_elo = [40.0, 0.0, -25.0];
        let mut effects = Effects::new("a=1;b=2;c=3");
        for _ in 0..20_000 {
            let mask: u64 = random.random_range(0..8);
            let elo: f64 = (0..3)
                .map(|index| sign(mask, index) * effects_in_elo[index])
                .sum();
            // Two games, each won or lost; a win adds 0.25 to the mean result.
            let expected = 0.5 + elo / ELO_PER_SCORE;
            let mut points = || {
                if random.random_bool(expected) {
                    0.25
                } else {
                    -0.25
                }
            };
            let result = points() + points();
            effects.add(mask, result);
        }
        for Effect {
            name, elo, error, ..
        } in effects.table()
        {
            let index = usize::from(name.as_bytes()[0] - b'a');
            assert!(
                (elo - effects_in_elo[index]).abs() < 1.5 * error,
                "{name} {elo} +- {error}"
            );
            assert!(error < 8.0, "{error}");
        }
    }
}
