/** The board: chessground, the choice of a promotion, and the position in words. */
import { Chessground } from '@lichess-org/chessground';
import { turnOf } from './laws.js';

const PIECES = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
/** @typedef {keyof typeof PIECES} Letter */

export class Board {
  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} promotion  an empty element that shows the choice
   * @param {(move: string) => void} onMove
   */
  constructor(element, promotion, onMove) {
    this.promotion = promotion;
    this.onMove = onMove;
    this.ground = Chessground(element, {
      movable: { free: false, events: { after: (from, to) => this.#moved(from + to) } },
      animation: { duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 },
      premovable: { enabled: false },
      addDimensionsCssVarsTo: /** @type {HTMLElement} */ (element.parentElement),
    });
    new ResizeObserver(() => this.ground.redrawAll()).observe(element);
  }

  /**
   * @param {import('../engine/rules.d.ts').RefereeAnswer} position
   * @param {{ lastMove?: string, orientation: 'white' | 'black', movable: boolean, arrow?: string }} view
   */
  show(position, { lastMove, orientation, movable, arrow }) {
    this.position = position;
    this.promotion.hidden = true;
    /** @type {Map<any, any>} */
    const dests = new Map();
    for (const move of position.legal_moves) {
      const from = move.slice(0, 2);
      dests.set(from, [...(dests.get(from) ?? []), move.slice(2, 4)]);
    }
    const turnColor = turnOf(position);
    this.ground.set({
      fen: position.fen,
      orientation,
      turnColor,
      check: position.in_check,
      lastMove: lastMove ? squares(lastMove) : undefined,
      movable: { color: movable ? turnColor : undefined, dests },
      drawable: { autoShapes: arrow ? [{ orig: squares(arrow)[0], dest: squares(arrow)[1], brush: 'green' }] : [] },
    });
  }

  /** @param {string} move  from and to */
  #moved(move) {
    const moves = this.position?.legal_moves.filter((legal) => legal.startsWith(move)) ?? [];
    if (moves.length <= 1) this.onMove(moves[0] ?? move);
    else this.#choose(moves);
  }

  /** @param {string[]} moves  to one square, with different pieces */
  #choose(moves) {
    const color = this.position && turnOf(this.position);
    const buttons = ['q', 'n', 'r', 'b'].map((letter) => {
      const button = document.createElement('button');
      const piece = PIECES[/** @type {Letter} */ (letter)];
      button.className = 'cg-wrap';
      button.setAttribute('aria-label', piece);
      button.innerHTML = `<piece class="${piece} ${color}"></piece>`;
      button.onclick = () => {
        this.promotion.hidden = true;
        this.onMove(/** @type {string} */ (moves.find((move) => move.endsWith(letter))));
      };
      return button;
    });
    this.promotion.replaceChildren(...buttons);
    this.promotion.onclick = ({ target }) => target === this.promotion && this.#cancel();
    this.promotion.onkeydown = ({ key }) => key === 'Escape' && this.#cancel();
    this.promotion.hidden = false;
    buttons[0].focus();
  }

  /** The pawn goes back. */
  #cancel() {
    this.promotion.hidden = true;
    this.ground.set({ fen: this.position?.fen, turnColor: this.position && turnOf(this.position), lastMove: undefined });
  }
}

/** @param {string} move @returns {any[]} */
const squares = (move) => [move.slice(0, 2), move.slice(2, 4)];

/**
 * The position in words, for a screen reader.
 * @param {string} fen
 */
export function describe(fen) {
  /** @type {Record<'White' | 'Black', string[]>} */
  const pieces = { White: [], Black: [] };
  fen.split(' ')[0].split('/').forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (/\d/.test(letter)) {
        file += Number(letter);
      } else {
        const color = letter === letter.toUpperCase() ? 'White' : 'Black';
        pieces[color].push(`${PIECES[/** @type {Letter} */ (letter.toLowerCase())]} ${'abcdefgh'[file]}${8 - row}`);
        file += 1;
      }
    }
  });
  return Object.entries(pieces).map(([color, list]) => `${color}: ${list.join(', ')}.`).join(' ');
}
