/**
 * The moves as elements: the main line in two columns, variations and comments below the move they
 * belong to. A button carries the number of its move in `data-node`.
 */
import { create } from './dom.js';
import { EVALUATION } from './review.js';
import { LAST_MARK, glyphText, kindOf, plain, resultText } from './words.js';

/** @typedef {import('../engine/rules.d.ts').GameNode} GameNode */

/** Moves of the largest game that is shown. The longest by the Laws has fewer than 18,000. */
const MOST_NODES = 20_000;
/** How deep variations of variations are shown. */
const DEEPEST = 50;

/** Refuses a game that is too large to be shown. @param {import('../engine/rules.js').Game} game */
export function checkSize(game) {
  const count = game.nodes().length - 1;
  if (count > MOST_NODES) throw new Error(`the game has ${count.toLocaleString('en')} moves, and at most ${MOST_NODES.toLocaleString('en')} are shown`);
}

/** The list in an element. */
export class MoveList {
  /** @type {HTMLElement | null} */
  #current = null;
  /** The move that is marked. @type {number | undefined} */
  #marked;

  /** @param {HTMLElement} element @param {(node: number) => void} onChoose */
  constructor(element, onChoose) {
    this.element = element;
    element.onclick = ({ target }) => {
      const button = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (target).closest('[data-node]'));
      if (button) onChoose(Number(button.dataset.node));
    };
    // A panel that grows makes the list lower.
    new ResizeObserver(() => this.#current && scrollTo(element, this.#current)).observe(element);
  }

  /** @param {GameNode[]} nodes @param {import('../engine/rules.d.ts').Result} result */
  draw(nodes, result) {
    const end = result === '*' ? [] : [create('strong', { className: 'result', textContent: resultText(result) })];
    this.element.replaceChildren(fill(document.createDocumentFragment(), [...drawMoves(nodes), ...end]));
    if (this.element.childElementCount === 0) this.element.append(create('p', { className: 'none', textContent: 'No moves yet.' }));
    this.#current = null;
    this.#marked = undefined;
  }

  /** Marks the move that is on the board, and scrolls to it once. @param {number} node */
  mark(node) {
    if (node === this.#marked) return;
    this.#marked = node;
    if (this.#current) {
      this.#current.removeAttribute('aria-current');
      this.#current.tabIndex = -1;
    }
    this.#current = this.element.querySelector(`[data-node="${node}"]`);
    if (this.#current) {
      this.#current.setAttribute('aria-current', 'true');
      this.#current.tabIndex = 0;
      scrollTo(this.element, this.#current);
    } else {
      this.element.scrollTop = 0;
    }
  }
}

/** @param {GameNode[]} nodes */
function* drawMoves(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const child = (/** @type {number} */ id) => /** @type {GameNode} */ (byId.get(id));
  yield* comments(nodes[0].comments);
  let node = nodes[0];
  let mustNumber = true;
  while (node.children.length > 0) {
    const [main, ...others] = node.children.map(child);
    const isWhite = !main.number?.endsWith('...');
    if (isWhite || mustNumber) yield create('small', { textContent: isWhite ? String(main.number) : String(main.number).replace('...', '…') });
    if (!isWhite && mustNumber) yield create('span', { className: 'gap', textContent: '…' });
    yield* comments(main.before);
    yield moveButton(main);
    const asides = [...comments(main.comments), ...others.map((other) => fill(create('div', { className: 'aside' }), variation(other, child))), ...unread(main)];
    if (asides.length > 0 && isWhite) yield create('span', { className: 'gap' });
    yield* asides;
    mustNumber = asides.length > 0;
    node = main;
  }
}

/**
 * Appends one by one: a call takes a limited number of arguments.
 * @template {ParentNode} T
 * @param {T} element
 * @param {(Node | string)[]} parts
 */
function fill(element, parts) {
  for (const part of parts) element.append(part);
  return element;
}

/**
 * A variation, with its own variations in parentheses.
 * @param {GameNode} first
 * @param {(id: number) => GameNode} child
 * @param {number} [depth]  of the variations around it
 * @returns {(HTMLElement | string)[]}
 */
function variation(first, child, depth = 0) {
  if (depth === DEEPEST) return ['…'];
  const parts = [...(first.before ?? []).map((text) => remark(text)), ...numbered(first, true)];
  let node = first;
  while (node.children.length > 0) {
    const [main, ...others] = node.children.map(child);
    for (const part of numbered(main, false)) parts.push(part);
    for (const other of others) parts.push(fill(create('span', { className: 'inner' }), ['(', ...variation(other, child, depth + 1), ') ']));
    node = main;
  }
  const all = [...parts, ...(first.after ?? []).map((text) => remark(text))];
  return all[all.length - 1] === ' ' ? all.slice(0, -1) : all;
}

/** @param {GameNode} node @param {boolean} isFirst */
function numbered(node, isFirst) {
  const isWhite = !node.number?.endsWith('...');
  const before = isWhite || isFirst ? [create('small', { textContent: String(node.number) })] : [];
  return [...before, moveButton(node), ' ', ...(node.comments ?? []).map((text) => remark(text)), ...unread(node)];
}

/** @param {GameNode} node */
function moveButton(node) {
  const glyphs = node.glyphs ?? [];
  const evaluation = node.comments?.map((comment) => EVALUATION.exec(comment)).find(Boolean);
  return create('button', {
    type: 'button',
    className: kindOf(node) ?? '',
    'data-node': node.id,
    // Tab stops at the marked move only, and arrow keys go from move to move.
    tabIndex: -1,
    textContent: node.san + glyphs.map((glyph) => (glyph <= LAST_MARK ? glyphText(glyph) : ` ${glyphText(glyph)}`)).join(''),
    title: evaluation ? `White's score: ${evaluation[1]}${evaluation[2]}` : '',
  });
}

/** @param {string} text */
const remark = (text) => create('em', { textContent: plain(text) ? `${plain(text)} ` : '' });

/** @param {string[]} [texts] */
const comments = (texts = []) => texts.map(plain).filter(Boolean).map((textContent) => create('p', { className: 'comment', textContent }));

/** @param {GameNode} node */
const unread = ({ unread: texts = [] }) => texts.map((text) => create('p', { className: 'comment unread', textContent: `(${text})`, title: 'This variation could not be read. It is kept.' }));

/** Within the list only: the page itself must not move. @param {HTMLElement} list @param {HTMLElement} move */
function scrollTo(list, move) {
  const [outer, inner] = [list.getBoundingClientRect(), move.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
}
