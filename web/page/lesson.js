/**
 * The mistakes of a player, asked one after the other. What the user does returns the event that the
 * state machine gets.
 */
import { Game } from '../engine/rules.js';
import { sentence } from './dom.js';
import { judgeMove } from './review.js';
import { marked, opinion, other } from './words.js';

/** @typedef {import('./words.js').Color} Color */
/** @typedef {import('../engine/rules.d.ts').LineMove} LineMove */
/**
 * What is kept of it. The mistakes are found again by the review.
 * @typedef {object} KeptLesson
 * @property {Color} color
 * @property {number} index  of the mistake that is asked
 * @property {number} found
 * @property {boolean} isTried  whether a wrong move was made, or the answer shown
 * @property {boolean} isDone  whether the better move was found or shown
 * @property {string} said  about the last try
 * @property {LineMove} [shown]  the move on the board, which the game does not have
 */

export class Lesson {
  /** About the last try. */
  said = '';
  /** The move on the board, which the game does not have. @type {LineMove | undefined} */
  shown;

  /**
   * @param {import('./judged.js').Mistake[]} list  not empty
   * @param {Pick<KeptLesson, 'color' | 'index' | 'found' | 'isTried' | 'isDone'> & Partial<KeptLesson>} state
   */
  constructor(list, { color, index, found, isTried, isDone, said = '', shown }) {
    this.list = list;
    this.color = color;
    this.index = index;
    this.found = found;
    this.isTried = isTried;
    this.isDone = isDone;
    this.said = said;
    this.shown = shown;
  }

  /**
   * Begins with the mistakes of a player, or goes on where they were left.
   * @param {import('./judged.js').Mistake[]} list
   * @param {Color} color
   * @param {Lesson} [last]
   */
  static begin(list, color, last) {
    const left = last?.color === color ? last : { index: 0, found: 0, isTried: false, isDone: false };
    const index = left.index + Number(left.isDone);
    const isNew = index >= list.length;
    const isTried = left.isTried && !left.isDone;
    return new Lesson(list, { color, index: isNew ? 0 : index, found: isNew ? 0 : left.found, isTried, isDone: false });
  }

  /** The mistake that is asked. */
  get mistake() {
    return this.list[this.index];
  }

  /** To the next mistake. Returns whether there is one. */
  next() {
    if (this.index + 1 === this.list.length) return false;
    this.index += 1;
    this.isTried = this.isDone = false;
    this.said = '';
    this.shown = undefined;
    return true;
  }

  /** Shows the answer. @param {Game} game */
  show(game) {
    const { best } = this.mistake;
    this.isTried = this.isDone = true;
    this.shown = game.line([best.uci])[0];
    this.said = `The better move: ${sentence(best.line)}`;
  }

  /**
   * A move in place of the mistake. Throws what is wrong with it.
   * @param {string} text
   * @param {Game} game
   * @returns {'right' | 'wrong' | 'try'}
   */
  try(text, game) {
    const { best, node } = this.mistake;
    const move = tried(text, game);
    this.shown = game.line([move.uci])[0];
    if (move.uci === best.uci) return this.#hit('');
    return move.uci === node.uci ? this.#miss(`${move.san} was played: find another move.`) : 'try';
  }

  /**
   * The engine judges the tried move. `undefined` if it was stopped.
   * @param {import('./engines.js').RestartingEngine} engine  at full strength
   * @param {import('./tree.js').Tree} tree
   * @param {() => boolean} isCurrent
   */
  async check(engine, tree, isCurrent) {
    if (!this.shown) return undefined;
    const judged = await judgeMove(engine, tree.position(), tree.place.fen, this.shown.uci);
    if (!judged || !isCurrent()) return undefined;
    if (judged.isGood) return this.#hit(`${judged.text} is as good as ${this.mistake.best.san}.`);
    return this.#miss(`${marked(judged)} ${opinion(judged, { isSecret: true }) || 'is not as good as the best move.'} Try again.`);
  }

  /** @param {string} said @returns {'right'} */
  #hit(said) {
    if (!this.isTried) this.found += 1;
    this.isDone = true;
    this.said = `Right! ${said || sentence(this.mistake.best.line)}`;
    return 'right';
  }

  /** The tried move is wrong. @param {string} said @returns {'wrong'} */
  #miss(said) {
    this.isTried = true;
    this.fail(said);
    return 'wrong';
  }

  /** The tried move does not count. @param {string} said */
  fail(said) {
    this.shown = undefined;
    this.said = said;
  }

  /**
   * What the board shows: the position of the mistake, or that after the move that is tried.
   * @param {import('../engine/rules.d.ts').Place} place
   * @returns {import('../engine/rules.d.ts').Place}
   */
  placeOn(place) {
    const move = this.shown;
    if (!move) return place;
    const [from, to] = [move.uci.slice(0, 2), move.uci.slice(2, 4)];
    return { ...place, fen: move.fen, turn: other(place.turn), check: /[+#]/.test(move.san), moves: [], lastMove: /** @type {any} */ ({ ...move, from, to }) };
  }

  /** @returns {KeptLesson} */
  get kept() {
    const { color, index, found, isTried, isDone, said, shown } = this;
    return { color, index, found, isTried, isDone, said, shown };
  }
}

/** The move of a text. Throws what is wrong with it. @param {string} text @param {Game} game */
function tried(text, game) {
  const trial = new Game({ fen: game.fen, chess960: game.chess960 });
  try {
    return trial.move(text);
  } finally {
    trial.free();
  }
}
