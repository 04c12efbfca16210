/**
 * The game that is played here: who plays, its last position, its clock, what the coach says, and its
 * end. The board may show another position of it. Without a match, the last position is the one on the
 * board.
 */
import { Game } from '../engine/rules.js';
import { Clock } from './clock.js';
import { judgeMove } from './review.js';
import { at } from './tree.js';
import { other } from './words.js';

/** The marks of moves to which the coach objects. An inaccuracy would stop a beginner at each move. */
const OBJECTED = ['mistake', 'blunder'];

/** @typedef {import('./words.js').Color} Color */
/** @typedef {import('../engine/rules.d.ts').Place} Place */
/** @typedef {import('../engine/rules.d.ts').Status} Status */
/** @typedef {{ white: number, black: number, increment: number }} Times  in milliseconds */
/**
 * A game that is played here.
 * @typedef {object} Match
 * @property {Color | 'both'} side  that of the user
 * @property {number} level  the engine's Elo; 0 for full strength
 * @property {string} clock  minutes, `+`, seconds; empty without a clock
 * @property {boolean} [coach]  whether each move of the user is judged before the engine answers
 * @property {{ name: string, goal: 'win' | 'draw' }} [practice]  an ending of the Gym
 */
/**
 * What is kept of it.
 * @typedef {object} KeptLive
 * @property {Match} [match]
 * @property {number[]} livePath  to the last position: which of the moves that follow, from the start
 * @property {Status} [end]  by an act of a player, which a PGN cannot tell
 * @property {boolean} [isUnjudged]  the coach has not let the user's last move pass
 * @property {Times} [times]
 */

export class LiveGame {
  /** The last position. @type {Place} */
  place;
  /** @type {Clock | undefined} */
  clock;
  /** What the coach says against the user's last move. @type {import('./review.js').Judged | undefined} */
  objection;
  /** The engine's last score for itself, in centipawns. */
  engineScore = 0;
  #tree;
  #clockListeners;
  /** How it has ended by an act of a player. @type {Status | undefined} */
  #end;
  /** Whether the coach has to judge the user's last move. */
  #isUnjudged = false;
  /**
   * Whether moves that were taken back follow the last position, so that another one is a variation
   * that becomes the game.
   */
  #tookBack = false;

  /**
   * @param {import('./tree.js').Tree} tree  the game on the board
   * @param {Match | undefined} match
   * @param {{ onTick: () => void, onFlag: (loser: Color) => void }} clockListeners
   */
  constructor(tree, match, clockListeners) {
    this.#tree = tree;
    this.match = match;
    this.#clockListeners = clockListeners;
    this.place = tree.place;
  }

  /* What is. */

  /** How the match has ended, or the position on the board if there is no match. */
  get status() {
    if (!this.match) return this.#tree.place.status;
    return this.#end ?? this.place.status;
  }

  get isOver() {
    return this.status.kind !== 'playing';
  }

  /** Whether the board shows the last position. */
  get isShown() {
    return this.#tree.place.node === this.place.node;
  }

  get isUsersTurn() {
    return this.match?.side === 'both' || this.match?.side === this.place.turn;
  }

  /** The user's colour in a match, that of the side to move if he plays both. */
  get userColor() {
    const side = this.match?.side;
    return side === 'white' || side === 'black' ? side : this.place.turn;
  }

  /** Whether a game is being played that another one would interrupt. */
  get isAtStake() {
    return Boolean(this.match) && !this.isOver && this.place.ply > 0;
  }

  get canTakeBack() {
    return Boolean(this.match) && !this.#end && this.place.ply >= this.#pliesBack;
  }

