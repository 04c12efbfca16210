/** Where things are in the tree of moves of a game. */

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
 * @param {import('../engine/rules.js').Game} game
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
