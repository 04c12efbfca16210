//! Training targets: the expected score that the network should output for each position of a game.
//!
//! TD(λ) (Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988). The searches
//! of later positions correct a shallow search of this one. The outcome of the game adds little:
//! many weak moves lie between.

use tabiya::engine::WdlModel;
use tabiya::tools::number;
use tabiya::tools::viriformat::ScoredPosition;

/// How targets are computed.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, clap::Args)]
pub struct Targets {
    /// TD(λ): weight of later scores against the position's own, 0 to 1. If the next score is n
    /// plies later, it is λ^n.
    #[arg(long, value_name = "X", default_value_t = 0.5, value_parser = number(0.0..=1.0_f32))]
    pub lambda: f32,
    /// Weight of the game's outcome in the target, 0 to 1.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = number(0.0..=1.0_f32))]
    pub wdl: f32,
}

impl Targets {
    // ANCHOR: of_game
    /// White's expected score for each position of a game; `None` for positions without a score.
    ///
    /// `points` is White's result, or `None` if it is unknown. Scores are converted by `model`
    /// before they are averaged.
    #[must_use]
    pub fn of_game(
        self,
        model: &WdlModel,
        positions: &[ScoredPosition],
        points: Option<f32>,
    ) -> Vec<Option<f32>> {
        let mut later = None;
        // Weight of `later` at the present position.
        let mut weight = self.lambda;
        let mut targets = vec![None; positions.len()];
        for (target, position) in targets.iter_mut().zip(positions).rev() {
            let Some(score) = position.score else {
                weight *= self.lambda;
                continue;
            };
            let now = model.expected(f64::from(score.0), position.pieces()) as f32;
            let blended = now + weight * (later.unwrap_or(now) - now);
            (later, weight) = (Some(blended), self.lambda);
            *target = Some(blended + self.wdl * (points.unwrap_or(blended) - blended));
        }
        targets
    }
    // ANCHOR_END: of_game
}

/// The logit of an expected score: the inverse of the logistic function, at scale 1.
pub(crate) fn logit(expected: f64) -> f64 {
    (expected / (1.0 - expected)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::board::Position;
    use tabiya::types::Score;

    /// Positions with these scores.
    fn positions(scores: &[Option<i32>]) -> Vec<ScoredPosition> {
        let scored = |score: &Option<i32>| ScoredPosition {
            position: Position::start(),
            best: None,
            score: score.map(Score),
        };
        scores.iter().map(scored).collect()
    }

    #[test]
    fn targets_lie_between_the_score_the_later_scores_and_the_outcome() {
        let scores = [100, -200, 600];
        let model = WdlModel::logistic(400.0);
        let [first, second, third] = scores.map(|score| model.expected(score.into(), 32) as f32);
        for (lambda, wdl, points, expected) in [
            (0.0, 0.0, Some(1.0), [first, second, third]),
            (1.0, 0.0, Some(0.0), [third; 3]),
            (0.0, 1.0, Some(0.5), [0.5; 3]),
            (0.0, 0.3, None, [first, second, third]),
            (
                0.5,
                0.0,
                None,
                [
                    first / 2.0 + second / 4.0 + third / 4.0,
                    (second + third) / 2.0,
                    third,
                ],
            ),
            (1.0, 0.25, Some(1.0), [0.75 * third + 0.25; 3]),
        ] {
            let positions = positions(&scores.map(Some));
            let targets = Targets { lambda, wdl }.of_game(&model, &positions, points);
            for (target, expected) in targets.into_iter().zip(expected) {
                let target = target.unwrap();
                assert!((target - expected).abs() < 1e-6, "{lambda} {wdl} {target}");
            }
        }
    }

    #[test]
    fn later_scores_count_less() {
        let model = WdlModel::logistic(400.0);
        let targets = Targets {
            lambda: 0.5,
            wdl: 0.0,
        };
        let positions = positions(&[Some(100), None, Some(600), None]);
        let [first, last] = [100.0, 600.0].map(|score| model.expected(score, 32) as f32);
        let targets = targets.of_game(&model, &positions, Some(1.0));
        let expected = [Some(0.75 * first + 0.25 * last), None, Some(last), None];
        for (target, expected) in targets.into_iter().zip(expected) {
            assert_eq!(target.is_some(), expected.is_some());
            assert!((target.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-6);
        }
    }
}
