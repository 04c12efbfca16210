/**
 * Moves are judged: those of a whole game, or one. The positions are searched, and the rules judge as
 * `tabiya analyse` does. The evaluations and marks of a whole game are written into it, so that its PGN
 * has them.
 */
import { Game, review } from '../engine/rules.js';
import { at } from './tree.js';
import { reviewedGlyphs, without } from './words.js';

/** Nodes for each position. */
const NODES = 100_000;
/**
 * An evaluation as PGN has it: pawns, or moves to mate after `#`. Digits are in the number only, or many
 * of them would be tried in each division.
 */
export const EVALUATION = /\[%eval (#?)(-?\+?[\d.]+)(?![\d.])[^\][]*\]/;
const EVALUATIONS = new RegExp(EVALUATION, 'g');

/**
 * A review, and the moves that it is about.
 * @typedef {import('../engine/rules.d.ts').Review & { played: string[] }} GameReview
 */

/**
 * The positions of a game that have been searched, so that a review goes on where it was stopped.
 * @typedef {{ played: string[], lines: (import('../engine/rules.d.ts').ReviewLine | null)[] }} Searched
 */

/**
 * `undefined` if it was stopped.
 * @param {import('./engines.js').RestartingEngine} engine
 * @param {import('../engine/rules.js').Game} game
 * @param {import('../engine/rules.d.ts').GameNode[]} path  the moves, the start first
 * @param {(searched: Searched) => void} onProgress
 * @param {Searched} [before]  what a review that was stopped has found
 * @param {GameReview} [last]  the review whose signs this one replaces
 * @returns {Promise<GameReview | undefined>}
 */
export async function reviewGame(engine, game, path, onProgress, before, last) {
  const { chess960 } = game;
  const { fen } = at(game, path[0].id, () => game.searchPosition());
  const played = path.slice(1).map(({ uci }) => String(uci));
  const lines = before?.played.join() === played.join() ? before.lines : [];
  for (const [ply, node] of path.entries()) {
    if (ply < lines.length) continue;
    const place = at(game, node.id, () => game.place);
    const line = isEnd(place) ? null : await bestLine(engine, { fen, moves: played.slice(0, ply), chess960 });
    if (line === undefined) return undefined;
    lines.push(line && { score: line.score, pv: line.pv });
    onProgress({ played, lines });
  }
  const judged = review({ fen, chess960, moves: played, lines });
  const notes = judged.moves.map(({ mark }, index) => {
    const node = path[index + 1];
    const others = (node.comments ?? []).map((comment) => without(EVALUATIONS, comment)).filter(Boolean);
    const isSame = last?.played.slice(0, index + 1).join() === played.slice(0, index + 1).join();
    const glyphs = reviewedGlyphs(node.glyphs, isSame ? last?.moves[index]?.mark?.sign : undefined, mark?.sign);
    // Without the plus, as `tabiya analyse` writes it.
    const comments = [`[%eval ${judged.positions[index + 1].text.replace('+', '')}]`, ...others];
    return { node: node.id, comments, glyphs };
  });
  // One step back takes all of them away.
  game.annotateAll(notes);
  return { ...judged, played };
}

/** @typedef {import('../engine/rules.d.ts').ReviewPosition} ReviewPosition */
/**
 * A move judged by itself: what was better, the best reply, and White's expected score.
 * @typedef {import('../engine/rules.d.ts').ReviewMove & { better: ReviewPosition['best'], reply: ReviewPosition['best'], expected: number }} Judged
 */

/**
 * Judges one move. `undefined` if it was stopped.
 * @param {import('./engines.js').RestartingEngine} engine
 * @param {import('./engines.js').Position} position  before the move, with the moves that led there
 * @param {string} fen  the same position by itself
 * @param {string} uci
 * @returns {Promise<Judged | undefined>}
 */
export async function judgeMove(engine, position, fen, uci) {
  const { chess960 } = position;
  const trial = new Game({ fen, chess960 });
  trial.move(uci);
  const { place } = trial;
  trial.free();
  const before = await bestLine(engine, position);
  if (!before) return undefined;
  const after = isEnd(place) ? null : await bestLine(engine, { ...position, moves: [...position.moves, uci] });
  if (after === undefined) return undefined;
  const { moves, positions } = review({ fen, chess960, moves: [uci], lines: [before, after] });
  const [{ best: better }, { best: reply, expected }] = positions;
  return { ...moves[0], better, reply, expected };
}

/** @param {import('./engines.js').RestartingEngine} engine @param {import('./engines.js').Position} position */
async function bestLine(engine, position) {
  const answer = await engine.search(position, { MultiPV: 1, UCI_ShowWDL: true }, `nodes ${NODES}`);
  return answer?.lines[0];
}

/** Draws by rule. The others are acts of the players, and say nothing of the last move. */
const BY_RULE = ['stalemate', 'insufficient', 'dead', 'fivefold', 'seventyfive'];

/** Whether there is nothing to search. @param {import('../engine/rules.d.ts').Place} place */
const isEnd = ({ moves, status }) => moves.length === 0 || (status.kind === 'drawn' && BY_RULE.includes(status.by));
