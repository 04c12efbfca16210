/**
 * The outer worker: answers at once, although a search blocks the inner worker.
 *
 * It sends one line at a time and queues the rest. `stop` and `ponderhit` reach a running search
 * through shared memory if the page is cross-origin isolated. Otherwise the front ends the inner
 * worker, answers `stop` with the best move so far, and starts a new inner worker with the same
 * options and position. The new worker has an empty hash table.
 */
import { URGENT } from './searcher.js';

/**
 * @typedef {object} Host
 * @property {Promise<WebAssembly.Module>} module
 * @property {() => Worker} startWorker
 * @property {boolean} isolated  whether memory can be shared between workers
 * @property {(line: string) => void} print
 * @property {() => void} close
 */

export class Front {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Int32Array | undefined} */
  #flags;
  /** Lines that wait for the inner worker. @type {string[]} */
  #queue = [];
  /** The line that the inner worker handles. @type {string | undefined} */
  #current;
  /** What a new inner worker must know: the lines of options by name, and of the position. */
  #options = new Map();
  #position = '';
  /** The main line of the running search. @type {string[]} */
  #pv = [];
  /** Whether the line has had its `bestmove`. */
  #answered = false;
  /** Whether to stop as soon as there is a main line. */
  #stopping = false;
  /** Number of lines that an earlier worker has answered; their answers are not printed again. */
  #silent = 0;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    host.module.then(
      (module) => {
        this.module = module;
        this.#start();
      },
      (error) => {
        this.failure = `info string ${error.message}`;
        this.#queue.splice(0).forEach((line) => this.#refuse(line));
      },
    );
  }

  /**
   * Handles a line of UCI.
   * @param {string} text
   */
  receive(text) {
    const line = text.trim();
    const word = line.split(/\s/, 1)[0];
    if (word === '') return;
    if (word === 'quit') {
      this.#worker?.terminate();
      this.host.close();
    } else if (this.failure) {
      this.#refuse(line);
    } else if (this.#isForSearch(line)) {
      this.#interrupt(line);
    } else {
      this.#queue.push(line);
      this.#sendNext();
    }
  }

  /**
   * Answers a line although the engine could not be loaded.
   * @param {string} line
   */
  #refuse(line) {
    this.host.print(/** @type {string} */ (this.failure));
    if (/^go\b/.test(line)) this.host.print('bestmove 0000');
  }

  /**
   * Whether a line is for the running search.
   * @param {string | undefined} line
   */
  #isForSearch(line = '') {
    const isSearching = /^(go|bench)\b/.test(this.#current ?? '') && !this.#answered;
    return isSearching && (line === 'isready' || URGENT.includes(line));
  }

  #start() {
    const buffer = this.host.isolated ? new SharedArrayBuffer(4) : undefined;
    this.#flags = buffer && new Int32Array(buffer);
    const worker = this.host.startWorker();
    worker.onmessage = ({ data }) => (data === null ? this.#finish() : this.#pass(data));
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#recover(event.message);
    };
    worker.postMessage({ module: this.module, flags: this.#flags });
    this.#worker = worker;
    const lines = [...this.#options.values(), this.#position].filter(Boolean);
    this.#silent = lines.length;
    this.#queue.unshift(...lines);
    this.#sendNext();
  }

  #sendNext() {
    if (this.#current !== undefined || !this.#worker) return;
    const line = this.#queue.shift();
    if (line === undefined) return;
    this.#remember(line);
    this.#current = line;
    this.#answered = false;
    this.#pv = [];
    if (this.#flags) Atomics.store(this.#flags, 0, 0);
    this.#worker.postMessage(line);
    // Lines for this search may have arrived before it could start.
    while (this.#isForSearch(this.#queue[0])) this.#interrupt(/** @type {string} */ (this.#queue.shift()));
  }

  /** @param {string} line */
  #remember(line) {
    const option = /^setoption\s+name\s+(.+?)(\s+value\b|$)/.exec(line);
    if (option) this.#options.set(option[1].toLowerCase(), line);
    else if (/^position\b/.test(line)) this.#position = line;
  }

  /** The inner worker has handled its line. */
  #finish() {
    this.#current = undefined;
    this.#stopping = false;
    if (this.#silent > 0) this.#silent -= 1;
    // A command that the search did not take before its end: a `bestmove` may wait for it.
    const missed = this.#flags ? Atomics.exchange(this.#flags, 0, 0) : 0;
    this.#queue.unshift(...URGENT.filter((_, index) => missed & (1 << index)));
    this.#sendNext();
  }

  /** @param {string} line */
  #pass(line) {
    if (this.#silent > 0) return;
    this.host.print(line);
    if (line.startsWith('bestmove ')) this.#answered = true;
    const pv = /^info\b(?!.*\b(?:lower|upper)bound\b)(?!.*\bmultipv (?!1\b)).*? pv (.+)/.exec(line);
    if (!pv) return;
    this.#pv = pv[1].split(' ');
    if (this.#stopping) this.#stopByForce();
  }

  /** @param {string} line */
  #interrupt(line) {
    if (line === 'isready') {
      this.host.print('readyok');
    } else if (this.#flags) {
      Atomics.or(this.#flags, 0, 1 << URGENT.indexOf(line));
    } else if (line === 'ponderhit') {
      const go = /** @type {string} */ (this.#current).replace(/\s+ponder\b/, '');
      this.#queue.unshift(go);
      this.#restart();
    } else if (this.#pv.length > 0) {
      this.#stopByForce();
    } else {
      this.#stopping = true;
    }
  }

  #stopByForce() {
    const [best, reply] = this.#pv;
    this.host.print(reply ? `bestmove ${best} ponder ${reply}` : `bestmove ${best}`);
    this.#restart();
  }

  #restart() {
    if (this.#worker) this.#worker.onmessage = null;
    this.#worker?.terminate();
    this.#current = undefined;
    this.#stopping = false;
    this.#start();
  }

  /**
   * Starts again after a failure, such as a lack of memory, without the line that failed.
   * @param {string} reason
   */
  #recover(reason) {
    const line = this.#current;
    this.host.print(`info string the engine failed and starts again: ${reason}`);
    for (const [name, option] of this.#options) if (option === line) this.#options.delete(name);
    if (line === this.#position) this.#position = '';
    if (line !== undefined && /^go\b/.test(line)) this.host.print('bestmove 0000');
    this.#restart();
  }
}
