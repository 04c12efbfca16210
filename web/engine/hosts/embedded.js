/**
 * Workers and WebAssembly of a browser, as text within the script: for bundlers that leave other
 * files behind, such as esbuild.
 */
import { compile } from '../load.js';
import { TabiyaError, reason } from '../errors.js';
import { browserSupport } from '../support.js';
import script from '../../generated/tabiya.js.txt';
import { startBlob, startWorker as startFrom } from './browser.js';

export { isIsolated } from './browser.js';

/** @returns {string | undefined} */
export function support() {
  const unsupported = browserSupport();
  if (unsupported || typeof DecompressionStream === 'function') return unsupported;
  return 'Tabiya needs a browser with DecompressionStream, such as Chrome 96, Firefox 113, Safari 16.4 or later.';
}

/** @type {import('./host.d.ts').LoadWasm} */
export async function loadEngine(url, onProgress) {
  if (url) return compile(url, ENGINE_BYTES, onProgress);
  return unpack(() => import('#engine-data'), ENGINE_BYTES, onProgress);
}

/** @type {import('./host.d.ts').LoadWasm} */
export async function loadRules(url, onProgress) {
  if (url) return compile(url, RULES_BYTES, onProgress);
  return unpack(() => import('#rules-data'), RULES_BYTES, onProgress);
}

/** @type {import('./host.d.ts').StartWorker} */
export function startWorker(address) {
  return address ? startFrom(address) : startBlob(new Blob([script], { type: 'text/javascript' }));
}

/**
 * @param {() => Promise<{ default: string }>} load  the module with the packed text
 * @param {number} total
 * @param {import('../load.js').OnProgress} [onProgress]
 */
async function unpack(load, total, onProgress) {
  try {
    const packed = Uint8Array.from(atob((await load()).default), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    onProgress?.({ loaded: total, total });
    return module;
  } catch (error) {
    throw new TabiyaError('load', `the WebAssembly of Tabiya cannot be loaded: ${reason(error)}`, { cause: error });
  }
}
