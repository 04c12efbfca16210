//! How the game ended: by rule, by an act of a player, or as it was read.

use super::{Edit, End, GameTree, NodeId};
use crate::game::{ActError, Game, GameEvent, GameResult, Outcome};

impl GameTree {
    /// How the game has ended at the cursor: by rule, or by an act of the players there.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.end.act {
            Some((node, outcome)) if node == self.cursor => Some(outcome),
            _ => self.line.outcome(),
        }
    }

    /// The result of the game: by the last act, also one in a variation; else as it was read, else
    /// by rule at the end of the main line.
    ///
    /// A new move after the act takes it back, and so does deleting its place: the result is then
    /// what it was without the act. A move that goes on from the end of the main line takes back
    /// the recorded result too, unless it is only [considered](Self::consider). So does a promotion
    /// or deletion that takes away the moves from which the recorded result follows by rule. Mate
    /// or stalemate in a variation changes nothing.
    pub fn result(&self) -> GameResult {
        match self.stated_result() {
            GameResult::Unknown => self.result_by_rule(),
            stated => stated,
        }
    }

    /// The result by rule at the end of the main line.
    fn result_by_rule(&self) -> GameResult {
        Game::resume(self.main_history(), self.mode()).result()
    }

    /// The result by the last act, else as it was read.
    pub(super) fn stated_result(&self) -> GameResult {
        let by_act = self.end.act.map(|(_, outcome)| outcome.result());
        by_act.unwrap_or(self.end.recorded)
    }

    /// Plays an act of a player at the cursor, such as a claim or an offer of a draw.
    ///
    /// An announced move of a claim that is refused is played, and the cursor follows it.
    ///
    /// # Errors
    /// If the game has ended here, or the act is not possible.
    pub fn act(
        &mut self,
        act: impl FnOnce(&mut Game) -> Result<Vec<GameEvent>, ActError>,
    ) -> Result<Vec<GameEvent>, ActError> {
        if let Some(outcome) = self.outcome() {
            return Err(ActError::Over(outcome));
        }
        let mut after = self.line.clone();
        let events = act(&mut after)?;
        let plies = self.line.history().moves().len();
        let played = after.history().moves().nth(plies);
        if let Some(mv) = played {
            self.play(mv)?;
        }
        let by_rule = self.line.outcome();
        if let Some(outcome) = after.outcome().filter(|_| by_rule.is_none()) {
            let end = End {
                act: Some((self.cursor, outcome)),
                ..self.end
            };
            let edit = self.apply(Edit::End(end));
            self.remember(vec![edit], self.cursor);
        }
        self.line = after;
        Ok(events)
    }

    /// Records a result that no rule and no act gives, such as that of a forfeit or an
    /// adjudication, or corrects one that was read. It takes the place of an act. With
    /// [`GameResult::Unknown`] only a result by rule is left.
    pub fn set_result(&mut self, result: GameResult) {
        let end = End {
            recorded: result,
            act: None,
        };
        if end != self.end {
            let edit = self.apply(Edit::End(end));
            self.remember(vec![edit], self.cursor);
            self.replay_to(self.cursor);
        }
    }

    /// What remains of the end if a new move is played at the cursor: the game goes on there, so
    /// how it ended before no longer holds.
    pub(super) fn end_after_a_move(&self) -> End {
        if self.is_at_end() {
            return End::default();
        }
        let is_before = |at| at == NodeId::ROOT || self.path(self.cursor).contains(&at);
        End {
            act: self.end.act.filter(|&(at, _)| !is_before(at)),
            ..self.end
        }
    }

    /// The end with which the result stays if a move is added at the cursor. A result by rule is
    /// recorded, because the position after the move may have none.
    pub(super) fn end_as_it_is(&self) -> End {
        let mut end = self.end;
        if end.act.is_none() && self.is_at_end() {
            end.recorded = self.result();
        }
        end
    }

    /// Makes an edit of the moves. A recorded result that followed from those of the main line by
    /// rule does not outlive them.
    pub(super) fn apply_to_moves(&mut self, edit: Edit) -> Vec<Edit> {
        let followed = self.follows_by_rule();
        let mut edits = vec![self.apply(edit)];
        if followed && !self.follows_by_rule() {
            let end = End {
                recorded: GameResult::Unknown,
                ..self.end
            };
            edits.push(self.apply(Edit::End(end)));
        }
        edits
    }

    /// Whether the recorded result follows by rule somewhere in the main line.
    fn follows_by_rule(&self) -> bool {
        if self.end.recorded == GameResult::Unknown {
            return false;
        }
        let mut line = Game::new(self.nodes[0].position, self.mode());
        for id in self.main_line() {
            if line.result() == self.end.recorded {
                return true;
            }
            let _ = self.node(id).mv.map(|mv| line.replay(mv));
        }
        line.result() == self.end.recorded
    }

    /// Whether the cursor is at the end of the main line.
    fn is_at_end(&self) -> bool {
        self.last_of(NodeId::ROOT) == self.cursor
    }
}
