/**
 * What stands before the worker that searches: it answers at once, although a search blocks that
 * worker.
 *
 * It sends one line at a time and queues the rest. `stop` and `ponderhit` reach a running search
 * through shared memory where the host has it (a page must be cross-origin isolated). Otherwise the
 * front ends the worker, answers `stop` with the best move so far, and starts a new worker with the
 * same options and position. The new worker has an empty hash table.
 */
import { TabiyaError } from './errors.js';
import { parseInfo } from './info.js';
import { URGENT } from './searcher.js';

/**
 * A worker as the front needs it; a `Worker` of a browser is one.
 * @typedef {object} Searcher
 * @property {(message: any) => void} postMessage
 * @property {((event: any) => any) | null} onmessage
 * @property {((event: any) => any) | null} onerror
 * @property {() => any} terminate
 * @property {(isBusy: boolean) => void} [hold]  keeps the program alive while there is work
 */

/**
 * @typedef {object} Host
 * @property {Promise<WebAssembly.Module>} module
 * @property {() => Searcher} startWorker
 * @property {boolean} isolated  whether memory can be shared between workers
 * @property {(line: string) => void} print
 * @property {() => void} [onReady]  the engine can be used
 * @property {(error: TabiyaError) => void} [onFailure]  the engine cannot be used, now or later
 * @property {(error: TabiyaError) => void} [onRestart]  the engine failed and starts again
 * @property {() => void} [onClose]  a line or a caller has ended it
 */

/** @typedef {{ ask: object, resolve: (answer: any) => void }} Question */

/** The commands of UCI. A test compares them with those of the parser, `src/protocol/uci/parse.rs`. */
export const COMMANDS = ['uci', 'isready', 'ucinewgame', 'position', 'go', 'stop', 'quit', 'setoption', 'd', 'eval', 'help', 'bench', 'ponderhit', 'debug', 'register'];

/** The first command in a line. As UCI asks, words before it do not count. */
const COMMAND = new RegExp(`(?:^|\\s)(?:${COMMANDS.join('|')})(?=\\s|$)`);

/** A line from its first command on. @param {string} line */
export const fromCommand = (line) => line.slice(COMMAND.exec(line)?.index ?? 0).trimStart();

/** Commands that take no words: what follows them does not count. */
const BARE = [...URGENT, 'isready', 'quit'];

/** Lines that count and have no `bestmove`. */
const COUNT = /^(go\b.*\bperft|bench)\b/;

/** The name of an option that a line sets. @param {unknown} line */
const optionOf = (line) => /^setoption\s+name\s+(.+?)(\s+value\b|$)/.exec(typeof line === 'string' ? line : '')?.[1].toLowerCase();

/** Whether a line begins a search or a count. @param {string | Question | undefined} line */
const isSearch = (line) => typeof line === 'string' && /^(go|bench)\b/.test(line);

