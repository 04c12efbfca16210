/**
 * The package's entry `tabiya/board`: `<tabiya-board>`, a game to play through, with a review on demand.
 *
 * The page has the same parts: the board, the list of moves, the review. This element puts them into
 * a shadow root. All elements of a document share one engine, which is loaded for the first review and
 * ended with the last element that has asked for one.
 */
import { Game, loadRules } from '../engine/rules.js';
import { reason } from '../engine/errors.js';
import { support } from '../engine/index.js';
import { Board } from '../page/board.js';
import { $, create, isForBrowser, plainReason, renew, say, sentence } from '../page/dom.js';
import { RestartingEngine } from '../page/engines.js';
import { Graph, isMarked, judgedPart, judgedPosition, judgement, mistakeFrom, playersReview } from '../page/judged.js';
import { MoveList, checkSize } from '../page/movelist.js';
import { reviewGame } from '../page/review.js';
import { browse, mainLine, siblingOf } from '../page/tree.js';
import { NAMES, describe, mistakesInWords, namesOf, placeInWords } from '../page/words.js';
import style from '../generated/board.css.txt';

/** @typedef {import('../engine/rules.d.ts').GameNode} GameNode */

const HTML = `
  <p id="title"></p>
  <div class="body">
    <div class="field">
      <div id="board" tabindex="0" role="application" aria-label="Chessboard. Arrow keys choose a square, Enter picks a piece up and puts it down." aria-describedby="pieces"></div>
      <div id="promotion" role="dialog" aria-label="Promote to" hidden></div>
    </div>
    <div class="side">
      <div class="browse">
        <button type="button" data-go="first" aria-label="First position">«</button>
        <button type="button" data-go="previous" aria-label="Previous position">‹</button>
        <button type="button" data-go="next" aria-label="Next position">›</button>
        <button type="button" data-go="last" aria-label="Last position">»</button>
        <button type="button" id="flip" aria-label="Flip the board" title="Flip the board (f)">⇅</button>
      </div>
      <div id="moves" tabindex="0" role="group" aria-label="Moves. Left and right arrow keys walk through the game."></div>
      <div id="study">
        <div class="row">
          <button type="button" id="review">Review</button>
          <button type="button" id="mistake-before" aria-label="Previous mistake" title="Previous mistake (M)" hidden>‹ Mistake</button>
          <button type="button" id="mistake-after" aria-label="Next mistake" title="Next mistake (m)" hidden>Mistake ›</button>
        </div>
        <p id="progress" role="status"></p>
        <p id="count"></p>
        <div id="graph" hidden></div>
        <p id="judgement"></p>
        <ul id="players-review" hidden></ul>
      </div>
    </div>
  </div>
  <p id="fault" hidden></p>
  <p id="pieces" class="unseen"></p>
  <p id="announcer" class="unseen" aria-live="assertive"></p>
  <p id="place" class="unseen" aria-live="polite"></p>`;

/** Has the size of the element, so that the text below it does not move when the rules are there. */
const LOADING = '<div class="body"><div class="field empty"></div><div class="side"></div></div>';

/** One for all elements, made when the first is. @type {CSSStyleSheet | undefined} */
let sheet;

function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
  }
  return sheet;
}

/** The engine of all elements. Reviews wait for each other. */
const shared = {
  /** @type {RestartingEngine | undefined} */
  engine: undefined,
  /** @type {Set<object>} */
  users: new Set(),
  /** The last review that was asked for. @type {Promise<unknown>} */
  last: Promise.resolve(),
  /** @type {(share: number) => void} */
  onLoad: () => {},

  /**
   * Runs work when that before it has ended.
   * @template T
   * @param {object} user
   * @param {(engine: RestartingEngine) => Promise<T>} work
   * @returns {Promise<T>}
   */
  run(user, work) {
    this.users.add(user);
    const result = this.last.then(() => {
      this.engine ??= new RestartingEngine({ onProgress: ({ loaded, total }) => this.onLoad(loaded / total) });
      return work(this.engine);
    });
    this.last = result.catch(() => {});
    return result;
  },

  /** @param {object} user */
  release(user) {
    this.users.delete(user);
    if (this.users.size > 0) return;
    this.engine?.close();
    this.engine = undefined;
  },
};

/** On a server there is no such class, and nothing is defined. */
const Element = globalThis.HTMLElement ?? class {};

export class TabiyaBoard extends Element {
  static observedAttributes = ['pgn', 'fen', 'chess960', 'orientation', 'ply', 'no-review', 'view-only'];

