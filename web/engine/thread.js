/** The thread that searches under Node.js. */
import { parentPort } from 'node:worker_threads';
import { serve } from './searcher.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const scope = {
  onmessage: (/** @type {{ data: any }} */ _event) => {},
  postMessage: (/** @type {any} */ message) => port.postMessage(message),
};
serve(scope);
port.on('message', (data) => scope.onmessage({ data }));
