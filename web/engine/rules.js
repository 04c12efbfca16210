/** The package's entry `tabiya/rules`: the laws of chess, without the engine. */
import { loadRules as loadModule } from '#host';
import init, {
  GameReader,
  RulesGame,
  chess960Start as start960,
  endings as listEndings,
  examine as examineFen,
  levels as listLevels,
  referee as askReferee,
  review as judge,
} from '../generated/tabiya_rules.js';
import { TabiyaError, lines as readLines, oneLine, reason } from './errors.js';

export { TabiyaError };

/** @typedef {import('./rules.d.ts').Place} Place */
/** @typedef {import('./rules.d.ts').Color} Color */

/** @type {Promise<void> | undefined} */
let loading;
let isLoaded = false;

/**
 * Loads the rules. Later calls need not load again.
 * @param {import('./rules.d.ts').LoadOptions} [options]
 */
export function loadRules({ wasm, onProgress } = {}) {
  loading ??= loadModule(wasm, onProgress).then(start);
  loading.catch(() => (loading = undefined));
  return loading;
}

/**
 * A page may not create a large module in one call (Chrome before 115), and any host may lack the
 * memory.
 * @param {WebAssembly.Module} module
 */
async function start(module) {
  try {
    await init({ module_or_path: module });
    isLoaded = true;
  } catch (error) {
    throw new TabiyaError('load', `the rules cannot be started: ${reason(error)}`, { cause: error });
  }
}

function checkLoaded() {
  if (!isLoaded) throw new TabiyaError('load', 'the rules are not loaded yet: await loadRules() first');
}

/** @param {number} number */
export function chess960Start(number) {
  checkLoaded();
  const fen = Number.isInteger(number) && number >= 0 && number < 960 ? start960(number) : undefined;
  if (fen === undefined) throw new TabiyaError('input', `${number} is not the number of a start position: they are 0 to 959`);
  return fen;
}

/** @param {import('./rules.d.ts').RefereeRequest} [request] */
export function referee(request = {}) {
  checkLoaded();
  if (typeof request !== 'object' || request === null) throw new TabiyaError('input', 'a question to the referee is an object');
  return JSON.parse(askReferee(refusing(() => JSON.stringify(request))));
}

/**
 * @param {string} fen
 * @param {{ chess960?: boolean }} [options]
 * @returns {import('./rules.d.ts').Defect[]}
 */
export function examine(fen, { chess960 } = {}) {
  checkLoaded();
  if (typeof fen !== 'string') throw new TabiyaError('input', 'a position is a text');
  return JSON.parse(examineFen(fen, chess960)).map((/** @type {string[]} */ [severity, text]) => ({ severity, text }));
}

/**
 * Calls the rules; what they refuse is an error of the input.
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function refusing(call) {
  try {
    return call();
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    throw new TabiyaError('input', reason(error));
  }
}

/** @param {import('./rules.d.ts').ReviewRequest} request @returns {import('./rules.d.ts').Review} */
export function review(request) {
  checkLoaded();
  const { fen, chess960, moves = [], lines } = request ?? {};
  if (!Array.isArray(lines)) throw new TabiyaError('input', 'a review needs a list of lines');
  const start = { fen: fen === undefined ? undefined : oneLine('fen', fen), chess960: Boolean(chess960), moves: readLines('moves', moves) };
  return refusing(() => JSON.parse(judge(JSON.stringify({ ...start, lines: lines.map(reviewLine) }))));
}

/** What a review reads of a line. @param {import('./rules.d.ts').ReviewLine | null | undefined} line @param {number} index */
function reviewLine(line, index) {
  if (!line) return null;
  const { cp, mate } = line.score ?? {};
  const numbers = [cp, mate].filter((number) => number !== undefined);
  if (numbers.length === 0 || !numbers.every((number) => Number.isInteger(number) && Math.abs(Number(number)) < 2 ** 31)) {
    throw new TabiyaError('input', `lines[${index}].score must have a whole number as cp or mate`);
  }
  return { score: { cp, mate }, pv: readLines(`lines[${index}].pv`, line.pv) };
}

/** @returns {import('./rules.d.ts').Levels} */
export function levels() {
  checkLoaded();
  return JSON.parse(listLevels());
}