  /** What is on show; absent before and after, and if the game cannot be read. @type {View | undefined} */
  #view;
  /** Counts what was asked for, so that an answer that comes late is dropped. */
  #asked = 0;
  /** @type {MutationObserver | undefined} */
  #texts;
  #isWaiting = false;

  connectedCallback() {
    if (this.#texts) return;
    // What was set before the element was defined hides the properties of the class.
    for (const name of /** @type {const} */ (['pgn', 'fen', 'orientation'])) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      /** @type {any} */ (this)[name] = value;
    }
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styleSheet()];
    // The text may come after the start of the element.
    this.#texts = new MutationObserver(() => !this.hasAttribute('pgn') && !this.hasAttribute('fen') && this.#reload());
    this.#texts.observe(this, { childList: true, characterData: true, subtree: true });
    this.#reload();
  }

  disconnectedCallback() {
    // Whoever only moves the element puts it back at once.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#texts?.disconnect();
      this.#texts = undefined;
      this.#asked += 1;
      this.#clear();
    });
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.#texts) return;
    if (name === 'pgn' || name === 'fen' || name === 'chess960') this.#reload();
    else if (name === 'ply') this.#view?.goToPly(this.getAttribute('ply'));
    else this.#view?.draw();
  }

  /** The game that is shown, once it is. */
  get game() {
    return this.#view?.game;
  }

  get pgn() {
    return this.getAttribute('pgn');
  }

  set pgn(text) {
    this.#set('pgn', text);
  }

  get fen() {
    return this.getAttribute('fen');
  }

  set fen(text) {
    this.#set('fen', text);
  }

  get orientation() {
    return this.getAttribute('orientation') === 'black' ? 'black' : 'white';
  }

  set orientation(color) {
    this.#set('orientation', color);
  }

  /** Draws again after the game was changed by a script. */
  update() {
    this.#view?.change();
  }

  /** @param {string} name @param {string | null | undefined} text */
  #set(name, text) {
    // Frameworks assign `undefined` where there is nothing.
    if (text === null || text === undefined) this.removeAttribute(name);
    else this.setAttribute(name, text);
  }

  #clear() {
    this.#view?.close();
    this.#view = undefined;
    this.shadowRoot?.replaceChildren();
  }

  /** Reads the game anew, once for all changes of one moment. */
  #reload() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.#texts) void this.#load();
    });
  }

  async #load() {
    const asked = (this.#asked += 1);
    const unsupported = support();
    if (unsupported) {
      this.#fail(unsupported);
      return;
    }
    if (!this.#view) {
      const frame = create('div', { className: 'frame', 'aria-busy': true });
      frame.innerHTML = LOADING;
      this.shadowRoot?.replaceChildren(frame);
    }
    try {
      await loadRules();
    } catch (error) {
      // The browser's console has the address.
      if (asked === this.#asked) this.#fail(sentence(`The rules of chess cannot be loaded: ${plainReason(error)}`), () => this.#reload());
      return;
    }
    if (asked !== this.#asked) return;
    try {
      const { game, faults } = this.#read();
      this.#clear();
      const root = /** @type {ShadowRoot} */ (this.shadowRoot);
      this.#view = new View(this, root, game, faults);
      this.#view.goToPly(this.getAttribute('ply'), true);
    } catch (error) {
      this.#fail(sentence(reason(error)));
    }
  }

  /** @returns {{ game: Game, faults: string[] }} */
  #read() {
    const { pgn, fen } = this;
    const text = pgn ?? (fen === null ? (this.textContent ?? '').trim() : '');
    if (text === '') return { game: new Game({ fen: fen ?? undefined, chess960: this.hasAttribute('chess960') || undefined }), faults: [] };
    // Anyone may have written it: a text can have a million games.
    const [first] = Game.readAll(text, { limit: 1 });
    if (!first) throw new Error('the PGN has no game');
    // Without a move that can be read, the text is no game.
    if (first.faults.length > 0 && first.game.nodes().length === 1) {
      first.game.free();
      throw new Error(first.faults[0]);
    }
    try {
      checkSize(first.game);
    } catch (error) {
      first.game.free();
      throw error;
    }
    return first;
  }

  /** One sentence in place of the board. @param {string} text @param {() => void} [retry] */
  #fail(text, retry) {
    this.#clear();
    const button = retry && create('button', { type: 'button', textContent: 'Try again', onclick: retry });
    this.shadowRoot?.append(create('div', { className: 'failed' }, create('p', { role: 'alert', textContent: text }), ...(button ? [button] : [])));
  }
}

