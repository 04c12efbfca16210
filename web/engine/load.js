/** Loads WebAssembly from an address, with progress. */
import { TabiyaError, reason } from './errors.js';

/** @typedef {(progress: { loaded: number, total: number }) => void} OnProgress */

/**
 * @param {string | URL} url
 * @param {number} [total]  expected number of bytes; the header counts compressed ones
 * @param {OnProgress} [onProgress]
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(url, total = 0, onProgress) {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
    return await WebAssembly.compile(await read(response, total, onProgress));
  } catch (error) {
    throw new TabiyaError('load', `${url} cannot be loaded: ${reason(error)}`, { cause: error });
  }
}

/**
 * @param {Response} response
 * @param {number} total
 * @param {OnProgress} [onProgress]
 * @returns {Promise<BufferSource>}
 */
async function read(response, total, onProgress) {
  if (!onProgress || !response.body) return response.arrayBuffer();
  const chunks = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    loaded += value.length;
    onProgress({ loaded, total: Math.max(total, loaded) });
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Calls `load` once for each key, unless it failed.
 * @template T
 */
export class Once {
  /** @type {Map<string, Promise<T>>} */
  #loads = new Map();

  /**
   * @param {string} key
   * @param {() => Promise<T>} load
   * @returns {Promise<T>}
   */
  get(key, load) {
    const found = this.#loads.get(key);
    if (found) return found;
    const loading = load();
    this.#loads.set(key, loading);
    loading.catch(() => this.#loads.delete(key));
    return loading;
  }
}