/** @returns {import('./rules.d.ts').Ending[]} */
export function endings() {
  checkLoaded();
  return JSON.parse(listEndings());
}

/** A number that Rust takes as it is. @param {unknown} value */
function nodeNumber(value) {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31) return Number(value);
  throw new TabiyaError('input', `${value} is not the number of a move`);
}

/** @param {number[]} glyphs */
function glyphNumbers(glyphs) {
  if (!Array.isArray(glyphs)) throw new TabiyaError('input', 'this needs a list of glyphs');
  if (glyphs.every((glyph) => Number.isInteger(glyph) && glyph >= 0 && glyph < 256)) return glyphs;
  throw new TabiyaError('input', 'a glyph is a number from 0 to 255');
}

/** @param {unknown} list @returns {string[]} */
function texts(list) {
  if (Array.isArray(list) && list.every((text) => typeof text === 'string')) return list;
  throw new TabiyaError('input', 'this needs a list of texts');
}

/** A game with variations, and a place in it. It lives in WebAssembly; this is its handle. */
export class Game {
  /** @type {RulesGame} */
  #game;
  /** The answer about the place, until something changes. @type {Place | undefined} */
  #place;
  /**
   * All tags, until something changes: for them, the rules play the game through.
   * @type {Record<string, string> | undefined}
   */
  #tags;

  /** @param {import('./rules.d.ts').GameOptions | RulesGame} [options]  the latter within this module */
  constructor(options) {
    checkLoaded();
    if (options instanceof RulesGame) {
      this.#game = options;
      return;
    }
    const { fen, chess960, pgn } = options ?? {};
    if (pgn === undefined) {
      this.#game = refusing(() => new RulesGame(fen === undefined ? undefined : oneLine('fen', fen), chess960));
      return;
    }
    const [first] = readGames(pgn, { limit: 1 });
    if (!first) throw new TabiyaError('input', 'the PGN has no game');
    this.#game = first.game;
    this.#game.step(2 ** 31 - 1);
  }

  /**
   * @param {string | Uint8Array} text
   * @param {{ chess960?: boolean, limit?: number }} [options]
   * @returns {{ game: Game, faults: string[], complete: boolean, line: number }[]}
   */
  static readAll(text, options) {
    checkLoaded();
    return readGames(text, options).map(({ game, ...about }) => ({ ...about, game: new Game(game) }));
  }

