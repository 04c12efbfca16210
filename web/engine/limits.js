/**
 * The limits of a search, as `go` of UCI takes them. They are checked before the line is sent: the
 * engine itself searches without end where no limit is left.
 */
import { TabiyaError } from './errors.js';

/**
 * What may follow `go`, except root moves and `perft`: whether a number follows the word, and whether
 * the search then `ends` by itself or `waits` for a command. A test compares the words with those
 * of the parser, `src/protocol/uci/parse.rs`.
 * @type {Record<string, { hasNumber?: boolean, ends?: boolean, waits?: boolean }>}
 */
export const LIMITS = {
  infinite: { waits: true },
  ponder: { waits: true },
  depth: { hasNumber: true, ends: true },
  nodes: { hasNumber: true, ends: true },
  mate: { hasNumber: true, ends: true },
  movetime: { hasNumber: true, ends: true },
  wtime: { hasNumber: true, ends: true },
  btime: { hasNumber: true, ends: true },
  winc: { hasNumber: true },
  binc: { hasNumber: true },
  movestogo: { hasNumber: true },
};

/**
 * Refuses words that UCI does not know, and what limits nothing: such a search would never end.
 * @param {string} go
 */
export function checkLimits(go) {
  const words = go.split(/\s+/).filter(Boolean);
  let isLimited = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    const limit = Object.keys(LIMITS).includes(word) ? LIMITS[word] : undefined;
    const number = limit?.hasNumber ? words[(index += 1)] : undefined;
    if (!limit || (limit.hasNumber && !isWhole(number))) {
      const bad = [word, number].filter(Boolean).join(' ');
      throw new TabiyaError('input', `go: '${bad}' is not a limit such as 'depth 12' or 'movetime 500'`);
    }
    isLimited ||= Boolean(limit.ends || limit.waits);
  }
  if (!isLimited) throw new TabiyaError('input', "go needs a limit such as 'depth 12', 'movetime 500' or 'infinite'");
}

/** Whether a search with these words ends only by a command. @param {string} go */
export function isEndless(go) {
  const words = go.split(/\s+/);
  const limits = Object.keys(LIMITS).flatMap((word) => (words.includes(word) ? [LIMITS[word]] : []));
  return limits.some(({ waits }) => waits) || !limits.some(({ ends }) => ends);
}

/** @param {string} [text] */
const isWhole = (text = '') => /^-?\d+$/.test(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;

/**
 * Refuses a clock without the time of the side to move: it would count as run down.
 * @param {string} go
 * @param {string} position  the line of UCI
 */
export function checkClock(go, position) {
  const [start, moves] = position.split(' moves ');
  const plies = (moves?.split(' ').length ?? 0) + Number(start.split(' ')[3] === 'b');
  const [own, name] = plies % 2 === 0 ? ['wtime', 'White'] : ['btime', 'Black'];
  if (/[wb]time/.test(go) && !go.includes(own)) throw new TabiyaError('input', `go needs '${own}': ${name} is to move`);
}
