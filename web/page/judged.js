/** A review as elements: the graph, what it says of a move and of the players, the marked moves. */
import { create, isForBrowser } from './dom.js';
import { mainLine } from './tree.js';
import { kindOf, marked, opinion } from './words.js';

/** @typedef {import('../engine/rules.d.ts').GameNode} GameNode */

const WIDTH = 400;
const HEIGHT = 90;
const STEPS = /** @type {const} */ ({ ArrowLeft: 'previous', ArrowRight: 'next', ArrowDown: 'previous', ArrowUp: 'next', Home: 'first', End: 'last' });

/**
 * How many of the main moves the review is about: another move ends that.
 * @param {import('./review.js').GameReview | undefined} review
 * @param {GameNode[]} line
 */
export function judgedPart(review, line) {
  if (!review) return undefined;
  const { positions, moves, played } = review;
  const differs = line.slice(1).findIndex(({ uci }, index) => uci !== played[index]);
  const count = differs < 0 ? line.length - 1 : differs;
  return { positions: positions.slice(0, count + 1), moves: moves.slice(0, count) };
}

/**
 * What the review says of the position at a node of the main line.
 * @param {GameNode[]} line
 * @param {number} node
 * @param {ReturnType<typeof judgedPart>} judged
 */
export const judgedPosition = (line, node, judged) => judged?.positions[line.findIndex(({ id }) => id === node)];

/**
 * A marked move of the game, with what was better.
 * @typedef {{ node: GameNode, move: import('../engine/rules.d.ts').ReviewMove,
 *   best: NonNullable<import('../engine/rules.d.ts').ReviewPosition['best']> }} Mistake
 */

/**
 * The marked moves of a player.
 * @param {import('./review.js').GameReview | undefined} review
 * @param {GameNode[]} nodes
 * @param {import('./words.js').Color} color
 * @returns {Mistake[]}
 */
export function mistakes(review, nodes, color) {
  const line = mainLine(nodes);
  const judged = judgedPart(review, line);
  return (judged?.moves ?? []).flatMap((move, index) => {
    const best = judged?.positions[index].best;
    return move.mark && move.color === color && best ? [{ node: line[index + 1], move, best }] : [];
  });
}

/**
 * What the review says of a move, and the better line as a button that plays it.
 * @param {GameNode[]} line
 * @param {number} node
 * @param {ReturnType<typeof judgedPart>} judged
 * @param {{ canPlay: boolean, play: (before: number, moves: string[]) => void }} better
 *   `play` gets the move before, and the line from there
 * @returns {(string | HTMLElement)[]}
 */
export function judgement(line, node, judged, { canPlay, play }) {
  const index = line.findIndex(({ id }) => id === node);
  const move = judged?.moves[index - 1];
  if (!judged || !move) return [];
  const best = judged.positions[index - 1].best;
  const said = opinion(move);
  const parts = [create('b', { textContent: marked(move) }), said ? ` ${said}` : '.'];
  if (move.isBest || !best) return parts;
  const button = create('button', { type: 'button', id: 'better', textContent: best.line, title: 'Add this line as a variation', disabled: !canPlay });
  button.onclick = () => play(line[index - 1].id, best.moves);
  return [...parts, ' Better: ', button];
}

/**
 * The next marked move of the main line, or with -1 the one before.
 * @param {GameNode[]} line
 * @param {number} ply
 * @param {1 | -1} step
 */
export function mistakeFrom(line, ply, step) {
  const marks = line.filter(isMarked);
  return step > 0 ? marks.find((mark) => mark.ply > ply) : marks.reverse().find((mark) => mark.ply < ply);
}

/** @param {GameNode} node */
export const isMarked = (node) => kindOf(node) !== undefined;

/**
 * What the review says of the players.
 * @param {import('./review.js').GameReview} review
 * @param {Record<'white' | 'black', string>} names
 * @param {(color: 'white' | 'black') => (string | HTMLElement)[]} [more]  what follows
 */
export const playersReview = (review, names, more = () => []) =>
  /** @type {const} */ (['white', 'black']).map((color) => create('li', {}, create('b', { textContent: names[color] }), `: ${review[color].text}`, ...more(color)));

/** White's expected score after each move. A click or arrow key goes to a move. */
export class Graph {
  /** @type {GameNode[]} */
  #line = [];

  /**
   * @param {HTMLElement} element
   * @param {(node: number) => void} onChoose
   * @param {(where: 'first' | 'previous' | 'next' | 'last') => void} onStep
   */
  constructor(element, onChoose, onStep) {
    this.element = element;
    element.tabIndex = 0;
    for (const [name, value] of Object.entries({ role: 'slider', 'aria-label': "Moves, by White's expected score", 'aria-valuemin': '0' })) element.setAttribute(name, value);
    element.onclick = ({ clientX }) => {
      const { left, width } = element.getBoundingClientRect();
      onChoose(this.#line[Math.round(((clientX - left) / width) * (this.#line.length - 1))].id);
    };
    element.onkeydown = (event) => {
      if (isForBrowser(event)) return;
      const where = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
      if (!where) return;
      event.preventDefault();
      event.stopPropagation();
      onStep(where);
    };
  }

  /**
   * @param {GameNode[]} line  the main moves
   * @param {{ node: number, ply: number }} place  on the board
   * @param {ReturnType<typeof judgedPart>} judged
   */
  draw(line, { node: here, ply }, judged) {
    this.#line = line;
    const scores = line.map((node, index) => judged?.positions[index]?.expected ?? node.expected);
    this.element.hidden = scores.filter((score) => score !== undefined).length < 2;
    if (this.element.hidden) return;
    scores[0] ??= 0.5;
    const x = (/** @type {number} */ index) => ((index / Math.max(1, line.length - 1)) * WIDTH).toFixed(1);
    const y = (/** @type {number} */ score) => ((1 - score) * (HEIGHT - 4) + 2).toFixed(1);
    const known = scores.flatMap((score, index) => (score === undefined ? [] : [[index, score]]));
    const points = known.map(([index, score]) => `${x(index)},${y(score)}`);
    const circles = line.map((node, index) => {
      const kind = kindOf(node);
      return kind ? `<circle class="${kind}" cx="${x(index)}" cy="${y(scores[index] ?? 0.5)}" r="3"/>` : '';
    });
    this.element.setAttribute('aria-valuemax', String(line.length - 1));
    this.element.setAttribute('aria-valuenow', String(Math.min(ply, line.length - 1)));
    const { id, number, san } = line[ply] ?? {};
    this.element.setAttribute('aria-valuetext', id !== here ? 'In a variation' : ply === 0 ? 'Start' : `${number} ${san}`);
    this.element.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      <rect class="black" width="${WIDTH}" height="${HEIGHT}"/>
      <polygon class="white" points="0,${HEIGHT} ${points.join(' ')} ${x(known[known.length - 1][0])},${HEIGHT}"/>
      <line class="half" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/>
      <line class="now" x1="${x(ply)}" x2="${x(ply)}" y1="0" y2="${HEIGHT}"/>
      ${circles.join('')}
    </svg>`;
  }
}
