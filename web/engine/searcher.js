/**
 * The inner worker: runs the engine. A search blocks it until the search ends.
 *
 * With cross-origin isolation, the front shares a word of memory whose bits are commands. The
 * search polls it about once a millisecond.
 */
import { initSync, Uci } from '../generated/tabiya_web.js';

/** Commands that reach a running search; their places are the bits of the shared word. */
export const URGENT = ['stop', 'ponderhit'];

/** @typedef {{ module: WebAssembly.Module, flags?: Int32Array }} Start */

/**
 * The first message is a `Start`. Each later one is a line of UCI. After its answers, the message
 * `null` says that the worker is free again.
 * @param {DedicatedWorkerGlobalScope} scope
 */
export function serve(scope) {
  scope.onmessage = ({ data }) => {
    const { module, flags } = /** @type {Start} */ (data);
    initSync({ module });
    const poll = () => (flags ? nextUrgent(flags) : undefined);
    const uci = new Uci((line) => scope.postMessage(line), poll);
    scope.onmessage = ({ data: line }) => {
      uci.send(line);
      scope.postMessage(null);
    };
  };
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