export class Front {
  /** @type {Searcher | undefined} */
  #worker;
  /** @type {Int32Array | undefined} */
  #flags;
  /** What waits for the worker: lines of UCI, and questions. @type {(string | Question)[]} */
  #queue = [];
  /** What the worker handles. @type {string | Question | undefined} */
  #current;
  /** What a new worker must know: the lines of options by name, and of the position. */
  #options = new Map();
  /** The line of the option that was set last, as it was before. @type {string | undefined} */
  #former;
  #position = '';
  /** The main line of the running search. @type {string[]} */
  #pv = [];
  /** Whether the line has had its `bestmove`. */
  #answered = false;
  /** Whether to stop as soon as there is a main line. */
  #stopping = false;
  /** Number of lines that an earlier worker has answered; their answers are not printed again. */
  #silent = 0;
  #isClosed = false;
  /** The worker has not said yet that it is ready. */
  #isStarting = false;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    host.module.then(
      (module) => {
        this.module = module;
        this.#start();
      },
      (error) => this.#fail(error),
    );
  }

  /**
   * Handles a line of UCI.
   * @param {string} text
   */
  receive(text) {
    const whole = text.trim();
    if (whole === '' || this.#isClosed) return;
    const all = fromCommand(whole);
    const [word] = all.split(/\s/, 1);
    const line = BARE.includes(word) ? word : all;
    if (line === 'quit') {
      this.close();
    } else if (this.failure) {
      this.#refuse(line);
    } else if (URGENT.includes(line)) {
      this.#urge(line);
    } else if (this.#isForSearch(line)) {
      this.#interrupt(line);
    } else {
      this.#queue.push(line);
      this.#sendNext();
    }
  }

  /**
   * `stop` ends the running search, and each that waits as soon as it begins; `ponderhit` is for
   * the last of them. Whatever waits between, such as a position, must not keep it from its search.
   * @param {string} line  `stop` or `ponderhit`
   */
  #urge(line) {
    const isRunning = this.#isForSearch(line);
    const last = this.#queue.map(isSearch).lastIndexOf(true);
    if (!isRunning && last < 0) {
      this.#queue.push(line);
      this.#sendNext();
      return;
    }
    const isStop = line === 'stop';
    // A stop that waits already would be a second one.
    const waiting = isStop ? this.#queue.filter((next) => next !== 'stop') : this.#queue;
    this.#queue = waiting.flatMap((next, index) => (isSearch(next) && (isStop || index === last) ? [next, line] : [next]));
    if (isRunning && (isStop || last < 0)) this.#interrupt(line);
  }

  /**
   * Asks the worker about a position, after the lines before.
   * @param {object} ask
   * @returns {Promise<any>}  pending for ever if the engine fails or is closed
   */
  ask(ask) {
    return new Promise((resolve) => {
      this.#queue.push({ ask, resolve });
      this.#sendNext();
    });
  }

  /** Ends the worker, and whatever it does. */
  close() {
    this.#isClosed = true;
    this.#queue = [];
    this.#terminate();
    this.host.onClose?.();
  }

  /** A listener may have closed the engine: after that, nothing is printed. @param {string} line */
  #print(line) {
    if (!this.#isClosed) this.host.print(line);
  }

  #terminate() {
    if (this.#worker) this.#worker.onmessage = this.#worker.onerror = null;
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#current = undefined;
    this.#stopping = false;
  }

  /** @param {TabiyaError} error */
  #fail(error) {
    if (this.#isClosed) return;
    this.failure = error;
    const waiting = this.#current === undefined ? this.#queue : [this.#current, ...this.#queue];
    this.#terminate();
    this.#queue = [];
    this.host.onFailure?.(error);
    for (const line of waiting) if (typeof line === 'string') this.#refuse(line);
  }

  /**
   * Answers a line although the engine could not be loaded.
   * @param {string} line
   */
  #refuse(line) {
    this.#print(`info string ${this.failure?.message}`);
    if (/^go\b/.test(line)) this.#print('bestmove 0000');
  }

  /**
   * Whether a line is for the running search. The answer to `isready` comes after the lines of a
   * count.
   * @param {string | Question | undefined} line
   */
  #isForSearch(line) {
    if (!isSearch(this.#current) || this.#answered || typeof line !== 'string') return false;
    return line === 'isready' ? !COUNT.test(/** @type {string} */ (this.#current)) : URGENT.includes(line);
  }

  #start() {
    if (this.#isClosed) return;
    const buffer = this.host.isolated ? new SharedArrayBuffer(4) : undefined;
    this.#flags = buffer && new Int32Array(buffer);
    /** @type {Searcher} */
    let worker;
    try {
      worker = this.host.startWorker();
    } catch (error) {
      this.#fail(new TabiyaError('load', `the worker cannot be started: ${/** @type {Error} */ (error).message}`));
      return;
    }
    worker.onmessage = ({ data }) => {
      if (data === 'ready') {
        this.#isStarting = false;
        this.host.onReady?.();
        this.#sendNext();
      } else if (data === null) {
        this.#finish();
      } else {
        this.#pass(data);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      const words = event.message ? `: ${event.message}` : '';
      if (this.#isStarting) this.#fail(new TabiyaError('load', `the worker cannot be started${words}`));
      else this.#recover(event.message || 'the worker ended');
    };
    this.#isStarting = true;
    worker.postMessage({ module: this.module, flags: this.#flags });
    this.#worker = worker;
    const lines = [...this.#options.values(), this.#position].filter(Boolean);
    this.#silent = lines.length;
    this.#queue.unshift(...lines);
    this.#sendNext();
  }

  #sendNext() {
    if (this.#current !== undefined || !this.#worker) return;
    const next = this.#queue.shift();
    this.#worker.hold?.(next !== undefined || this.#isStarting);
    if (next === undefined) return;
    this.#current = next;
    this.#answered = false;
    this.#pv = [];
    if (typeof next !== 'string') {
      this.#worker.postMessage(next.ask);
      return;
    }
    this.#remember(next);
    if (this.#flags) Atomics.store(this.#flags, 0, 0);
    this.#worker.postMessage(next);
    // Lines for this search may have arrived before it could start.
    while (this.#isForSearch(this.#queue[0])) this.#interrupt(/** @type {string} */ (this.#queue.shift()));
  }

  /** @param {string} line */
  #remember(line) {
    const option = optionOf(line);
    if (option !== undefined) {
      this.#former = this.#options.get(option);
      this.#options.set(option, line);
    } else if (/^position\b/.test(line)) {
      this.#position = line;
    }
  }

  /** The engine has not taken the option of its line: what it had before holds. */
  #takeBack() {
    const option = optionOf(this.#current);
    if (option === undefined) return;
    // A new worker gets the same lines, and one that it does not take has nothing before it.
    if (this.#former === undefined || this.#former === this.#current) this.#options.delete(option);
    else this.#options.set(option, this.#former);
  }

  /** The worker has handled its line or question. */
  #finish() {
    this.#current = undefined;
    this.#stopping = false;
    if (this.#silent > 0) this.#silent -= 1;
    // A command that the search did not take before its end: a `bestmove` may wait for it.
    const missed = this.#flags ? Atomics.exchange(this.#flags, 0, 0) : 0;
    this.#queue.unshift(...URGENT.filter((_, index) => missed & (1 << index)));
    this.#sendNext();
  }

  /** @param {string | { answer: any }} data  a line, or the answer to a question */
  #pass(data) {
    if (typeof data !== 'string') {
      /** @type {Question} */ (this.#current).resolve(data.answer);
      return;
    }
    if (this.#silent > 0) return;
    if (data.startsWith('bestmove ')) this.#answered = true;
    if (data.startsWith('info string ')) this.#takeBack();
    const info = parseInfo(data);
    const isMainLine = info !== undefined && !info.bound && info.multipv === 1;
    if (isMainLine) this.#pv = info.pv;
    this.#print(data);
    if (isMainLine && this.#stopping) this.#stopByForce();
  }

  /** @param {string} line */
  #interrupt(line) {
    if (line === 'isready') {
      this.#print('readyok');
    } else if (COUNT.test(/** @type {string} */ (this.#current))) {
      // It takes no command.
      if (line === 'stop') this.#restart();
    } else if (this.#flags) {
      Atomics.or(this.#flags, 0, 1 << URGENT.indexOf(line));
    } else if (line === 'ponderhit') {
      // A search that is to stop as soon as it can has no use for it.
      if (this.#stopping) return;
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
    this.#answered = true;
    this.#print(reply ? `bestmove ${best} ponder ${reply}` : `bestmove ${best}`);
    this.#restart();
  }

  #restart() {
    this.#terminate();
    this.#start();
  }

  /**
   * Starts again after a failure, such as a lack of memory, without the line that failed.
   * @param {string} reason
   */
  #recover(reason) {
    const line = this.#current;
    const message = `the engine failed and starts again: ${reason}`;
    // A listener may send a line at once.
    this.#answered = true;
    this.host.onRestart?.(new TabiyaError('failed', message));
    this.#print(`info string ${message}`);
    this.#takeBack();
    if (line === this.#position) this.#position = '';
    if (typeof line === 'string' && /^go\b/.test(line)) this.#print('bestmove 0000');
    this.#restart();
  }
}