  /** @returns {Place} */
  get place() {
    return (this.#place ??= JSON.parse(this.#game.place()));
  }

  get fen() {
    return this.place.fen;
  }

  get turn() {
    return this.place.turn;
  }

  get status() {
    return this.place.status;
  }

  get claims() {
    return this.place.claims;
  }

  get isOver() {
    return this.status.kind !== 'playing';
  }

  get chess960() {
    return this.#game.chess960;
  }

  get result() {
    return /** @type {import('./rules.d.ts').Result} */ (this.#game.result);
  }

  get tags() {
    return (this.#tags ??= Object.fromEntries(JSON.parse(this.#game.tags())));
  }

  moves() {
    return this.place.moves;
  }

  /** @param {string} text */
  move(text) {
    this.#change(() => this.#game.play(oneLine('a move', text)));
    return /** @type {import('./rules.d.ts').MoveInfo} */ (this.place.lastMove);
  }

  /** @param {string} text */
  consider(text) {
    this.#change(() => this.#game.consider(oneLine('a move', text)));
    return /** @type {import('./rules.d.ts').MoveInfo} */ (this.place.lastMove);
  }

  nodes() {
    return JSON.parse(this.#game.nodes());
  }

  searchPosition() {
    return JSON.parse(this.#game.searchPosition());
  }

  /** @param {string[]} moves */
  write(moves) {
    return this.#game.write(texts(moves));
  }

  /**
   * @param {string[]} moves
   * @returns {import('./rules.d.ts').LineMove[]}
   */
  line(moves) {
    return JSON.parse(this.#game.line(texts(moves)));
  }

  passed() {
    return this.#game.passed();
  }

  /** @param {number} node */
  go(node) {
    this.#change(() => this.#game.go(nodeNumber(node)));
  }

  back(moves = 1) {
    return this.#change(() => this.#game.step(-nodeNumber(moves)));
  }

  forward(moves = 1) {
    return this.#change(() => this.#game.step(nodeNumber(moves)));
  }

  toStart() {
    return this.back(2 ** 31 - 1);
  }

  toEnd() {
    return this.forward(2 ** 31 - 1);
  }

  /** @param {number} node */
  promote(node) {
    this.#change(() => this.#game.promote(nodeNumber(node)));
  }

  /** @param {number} node */
  remove(node) {
    this.#change(() => this.#game.remove(nodeNumber(node)));
  }

  /** @param {number} node @param {{ comments?: string[], glyphs?: number[] }} notes */
  annotate(node, notes) {
    const { comments = [], glyphs = [] } = notes ?? {};
    this.#change(() => this.#game.annotate(nodeNumber(node), texts(comments), Uint8Array.from(glyphNumbers(glyphs))));
  }

  /** @param {{ node: number, comments?: string[], glyphs?: number[] }[]} all */
  annotateAll(all) {
    if (!Array.isArray(all)) throw new TabiyaError('input', 'this needs a list of notes');
    const list = all.map((notes) => {
      const { node, comments = [], glyphs = [] } = notes ?? {};
      return { node: nodeNumber(node), comments: texts(comments), glyphs: glyphNumbers(glyphs) };
    });
    this.#change(() => this.#game.annotateAll(JSON.stringify(list)));
  }

  undo() {
    return this.#change(() => this.#game.undo());
  }

  redo() {
    return this.#change(() => this.#game.redo());
  }

  /** @param {string} [move] */
  claim(move) {
    return JSON.parse(this.#change(() => this.#game.claim(move === undefined ? undefined : oneLine('a move', move))));
  }

  /** @param {Color} color */
  offerDraw(color) {
    this.#act('offer', color);
  }

  /** @param {Color} color */
  acceptDraw(color) {
    this.#act('accept', color);
  }

  /** @param {Color} color */
  declineDraw(color) {
    this.#act('decline', color);
  }

  /** @param {Color} color */
  resign(color) {
    this.#act('resign', color);
  }

  /** @param {Color} color */
  flag(color) {
    this.#act('flag', color);
  }

  /** @param {string} name @param {string} value */
  setTag(name, value) {
    this.#change(() => this.#game.setTag(oneLine('the name of a tag', name), oneLine('the value of a tag', value)));
  }

  pgn() {
    return this.#game.pgn();
  }

  /** Releases the memory at once, not when the handle is collected. */
  free() {
    this.#game.free();
  }

  /** @param {string} act @param {Color} color */
  #act(act, color) {
    this.#change(() => this.#game.act(act, String(color)));
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  #change(call) {
    this.#place = this.#tags = undefined;
    return refusing(call);
  }
}

/** Positions that cannot be played, one after the other, after which a reading with a limit ends. */
const MOST_FAULTS = 1000;

/**
 * What is wrong with a position that cannot be played counts with the game that follows.
 * @param {string | Uint8Array} text
 * @param {{ limit?: number, chess960?: boolean }} [options]
 */
function readGames(text, options) {
  const { limit = Infinity, chess960 } = options ?? {};
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) throw new TabiyaError('input', 'a PGN is a text or a Uint8Array');
  const reader = new GameReader(typeof text === 'string' ? new TextEncoder().encode(text) : text, chess960);
  const games = [];
  /** @type {string[]} */
  let faults = [];
  while (games.length < limit) {
    try {
      const game = refusing(() => reader.read());
      if (!game) break;
      games.push({ game, faults: [...faults, ...reader.faults()], complete: reader.complete(), line: reader.line() });
      faults = [];
    } catch (error) {
      if (error instanceof TabiyaError) {
        // A text that anyone may have written can have a million positions that cannot be played.
        if (faults.push(error.message) === MOST_FAULTS && limit < Infinity) break;
        continue;
      }
      // The memory is full: it must not stay so. The reader that failed cannot be released.
      for (const { game } of games) game.free();
      throw error;
    }
  }
  reader.free();
  const [last] = games.slice(-1);
  if (last) last.faults.push(...faults);
  else if (faults.length > 0) throw new TabiyaError('input', faults[0]);
  return games;
}
