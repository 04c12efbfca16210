//! Commands that change the game: new games, setups, the opponent's moves, takebacks.

use super::edit::Edited;
use super::failure::{Failure, refused};
use super::parse::XBoardError;
use super::{Mode, Purpose, XBoard, print};
use crate::board::{Position, Setup};
use crate::engine::Opponent;
use crate::engine::verdict::Scores;
use crate::game::Game;
use crate::game::san::{self, SanError};
use crate::protocol::{read_fen, shortened};
use crate::types::{CastlingMode, Color, Move};
use std::fmt::Display;
use std::io::{self, Write};

/// A game whose side to move `white` or `black` has changed.
///
/// The protocol has an idiom to set both clocks when Black is to move: `white`, `time`, `otim`,
/// `black`. The game is the same after it.
pub(super) struct Turned {
    /// The game after the change, which has no moves.
    now: Game,
    before: Game,
    start_counts: bool,
    scores: Scores,
    is_draw_offered: bool,
}

impl<W: Write> XBoard<W> {
    /// `new`: standard chess from the start position. The engine plays Black, unless it analyses.
    pub(super) fn new_game(&mut self) -> io::Result<()> {
        self.engine.new_game();
        self.engine.set_opponent(Opponent::default());
        self.clock.new_game();
        // Back to wall-clock time.
        if self.shows_cpu_time {
            self.set_node_rate(None);
        }
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
        self.set_castling_mode(CastlingMode::Standard)
    }

    /// `nps`: measures time in nodes, or with 0 by the clock, and shows CPU time. `None` ends both.
    /// Returns whether that changes how time is measured.
    pub(super) fn set_node_rate(&mut self, nodes_per_second: Option<u64>) -> bool {
        let before = self.engine.settings().search.node_rate;
        self.engine
            .set_node_rate(nodes_per_second.unwrap_or_default());
        self.shows_cpu_time = nodes_per_second.is_some();
        self.engine.settings().search.node_rate != before
    }

    pub(super) fn variant(&mut self, name: &str) -> Result<(), Failure> {
        let mode = match name {
            "normal" => CastlingMode::Standard,
            "fischerandom" => CastlingMode::Chess960,
            _ => return Err(refused("unsupported variant")),
        };
        Ok(self.set_castling_mode(mode)?)
    }

    fn set_castling_mode(&mut self, mode: CastlingMode) -> io::Result<()> {
        self.engine.set_castling_mode(mode);
        self.set_start(Position::start(), true)?;
        self.resume_analysis()
    }

    /// `white` and `black`: sets the side to move. The engine plays the other side.
    pub(super) fn set_side(&mut self, side: Color) -> Result<(), Failure> {
        self.need_position()?;
        if self.side() != side {
            match self.turned.take().filter(|turned| turned.now == self.game) {
                Some(turned) => self.turn_back(turned)?,
                None => {
                    let mut setup = self.position().to_setup();
                    setup.side_to_move = side;
                    setup.en_passant = None;
                    let validated = setup.validate(self.engine.castling_mode());
                    self.turn(validated.map_err(refused)?.position)?;
                }
            }
        }
        Ok(self.play_side(!side)?)
    }

    /// Sets the position with the other side to move, and keeps the game for [`Self::turn_back`].
    fn turn(&mut self, position: Position) -> io::Result<()> {
        let (before, start_counts) = (self.game.clone(), self.start_counts);
        let (scores, is_draw_offered) = (self.scores.clone(), self.is_draw_offered);
        self.set_start(position, false)?;
        self.turned = Some(Turned {
            now: self.game.clone(),
            before,
            start_counts,
            scores,
            is_draw_offered,
        });
        Ok(())
    }

    /// Goes on with the game before [`Self::turn`].
    fn turn_back(&mut self, turned: Turned) -> io::Result<()> {
        self.replace_game(turned.before)?;
        self.start_counts = turned.start_counts;
        self.scores = turned.scores;
        self.is_draw_offered = turned.is_draw_offered;
        Ok(())
    }

