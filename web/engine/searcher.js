/**
 * The worker that searches. A search blocks it until the search ends.
 *
 * Where memory can be shared, the front shares a word whose bits are commands. The search polls it
 * about once a millisecond, or more often.
 */
import { initSync, readPosition, Uci } from '../generated/tabiya_web.js';

/** Commands that reach a running search; their places are the bits of the shared word. */
export const URGENT = ['stop', 'ponderhit'];

/** @typedef {{ module: WebAssembly.Module, flags?: Int32Array }} Start */
/** @typedef {{ fen?: string, moves: string[], searchMoves: string[], chess960: boolean }} PositionRequest */

/**
 * The first message is a `Start`; the answer is `ready`. Each later message is a line of UCI or a
 * `PositionRequest`, which gets an object with the `answer`. After that, the message `null` says
 * that the worker is free again.
 * @param {{ onmessage: any, postMessage: (message: any) => void }} scope
 */
export function serve(scope) {
  scope.onmessage = (/** @type {{ data: Start }} */ { data: { module, flags } }) => {
    initSync({ module });
    const poll = () => (flags ? nextUrgent(flags) : undefined);
    const uci = new Uci((line) => scope.postMessage(line), poll);
    scope.postMessage('ready');
    scope.onmessage = (/** @type {{ data: string | PositionRequest }} */ { data }) => {
      if (typeof data === 'string') uci.send(data);
      else scope.postMessage({ answer: answer(data) });
      scope.postMessage(null);
    };
  };
}

/**
 * The words of UCI for a position and its root moves.
 * @param {PositionRequest} request
 * @returns {{ position?: string, searchMoves?: string, error?: string }}
 */
function answer({ fen, moves, searchMoves, chess960 }) {
  try {
    const [position, roots] = readPosition(fen, moves, searchMoves, chess960);
    return { position, searchMoves: roots };
  } catch (error) {
    return { error: /** @type {Error} */ (error).message };
  }
}

/**
 * Takes a command from the shared word.
 * @param {Int32Array} flags
 */
function nextUrgent(flags) {
  const bits = Atomics.load(flags, 0);
  if (bits === 0) return undefined;
  const index = 31 - Math.clz32(bits & -bits);
  Atomics.and(flags, 0, ~(1 << index));
  return URGENT[index];
}
