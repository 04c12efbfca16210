/**
 * `tabiya.js`, the file that `new Worker` loads. It speaks UCI: one message is one line.
 *
 * The same file runs in two places. A worker that a page starts is a front: it answers at once. Its
 * inner worker, recognised by the name, searches. `Engine` starts only the second kind.
 */
import { Front } from './front.js';
import { compile } from './load.js';
import { SEARCHER } from './name.js';
import { serve } from './searcher.js';
import { browserSupport } from './support.js';
import { TabiyaError } from './errors.js';

const worker = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

if (worker.name === SEARCHER) {
  serve(worker);
} else {
  const script = worker.location.href;
  const unsupported = browserSupport();
  const front = new Front({
    module: unsupported ? Promise.reject(new TabiyaError('unsupported', unsupported)) : load(script),
    startWorker: () => new Worker(script, { name: SEARCHER }),
    isolated: worker.crossOriginIsolated === true,
    print: (line) => worker.postMessage(line),
    onClose: () => worker.close(),
  });
  worker.onmessage = ({ data }) => {
    for (const line of String(data).split('\n')) front.receive(line);
  };
}

/**
 * Loads `tabiya.wasm` from the folder of the script. `tabiya.js#URL` names another file.
 * @param {string} script
 */
function load(script) {
  const [folder, other] = script.split('#');
  return compile(new URL(other ? decodeURIComponent(other) : 'tabiya.wasm', folder));
}
