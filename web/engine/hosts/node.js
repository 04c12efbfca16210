/** Threads and files of Node.js, and of Deno and Bun, which have the same modules. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { compile } from '../load.js';
import { TabiyaError, reason } from '../errors.js';
import { hasWasm } from '../support.js';
import script from '../../generated/thread.js.txt';

/** @returns {string | undefined} */
export function support() {
  return hasWasm() ? undefined : 'Tabiya needs WebAssembly SIMD and reference types, as in Node.js 20 or later.';
}

export const isIsolated = () => true;

// Bundlers look for exactly this form of an address.
const engineUrl = () => new URL('./tabiya.wasm', import.meta.url);
const rulesUrl = () => new URL('./rules.wasm', import.meta.url);

/** @type {import('./host.d.ts').LoadWasm} */
export const loadEngine = async (url, onProgress) => load(url ?? beside(engineUrl), onProgress);

/** @type {import('./host.d.ts').LoadWasm} */
export const loadRules = async (url, onProgress) => load(url ?? beside(rulesUrl), onProgress);

/**
 * @param {string | URL} url  an address or a path
 * @param {import('../load.js').OnProgress} [onProgress]
 */
async function load(url, onProgress) {
  if (/^https?:/.test(String(url))) return compile(url, 0, onProgress);
  try {
    const bytes = await readFile(/^file:/.test(String(url)) ? fileURLToPath(url) : url);
    const module = await WebAssembly.compile(bytes);
    onProgress?.({ loaded: bytes.length, total: bytes.length });
    return module;
  } catch (error) {
    throw new TabiyaError('load', `${url} cannot be loaded: ${reason(error)}`, { cause: error });
  }
}

/** The address of a file beside this one. A bundle for `require` does not know its own. @param {() => URL} url */
function beside(url) {
  try {
    return url();
  } catch (error) {
    const words = 'the WebAssembly of Tabiya is not found from within a bundle: leave the package out of it, or give the option `wasm`';
    throw new TabiyaError('load', words, { cause: error });
  }
}

/** @type {import('./host.d.ts').StartWorker} */
export function startWorker(address) {
  if (address) throw new Error('the option `worker` is for browsers');
  return new Thread();
}

/** A thread in the form of a `Worker`. It keeps the program alive only while it has work. */
class Thread {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;
  /** @type {((event: { message: string }) => void) | null} */
  onerror = null;
  #thread = new Worker(script, { eval: true, execArgv: [] });

  constructor() {
    this.#thread.on('message', (data) => this.onmessage?.({ data }));
    this.#thread.on('error', (error) => this.onerror?.({ message: reason(error) }));
  }

  /** @param {any} message */
  postMessage(message) {
    this.#thread.postMessage(message);
  }

  /** @param {boolean} isBusy */
  hold(isBusy) {
    if (isBusy) this.#thread.ref();
    else this.#thread.unref();
  }

  terminate() {
    this.onmessage = this.onerror = null;
    void this.#thread.terminate();
  }
}
