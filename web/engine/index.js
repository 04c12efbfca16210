/** The package: an engine that runs in a worker. */
import { isIsolated, loadEngine, startWorker, support } from '#host';
import { TabiyaError, lines as readLines, oneLine } from './errors.js';
import { Front } from './front.js';
import { parseInfo } from './info.js';
import { checkClock, checkLimits } from './limits.js';
import { Once } from './load.js';

export { fromCommand } from './front.js';
export { isEndless } from './limits.js';
export { TabiyaError, parseInfo, support };

/** Modules by address: a second engine need not load again. @type {Once<WebAssembly.Module>} */
const modules = new Once();

/** An engine in a worker. Searches run one after another. */
export class Engine {
  /** The last call that was made. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #searching = false;
  #chess960 = false;
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();
  /** Ends what waits for the engine, because it failed or was closed. @type {Set<(error: TabiyaError) => void>} */
  #waiting = new Set();
  /** Why no call can succeed any more. @type {TabiyaError | undefined} */
  #end;
  /** @type {Front} */
  #front;

  /** @param {import('./index.d.ts').EngineOptions} [options] */
  constructor(options) {
    const { worker, wasm, onProgress } = options ?? {};
    /** @type {(value?: undefined) => void} */
    let resolve = () => {};
    /** Resolves when the engine is loaded. @type {Promise<void>} */
    this.ready = new Promise((done, fail) => {
      resolve = done;
      this.#waiting.add(fail);
    });
    // Whoever does not wait for it learns of a failure by the first call.
    this.ready.catch(() => {});
    const unsupported = support();
    const module = unsupported
      ? Promise.reject(new TabiyaError('unsupported', unsupported))
      : modules.get(String(wasm), () => loadEngine(wasm, onProgress));
    this.#front = new Front({
      module,
      startWorker: () => startWorker(worker),
      isolated: isIsolated(),
      print: (line) => this.#print(line),
      onReady: () => resolve(),
      onFailure: (error) => this.#stopAll(error),
      onRestart: (error) => this.#rejectAll(error),
      onClose: () => this.#stopAll(new TabiyaError('closed', 'the engine was closed')),
    });
  }

  /**
   * Sends a line of UCI.
   * @param {string} line
   */
  send(line) {
    if (this.#end) throw this.#end;
    this.#front.receive(oneLine('a line of UCI', line));
    this.#noteChess960(line);
  }

  /** Chess960 may be chosen in every spelling that the engine takes. @param {string} line */
  #noteChess960(line) {
    const value = /^\s*setoption\s+name\s+(?:uci[\s_-]*)?chess[\s_-]*960\s+value\s+(?:(true|1|on)|false|0|off)\s*$/i.exec(line);
    if (value) this.#chess960 = value[1] !== undefined;
  }

  /** An error of one listener does not keep the line from the others. @param {string} line */
  #print(line) {
    for (const listen of this.#listeners) {
      try {
        listen(line);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /**
   * Calls `listener` with each line that the engine prints. Returns a function that ends this.
   * @param {(line: string) => void} listener
   */
  listen(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Sets options for the searches that follow.
   * @param {Record<string, string | number | boolean>} options
   * @returns {Promise<void>}
   */
  setOptions(options) {
    return this.#next(async () => {
      // What earlier lines print is no answer to these.
      await this.#wait((resolve) => void this.#front.ask({ moves: [], searchMoves: [], chess960: false }).then(resolve));
      for (const [name, value] of Object.entries(options ?? {})) {
        if (/\svalue\s/.test(` ${name} `)) throw new TabiyaError('input', `no option is called '${name}'`);
        const line = `setoption name ${oneLine('the name of an option', name)} value ${oneLine(name, String(value))}`;
        const [refusal] = await this.#run(line, (text) => text === 'readyok', 'isready');
        if (refusal !== 'readyok') throw new TabiyaError('input', refusal.replace(/^info string /, ''));
        this.#noteChess960(line);
      }
    });
  }

  /**
   * Searches a position. Waits for earlier searches.
   * @param {import('./index.d.ts').Search} [search]
   * @param {(info: import('./index.d.ts').Info) => void} [onInfo]
   * @returns {Promise<import('./index.d.ts').Answer>}
   */
  search(search, onInfo) {
    const { fen, moves = [], searchMoves = [], go = 'movetime 1000', signal } = search ?? {};
    if (signal?.aborted && !this.#end) return Promise.resolve({ lines: [] });
    let isWaiting = true;
    const result = this.#next(async () => {
      /** @type {import('./index.d.ts').Info[]} */
      const lines = [];
      if (signal?.aborted) return { lines };
      const ask = {
        fen: fen === undefined ? undefined : oneLine('fen', fen),
        moves: readLines('moves', moves),
        searchMoves: readLines('searchMoves', searchMoves),
        chess960: this.#chess960,
      };
      checkLimits(oneLine('go', go));
      const answer = await this.#wait((resolve) => void this.#front.ask(ask).then(resolve));
      if (answer.error !== undefined) throw new TabiyaError('input', answer.error);
      checkClock(go, answer.position);
      if (signal?.aborted) return { lines };
      isWaiting = false;
      const stop = () => this.#front.receive('stop');
      signal?.addEventListener('abort', stop, { once: true });
      this.#searching = true;
      try {
        const roots = answer.searchMoves ? ` searchmoves ${answer.searchMoves}` : '';
        this.#front.receive(answer.position);
        const printed = await this.#run(`go ${go}${roots}`, (line) => {
          const info = parseInfo(line);
          if (info && !info.bound) {
            lines[info.multipv - 1] = info;
            onInfo?.(info);
          }
          return line.startsWith('bestmove ');
        });
        const [, best, , ponder] = (printed.pop() ?? '').split(' ');
        return { best: /^(\(none\)|0000)$/.test(best) ? undefined : best, ponder, lines };
      } catch (error) {
        // A search that nobody waits for any more must not go on.
        if (!this.#end) this.#front.receive('stop');
        throw error;
      } finally {
        this.#searching = false;
        signal?.removeEventListener('abort', stop);
      }
    });
    return signal ? unlessAborted(result, signal, () => isWaiting) : result;
  }

  /**
   * Stops the running search, which then has its answer. A search that still waits, such as for the
   * engine to load, is not stopped: use its `signal`, by which it resolves with no `best` and no lines.
   */
  stop() {
    if (this.#searching) this.#front.receive('stop');
  }

  /** Ends the engine. A search that runs or waits is rejected. */
  close() {
    this.#front.close();
  }

  /**
   * Runs a call after those before it.
   * @template T
   * @param {() => Promise<T>} call
   * @returns {Promise<T>}
   */
  #next(call) {
    const result = this.#last.then(() => {
      if (this.#end) throw this.#end;
      return call();
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * Sends a line. Resolves with what is printed, up to the line for which `isLast` is true.
   * @param {string} line
   * @param {(line: string) => boolean} isLast
   * @param {string} [mark]  a second line, whose answer ends the list
   * @returns {Promise<string[]>}
   */
  async #run(line, isLast, mark) {
    /** @type {string[]} */
    const printed = [];
    let unlisten = () => {};
    try {
      await this.#wait((resolve, reject) => {
        unlisten = this.listen((text) => {
          try {
            // The call may print more, such as the answer to a stop.
            printed.push(text);
            if (isLast(text)) resolve(undefined);
          } catch (error) {
            reject(error);
          }
        });
        this.#front.receive(line);
        if (mark) this.#front.receive(mark);
      });
    } finally {
      unlisten();
    }
    return printed;
  }

  /**
   * A promise that is rejected when the engine ends.
   * @param {(resolve: (value: any) => void, reject: (error: any) => void) => void} body
   * @returns {Promise<any>}
   */
  #wait(body) {
    /** @type {(error: TabiyaError) => void} */
    let waiting;
    const promise = new Promise((resolve, reject) => {
      waiting = reject;
      if (this.#end) reject(this.#end);
      else this.#waiting.add(reject);
      body(resolve, reject);
    });
    return promise.finally(() => this.#waiting.delete(waiting));
  }

  /** @param {TabiyaError} error */
  #stopAll(error) {
    this.#end ??= error;
    this.#rejectAll(error);
  }

  /** @param {TabiyaError} error */
  #rejectAll(error) {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reject of waiting) reject(error);
  }
}

/**
 * The answer of a search, which is empty as soon as its signal comes while it waits.
 * @param {Promise<import('./index.d.ts').Answer>} result
 * @param {AbortSignal} signal
 * @param {() => boolean} isWaiting  for the engine to load, or for calls before it
 * @returns {Promise<import('./index.d.ts').Answer>}
 */
function unlessAborted(result, signal, isWaiting) {
  return new Promise((resolve, reject) => {
    const leave = () => isWaiting() && resolve({ lines: [] });
    signal.addEventListener('abort', leave, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
