//! What the network should say of the positions of a game.

use crate::engine::WdlModel;
use crate::tools::datagen::ScoredPly;
use crate::tools::number;

/// TD(λ) (Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988). What the searches of later positions
/// found says more than a shallow search alone, and how the game ended, after many weak moves, says less than one would
/// hope.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, clap::Args)]
pub(in crate::tools) struct Labels {
    /// How much what comes later counts beside the score of the position itself, 0 to 1: the score of a position so many
    /// half-moves on counts by this to that power.
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = number(0.0..=1.0_f32))]
    pub(in crate::tools) lambda: f32,
    /// How much the outcome of the game counts beside all that, 0 to 1.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = number(0.0..=1.0_f32))]
    pub(in crate::tools) wdl: f32,
}

impl Labels {
    /// The targets, White's expected share of a point, of the positions of a game whose scores and numbers of pieces are
    /// given and which brought White so many points, if known; `None` where there is no score. Scores become expected points
    /// before they are averaged.
    pub(in crate::tools) fn of_game(
        self,
        model: &WdlModel,
        plies: &[ScoredPly],
        points: Option<f32>,
    ) -> Vec<Option<f32>> {
        let mut later = None;
        // Of what comes later, at the position that is looked at.
        let mut weight = self.lambda;
        let mut targets = vec![None; plies.len()];
        for (target, &(score, pieces)) in targets.iter_mut().zip(plies).rev() {
            let Some(score) = score else {
                weight *= self.lambda;
                continue;
            };
            let now = model.expected(f64::from(score.0), pieces) as f32;
            let seen = now + weight * (later.unwrap_or(now) - now);
            (later, weight) = (Some(seen), self.lambda);
            *target = Some(seen + self.wdl * (points.unwrap_or(seen) - seen));
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    #[test]
    fn targets_lie_between_the_score_what_comes_later_and_the_outcome() {
        let scores = [100, -200, 600].map(Score);
        let model = WdlModel::logistic(400.0);
        let [first, second, third] = scores.map(|score| model.expected(score.0.into(), 9) as f32);
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
            let plies = scores.map(|score| (Some(score), 9));
            let targets = Labels { lambda, wdl }.of_game(&model, &plies, points);
            for (target, expected) in targets.into_iter().zip(expected) {
                let target = target.unwrap();
                assert!((target - expected).abs() < 1e-6, "{lambda} {wdl} {target}");
            }
        }
    }

    #[test]
    fn what_comes_later_counts_less_the_later_it_comes() {
        let model = WdlModel::logistic(400.0);
        let labels = Labels {
            lambda: 0.5,
            wdl: 0.0,
        };
        let plies = [Some(100), None, Some(600), None].map(|score| (score.map(Score), 9));
        let [first, last] = [100.0, 600.0].map(|score| model.expected(score, 9) as f32);
        let targets = labels.of_game(&model, &plies, Some(1.0));
        let expected = [Some(0.75 * first + 0.25 * last), None, Some(last), None];
        for (target, expected) in targets.into_iter().zip(expected) {
            assert_eq!(target.is_some(), expected.is_some());
            assert!((target.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-6);
        }
    }
}