/** A game on show. */
class View {
  #board;
  #list;
  #graph;
  /** @type {'white' | 'black'} */
  #orientation;
  #isTurned = false;
  /** @type {GameNode[]} */
  #nodes = [];
  /** @type {import('../page/review.js').GameReview | undefined} */
  #review;
  /** What a review that was stopped has found. @type {import('../page/review.js').Searched | undefined} */
  #searched;
  /** The review that runs. @type {Promise<void> | undefined} */
  #reviewing;
  /** Ends it. @type {(() => void) | undefined} */
  #stop;
  #isClosed = false;

  /** @param {TabiyaBoard} host @param {ShadowRoot} root @param {Game} game @param {string[]} faults */
  constructor(host, root, game, faults) {
    this.host = host;
    this.game = game;
    this.frame = create('div', { className: 'frame', role: 'group' });
    this.frame.innerHTML = HTML;
    root.append(this.frame);
    this.#orientation = host.orientation;
    this.#showTitle();
    this.#find('#fault').hidden = faults.length === 0;
    say(this.#find('#fault'), faults.length > 0 ? sentence(faults[0]) : '');
    this.#board = new Board(this.#find('#board'), this.#find('#promotion'), this.#find('#announcer'), (move) => this.#play([move]));
    this.#list = new MoveList(this.#find('#moves'), (node) => this.#go(node));
    this.#graph = new Graph(this.#find('#graph'), (node) => this.#go(node), (where) => this.#browse(where));
    for (const where of /** @type {const} */ (['first', 'previous', 'next', 'last'])) this.#find(`[data-go=${where}]`).onclick = () => this.#browse(where);
    this.#find('#flip').onclick = () => this.#flip();
    this.#find('#review').onclick = () => this.#toggleReview();
    this.#find('#mistake-before').onclick = () => this.#jump(-1);
    this.#find('#mistake-after').onclick = () => this.#jump(1);
    this.frame.onkeydown = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    // A click on the board leaves the arrow keys to the moves.
    this.#find('#board').addEventListener('pointerup', () => this.#find('#promotion').hidden && this.#find('#moves').focus({ preventScroll: true }));
    this.#nodes = game.nodes();
    this.#list.draw(this.#nodes, game.result);
  }

  /** @param {string} selector */
  #find(selector) {
    return $(selector, this.frame);
  }

