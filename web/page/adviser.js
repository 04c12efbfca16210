/** The adviser: a second engine at full strength, for lines, hints and the analysis of games. */
import { Engine } from '../engine/index.js';
import { reviewGame, whiteScore } from './review.js';

const LINES = 3;
/** Plies of each line that are shown. */
const LENGTH = 8;
/** Milliseconds after which the adviser rests, and between two updates. */
const PATIENCE = 60_000;
const UPDATE = 250;

/** @typedef {{ score: string, moves: string }} Line */
/** @typedef {{ bar: { expected: number, text: string }, lines: Line[], depth: string }} Advice */

export class Adviser {
  /** @type {Engine | undefined} */
  #engine;
  #abort = new AbortController();

  /** Ends what runs; returns the engine, and the signal that ends what comes next. */
  async #next(/** @type {import('./game.js').Game} */ game, /** @type {number} */ lines) {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    this.#engine ??= new Engine();
    await this.#engine.setOptions({ MultiPV: lines, UCI_ShowWDL: true, UCI_Chess960: game.chess960 });
    return { engine: this.#engine, signal: abort.signal };
  }

  stop() {
    this.#abort.abort();
  }

  /**
   * Searches a position until it is stopped.
   * @param {import('./game.js').Game} game
   * @param {number} ply
   * @param {(advice: Advice) => void} onAdvice
   */
  async advise(game, ply, onAdvice) {
    const { engine, signal } = await this.#next(game, LINES);
    const position = game.positions[ply];
    const isWhite = position.turn === 'w';
    /** @type {import('../engine/index.d.ts').Info[]} */
    const infos = [];
    let timer = 0;
    const update = () => {
      timer = 0;
      if (signal.aborted || !infos[0]) return;
      const shown = infos.filter((info) => info.depth >= infos[0].depth - 1);
      const lines = shown.map((info) => ({
        score: whiteScore(info, isWhite).text,
        moves: game.write(ply, info.pv.slice(0, LENGTH)),
      }));
      onAdvice({ bar: whiteScore(infos[0], isWhite), lines, depth: `Depth ${infos[0].depth}, ${speed(infos[0].nps)}` });
    };
    const search = { fen: game.fen, moves: game.moves.slice(0, ply), go: `movetime ${PATIENCE}`, signal };
    await engine.search(search, (info) => {
      infos[info.multipv - 1] = info;
      timer ||= window.setTimeout(update, UPDATE);
    });
    window.clearTimeout(timer);
    update();
  }

  /**
   * @param {import('./game.js').Game} game
   * @param {number} milliseconds
   */
  async best(game, milliseconds) {
    const { engine, signal } = await this.#next(game, 1);
    const answer = await engine.search({ fen: game.fen, moves: game.moves, go: `movetime ${milliseconds}`, signal });
    return signal.aborted ? undefined : answer;
  }

  /**
   * @param {import('./game.js').Game} game
   * @param {(review: import('./review.js').Judgement[]) => void} onProgress
   */
  async review(game, onProgress) {
    const { engine, signal } = await this.#next(game, 1);
    return reviewGame(game, engine, signal, onProgress);
  }
}

/** @param {number} nps */
const speed = (nps) => (nps >= 1e6 ? `${(nps / 1e6).toFixed(1)} million nodes/s` : `${Math.round(nps / 1000)} thousand nodes/s`);
