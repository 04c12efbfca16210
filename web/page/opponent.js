/** How the engine plays a match: its move, its claims, and its answer to an offer. */
import { levels } from '../engine/rules.js';
import { ADVICE } from './engines.js';

/** Milliseconds: the engine's time without a clock, and the least it takes. */
const MOVE_TIME = 1000;
const LEAST_TIME = 400;
/** The engine declines draws before this move number. */
const OFFER_MOVE = 10;

/** @typedef {import('./engines.js').RestartingEngine} RestartingEngine */
/** @typedef {import('./live.js').LiveGame} LiveGame */

/**
 * The engine chooses its move, or claims a draw. `undefined` if nobody waits for it any more.
 * @param {RestartingEngine} engine
 * @param {LiveGame} live
 * @param {() => boolean} isCurrent
 * @returns {Promise<{ move: string, claim?: import('../engine/rules.d.ts').Claim } | undefined>}
 */
export async function decide(engine, live, isCurrent) {
  if (!engine.isLoaded) {
    // To load takes none of its time.
    live.clock?.stop();
    await engine.load();
    if (!isCurrent()) return undefined;
    live.runClock();
  }
  const began = performance.now();
  const { clock, match, place } = live;
  const { level = 0 } = match ?? {};
  const times = clock && [clock.left('white'), clock.left('black')].map(Math.floor);
  const increment = clock?.times.increment;
  const go = times ? `wtime ${times[0]} btime ${times[1]} winc ${increment} binc ${increment}` : `movetime ${MOVE_TIME}`;
  const answer = await engine.search(live.position, { UCI_LimitStrength: level > 0, UCI_Elo: level || levels().highest }, go);
  if (!answer?.best || !isCurrent()) return undefined;
  // It must not lose on time by waiting.
  const left = clock?.left(place.turn) ?? Infinity;
  const rest = Math.min(LEAST_TIME, left / 20) - (performance.now() - began);
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  if (!isCurrent() || clock?.check()) return undefined;
  const score = answer.lines[0]?.score;
  if (score) live.engineScore = score.cp ?? Math.sign(score.mate) * 10_000;
  const [claim] = place.claims;
  return { move: answer.best, claim: live.engineScore <= 0 ? claim : undefined };
}

/**
 * Whether the engine agrees to a draw that the user, who is to move, offers. `undefined` if it was stopped.
 * @param {RestartingEngine} engine  at full strength
 * @param {LiveGame} live
 */
export async function agrees(engine, live) {
  const answer = await engine.search(live.position, { MultiPV: 1 }, ADVICE);
  if (!answer) return undefined;
  // The score is the user's.
  const score = answer.lines[0]?.score;
  const isGood = score !== undefined && (score.mate !== undefined ? score.mate > 0 : score.cp >= 0);
  return isGood && live.place.fullmove > OFFER_MOVE;
}
