/** The page: a game against the engine, or an analysis board. Keeps everything in this browser. */
import { Engine, support } from '../engine/index.js';
import { chess960Start, loadRules, referee } from '../engine/rules.js';
import { Adviser } from './adviser.js';
import { Board } from './board.js';
import { Clock } from './clock.js';
import { setUpNew, setUpOpen, setUpSave } from './dialogs.js';
import { Game } from './game.js';
import { agreed, claims, flagged, NAMES, other, resigned, turnOf } from './laws.js';
import { writePgn } from './pgn.js';
import { keep, recall } from './store.js';
import { $, showBar, showClaims, showClocks, showGraph, showLines, showMoves, showPieces, showPlayers } from './view.js';

const STORE = 'tabiya.game';
const THEME = 'tabiya.theme';
const ENGINE_FAILED = 'The engine cannot be loaded. The game is kept; reload the page to try again.';
/** Milliseconds: the engine's time without a clock, the least it takes, and the time for advice. */
const MOVE_TIME = 1000;
const LEAST_TIME = 400;
const ADVICE_TIME = 800;
/** The engine declines draws before this move number. */
const OFFER_MOVE = 10;

/** @typedef {import('./laws.js').Color} Color */
/** @typedef {import('./laws.js').End} End */

class App {
  /** The user's side. @type {Color | 'both'} */
  side = 'white';
  /** The engine's Elo; 0 for full strength. */
  level = 1350;
  /** @type {Clock | undefined} */
  clock;
  /** @type {Color} */
  orientation = 'white';
  /** The position on the board: the number of moves before it. */
  ply = 0;
  /** @type {import('./review.js').Judgement[]} */
  review = [];
  reviewing = false;
  linesOn = false;
  note = '';
  /** @type {string | undefined} */
  hint;
  /** The engine's last score, in centipawns. */
  engineScore = 0;
  /** @type {Engine | undefined} */
  opponent;
  /** Ends the engine's thinking. */
  thinking = new AbortController();
  /** Whether the engine had no move to play. */
  engineFailed = false;
  adviser = new Adviser();

  /** @param {import('../engine/rules.d.ts').Referee} referee */
  constructor(referee) {
    this.referee = referee;
    this.game = new Game(referee);
    this.board = new Board($('#board'), $('#promotion'), (move) => this.play(move));
    setUpNew((choice) => this.start(choice));
    setUpOpen(referee, (game, note) => this.open(game, note));
    setUpSave(() => ({ fen: this.position.fen, pgn: writePgn(this.game, { ...this.names, review: this.review }) }));
    this.connect();
    this.restore();
    this.changed();
  }

  get position() {
    return this.game.positions[this.ply];
  }

  get isLive() {
    return this.ply === this.game.moves.length;
  }

  get isUsersTurn() {
    return this.side === 'both' || this.side === turnOf(this.game.last);
  }

  get names() {
    const engine = this.level ? `Tabiya (${this.level})` : 'Tabiya';
    if (this.side === 'both') return { white: this.game.tags.White ?? 'White', black: this.game.tags.Black ?? 'Black' };
    return this.side === 'white' ? { white: 'You', black: engine } : { white: engine, black: 'You' };
  }

