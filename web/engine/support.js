/** What the engine needs of its host. */

/** A small module with what the modules of Tabiya have: SIMD (`v128.const`, then `drop`) and a table of `externref`. */
const SMALL_MODULE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic number and version
  1, 4, 1, 96, 0, 0, // one type: no parameters, no results
  3, 2, 1, 0, // one function of this type
  4, 4, 1, 111, 0, 0, // one table of `externref`, without entries
  10, 23, 1, 21, 0, 253, 12, ...new Array(16).fill(0), 26, 11, // its code
]);

/** Whether the host runs WebAssembly with SIMD and reference types. */
export const hasWasm = () => typeof WebAssembly === 'object' && WebAssembly.validate(SMALL_MODULE);

/**
 * Why the engine cannot run in this browser, as a sentence; `undefined` if it can.
 * @returns {string | undefined}
 */
export function browserSupport() {
  if (hasWasm() && typeof Worker === 'function') return undefined;
  return 'Tabiya needs a browser with WebAssembly SIMD, reference types and workers, such as Chrome 96, Firefox 90, Safari 16.4 or later.';
}
