/** What the engine shows of the position on the board: lines, a threat, a hint. */
import { ADVICE, searchLines, whiteScore } from './engines.js';
import { choices } from './store.js';

/** How long lines are searched before the user has to ask for more. */
const PATIENCE = 'movetime 30000';
const LINES = 3;

/** @typedef {{ node: number, lines: { score: string, uci: string, moves: import('../engine/rules.d.ts').LineMove[] }[],
 *   depth: string, bar: { expected: number, text: string } }} Lines */
/**
 * What is kept of it.
 * @typedef {object} KeptAnalysis
 * @property {{ lines: boolean, threat: boolean, endless: boolean }} [wants]
 * @property {string} [hint]
 */

export class Analysis {
  wantsLines = Boolean(choices().lines);
  wantsThreat = false;
  /** Whether lines are searched until the position changes. */
  isEndless = false;
  /** Lines of the position on the board. @type {Lines | undefined} */
  lines;
  /** What the opponent would play if the user passed. @type {string | undefined} */
  threat;
  /** A move of the position on the board. @type {string | undefined} */
  hint;
  #engine;
  #tree;

  /** @param {import('./engines.js').RestartingEngine} engine  at full strength @param {import('./tree.js').Tree} tree */
  constructor(engine, tree) {
    this.#engine = engine;
    this.#tree = tree;
  }

  /** @param {boolean} wants */
  setLines(wants) {
    this.wantsLines = wants;
    this.isEndless = false;
    if (!wants) this.lines = this.threat = undefined;
  }

  toggleThreat() {
    this.wantsThreat = !this.wantsThreat;
    if (!this.wantsThreat) this.threat = undefined;
  }

  /** Another position is on the board, or another game. */
  move() {
    this.hint = undefined;
    this.threat = undefined;
    this.isEndless = false;
  }

  /** Lines of another position are not shown. */
  dropLines() {
    if (this.lines?.node !== this.#tree.place.node) this.lines = undefined;
  }

  /** Nothing is shown of the position. */
  clear() {
    this.hint = this.threat = this.lines = undefined;
  }

  /** What is searched: another text asks for another search. */
  get question() {
    return `${this.#tree.place.node} ${this.isEndless} ${this.wantsThreat} ${this.#tree.version}`;
  }

  /** Searches for a hint. Resolves with its move in SAN. @param {() => boolean} isCurrent */
  async findHint(isCurrent) {
    const answer = await this.#engine.search(this.#tree.position(), { MultiPV: 1 }, ADVICE);
    if (!answer?.best || !isCurrent()) return undefined;
    this.hint = answer.best;
    return this.#tree.game.line([answer.best])[0]?.san;
  }

  /** Searches lines, and the threat before. @param {() => boolean} isCurrent @param {() => void} onFound */
  async findLines(isCurrent, onFound) {
    const { game, place } = this.#tree;
    if (place.moves.length === 0) return;
    const isWhite = place.turn === 'white';
    if (this.wantsThreat) {
      const fen = game.passed();
      const threat = fen ? await this.#engine.search({ fen, moves: [], chess960: game.chess960 }, { MultiPV: 1 }, ADVICE) : undefined;
      // A search that was stopped has no answer: another one looks for the threat.
      if (!isCurrent() || (fen && !threat)) return;
      this.threat = threat?.best;
      onFound();
    }
    await searchLines(this.#engine, this.#tree.position(), { lines: LINES, go: this.isEndless ? 'infinite' : PATIENCE }, (infos) => {
      if (!isCurrent()) return;
      this.lines = {
        node: place.node,
        bar: whiteScore(infos[0], isWhite),
        lines: infos.map((info) => ({ score: whiteScore(info, isWhite).text, uci: info.pv[0], moves: game.line(info.pv) })),
        depth: `Depth ${infos[0].depth}, ${speed(infos[0].nps)}`,
      };
      onFound();
    });
  }

  /** Goes on with what was kept. @param {KeptAnalysis} kept */
  restore({ wants, hint }) {
    if (wants) this.wantsLines = wants.lines;
    this.wantsThreat = wants?.threat ?? false;
    this.isEndless = wants?.endless ?? false;
    this.hint = hint;
  }

  /** @returns {KeptAnalysis} */
  get kept() {
    return { wants: { lines: this.wantsLines, threat: this.wantsThreat, endless: this.isEndless }, hint: this.hint };
  }
}

/** @param {number} nps */
const speed = (nps) => (nps >= 1e6 ? `${(nps / 1e6).toFixed(1)} million nodes/s` : `${Math.round(nps / 1000)} thousand nodes/s`);
