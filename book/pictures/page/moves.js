/** Moves on a board by two clicks: the piece, and where it goes. */
import { button, h } from './dom.js';

/** A legal move, as the modules answer it.
 * @typedef {{ uci: string, from: string, to: string, promotion?: string }} LegalMove */

export class Mover {
  #from = '';
  /** Moves that differ only in the piece of a promotion. @type {LegalMove[]} */
  #choices = [];
  #moves;
  #onMove;
  #redraw;

  /**
   * @param {() => LegalMove[]} moves  the legal moves now
   * @param {(uci: string) => void} onMove  plays one, and draws
   * @param {() => void} redraw
   */
  constructor(moves, onMove, redraw) {
    this.#moves = moves;
    this.#onMove = onMove;
    this.#redraw = redraw;
  }

  reset() {
    this.#from = '';
    this.#choices = [];
  }

  /** @param {string} square */
  select(square) {
    const found = this.#moves().filter(({ from, to }) => from === this.#from && to === square);
    this.#choices = found.length > 1 ? found : [];
    if (found.length === 1) this.#play(found[0].uci);
    else {
      if (!found.length) this.#from = this.#from === square ? '' : square;
      this.#redraw();
    }
  }

  /**
   * Marks of the chosen piece, of the squares that it may reach, and of the last move.
   * @param {{ from: string, to: string } | null} [last]
   */
  marks(last) {
    /** @type {Record<string, string[]>} */
    const marks = {};
    /** @type {Record<string, string>} */
    const notes = {};
    if (last) for (const square of [last.from, last.to]) marks[square] = ['moved'];
    if (this.#from) {
      (marks[this.#from] ??= []).push('chosen');
      notes[this.#from] = 'chosen';
      for (const { from, to } of this.#moves()) {
        if (from !== this.#from) continue;
        (marks[to] ??= []).push('target');
        notes[to] = 'can be reached';
      }
    }
    return { marks, notes };
  }

  /** Buttons for the piece of a promotion, if one is to be chosen. */
  promotions() {
    if (!this.#choices.length) return null;
    return h('p', { class: 'controls' }, 'Promote to: ', ...this.#choices.map(({ uci, promotion }) => button(promotion ?? uci, () => this.#play(uci))));
  }

  /** @param {string} uci */
  #play(uci) {
    this.reset();
    this.#onMove(uci);
  }
}

/** The letters of the pieces by square, from the first field of a FEN. @param {string} fen */
export function letters(fen) {
  /** @type {Record<string, string>} */
  const pieces = {};
  fen.split(' ')[0].split('/').forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces[`${'abcdefgh'[file++]}${8 - row}`] = letter;
    }
  });
  return pieces;
}
