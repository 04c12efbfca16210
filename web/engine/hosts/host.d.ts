import type { Searcher } from '../front.js';
import type { OnProgress } from '../load.js';

export type LoadWasm = (url?: string | URL, onProgress?: OnProgress) => Promise<WebAssembly.Module>;
export type StartWorker = (url?: string | URL) => Searcher;
