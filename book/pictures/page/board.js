/** A chess board of buttons, one a square, for the mouse and the keyboard. */
import { h } from './dom.js';

const GLYPHS = { p: '♟', n: '♞', b: '♝', r: '♜', q: '♛', k: '♚', x: '●' };
const NAMES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king', x: 'blocker' };
const FILES = 'abcdefgh';

/** What is drawn. @typedef {{
 *   pieces: Record<string, string>,
 *   marks?: Record<string, string[]>,
 *   notes?: Record<string, string>,
 *   texts?: Record<string, string>,
 * }} Drawing
 * `marks` are classes of squares, `notes` say the same in words, `texts` are written on the squares. */

/** The name of a piece by its letter. @param {string} letter */
export function pieceName(letter) {
  const kind = NAMES[/** @type {keyof typeof NAMES} */ (letter.toLowerCase())];
  if (letter === 'x') return kind;
  return `${letter === letter.toLowerCase() ? 'black' : 'white'} ${kind}`;
}

export class Board {
  /** @type {Map<string, HTMLButtonElement>} */
  #squares = new Map();
  /** The square that the Tab key reaches. */
  #focus = 'e4';

  /**
   * @param {string} label
   * @param {(square: string) => void} [onSelect]  without it, a square can be read and not selected
   */
  constructor(label, onSelect) {
    const keys = onSelect ? 'Arrow keys move, Enter selects.' : 'Arrow keys move.';
    this.element = h('div', { class: onSelect ? 'board' : 'board still', role: 'group', 'aria-label': `${label} ${keys}` });
    for (let rank = 8; rank >= 1; rank--) {
      for (const file of FILES) {
        const square = `${file}${rank}`;
        const shade = (FILES.indexOf(file) + rank) % 2 ? 'dark' : 'light';
        const cell = h('button', {
          type: 'button',
          class: shade,
          'data-square': square,
          tabindex: '-1',
          onclick: () => {
            this.#reach(square);
            onSelect?.(square);
          },
          onkeydown: (/** @type {KeyboardEvent} */ event) => this.#move(event, square),
        });
        this.#squares.set(square, cell);
        this.element.append(cell);
      }
    }
    this.#reach(this.#focus);
  }

  /** @param {Drawing} drawing */
  draw({ pieces, marks = {}, notes = {}, texts = {} }) {
    for (const [square, cell] of this.#squares) {
      const letter = pieces[square];
      const shade = cell.classList.contains('dark') ? 'dark' : 'light';
      cell.className = [shade, ...(marks[square] ?? [])].join(' ');
      const words = [square, letter && pieceName(letter), notes[square]];
      cell.setAttribute('aria-label', words.filter(Boolean).join(', '));
      cell.replaceChildren();
      if (letter) {
        const glyph = GLYPHS[/** @type {keyof typeof GLYPHS} */ (letter.toLowerCase())];
        const color = letter === 'x' ? 'blocker' : letter === letter.toLowerCase() ? 'black' : 'white';
        // The selector asks for a letter instead of a coloured picture.
        cell.append(h('span', { class: `piece ${color}`, 'aria-hidden': 'true' }, `${glyph}\uFE0E`));
      }
      if (texts[square]) cell.append(h('span', { class: 'on-square', 'aria-hidden': 'true' }, texts[square]));
      if (square[0] === 'a') cell.append(h('span', { class: 'rank', 'aria-hidden': 'true' }, square[1]));
      // A text stands below, so the letter goes up.
      if (square[1] === '1') cell.append(h('span', { class: texts[square] ? 'file above' : 'file', 'aria-hidden': 'true' }, square[0]));
    }
  }

  /** @param {KeyboardEvent} event @param {string} square */
  #move(event, square) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step) return;
    // The arrow keys also turn the pages of the book.
    event.preventDefault();
    event.stopPropagation();
    const to = `${FILES[FILES.indexOf(square[0]) + step[0]]}${Number(square[1]) + step[1]}`;
    if (!this.#squares.has(to)) return;
    this.#reach(to);
    this.#squares.get(to)?.focus();
  }

  /** @param {string} square */
  #reach(square) {
    this.#squares.get(this.#focus)?.setAttribute('tabindex', '-1');
    this.#squares.get(square)?.setAttribute('tabindex', '0');
    this.#focus = square;
  }
}
