/**
 * A game: its start, moves and end. The referee judges each position; this file has no rules.
 */
import { endOnBoard } from './laws.js';

/** @typedef {import('../engine/rules.d.ts').RefereeAnswer} Answer */
/** @typedef {import('./laws.js').End} End */

/**
 * @typedef {object} Start
 * @property {string} [fen]
 * @property {boolean} [chess960]
 * @property {Record<string, string>} [tags]  tags of the PGN that was read
 */

export class Game {
  /** @type {string[]} */
  moves = [];
  /** The referee's answer after each number of moves. @type {Answer[]} */
  positions = [];
  /** How the game ended other than on the board. @type {End | undefined} */
  agreedEnd;

  /**
   * @param {import('../engine/rules.d.ts').Referee} referee
   * @param {Start} [start]
   * @throws {Error} with the referee's reason, if the position is not playable
   */
  constructor(referee, { fen, chess960 = false, tags = {} } = {}) {
    this.referee = referee;
    this.fen = fen;
    this.chess960 = chess960;
    this.tags = tags;
    this.positions.push(this.#judge([]));
  }

  /** @param {string[]} moves @returns {Answer} */
  #judge(moves) {
    const answer = this.referee({ fen: this.fen, chess960: this.chess960, moves });
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  }

  get last() {
    return this.positions[this.positions.length - 1];
  }

  get end() {
    return this.agreedEnd ?? endOnBoard(this.last);
  }

  /** The opening: the last name on the way. */
  get opening() {
    return this.last.opening ?? undefined;
  }

  /** @param {string} move  in coordinates */
  play(move) {
    this.positions.push(this.#judge([...this.moves, move]));
    this.moves.push(move);
    this.agreedEnd = undefined;
  }

  /** @param {number} ply  number of moves that remain */
  cut(ply) {
    this.moves.length = Math.min(ply, this.moves.length);
    this.positions.length = this.moves.length + 1;
    this.agreedEnd = undefined;
  }

  /**
   * Reads a move in SAN or coordinates.
   * @param {string} text
   * @param {number} ply
   * @returns {{ move?: string, error?: string }}
   */
  read(text, ply) {
    if (this.positions[ply].legal_moves.includes(text.toLowerCase())) return { move: text.toLowerCase() };
    const moves = this.moves.slice(0, ply);
    const { san_accept, san_errors } = this.referee({ fen: this.fen, chess960: this.chess960, moves, san: [text] });
    return { move: san_accept?.[text] ?? undefined, error: san_errors?.[text] };
  }

  /**
   * Writes a line of moves in SAN, such as `12... Nf6 13. e5`.
   * @param {number} ply
   * @param {string[]} line
   */
  write(ply, line) {
    const moves = this.moves.slice(0, ply);
    let position = this.positions[ply];
    const words = [];
    for (const [index, move] of line.entries()) {
      const san = position.san[move];
      if (!san) break;
      words.push(`${number(position, index === 0)}${san}`);
      moves.push(move);
      if (index + 1 < line.length) position = this.#judge(moves);
    }
    return words.join(' ');
  }

  /** The form that `Game.restore` reads. */
  toJSON() {
    const { fen, chess960, tags, moves, agreedEnd } = this;
    return { fen, chess960, tags, moves, agreedEnd };
  }

  /**
   * @param {import('../engine/rules.d.ts').Referee} referee
   * @param {Start & { moves: string[], agreedEnd?: End }} saved
   */
  static restore(referee, { moves, agreedEnd, ...start }) {
    const game = new Game(referee, start);
    for (const move of moves) game.play(move);
    game.agreedEnd = agreedEnd;
    return game;
  }
}

/**
 * The number before a move; Black's moves have one only at the start of a line.
 * @param {Answer} position @param {boolean} first
 */
export function number(position, first) {
  if (position.turn === 'w') return `${position.fullmove}. `;
  return first ? `${position.fullmove}... ` : '';
}
