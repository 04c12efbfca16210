/**
 * The review of a whole game: each position is searched, and the moves get evaluations and marks as
 * in `tabiya analyse`. They are written into the game, so that they are saved with it.
 */
import { whiteScore } from './engines.js';

/** Nodes for each position. */
const NODES = 100_000;
/** Glyphs by the loss of expected score: `??`, `?` and `?!`. */
const MARKS = [[4, 0.3], [2, 0.2], [6, 0.1]];
/** An evaluation as PGN has it: pawns, or moves to mate after `#`. */
export const EVALUATION = /\[%eval (#?)(-?\+?[\d.]+)[^\]]*\]/;

/**
 * Returns a sentence; `undefined` if it was stopped.
 * @param {import('./engines.js').Worker} worker
 * @param {import('../engine/rules.js').Game} game
 * @param {import('../engine/rules.d.ts').GameNode[]} path  the moves, the start first
 * @param {(done: number, all: number) => void} onProgress
 */
export async function reviewGame(worker, game, path, onProgress) {
  const { fen } = at(game, path[0].id, () => game.searchPosition());
  const moves = path.slice(1).map(({ uci }) => String(uci));
  let before = { expected: 0.5, best: /** @type {string | undefined} */ (undefined) };
  const notes = [];
  for (const [ply, node] of path.entries()) {
    const place = at(game, node.id, () => game.place);
    const isWhite = place.turn === 'white';
    let judged = { expected: 0.5, text: '0.00', best: /** @type {string | undefined} */ (undefined) };
    if (place.status.kind === 'won' && place.status.by === 'checkmate') {
      judged = { ...judged, expected: isWhite ? 0 : 1, text: isWhite ? '#-0' : '#0' };
    } else if (place.moves.length > 0 && place.status.kind !== 'drawn') {
      const position = { fen, moves: moves.slice(0, ply), chess960: game.chess960 };
      const answer = await worker.search(position, { MultiPV: 1, UCI_ShowWDL: true }, `nodes ${NODES}`);
      if (!answer?.lines[0]) return undefined;
      judged = { ...whiteScore(answer.lines[0], isWhite), best: answer.best };
    }
    // The move was made by the player who is not to move now.
    const lost = ply > 0 && before.best !== moves[ply - 1] ? (before.expected - judged.expected) * (isWhite ? -1 : 1) : 0;
    const mark = MARKS.find(([, least]) => lost >= least)?.[0];
    notes.push({ node, text: judged.text, mark });
    before = judged;
    onProgress(ply + 1, path.length);
  }
  for (const { node, text, mark } of notes.slice(1)) {
    const comments = [`[%eval ${text}]`, ...(node.comments ?? []).map((comment) => comment.replace(EVALUATION, '').trim()).filter(Boolean)];
    const glyphs = (node.glyphs ?? []).filter((glyph) => glyph > 6 || !mark);
    game.annotate(node.id, { comments, glyphs: mark ? [mark, ...glyphs] : glyphs });
  }
  const count = notes.filter(({ mark }) => mark).length;
  return `Reviewed: ${count === 0 ? 'no move loses' : count === 1 ? '1 move loses' : `${count} moves lose`} 0.1 points or more.`;
}

/**
 * Looks at another place of a game.
 * @template T
 * @param {import('../engine/rules.js').Game} game
 * @param {number} node
 * @param {() => T} look
 */
function at(game, node, look) {
  const here = game.place.node;
  game.go(node);
  const found = look();
  game.go(here);
  return found;
}
