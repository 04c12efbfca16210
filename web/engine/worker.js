/**
 * `tabiya.js`, the file that `new Worker` loads. It speaks UCI: one message is one line.
 *
 * The same file runs twice. The worker of the page is the front: it answers at once. Its inner
 * worker, recognised by the name, searches.
 */
import { Front } from './front.js';
import { support } from './support.js';
import { serve } from './searcher.js';

const INNER = 'tabiya-searcher';
const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

if (worker.name === INNER) {
  serve(worker);
} else {
  const script = worker.location.href;
  const unsupported = support();
  const front = new Front({
    module: unsupported ? Promise.reject(new Error(unsupported)) : load(script),
    startWorker: () => new Worker(script, { name: INNER }),
    isolated: worker.crossOriginIsolated === true,
    print: (line) => worker.postMessage(line),
    close: () => worker.close(),
  });
  worker.onmessage = ({ data }) => String(data).split('\n').forEach((line) => front.receive(line));
}

/**
 * Loads `tabiya.wasm` from the folder of the script. `tabiya.js#URL` names another file.
 * @param {string} script
 */
async function load(script) {
  const [folder, other] = script.split('#');
  const response = await fetch(new URL(other ? decodeURIComponent(other) : 'tabiya.wasm', folder));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
