/** The tree of moves of the game on the board, and where things are in it. */
import { Game } from '../engine/rules.js';
import { LAST_MARK, withText } from './words.js';

/** @typedef {import('../engine/rules.d.ts').GameNode} GameNode */

/** The start and the main moves. @param {GameNode[]} nodes */
export function mainLine(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const line = [nodes[0]];
  for (let node = byId.get(nodes[0].children[0]); node; node = byId.get(node.children[0])) line.push(node);
  return line;
}

/**
 * Looks at another place of a game, and comes back.
 * @template T
 * @param {Game} game
 * @param {number} node
 * @param {() => T} look
 */
export function at(game, node, look) {
  const here = game.place.node;
  if (node === here) return look();
  game.go(node);
  try {
    return look();
  } finally {
    game.go(here);
  }
}

/**
 * Walks through a game.
 * @param {Game} game
 * @param {'first' | 'previous' | 'next' | 'last'} where
 */
export function browse(game, where) {
  ({ first: () => game.toStart(), previous: () => game.back(), next: () => game.forward(), last: () => game.toEnd() })[where]();
}

/**
 * The variation above or below a place.
 * @param {GameNode[]} nodes
 * @param {import('../engine/rules.d.ts').Place} place
 * @param {1 | -1} step
 */
export function siblingOf(nodes, { node, parent }, step) {
  const children = nodes.find(({ id }) => id === parent)?.children ?? [];
  return children[children.indexOf(node) + step];
}

export class Tree {
  game = new Game();
  /** Counts changes, so that a view knows when to draw the tree again. */
  version = 0;
  /** @type {{ version: number, list: GameNode[] } | undefined} */
  #nodes;

  /** Another game is on the board. @param {Game} game */
  replace(game) {
    this.game = game;
    this.touch();
  }

  /** The game has changed. */
  touch() {
    this.version += 1;
  }

  /** The position on the board. */
  get place() {
    return this.game.place;
  }

  /** All moves with their notes. @returns {GameNode[]} */
  get nodes() {
    if (this.#nodes?.version !== this.version) this.#nodes = { version: this.version, list: this.game.nodes() };
    return this.#nodes.list;
  }

  /** @param {number | null} id */
  node(id) {
    return this.nodes.find((node) => node.id === id);
  }

  get mainLine() {
    return mainLine(this.nodes);
  }

  /** The moves to a node, the start first. @param {number} id @returns {GameNode[]} */
  pathTo(id) {
    const byId = this.#byId;
    const path = [];
    for (let node = byId.get(id); node; node = node.parent === undefined ? undefined : byId.get(node.parent)) path.unshift(node);
    return path;
  }

  /** Where a node lies, for another reading of the same PGN. @param {number} id */
  stepsTo(id) {
    const path = this.pathTo(id);
    return path.slice(1).map((node, index) => path[index].children.indexOf(node.id));
  }

  /** The node to which steps lead, or the last one that is there. @param {number[]} steps */
  find(steps) {
    const byId = this.#byId;
    let node = this.nodes[0];
    for (const step of steps) {
      const next = byId.get(node.children[step]);
      if (!next) break;
      node = next;
    }
    return node.id;
  }

  get #byId() {
    return new Map(this.nodes.map((node) => [node.id, node]));
  }

  /** The move whose place another one takes when it is promoted. @param {number} id */
  above(id) {
    const children = this.node(this.node(id)?.parent ?? null)?.children ?? [];
    return children[children.indexOf(id) - 1];
  }

  /** Deletes the moves after a node. @param {number} id */
  removeAfter(id) {
    for (const child of this.node(id)?.children ?? []) this.game.remove(child);
  }

  /** The variation above or below the move on the board. @param {1 | -1} step */
  sibling(step) {
    return siblingOf(this.nodes, this.place, step);
  }

  /**
   * The notes of a move with another sign, by its glyph or 0 for none, or another text. `undefined` if
   * they are the same.
   * @param {number} id
   * @param {{ glyph?: number, text?: string }} change
   */
  notesWith(id, { glyph, text }) {
    const { comments = [], glyphs = [] } = this.node(id) ?? {};
    const notes = {
      comments: text === undefined ? comments : withText(comments, text),
      glyphs: glyph === undefined ? glyphs : [...(glyph > 0 ? [glyph] : []), ...glyphs.filter((other) => other > LAST_MARK)],
    };
    return JSON.stringify(notes) === JSON.stringify({ comments, glyphs }) ? undefined : notes;
  }

  /** What an engine has to know about a position of the game. @param {number} [node] */
  position(node = this.place.node) {
    return at(this.game, node, () => ({ ...this.game.searchPosition(), chess960: this.game.chess960 }));
  }

  /** @param {number} node */
  fen(node) {
    return at(this.game, node, () => this.place.fen);
  }

  /**
   * The move on the board becomes the first of those after its parent. Returns whether moves follow
   * it: then it is not new.
   */
  makeMain() {
    const { node, parent } = this.place;
    const children = (/** @type {number | null} */ of) => this.game.nodes().find((/** @type {GameNode} */ { id }) => id === of)?.children ?? [];
    while (children(parent).indexOf(node) > 0) this.game.promote(node);
    return children(node).length > 0;
  }
}
