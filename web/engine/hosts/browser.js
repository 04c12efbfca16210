/** Workers and files of a browser whose addresses the bundler, or the folder of this file, knows. */
import { compile } from '../load.js';
import { SEARCHER } from '../name.js';
import { browserSupport } from '../support.js';

export const support = browserSupport;
export const isIsolated = () => globalThis.crossOriginIsolated === true;

// Bundlers look for exactly this form of an address.
const scriptUrl = () => new URL('./tabiya.js', import.meta.url);
const wasmUrl = () => new URL('./tabiya.wasm', import.meta.url);
const rulesUrl = () => new URL('./rules.wasm', import.meta.url);

/** @type {import('./host.d.ts').LoadWasm} */
export const loadEngine = async (url, onProgress) => compile(url ?? wasmUrl(), ENGINE_BYTES, onProgress);

/** @type {import('./host.d.ts').LoadWasm} */
export const loadRules = async (url, onProgress) => compile(url ?? rulesUrl(), RULES_BYTES, onProgress);

/** @type {import('./host.d.ts').StartWorker} */
export function startWorker(address = scriptUrl()) {
  const url = new URL(address, globalThis.document?.baseURI ?? location.href);
  if (url.origin === location.origin || url.protocol === 'blob:') return new Worker(url, { name: SEARCHER });
  // A page may not start a worker of another origin, but a worker of its own may load that script.
  const blob = new Blob([`importScripts(${JSON.stringify(url.href)})`], { type: 'text/javascript' });
  return startBlob(blob);
}

/** @param {Blob} blob */
export function startBlob(blob) {
  const url = URL.createObjectURL(blob);
  const worker = new Worker(url, { name: SEARCHER });
  // The worker has begun to load by then, and the address is not needed again.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return worker;
}
