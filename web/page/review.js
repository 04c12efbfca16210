/**
 * The review of a whole game: each position is searched, and the rules judge the moves as `tabiya
 * analyse` does. Evaluations and marks are written into the game, so that its PGN has them.
 */
import { review } from '../engine/rules.js';
import { glyphOf } from './words.js';

/** Nodes for each position. */
const NODES = 100_000;
/** An evaluation as PGN has it: pawns, or moves to mate after `#`. */
export const EVALUATION = /\[%eval (#?)(-?\+?[\d.]+)[^\]]*\]/;

/**
 * A review, and the moves that it is about.
 * @typedef {import('../engine/rules.d.ts').Review & { played: string[] }} GameReview
 */

/**
 * `undefined` if it was stopped.
 * @param {import('./engines.js').Worker} worker
 * @param {import('../engine/rules.js').Game} game
 * @param {import('../engine/rules.d.ts').GameNode[]} path  the moves, the start first
 * @param {(done: number, all: number) => void} onProgress
 * @returns {Promise<GameReview | undefined>}
 */
export async function reviewGame(worker, game, path, onProgress) {
  const { chess960 } = game;
  const { fen } = at(game, path[0].id, () => game.searchPosition());
  const played = path.slice(1).map(({ uci }) => String(uci));
  const lines = [];
  for (const [ply, node] of path.entries()) {
    const place = at(game, node.id, () => game.place);
    const isEnd = place.moves.length === 0 || place.status.kind === 'drawn';
    const position = { fen, moves: played.slice(0, ply), chess960 };
    const answer = isEnd ? undefined : await worker.search(position, { MultiPV: 1, UCI_ShowWDL: true }, `nodes ${NODES}`);
    if (!isEnd && !answer?.lines[0]) return undefined;
    lines.push(answer?.lines[0]);
    onProgress(ply + 1, path.length);
  }
  const judged = review({ fen, chess960, moves: played, lines });
  for (const [index, { mark }] of judged.moves.entries()) {
    const node = path[index + 1];
    const others = (node.comments ?? []).map((comment) => comment.replace(EVALUATION, '').trim()).filter(Boolean);
    const glyphs = (node.glyphs ?? []).filter((glyph) => glyph > 6 || !mark);
    const comments = [`[%eval ${judged.positions[index + 1].text}]`, ...others];
    game.annotate(node.id, { comments, glyphs: mark ? [glyphOf(mark.sign), ...glyphs] : glyphs });
  }
  return { ...judged, played };
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