  close() {
    this.#isClosed = true;
    this.#stop?.();
    this.#board.destroy();
    this.frame.remove();
    // A review that runs still looks at the game.
    void Promise.resolve(this.#reviewing).then(() => {
      this.game.free();
      shared.release(this);
    });
  }

  /* Where the reader is. */

  /** @param {string | null} text  of the attribute @param {boolean} [isQuiet]  whether nothing is read aloud */
  goToPly(text, isQuiet) {
    const line = mainLine(this.#nodes);
    const ply = text === 'end' ? line.length - 1 : Math.trunc(Number(text)) || 0;
    this.#go(line[Math.min(Math.max(0, ply), line.length - 1)].id, isQuiet);
  }

  /** @param {number} node @param {boolean} [isQuiet] */
  #go(node, isQuiet) {
    this.game.go(node);
    this.#moved(isQuiet);
  }

  /** @param {'first' | 'previous' | 'next' | 'last'} where */
  #browse(where) {
    browse(this.game, where);
    this.#moved();
  }

  /** The variation above or below. @param {1 | -1} step */
  #sibling(step) {
    const to = siblingOf(this.#nodes, this.game.place, step);
    if (to !== undefined) this.#go(to);
  }

  /** @param {1 | -1} step */
  #jump(step) {
    const to = mistakeFrom(mainLine(this.#nodes), this.game.place.ply, step);
    if (to) this.#go(to.id);
  }

  #flip() {
    this.#isTurned = !this.#isTurned;
    this.draw();
  }

  /** The reader's moves, which leave the result of the game as it is. @param {string[]} moves */
  #play(moves) {
    for (const move of moves) this.game.consider(move);
    this.change();
    this.#moved();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (isForBrowser(event)) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.#browse('previous'),
      ArrowRight: () => this.#browse('next'),
      ArrowUp: () => this.#sibling(-1),
      ArrowDown: () => this.#sibling(1),
      Home: () => this.#browse('first'),
      End: () => this.#browse('last'),
      f: () => this.#flip(),
      m: () => this.#jump(1),
      M: () => this.#jump(-1),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /* What is seen. */

  #showTitle() {
    const title = titleOf(this.game.tags);
    this.frame.setAttribute('aria-label', title ? `Chess game: ${title}` : 'Chess game');
    say(this.#find('#title'), title);
  }

  /** The tree of moves is another, or what is said of the game. */
  change() {
    this.#showTitle();
    this.#nodes = this.game.nodes();
    this.#list.draw(this.#nodes, this.game.result);
    this.draw();
  }

  /** Another position is on the board. @param {boolean} [isQuiet] */
  #moved(isQuiet) {
    this.draw();
    if (!isQuiet) say(this.#find('#place'), placeInWords(this.game.place, this.#nodes));
    this.host.dispatchEvent(new Event('change'));
  }

  draw() {
    const { host, game } = this;
    const { place } = game;
    if (host.orientation !== this.#orientation) {
      this.#orientation = host.orientation;
      this.#isTurned = false;
    }
    const turned = this.#orientation === 'white' ? 'black' : 'white';
    const line = mainLine(this.#nodes);
    const judged = judgedPart(this.#review, line);
    const best = judgedPosition(line, place.node, judged)?.best;
    this.#board.show({
      ...place,
      orientation: this.#isTurned ? turned : this.#orientation,
      movable: host.hasAttribute('view-only') || place.moves.length === 0 ? undefined : place.turn,
      premovable: undefined,
      follows: false,
      arrows: best ? [{ move: best.uci, brush: 'blue' }] : [],
    });
    this.#list.mark(place.node);
    say(this.#find('#pieces'), `${NAMES[place.turn]} to move. ${describe(place.fen)}`);
    this.#graph.draw(line, place, judged);
    const play = (/** @type {number} */ before, /** @type {string[]} */ moves) => {
      game.go(before);
      this.#play(moves);
    };
    renew(this.#find('#judgement'), this.#find('#moves'), ...judgement(line, place.node, judged, { canPlay: !host.hasAttribute('view-only'), play }));
    const hasMarks = line.some(isMarked);
    for (const id of ['#mistake-before', '#mistake-after']) this.#find(id).hidden = !hasMarks;
    const mayReview = !host.hasAttribute('no-review') && line.length > 1;
    this.#find('#review').hidden = !mayReview;
    this.#find('#review').textContent = this.#stop ? 'Stop' : 'Review';
    this.#find('#players-review').hidden = !this.#review;
    this.#find('#players-review').replaceChildren(...(this.#review ? playersReview(this.#review, namesOf(game.tags)) : []));
    this.#find('#study').hidden = !mayReview && !hasMarks && this.#find('#graph').hidden;
  }

  /* The review. */

  #toggleReview() {
    if (this.#stop) this.#stop();
    else this.#reviewing = this.#runReview();
  }

  async #runReview() {
    let isWanted = true;
    /** @type {RestartingEngine | undefined} */
    let engine;
    // The text is read aloud, and the count changes too often for that.
    const tell = (/** @type {string} */ text, count = '') => {
      if (this.#isClosed) return;
      say(this.#find('#progress'), text);
      say(this.#find('#count'), count);
    };
    this.#stop = () => {
      isWanted = false;
      this.#stop = undefined;
      engine?.stop();
      tell('');
      if (!this.#isClosed) this.draw();
    };
    tell('Waiting for another board.');
    this.draw();
    const path = mainLine(this.#nodes);
    try {
      const review = await shared.run(this, async (running) => {
        if (!isWanted) return undefined;
        engine = running;
        shared.onLoad = (share) => isWanted && tell('Loading the engine.', `${Math.round(share * 100)} %`);
        tell('Loading the engine.');
        const progress = (/** @type {import('../page/review.js').Searched} */ searched) => {
          if (!isWanted) return;
          this.#searched = searched;
          tell('Reviewing the game.', `${searched.lines.length} of ${path.length} positions`);
        };
        return reviewGame(running, this.game, path, progress, this.#searched, this.#review);
      });
      if (!review || !isWanted) return;
      this.#review = review;
      this.#searched = undefined;
      const count = review.moves.filter(({ mark }) => mark).length;
      tell(sentence(mistakesInWords(count)));
    } catch (error) {
      const why = plainReason(error).replace(/^the engine failed and starts again: /, '');
      if (isWanted) tell(sentence(`The engine failed: ${why}`));
    }
    if (!isWanted) return;
    this.#stop = undefined;
    this.change();
  }
}

/** Players, event and year, as far as they are known. @param {Record<string, string>} tags */
function titleOf(tags) {
  const known = (/** @type {string | undefined} */ text) => (text && !/^[?.]*$/.test(text) ? text : '');
  const names = namesOf(tags);
  const players = known(tags.White) || known(tags.Black) ? `${names.white} – ${names.black}` : '';
  const year = /^\d{4}/.exec(tags.Date ?? '')?.[0] ?? '';
  return [players, [known(tags.Event), year].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

if (globalThis.customElements && !customElements.get('tabiya-board')) {
  customElements.define('tabiya-board', /** @type {CustomElementConstructor} */ (/** @type {unknown} */ (TabiyaBoard)));
}