  /** How many moves are taken back: with the engine's, so that the user is to move. */
  get #pliesBack() {
    return this.match?.side !== 'both' && this.isUsersTurn ? 2 : 1;
  }

  /** Start and moves, for a search or a question to the referee. */
  get position() {
    return this.#tree.position(this.place.node);
  }

  /** Whether this player is the user. Without a match, each is. @param {Color} color */
  isUser(color) {
    return !this.match || this.match.side === 'both' || this.match.side === color;
  }

  /** What must not change when moves of the tree do. */
  get #record() {
    if (!this.match) return undefined;
    return JSON.stringify([this.position, this.#tree.stepsTo(this.place.node), this.#tree.game.result]);
  }

  /** @returns {import('./state.js').Facts} */
  get facts() {
    return {
      match: Boolean(this.match),
      over: this.isOver,
      live: this.isShown,
      usersTurn: this.isUsersTurn,
      unjudged: this.#isUnjudged,
      objected: Boolean(this.objection),
    };
  }

  /* What happens. */

  /** A clock by what was chosen. */
  setUpClock() {
    if (!this.match?.clock) return;
    const [minutes, increment] = this.match.clock.split('+').map(Number);
    this.clock = new Clock({ white: minutes * 60e3, black: minutes * 60e3, increment: increment * 1e3 }, this.#clockListeners);
  }

  /**
   * Plays a move of the match. Throws what is wrong with it.
   * @param {string} text
   * @param {boolean} isUsers
   */
  play(text, isUsers) {
    const move = this.#atEnd((game) => game.move(text));
    this.#isUnjudged = isUsers && Boolean(this.match?.coach) && this.place.status.kind !== 'won';
    this.clock?.press(other(this.place.turn));
    return move;
  }

  /**
   * Plays a move that is not of the match. A game that has ended keeps its result. Throws what is
   * wrong with the move.
   * @param {string} text
   */
  explore(text) {
    return this.#tree.game.consider(text);
  }

  /**
   * An act of a player, such as a claim.
   * @template T
   * @param {(game: Game) => T} act
   */
  act(act) {
    const answer = this.#atEnd(act);
    if (this.place.status.kind !== 'playing') {
      this.#end = this.place.status;
      // What was taken back was not played: the game must not go on behind its end.
      if (this.#tookBack) this.#tree.removeAfter(this.place.node);
      this.forgetJudgement();
    }
    return answer;
  }

  takeBack() {
    const { turn } = this.place;
    const count = this.#pliesBack;
    this.#tree.game.go(this.place.node);
    this.#tree.game.back(count);
    this.place = this.#tree.place;
    this.clock?.takeBack(other(turn));
    if (count === 2) this.clock?.takeBack(turn);
    this.#tookBack = true;
    this.forgetJudgement();
    this.runClock();
  }

  /** The clock of the side to move runs. Before the first move, and after the end, none does. */
  runClock() {
    this.clock?.stop();
    if (this.place.ply > 0 && !this.isOver) this.clock?.start(this.place.turn);
  }

  /**
   * The coach judges the user's last move. Resolves with whether it has.
   * @param {import('./engines.js').RestartingEngine} engine  at full strength
   * @param {() => boolean} isCurrent
   */
  async judge(engine, isCurrent) {
    const tree = this.#tree;
    const { node, parent, lastMove } = this.place;
    if (parent === null || !lastMove) return false;
    const judged = await judgeMove(engine, tree.position(parent), tree.fen(parent), lastMove.uci);
    if (!judged || !isCurrent() || node !== this.place.node) return false;
    this.#isUnjudged = false;
    this.objection = judged.mark && OBJECTED.includes(judged.mark.name) ? judged : undefined;
    return true;
  }

  forgetJudgement() {
    this.#isUnjudged = false;
    this.objection = undefined;
  }

  /**
   * Changes the tree, but not the moves that were played. Returns whether it could, and `undefined` if
   * there is nothing to change.
   * @param {'undo' | 'redo'} change
   */
  revise(change) {
    const tree = this.#tree;
    const { canRedo, canUndo, node } = tree.place;
    if (!(change === 'undo' ? canUndo : canRedo)) return undefined;
    const before = this.#record;
    let isSame = false;
    try {
      tree.game[change]();
      tree.touch();
      isSame = this.#record === before;
    } catch {
      // The last position is gone.
    }
    if (isSame) return true;
    tree.game[change === 'undo' ? 'redo' : 'undo']();
    tree.touch();
    tree.game.go(node);
    return false;
  }

  /** The game on the board has changed. */
  update() {
    if (!this.match) this.place = this.#tree.place;
    if (this.isOver) this.clock?.stop();
  }

  /**
   * Changes the game at the last position, and makes the position after that the last one.
   * @template T
   * @param {(game: Game) => T} change
   */
  #atEnd(change) {
    const { game } = this.#tree;
    return at(game, this.place.node, () => {
      const { node } = this.place;
      const answer = change(game);
      if (this.#tookBack && game.place.node !== node) this.#tookBack = this.#tree.makeMain();
      this.place = game.place;
      return answer;
    });
  }

  /* Keeping. */

  /** @returns {KeptLive} */
  get kept() {
    const { clock } = this;
    return {
      match: this.match,
      livePath: this.#tree.stepsTo(this.place.node),
      end: this.#end,
      isUnjudged: this.#isUnjudged || Boolean(this.objection),
      times: clock && { ...clock.times, white: clock.left('white'), black: clock.left('black') },
    };
  }

  /** Goes on with a game that was kept. The board shows some place of it. @param {KeptLive} kept */
  restore({ livePath, end, isUnjudged = false, times }) {
    this.#end = end;
    this.#isUnjudged = isUnjudged;
    const { game } = this.#tree;
    game.go(this.#tree.find(livePath));
    this.place = game.place;
    this.#tookBack = this.place.status.kind === 'playing' && game.forward();
    this.clock = times && new Clock(times, this.#clockListeners);
    this.runClock();
  }
}

/** A match by what the user has chosen. @param {Match} choice @returns {Match} */
export function createMatch(choice) {
  const coach = choice.coach && choice.side !== 'both';
  // The coach needs time, and so does who listens.
  return { ...choice, coach, clock: coach ? '' : choice.clock };
}

/**
 * The game of a new match, with its tags.
 * @param {Match} match
 * @param {{ fen?: string, chess960: boolean }} start
 */
export function createGame({ side, level, practice }, start) {
  const game = new Game(start);
  const engine = level ? `Tabiya (${level})` : 'Tabiya';
  game.setTag('Event', practice?.name ?? 'Casual game');
  game.setTag('Date', today());
  game.setTag('White', side === 'both' ? 'White' : side === 'white' ? 'You' : engine);
  game.setTag('Black', side === 'both' ? 'Black' : side === 'black' ? 'You' : engine);
  return game;
}

/** The local date, as PGN writes it. */
function today() {
  const date = new Date();
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('.');
}