  connect() {
    $('#flip').onclick = () => {
      this.orientation = other(this.orientation);
      this.show();
    };
    $('#back').onclick = () => this.takeBack();
    $('#hint').onclick = () => this.giveHint();
    $('#draw').onclick = () => this.offerDraw();
    $('#resign').onclick = () => this.finish(resigned(this.game.last, this.side === 'both' ? turnOf(this.game.last) : this.side));
    $('#review').onclick = () => this.analyse();
    $('#lines-on').onchange = () => {
      this.linesOn = $('#lines-on').checked;
      this.changed();
    };
    $('#entry').onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.enter($('#move').value.trim());
    };
    $('#move').oninput = () => ($('#entry-error').textContent = '');
    for (const button of document.querySelectorAll('[data-go]')) {
      /** @type {HTMLElement} */ (button).onclick = () => this.browse(/** @type {HTMLElement} */ (button).dataset.go);
    }
    document.onkeydown = (event) => {
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName) || event.altKey || event.ctrlKey || event.metaKey) return;
      const where = { ArrowLeft: 'previous', ArrowRight: 'next', Home: 'first', End: 'last' }[event.key];
      if (!where || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      this.browse(where);
    };
    $('#theme').onclick = () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    window.addEventListener('pagehide', () => this.save());
  }

  /** Stops what the engines do for the position that is left. */
  stopEngines() {
    this.thinking.abort();
    this.adviser.stop();
    this.reviewing = false;
    this.hint = undefined;
  }

  /** @param {import('./dialogs.js').Choice} choice */
  start({ side, level, clock, chess960, fromHere }) {
    const fen = chess960 ? chess960Start(Math.floor(Math.random() * 960)) : undefined;
    const here = { fen: this.position.fen, chess960: this.game.chess960 };
    this.replace(new Game(this.referee, fromHere ? here : { fen, chess960 }), side);
    this.level = level;
    const [minutes, increment] = clock.split('+').map(Number);
    this.clock = clock ? this.createClock({ white: minutes * 60e3, black: minutes * 60e3, increment: increment * 1e3 }) : undefined;
    this.changed();
  }

  /** @param {Game} game @param {string} note */
  open(game, note) {
    this.replace(game, 'both');
    this.clock = undefined;
    this.note = note;
    this.changed();
  }

  /** @param {Game} game @param {Color | 'both'} side */
  replace(game, side) {
    this.stopEngines();
    this.clock?.stop();
    this.game = game;
    this.ply = side === 'both' && game.end ? 0 : game.moves.length;
    this.review = [];
    this.note = '';
    this.side = side;
    this.orientation = side === 'black' ? 'black' : 'white';
    if (side !== 'both') this.linesOn = false;
  }

  /** @param {{ white: number, black: number, increment: number }} times */
  createClock(times) {
    return new Clock(times, {
      onTick: () => showClocks(this.clock),
      onFlag: (loser) => this.finish(flagged(this.game.last, loser)),
    });
  }

  /** @param {string} move  in coordinates */
  play(move) {
    this.stopEngines();
    if (!this.isLive) this.game.cut(this.ply);
    this.game.play(move);
    this.review.length = 0;
    this.ply = this.game.moves.length;
    this.note = '';
    if (this.clock && !this.clock.running && !this.game.end) this.clock.start(turnOf(this.game.last));
    else this.clock?.press();
    this.changed();
  }

  /** @param {End} end */
  finish(end) {
    if (this.game.end) return;
    this.stopEngines();
    this.game.agreedEnd = end;
    this.ply = this.game.moves.length;
    this.changed();
  }

  /** @param {string} text */
  enter(text) {
    if (text === '') return;
    const { move, error } = this.canMove ? this.game.read(text, this.ply) : { error: 'It is not your move.' };
    if (move) this.play(move);
    $('#entry-error').textContent = error ?? '';
    if (move) $('#move').value = '';
  }

  takeBack() {
    this.stopEngines();
    const wasUsersTurn = this.isUsersTurn;
    const plies = this.side === 'both' || !wasUsersTurn || this.game.moves.length < 2 ? 1 : 2;
    this.game.cut(Math.max(0, this.game.moves.length - plies));
    this.ply = this.game.moves.length;
    this.review.length = 0;
    this.note = '';
    if (this.clock?.running) this.clock.start(turnOf(this.game.last));
    this.changed();
  }

  async giveHint() {
    const { game, ply } = this;
    this.note = 'Looking for a good move…';
    this.show();
    const answer = await this.adviser.best(game, ADVICE_TIME);
    if (!answer?.best || game !== this.game || ply !== this.ply) return;
    this.hint = answer.best;
    this.note = `Hint: ${game.last.san[answer.best]}.`;
    this.changed();
  }

  async offerDraw() {
    if (this.side === 'both') return this.finish(agreed());
    const { game } = this;
    const plies = game.moves.length;
    this.note = 'You offer a draw (article 9.1).';
    this.show();
    const answer = await this.adviser.best(game, ADVICE_TIME);
    if (!answer || game !== this.game || plies !== game.moves.length) return;
    // The score is the user's, who is to move.
    const score = answer.lines[0]?.score;
    const isGood = score !== undefined && (score.mate !== undefined ? score.mate > 0 : score.cp >= 0);
    if (isGood && game.last.fullmove > OFFER_MOVE) return this.finish(agreed());
    this.note = 'Tabiya declines the draw.';
    this.changed();
  }

  async analyse() {
    if (this.reviewing) {
      this.stopEngines();
      this.note = 'The analysis was stopped.';
      this.changed();
      return;
    }
    const { game } = this;
    const plies = game.moves.length;
    this.stopEngines();
    this.reviewing = true;
    const review = await this.adviser.review(game, (part) => {
      if (game !== this.game || plies !== game.moves.length) return;
      this.review = [...part];
      this.note = `Analysing: ${part.length} of ${plies + 1} positions.`;
      this.show();
    });
    if (!review || game !== this.game) return;
    this.reviewing = false;
    const count = review.filter(({ mark }) => mark).length;
    this.note = `Analysed: ${count === 0 ? 'no move loses' : count === 1 ? '1 move loses' : `${count} moves lose`} 0.1 points or more.`;
    this.changed();
  }

  /** @param {string | undefined} where */
  browse(where) {
    const last = this.game.moves.length;
    const ply = { first: 0, previous: this.ply - 1, next: this.ply + 1, last }[/** @type {'first'} */ (where)];
    this.goTo(ply);
  }

  /** @param {number} ply */
  goTo(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.game.moves.length);
    this.hint = undefined;
    this.show();
    this.advise();
  }

  /** The game has changed: saves and shows it, and lets the engine think. */
  changed() {
    this.engineFailed = false;
    if (this.game.end) this.clock?.stop();
    this.save();
    this.show();
    this.advise();
    if (!this.game.end && !this.isUsersTurn) this.think();
  }

  /** The engine chooses its move, or claims a draw. */
  async think() {
    const { game } = this;
    const abort = new AbortController();
    this.thinking.abort();
    this.thinking = abort;
    this.opponent ??= new Engine();
    const began = performance.now();
    const times = this.clock && [this.clock.left('white'), this.clock.left('black')].map(Math.floor);
    const increment = this.clock?.times.increment;
    const go = times ? `wtime ${times[0]} btime ${times[1]} winc ${increment} binc ${increment}` : `movetime ${MOVE_TIME}`;
    /** @type {import('../engine/index.d.ts').Answer} */
    let answer = { lines: [] };
    try {
      await this.opponent.setOptions({
        UCI_LimitStrength: this.level > 0,
        UCI_Elo: this.level || 2600,
        UCI_Chess960: game.chess960,
      });
      answer = await this.opponent.search({ fen: game.fen, moves: game.moves, go, signal: abort.signal });
    } catch {
      // Shown below. The next try needs a new engine.
      this.opponent.close();
      this.opponent = undefined;
    }
    const rest = LEAST_TIME - (performance.now() - began);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (abort.signal.aborted) return;
    this.engineFailed = !answer.best;
    if (!answer.best) return this.show();
    const score = answer.lines[0]?.score;
    if (score) this.engineScore = score.cp ?? Math.sign(score.mate) * 10_000;
    const [claim] = claims(game.last);
    if (claim && this.engineScore <= 0) this.finish(claim.end);
    else this.play(answer.best);
  }

  /** Starts the lines for the position on the board, if they are wanted. */
  advise() {
    if (this.reviewing) return;
    const { game, ply } = this;
    this.adviser.stop();
    const isEngineBusy = !game.end && !this.isUsersTurn;
    const judged = this.review[ply];
    showBar(judged, this.orientation);
    showLines([], '');
    if (!this.linesOn || isEngineBusy || this.position.legal_moves.length === 0) return;
    this.adviser.advise(game, ply, ({ bar, lines, depth }) => {
      if (game !== this.game || ply !== this.ply) return;
      showBar(bar, this.orientation);
      showLines(lines, depth);
    });
  }

  /** Whether the user may move on the board. */
  get canMove() {
    if (this.side === 'both') return this.position.legal_moves.length > 0;
    return this.isLive && !this.game.end && this.isUsersTurn;
  }

  get status() {
    const { game } = this;
    const last = game.last.san_last;
    const before = last && !game.end && this.side !== 'both' && this.isUsersTurn ? `Tabiya plays ${last}. ` : '';
    const after = game.last.in_check ? ' Check!' : '';
    if (game.end) return `${game.end.reason} ${this.note}`;
    if (!this.isUsersTurn && this.engineFailed) return ENGINE_FAILED;
    if (!this.isUsersTurn) return `${last ? `You play ${last}. ` : ''}Tabiya is thinking…`;
    const whose = this.side === 'both' ? `${NAMES[turnOf(this.position)]} to move.` : 'Your move.';
    return `${before}${whose}${after} ${this.note}`;
  }

  show() {
    const { game, ply } = this;
    this.board.show(this.position, {
      lastMove: game.moves[ply - 1],
      orientation: this.orientation,
      movable: this.canMove,
      arrow: this.hint,
    });
    showMoves(game, ply, this.review, (to) => this.goTo(to));
    showPlayers(this.orientation, this.names);
    showClocks(this.clock);
    showPieces(this.position);
    const isActive = !game.end && this.isUsersTurn && this.isLive;
    showClaims(this.position, isActive, (end) => this.finish(end));
    showGraph(this.review, game.moves.length, ply, (to) => this.goTo(to));
    if (this.reviewing) showBar(this.review[ply], this.orientation);
    if ($('#status').textContent !== this.status.trim()) $('#status').textContent = this.status.trim();
    $('#opening').textContent = game.positions[ply].opening ?? '';
    $('#lines-on').checked = this.linesOn;
    $('#back').disabled = game.moves.length === 0 || (game.moves.length === 1 && this.side === 'black');
    $('#hint').disabled = !isActive;
    $('#draw').disabled = !isActive;
    for (const button of ['#hint', '#draw', '#resign']) $(button).hidden = Boolean(game.end);
    $('#review').disabled = game.moves.length === 0 || (!game.end && this.side !== 'both');
    $('#review').textContent = this.reviewing ? 'Stop analysis' : 'Analyse game';
  }

  save() {
    const { side, level, linesOn, orientation, review, game } = this;
    const times = this.clock && { ...this.clock.times, white: this.clock.left('white'), black: this.clock.left('black') };
    keep(STORE, JSON.stringify({ side, level, linesOn, orientation, review, game, times }));
  }

  restore() {
    const saved = recall(STORE);
    if (!saved) return;
    try {
      const { game, times, ...rest } = JSON.parse(saved);
      Object.assign(this, rest, { game: Game.restore(this.referee, game) });
      this.ply = this.game.moves.length;
      if (!times) return;
      this.clock = this.createClock(times);
      if (this.ply > 0 && !this.game.end) this.clock.start(turnOf(this.game.last));
    } catch {
      // An older form of the page has saved this: start again.
    }
  }
}

/** @param {string} theme */
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  keep(THEME, theme);
}

const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
document.documentElement.dataset.theme = recall(THEME) ?? (isDark ? 'dark' : 'light');
try {
  const unsupported = support();
  if (unsupported) throw new Error(unsupported);
  await loadRules();
  const app = new App(referee);
  document.body.dataset.ready = app.names.white;
} catch (error) {
  $('#status').textContent = /** @type {Error} */ (error).message;
}
if ('serviceWorker' in navigator && window.isSecureContext) navigator.serviceWorker.register('offline.js');
