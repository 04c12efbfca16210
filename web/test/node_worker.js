/**
 * Web Workers under node: runs a classic worker script, such as `tabiya.js`, in a thread with the
 * names that it uses in a browser. Also a program: `node test/node_worker.js` speaks UCI.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker as Thread, isMainThread, parentPort, workerData } from 'node:worker_threads';

/** A Web Worker. `isolated` says what the worker finds in `crossOriginIsolated`. */
export class NodeWorker {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;
  onerror = (/** @type {{ message: string }} */ _event) => {};

  /** @param {string | URL} script @param {{ name?: string, isolated?: boolean }} [options] */
  constructor(script, { name = '', isolated = false } = {}) {
    const data = { script: String(script), name, isolated };
    this.thread = new Thread(fileURLToPath(import.meta.url), { workerData: data });
    this.thread.on('message', (data) => this.onmessage?.({ data }));
    this.thread.on('error', (error) => this.onerror({ message: error.message }));
  }

  /** @param {any} message */
  postMessage(message) {
    this.thread.postMessage(message);
  }

  terminate() {
    return this.thread.terminate();
  }
}

if (!isMainThread) {
  const { script, name, isolated } = workerData;
  const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
  const scope = Object.assign(/** @type {any} */ (globalThis), {
    self: globalThis,
    location: new URL(script),
    name,
    crossOriginIsolated: isolated,
    Worker: class extends NodeWorker {},
    fetch: async (/** @type {URL} */ url) => new Response(readFileSync(fileURLToPath(url))),
    postMessage: (/** @type {any} */ message) => port.postMessage(message),
    close: () => port.close(),
  });
  port.on('message', (data) => scope.onmessage({ data }));
  (0, eval)(readFileSync(fileURLToPath(script), 'utf8'));
} else if (process.argv[1] === import.meta.filename) {
  const script = pathToFileURL(process.argv[2] ?? fileURLToPath(new URL('../dist/tabiya.js', import.meta.url)));
  const worker = new NodeWorker(script, { isolated: true });
  worker.onmessage = ({ data }) => console.log(data);
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => worker.postMessage(line));
  input.on('close', () => worker.postMessage('quit'));
}
