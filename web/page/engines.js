/**
 * Engines that search. The page has two: the opponent plays at a level; the adviser, at full strength,
 * finds lines, hints and reviews. Both load when they are first needed, the opponent already when the
 * page has nothing else to do, and share the WebAssembly.
 */
import { Engine } from '../engine/index.js';

/** Milliseconds between two updates of lines. */
const UPDATE = 200;
/** The time for advice. */
export const ADVICE = 'movetime 800';

/** @typedef {import('../engine/index.d.ts').Info} Info */
/** @typedef {{ fen: string, moves: string[], chess960: boolean }} Position */

/** An engine that is started again after a failure. A search ends the one before. */
export class RestartingEngine {
  /** @type {Engine | undefined} */
  #engine;
  #abort = new AbortController();
  /** What it does. */
  #job = '';
  /** Whether a search begins at once. */
  isLoaded = false;

  /** @param {import('../engine/index.d.ts').EngineOptions} [options] */
  constructor(options) {
    this.options = options;
  }

  get #running() {
    this.#engine ??= new Engine(this.options);
    return this.#engine;
  }

  /** Loads the engine, if it is not loaded. */
  async load() {
    const engine = this.#running;
    try {
      await engine.ready;
      this.isLoaded = engine === this.#engine;
    } catch (error) {
      if (engine === this.#engine) this.#drop();
      throw error;
    }
  }

  /**
   * Begins a job, and ends the one before, unless that has the same name.
   * @param {string} name  empty for no job
   * @param {(isCurrent: () => boolean) => void} begin
   */
  work(name, begin) {
    if (name === this.#job) return;
    this.#job = name;
    this.stop();
    if (name) begin(() => this.#job === name);
  }

  /** Ends what runs; its promise resolves with `undefined`. */
  stop() {
    this.#abort.abort();
  }

  /**
   * Searches until the limit or `stop`.
   * @param {Position} position
   * @param {Record<string, string | number | boolean>} options
   * @param {string} go
   * @param {(info: Info) => void} [onInfo]
   * @returns {Promise<import('../engine/index.d.ts').Answer | undefined>}
   */
  async search({ fen, moves, chess960 }, options, go, onInfo) {
    this.stop();
    const { signal } = (this.#abort = new AbortController());
    const engine = this.#running;
    try {
      await engine.setOptions({ ...options, UCI_Chess960: chess960 });
      const answer = await engine.search({ fen, moves, go, signal }, (info) => !signal.aborted && onInfo?.(info));
      return signal.aborted ? undefined : answer;
    } catch (error) {
      // A later search finds out itself whether its engine works.
      if (engine === this.#engine && signal === this.#abort.signal) this.#drop();
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** Ends the engine. It starts again when it is needed. */
  close() {
    this.stop();
    this.#drop();
  }

  #drop() {
    this.#engine?.close();
    this.#engine = undefined;
    this.isLoaded = false;
  }
}

/**
 * Lines as they come, not more often than they can be read.
 * @param {RestartingEngine} engine
 * @param {Position} position
 * @param {{ lines: number, go: string }} wanted
 * @param {(infos: Info[]) => void} onLines
 */
export async function searchLines(engine, position, { lines, go }, onLines) {
  /** @type {Info[]} */
  const infos = [];
  let timer = 0;
  const update = () => {
    timer = 0;
    if (infos[0]) onLines(infos.filter((info) => info.depth >= infos[0].depth - 1));
  };
  const answer = await engine.search(position, { MultiPV: lines, UCI_ShowWDL: true }, go, (info) => {
    infos[info.multipv - 1] = info;
    timer ||= window.setTimeout(update, UPDATE);
  });
  window.clearTimeout(timer);
  if (answer) update();
  return answer;
}

/**
 * A score as White sees it.
 * @param {Pick<Info, 'score' | 'wdl'>} info
 * @param {boolean} isWhite  whether White is to move
 * @returns {{ expected: number, text: string }}
 */
export function whiteScore({ score, wdl }, isWhite) {
  const sign = isWhite ? 1 : -1;
  if (score.mate !== undefined) {
    const mate = sign * score.mate;
    return { expected: mate > 0 ? 1 : 0, text: mate > 0 ? `#${mate}` : `#-${Math.abs(mate)}` };
  }
  const pawns = (sign * score.cp) / 100;
  const [win, drawn] = wdl ?? [500, 0];
  const expected = (win + drawn / 2) / 1000;
  return { expected: isWhite ? expected : 1 - expected, text: `${pawns > 0 ? '+' : ''}${pawns.toFixed(2)}` };
}
