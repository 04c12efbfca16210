/** The package: an engine that runs in a worker, and the rules as calls. */
import init, { chess960Start, referee } from '../generated/tabiya_web.js';
import { parseInfo } from './info.js';
import { support } from './support.js';

export { chess960Start, parseInfo, support };

/** An engine in a worker. Searches run one after another. */
export class Engine {
  /** The last search that was asked for. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #searching = false;
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();

  /** @param {{ worker?: string | URL | Worker }} [options] */
  constructor({ worker = new URL('./tabiya.js', import.meta.url) } = {}) {
    const unsupported = support();
    if (unsupported) throw new Error(unsupported);
    this.worker = worker instanceof Worker ? worker : new Worker(worker);
    this.worker.addEventListener('message', ({ data }) => this.#listeners.forEach((listen) => listen(data)));
    this.send('uci');
  }

  /**
   * Sends a line of UCI.
   * @param {string} line
   */
  send(line) {
    this.worker.postMessage(line);
  }

  /**
   * Calls `listener` with each line that the engine prints. Returns a function that ends this.
   * @param {(line: string) => void} listener
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Sets options for the searches that follow.
   * @param {Record<string, string | number | boolean>} options
   */
  async setOptions(options) {
    await this.#last;
    for (const [name, value] of Object.entries(options)) this.send(`setoption name ${name} value ${value}`);
  }

  /**
   * Searches a position. Waits for earlier searches.
   * @param {import('./index.d.ts').Search} search
   * @param {(info: import('./index.d.ts').Info) => void} [onInfo]
   * @returns {Promise<import('./index.d.ts').Answer>}
   */
  search({ fen, moves = [], go = 'movetime 1000', signal }, onInfo) {
    const run = () =>
      new Promise((resolve) => {
        /** @type {import('./index.d.ts').Info[]} */
        const lines = [];
        if (signal?.aborted) return resolve({ lines });
        const stop = () => this.send('stop');
        signal?.addEventListener('abort', stop, { once: true });
        this.#searching = true;
        const unlisten = this.listen((line) => {
          const info = parseInfo(line);
          if (info && !info.bound) {
            lines[info.multipv - 1] = info;
            onInfo?.(info);
          } else if (line.startsWith('bestmove ')) {
            unlisten();
            signal?.removeEventListener('abort', stop);
            this.#searching = false;
            const [, best, , ponder] = line.split(' ');
            resolve({ best: /^(\(none\)|0000)$/.test(best) ? undefined : best, ponder, lines });
          }
        });
        const start = fen ? `fen ${fen}` : 'startpos';
        this.send(`position ${start}${moves.length > 0 ? ` moves ${moves.join(' ')}` : ''}`);
        this.send(`go ${go}`);
      });
    const answer = /** @type {Promise<import('./index.d.ts').Answer>} */ (this.#last.then(run));
    this.#last = answer;
    return answer;
  }

  /** Stops the running search, which then has its answer. */
  stop() {
    if (this.#searching) this.send('stop');
  }

  /** Ends the engine. */
  close() {
    this.send('quit');
  }
}

/**
 * Loads the rules. The function that is returned answers questions at once.
 * @param {string | URL} [wasm]
 * @returns {Promise<import('./index.d.ts').Referee>}
 */
export async function loadReferee(wasm = new URL('./tabiya.wasm', import.meta.url)) {
  const unsupported = support();
  if (unsupported) throw new Error(unsupported);
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  await init({ module_or_path: await WebAssembly.compile(await response.arrayBuffer()) });
  return (request = {}) => JSON.parse(referee(JSON.stringify(request)));
}
