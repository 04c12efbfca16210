/**
 * The host of bundlers that build for production. Vite takes the files beside a script along; Rollup
 * leaves them behind, so that there the worker and the WebAssembly are text within scripts.
 */
import * as browser from './browser.js';
import * as embedded from './embedded.js';

// Vite replaces `import.meta.env.PROD` by `true` and drops the texts. Nothing else has it.
export { isIsolated } from './browser.js';
/** @returns {string | undefined} */
export const support = () => (import.meta.env?.PROD ? browser.support() : embedded.support());

/** @type {import('./host.d.ts').LoadWasm} */
export const loadEngine = (url, onProgress) => (import.meta.env?.PROD ? browser.loadEngine(url, onProgress) : embedded.loadEngine(url, onProgress));

/** @type {import('./host.d.ts').LoadWasm} */
export const loadRules = (url, onProgress) => (import.meta.env?.PROD ? browser.loadRules(url, onProgress) : embedded.loadRules(url, onProgress));

/** @type {import('./host.d.ts').StartWorker} */
export const startWorker = (address) => (import.meta.env?.PROD ? browser.startWorker(address) : embedded.startWorker(address));
