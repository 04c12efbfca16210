/** The board: chessground, with a keyboard, the choice of a promotion, premoves and arrows. */
import { Chessground } from '@lichess-org/chessground';
import { create, isForBrowser, say } from './dom.js';
import { pieces } from './words.js';

const ROLES = /** @type {const} */ (['queen', 'knight', 'rook', 'bishop']);
const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @typedef {import('../engine/rules.d.ts').MoveInfo} MoveInfo */
/**
 * @typedef {object} View
 * @property {string} fen
 * @property {'white' | 'black'} turn
 * @property {boolean} check
 * @property {MoveInfo[]} moves  the legal moves
 * @property {MoveInfo | null} lastMove
 * @property {'white' | 'black'} orientation
 * @property {'white' | 'black' | undefined} movable  whose pieces move now
 * @property {'white' | 'black' | undefined} premovable  whose pieces may move in advance
 * @property {boolean} follows  whether a move has led here from the position that was shown before
 * @property {{ move: string, brush: string }[]} arrows
 */

export class Board {
  /** @type {View | undefined} */
  #view;
  /** The square of the keyboard. @type {string} */
  #cursor = 'e2';
  /** Whether the board had the focus when the choice of a promotion took it. */
  #hadFocus = false;

  /**
   * @param {HTMLElement} element
   * @param {HTMLElement} promotion  an empty element that shows the choice
   * @param {HTMLElement} announcer  a live region
   * @param {(move: string) => void} onMove  in coordinates
   */
  constructor(element, promotion, announcer, onMove) {
    this.element = element;
    this.promotion = promotion;
    this.announcer = announcer;
    this.onMove = onMove;
    this.ground = Chessground(element, {
      movable: { free: false, color: undefined, dests: new Map(), events: { after: (from, to) => this.#moved(from, to) } },
      animation: { duration: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 },
      premovable: { enabled: true },
      drawable: { brushes: BRUSHES },
      addDimensionsCssVarsTo: /** @type {HTMLElement} */ (element.parentElement),
    });
    for (const press of ['mousedown', 'touchstart']) element.addEventListener(press, (event) => this.#pressed(event), { capture: true, passive: true });
    element.onkeydown = (event) => this.#key(event);
    // A click leaves the arrow keys to the moves of the game.
    element.onfocus = () => (element.matches(':focus-visible') ? this.#mark() : element.blur());
    element.onblur = () => this.#mark();
  }

  /** Ends what the board has started in the document. */
  destroy() {
    this.ground.destroy();
  }

  /** @param {View} view */
  show(view) {
    const before = this.#view;
    this.#view = view;
    const isSame = before?.fen === view.fen && before.movable === view.movable;
    // An update that does not concern the board leaves a choice that is being made.
    if (!isSame) this.#endChoice();
    if (!isSame || before?.premovable !== view.premovable || before?.lastMove?.uci !== view.lastMove?.uci) this.#set(view);
    if (before?.orientation !== view.orientation) this.ground.set({ orientation: view.orientation });
    this.ground.setAutoShapes(
      /** @type {any} */ (view.arrows.map(({ move, brush }) => ({ orig: move.slice(0, 2), dest: move.slice(2, 4), brush }))),
    );
    // The opponent has moved: now the premove is a move, if it is legal.
    if (view.follows && before?.premovable && view.movable) this.ground.playPremove();
    else if (!view.premovable || before?.fen !== view.fen) this.ground.cancelPremove();
  }

  /** Before chessground gets a press. @param {Event} event */
  #pressed(event) {
    // Chessground remembers where the board is until the page scrolls, but what stands above may
    // grow.
    this.ground.state.dom.bounds.clear();
    // It keeps a finger from scrolling the page, also where nothing can be moved.
    if (event.type === 'touchstart' && !this.#view?.movable && !this.#view?.premovable) event.stopPropagation();
  }

  /** @param {View} view */
  #set({ fen, turn, check, moves, lastMove, movable, premovable }) {
    /** @type {Map<any, any>} */
    const dests = new Map();
    for (const { from, to } of moves) dests.set(from, [...(dests.get(from) ?? []), to]);
    this.ground.set({
      fen,
      turnColor: turn,
      check,
      lastMove: /** @type {any} */ (lastMove ? [lastMove.from, lastMove.to] : undefined),
      movable: { color: movable ?? premovable, dests: movable ? dests : new Map() },
      premovable: { enabled: Boolean(premovable) },
    });
    if (!lastMove) this.ground.set({ lastMove: undefined });
    this.#mark();
  }

  /** @param {string} from @param {string} to */
  #moved(from, to) {
    const moves = this.#view?.moves.filter((move) => move.from === from && move.to === to) ?? [];
    if (moves.length > 1) this.#choose(moves);
    else this.#make(moves[0]?.uci ?? from + to);
  }

  /** @param {string} move */
  #make(move) {
    const before = this.#view;
    this.onMove(move);
    // A move that is not accepted goes back.
    if (this.#view && this.#view?.fen === before?.fen) this.#set(this.#view);
  }

  /** @param {MoveInfo[]} moves  to one square, with different pieces */
  #choose(moves) {
    const buttons = ROLES.map((role) => {
      const move = moves.find(({ promotion }) => promotion === role);
      const button = create('button', { className: 'cg-wrap', type: 'button', 'aria-label': role }, create('piece', { className: `${role} ${this.#view?.turn}` }));
      button.onclick = () => {
        this.#endChoice();
        if (move) this.#make(move.uci);
      };
      return button;
    });
    const cancel = () => {
      this.#endChoice();
      if (this.#view) this.#set(this.#view);
    };
    this.promotion.replaceChildren(...buttons);
    // A handler that returns `false` would take Enter and Tab from the buttons.
    this.promotion.onclick = ({ target }) => {
      if (target === this.promotion) cancel();
    };
    this.promotion.onkeydown = ({ key }) => {
      if (key === 'Escape') cancel();
    };
    this.#hadFocus = this.#focused === this.element;
    this.promotion.hidden = false;
    buttons[0].focus();
  }

  /** Hides the choice. The focus goes back to the board. */
  #endChoice() {
    if (this.promotion.hidden) return;
    const hasFocus = this.promotion.contains(this.#focused);
    this.promotion.hidden = true;
    if (hasFocus && this.#hadFocus) this.element.focus();
  }

  get #focused() {
    return /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement;
  }

  /* The keyboard: arrows choose a square, Enter or space picks a piece up and puts it down. */

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isForBrowser(event)) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const { selected } = this.ground.state;
    if (step) {
      const turned = this.#view?.orientation === 'black' ? -1 : 1;
      const file = clamp(this.#cursor.charCodeAt(0) - 97 + step[0] * turned);
      const rank = clamp(Number(this.#cursor[1]) - 1 + step[1] * turned);
      this.#cursor = `${'abcdefgh'[file]}${rank + 1}`;
      this.#announce(this.#inWords(this.#cursor));
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#press(selected);
    } else if (event.key === 'Escape' && selected) {
      this.ground.selectSquare(null);
      this.#announce('Put back.');
    } else if (event.key === 'Escape' && this.ground.state.premovable.current) {
      this.ground.cancelPremove();
      this.#announce('The move in advance is cancelled.');
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#mark();
  }

  /**
   * Picks up what is on the square of the keyboard, or puts a piece there.
   * @param {string} [picked]  the square of a piece that was picked up
   */
  #press(picked) {
    const { premovable } = this.ground.state;
    const { current } = premovable;
    const isBack = picked === this.#cursor;
    // Chessground would pick the same piece up again.
    this.ground.selectSquare(/** @type {any} */ (isBack ? null : this.#cursor));
    const now = this.ground.state.selected;
    if (isBack) {
      this.#announce('Put back.');
    } else if (now) {
      const to = this.#view?.moves.filter(({ from }) => from === now).map((move) => move.to) ?? [];
      const where = to.length > 0 ? `. To ${[...new Set(to)].join(', ')}.` : this.#view?.movable ? '. It has no move.' : ' for a move in advance.';
      this.#announce(`${this.#inWords(now)} picked up${where}`);
    } else if (!picked) {
      this.#announce(`${this.#inWords(this.#cursor)}: nothing to move.`);
    } else if (premovable.current !== current) {
      this.#announce(`${picked} to ${this.#cursor} in advance.`);
    } else {
      const isMove = this.#view?.moves.some(({ from, to }) => from === picked && to === this.#cursor);
      // A move is announced by the status.
      this.#announce(isMove ? '' : `${picked} to ${this.#cursor} is not a legal move.`);
    }
  }

  /** @param {string} square */
  #inWords(square) {
    const piece = pieces(this.#view?.fen ?? '').get(square);
    return `${square}, ${piece ? `${piece.color} ${piece.role}` : 'empty'}`;
  }

  /** @param {string} text */
  #announce(text) {
    say(this.announcer, text);
  }

  /** Shows the square of the keyboard while the board has the focus. */
  #mark() {
    const isShown = this.#focused === this.element;
    this.ground.set({ highlight: { custom: new Map(isShown ? [[/** @type {any} */ (this.#cursor), 'cursor']] : []) } });
  }
}

/** @param {number} index */
const clamp = (index) => Math.min(7, Math.max(0, index));

const BRUSHES = {
  green: { key: 'g', color: '#15781b', opacity: 0.9, lineWidth: 10 },
  red: { key: 'r', color: '#b3261e', opacity: 0.85, lineWidth: 10 },
  blue: { key: 'b', color: '#1c4f9c', opacity: 0.75, lineWidth: 10 },
  yellow: { key: 'y', color: '#c78a00', opacity: 0.85, lineWidth: 10 },
};