    pub(super) fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match read_fen(fen, self.engine.castling_mode()) {
            Ok((position, remarks)) => {
                self.send_remarks(&remarks)?;
                let has_no_en_passant = fen.split_ascii_whitespace().nth(3) == Some("-");
                self.set_start(position, has_no_en_passant)?;
                self.resume_analysis()
            }
            Err(error) => self.refuse_position(&error),
        }
    }

    fn set_up(&mut self, setup: &Setup) -> io::Result<()> {
        match setup.validate(self.engine.castling_mode()) {
            Ok(validated) => {
                self.set_start(validated.position, false)?;
                self.resume_analysis()
            }
            Err(error) => self.refuse_position(&error),
        }
    }

    /// Sets a game without moves from `position`. Ends edit mode.
    fn set_start(&mut self, position: Position, start_counts: bool) -> io::Result<()> {
        self.replace_game(Game::new(position, self.engine.castling_mode()))?;
        (self.is_illegal, self.edit) = (false, None);
        self.start_counts = start_counts;
        Ok(())
    }

    /// Replaces the game and forgets searches, scores and offers of the old one.
    fn replace_game(&mut self, game: Game) -> io::Result<()> {
        self.abandon()?;
        self.game = game;
        self.clock.shorten(self.plies());
        self.excluded.clear();
        self.expected_reply = None;
        self.scores = Scores::default();
        self.is_draw_offered = false;
        Ok(())
    }

    fn refuse_position(&mut self, reason: &impl Display) -> io::Result<()> {
        self.abandon()?;
        (self.is_illegal, self.edit) = (true, None);
        self.expected_reply = None;
        let reason = reason.to_string();
        let reason = reason.strip_prefix("illegal position: ").unwrap_or(&reason);
        self.tell_user(&format_args!("Illegal position: {reason}"))
    }

    /// Handles a line in edit mode. Returns false if the line is not for edit mode.
    pub(super) fn edit_line(&mut self, line: &str) -> io::Result<bool> {
        let Some(mut edit) = self.edit.take() else {
            return Ok(false);
        };
        match edit.line(line) {
            Edited::Finished => self.set_up(&edit.finish(self.engine.castling_mode()))?,
            Edited::Changed => self.edit = Some(edit),
            Edited::NotAnEdit => {
                self.edit = Some(edit);
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn user_move(&mut self, text: &str) -> io::Result<()> {
        let refusal = if let Some(obstacle) = self.obstacle() {
            obstacle.to_owned()
        } else if self.search_is(Purpose::Move) {
            "it is not your turn".to_owned()
        } else {
            match san::parse(self.position(), text) {
                Ok(mv) => return self.opponent_moves(mv),
                // Programs that analyse let a side pass.
                Err(SanError::Null) if self.may_pass() => return self.opponent_moves(Move::NULL),
                Err(error) => error.to_string(),
            }
        };
        let text = format!("Illegal move ({refusal}): {}", shortened(text));
        self.send(&print::quoting(&text))
    }

    /// Whether a null move can be played: in analysis, out of check.
    fn may_pass(&self) -> bool {
        matches!(self.mode, Mode::Analyze | Mode::Force) && !self.position().in_check()
    }

    /// Plays the opponent's move, which is legal or a null move, then continues in the current
    /// mode.
    fn opponent_moves(&mut self, mv: Move) -> io::Result<()> {
        // The move was parsed in this position, so it can be played.
        let _ = self.game.replay(mv);
        self.excluded.clear();
        self.expected_reply = None;
        if self.ponder_hit(mv)? {
            Ok(())
        } else {
            self.resume()
        }
    }

    /// Handles a word that is not a command: perhaps a move without `usermove`.
    pub(super) fn bare_move(&mut self, text: &str) -> io::Result<()> {
        match san::parse(self.position(), text) {
            Err(SanError::Syntax(_)) => self.send_error(&XBoardError::UnknownCommand, text),
            _ => self.user_move(text),
        }
    }

    pub(super) fn undo(&mut self, count: usize) -> Result<(), Failure> {
        self.need_position()?;
        let kept = self.plies().checked_sub(count);
        let kept = kept.ok_or_else(|| refused("no move to take back"))?;
        let game = &self.game;
        let game = Game::resume(game.history().until(kept), game.mode());
        self.replace_game(game)?;
        Ok(self.resume_analysis()?)
    }

    /// `exclude`: leaves root moves out of every search until the position changes.
    pub(super) fn exclude(&mut self, text: &str) -> Result<(), Failure> {
        let moves = self.root_moves(text)?;
        self.excluded.retain(|mv| !moves.contains(mv));
        self.excluded.extend(moves);
        Ok(self.resume_analysis()?)
    }

    /// `include`: searches excluded root moves again.
    pub(super) fn include(&mut self, text: &str) -> Result<(), Failure> {
        let moves = self.root_moves(text)?;
        self.excluded.retain(|mv| !moves.contains(mv));
        Ok(self.resume_analysis()?)
    }

    /// The legal moves that `text` names: one, or `all`.
    fn root_moves(&self, text: &str) -> Result<Vec<Move>, Failure> {
        self.need_position()?;
        if text == "all" {
            return Ok(self.position().legal_moves().into_iter().collect());
        }
        Ok(vec![san::parse(self.position(), text).map_err(refused)?])
    }
}
