/**
 * The page without its looks. It lets the state machine decide what runs, and has a method for each thing
 * the user does. What there is, is in its parts, which know nothing of each other's users: the tree of
 * moves, the game that is played, the engine's lines, the lesson, the kept games. Views read the parts,
 * are called after each change, and call the methods here.
 */
import { chess960Start } from '../engine/rules.js';
import { Analysis } from './analysis.js';
import { failure, sentence } from './dom.js';
import { RestartingEngine } from './engines.js';
import { Keeping, isBlank, titleOf } from './keeping.js';
import { LiveGame, createGame, createMatch } from './live.js';
import { checkSize } from './movelist.js';
import { agrees, decide } from './opponent.js';
import { PLAYED_STAYS, UNMOVABLE } from './sentences.js';
import { soundOf } from './sounds.js';
import { AGAIN, advice, isThinking, may, next } from './state.js';
import { choose, unkept } from './store.js';
import { Study } from './study.js';
import { Tree, browse } from './tree.js';
import { mistakesInWords, other } from './words.js';

/** @typedef {import('../engine/rules.js').Game} Game */
/** @typedef {import('./words.js').Color} Color */
/** @typedef {import('./live.js').Match} Match */
/** @typedef {import('./sounds.js').Sound} Sound */

export class App {
  /** @type {import('./state.js').State} */
  state = 'loading';
  opponent = this.#createEngine();
  adviser = this.#createEngine();
  tree = new Tree();
  live = this.#createLive(undefined);
  analysis = new Analysis(this.adviser, this.tree);
  study = new Study(this.tree);
  /** @type {Color} */
  orientation = 'white';
  /** What happened last, as a sentence for the status. */
  note = '';
  /** Why the engine cannot play. */
  failure = '';
  /** How much of the engine is loaded, from 0 to 1. @type {number | undefined} */
  progress;
  /** What the board editor shows while it is open. @type {import('./store.js').Draft | undefined} */
  draft;
  /** The last note that is of no use after the page was loaded again. */
  #passing = '';
  /** @type {(() => void)[]} */
  #views = [];
  /** @type {((sound: Sound) => void)[]} */
  #listeners = [];

  /** @param {import('./store.js').Games} games */
  constructor(games) {
    const onUnkept = () => {
      this.#pass(unkept(games));
      this.show();
    };
    this.keeping = new Keeping(games, { kept: () => this.#kept, onUnkept });
  }

  /** Calls a view now and after each change. @param {() => void} view */
  watch(view) {
    this.#views.push(view);
    view();
  }

  /** @param {(sound: Sound) => void} listener */
  hear(listener) {
    this.#listeners.push(listener);
  }

  show() {
    for (const view of this.#views) view();
  }

  /** @param {Sound} sound */
  #sound(sound) {
    for (const listener of this.#listeners) listener(sound);
  }

  /** A note that is not kept. @param {string} note */
  #pass(note) {
    this.note = note;
    this.#passing = note;
  }

  /* Games. */

  /**
   * @param {Match & { chess960?: boolean, fromHere?: boolean, fen?: string }} choice
   * @param {{ isChosen?: boolean }} [options]  not by the user if the page begins with it
   */
  start({ chess960 = false, fromHere = false, fen: position, ...choice }, { isChosen = true } = {}) {
    const { game } = this.tree;
    const fen = chess960 ? chess960Start(Math.floor(Math.random() * 960)) : position;
    const start = fromHere ? { fen: game.fen, chess960: game.chess960 } : { fen, chess960 };
    const match = createMatch(choice);
    this.#replace(createGame(match, start), match);
    this.live.setUpClock();
    this.orientation = match.side === 'black' ? 'black' : 'white';
    if (isChosen) this.keeping.touch();
    this.analysis.setLines(false);
    this.#changed();
  }

  /**
   * An ending against the engine at full strength.
   * @param {import('../engine/rules.d.ts').Ending} ending
   * @param {boolean} coach
   */
  practise({ name, goal, fen, side }, coach) {
    this.start({ side, level: 0, clock: '', coach, practice: { name, goal }, fen });
  }

  /** An analysis board with this game. Refuses one that is too large. @param {Game} game @param {string} [note] */
  open(game, note = '') {
    checkSize(game);
    this.#replace(game, undefined);
    this.note = note;
    // A finished game is read from its start, another goes on at its end.
    game.toEnd();
    if (game.result !== '*') game.toStart();
    this.keeping.touch();
    this.#changed();
  }

  /** Goes on with a kept game. @param {import('./store.js').Kept} listed  as it was when it was chosen */
  async restore(listed) {
    const { game, kept, isOurs } = await this.keeping.take(listed);
    this.#replace(game, kept.match, isOurs ? { taken: kept.id } : { isCopy: true });
    this.orientation = kept.orientation;
    this.draft = kept.draft;
    this.live.restore(kept);
    this.study.restore(kept);
    this.tree.game.go(this.tree.find(kept.path));
    this.#changed();
    this.analysis.restore(kept);
    this.note = kept.note ?? '';
    if (!isOurs) this.#pass('This is a copy: the game is open in another tab.');
    const { state = this.state } = kept;
    if (this.study.lesson || !may.leave(state)) for (const event of AGAIN[state] ?? []) this.#emit(event);
    this.#update();
  }

  /** @param {Game} game @param {Match | undefined} match @param {Parameters<Keeping['begin']>[0]} [origin] */
  #replace(game, match, origin) {
    this.keeping.end(isBlank(this.tree, this.live.match));
    this.live.clock?.stop();
    this.tree.replace(game);
    // The numbers of its moves are those of other moves before.
    this.analysis.clear();
    this.live = this.#createLive(match);
    this.study = new Study(this.tree);
    this.draft = undefined;
    this.note = '';
    this.keeping.begin(origin);
  }

  /** @param {Match | undefined} match */
  #createLive(match) {
    return new LiveGame(this.tree, match, {
      onTick: () => this.show(),
      onFlag: (loser) => this.#act((game) => game.flag(loser), false),
    });
  }

  /** The game as it is kept. @returns {import('./store.js').Kept} */
  get #kept() {
    const { tree } = this;
    return {
      id: this.keeping.id,
      pgn: tree.game.pgn(),
      title: titleOf(tree),
      updated: Date.now(),
      path: tree.stepsTo(tree.place.node),
      ...this.live.kept,
      ...this.study.kept,
      ...this.analysis.kept,
      state: this.state,
      note: this.note === this.#passing ? '' : this.note,
      draft: this.draft,
      orientation: this.orientation,
    };
  }

  /* Moves. */

  /** The user's move, in coordinates or SAN. Throws what is wrong with it. @param {string} text */
  play(text) {
    const { live, tree } = this;
    if (live.clock?.check()) return;
    if (!may.move(this.state)) throw new Error(live.isOver ? 'The game is over.' : (UNMOVABLE[this.state] ?? 'It is not your move.'));
    if (this.state === 'solving') {
      if (this.study.lesson) this.#emit(this.study.lesson.try(text, tree.game));
      return;
    }
    if (live.match && !live.isOver) {
      this.#playMatch(text, true);
      return;
    }
    const move = live.explore(text);
    this.#sound(soundOf(move, tree.place));
    this.keeping.touch();
    this.note = '';
    this.#changed();
  }

  /** Moves along a line, which becomes a variation. @param {string[]} moves */
  follow(moves) {
    if (!may.edit(this.state)) return;
    for (const move of moves) this.live.explore(move);
    this.keeping.touch();
    this.#changed();
  }

  /** @param {string} text @param {boolean} isUsers */
  #playMatch(text, isUsers) {
    const move = this.live.play(text, isUsers);
    this.#sound(soundOf(move, this.live.place));
    this.keeping.touch(isUsers);
    // What is said of the user's move stays until he has read it.
    if (isUsers) this.note = '';
    this.#changed();
  }

  /**
   * An act in the match, such as a claim.
   * @template T
   * @param {(game: Game) => T} act
   * @param {boolean} [isUsers]
   */
  #act(act, isUsers = true) {
    const { live } = this;
    live.clock?.check();
    if (!live.match || live.isOver) return undefined;
    const answer = live.act(act);
    this.keeping.touch(isUsers);
    if (live.isOver) this.#sound('end');
    this.#changed();
    return answer;
  }

  get canTakeBack() {
    return may.takeBack(this.state) && this.live.canTakeBack;
  }

  takeBack() {
    if (this.live.clock?.check() || !this.canTakeBack) return;
    this.keeping.touch();
    this.live.takeBack();
    this.note = 'Taken back. The moves stay in the list as a variation.';
    this.#changed();
  }

  /** Goes on with the move to which the coach objects. */
  accept() {
    if (!may.accept(this.state)) return;
    const { better } = this.live.objection ?? {};
    this.keeping.touch();
    this.live.forgetJudgement();
    this.note = better ? `Better: ${sentence(better.line)}` : '';
    this.#emit('accept');
  }

  resign() {
    const color = this.live.userColor;
    this.#act((game) => game.resign(color));
  }

  /** @param {string} [move] @param {boolean} [isUsers] */
  claim(move, isUsers = true) {
    const answer = this.#act((game) => game.claim(move), isUsers);
    if (answer?.refused) this.note = sentence(answer.refused);
    this.show();
  }

  offerDraw() {
    if (!may.offer(this.state)) return;
    if (this.live.match?.side === 'both') {
      this.#agree(this.live.place.turn);
      return;
    }
    this.note = 'You offer a draw (article 9.1).';
    this.#emit('offer');
  }

  /** The opponent accepts the draw that a player offers. @param {Color} color */
  #agree(color) {
    this.#act((game) => {
      try {
        game.offerDraw(color);
        game.acceptDraw(other(color));
      } catch (error) {
        // It is too early.
        this.note = sentence(/** @type {Error} */ (error).message);
      }
    });
  }

  /* The tree of moves. */

  /** @param {'promote' | 'remove'} change @param {number} [node] */
  edit(change, node = this.tree.place.node) {
    const { live, tree } = this;
    if (!may.edit(this.state) || node === 0) return;
    const displaced = change === 'remove' ? node : tree.above(node);
    if (live.match && tree.pathTo(live.place.node).some((step) => step.id === displaced)) {
      this.note = PLAYED_STAYS;
      this.show();
      return;
    }
    this.keeping.touch();
    tree.game[change](node);
    this.#changed();
  }

  /**
   * Replaces the sign of a move, by its glyph or 0 for none, or the text about it.
   * @param {number} node
   * @param {{ glyph?: number, text?: string }} change
   */
  annotate(node, change) {
    const notes = this.tree.notesWith(node, change);
    if (!may.edit(this.state) || !notes) return;
    this.tree.game.annotate(node, notes);
    this.keeping.touch();
    this.#changed();
  }

  undo() {
    this.#revise('undo');
  }

  redo() {
    this.#revise('redo');
  }

  /** Changes the tree, but not the game that was played. @param {'undo' | 'redo'} change */
  #revise(change) {
    if (!may.edit(this.state)) return;
    const isDone = this.live.revise(change);
    if (isDone === undefined) return;
    if (!isDone) {
      this.note = PLAYED_STAYS;
      this.show();
      return;
    }
    this.keeping.touch();
    this.#changed();
  }

  /** @param {number} node */
  goTo(node) {
    this.tree.game.go(node);
    this.#emit('browsed');
  }

  /** @param {'first' | 'previous' | 'next' | 'last'} where */
  browse(where) {
    const { live, tree } = this;
    if (where === 'last' && live.match && !live.isOver) tree.game.go(live.place.node);
    else browse(tree.game, where);
    this.#emit('browsed');
  }

  /** To the variation above or below. @param {1 | -1} step */
  sibling(step) {
    const to = this.tree.sibling(step);
    if (to !== undefined) this.goTo(to);
  }

  flip() {
    this.orientation = other(this.orientation);
    this.keeping.touch();
    this.keeping.save();
    this.show();
  }

  /** What is set up in the board editor is kept with the game. @param {import('./store.js').Draft} [draft] */
  setDraft(draft) {
    this.draft = draft;
    this.keeping.touch();
    this.keeping.save();
  }

  /* What the user asks the engines. */

  askHint() {
    this.#emit('hint');
  }

  /** @param {boolean} wants */
  setLines(wants) {
    this.analysis.setLines(wants);
    if (!this.live.match) choose({ lines: wants });
    this.#update();
  }

  /** Searches on, until the position changes. */
  goOn() {
    this.analysis.isEndless = true;
    this.#update();
  }

  toggleThreat() {
    this.analysis.toggleThreat();
    if (this.analysis.wantsThreat && !this.analysis.wantsLines) this.setLines(true);
    this.#update();
  }

  toggleReview() {
    if (may.review(this.state)) this.keeping.touch();
    this.note = this.state === 'reviewing' ? 'The review was stopped.' : '';
    this.#emit(this.state === 'reviewing' ? 'stop' : 'review');
  }

  retry() {
    this.failure = '';
    this.#emit('retry');
  }

  /* The mistakes of a review. */

  /** Begins with the mistakes of a player, or goes on where they were left. @param {Color} [color] */
  learn(color = this.live.match && this.live.match.side !== 'both' ? this.live.userColor : this.orientation) {
    if (!may.learn(this.state) || !this.live.isUser(color) || !this.study.learn(color)) return;
    this.orientation = color;
    this.#ask();
  }

  /** To the next mistake. After the last one, the lesson is over. */
  nextMistake() {
    const { lesson } = this.study;
    if (!lesson || !may.leave(this.state)) return;
    if (lesson.next()) {
      this.#ask();
      return;
    }
    this.study.lesson = undefined;
    this.note = `That was the last one: you found ${lesson.found} of ${lesson.list.length} on the first try.`;
    this.#emit('stop');
  }

  /** Shows the position before the mistake. */
  #ask() {
    this.tree.game.go(this.study.lesson?.mistake.node.parent ?? 0);
    this.note = '';
    this.analysis.clear();
    this.#emit('learn');
  }

  showAnswer() {
    const { lesson } = this.study;
    if (!lesson || !may.show(this.state)) return;
    lesson.show(this.tree.game);
    this.#emit('show');
  }

  stopLearning() {
    const { lesson } = this.study;
    if (!may.leave(this.state)) return;
    if (lesson) lesson.shown = undefined;
    this.#emit('stop');
  }

  /* The machine. */

  /** The game has changed. */
  #changed() {
    // It said why the last change was refused.
    if (this.note === PLAYED_STAYS) this.note = '';
    this.tree.touch();
    this.live.update();
    this.#emit('changed');
  }

  /** @param {import('./state.js').Event} event */
  #emit(event) {
    this.state = next(this.state, event, this.live.facts);
    this.analysis.dropLines();
    if (event === 'changed' || event === 'browsed') {
      this.analysis.move();
      if (event === 'browsed' && this.state !== 'offering' && this.state !== 'reviewing') this.note = '';
    }
    this.#work();
    this.show();
    if (event === 'browsed') this.keeping.saveSoon();
    else this.keeping.save();
  }

  /** What the engines are asked has changed, and the state has not. */
  #update() {
    this.#work();
    this.keeping.save();
    this.show();
  }

  /** Starts and ends what the engines do, so that it is what the state asks for. */
  #work() {
    const { id } = this.keeping;
    const live = this.live.place.node;
    this.opponent.work(isThinking(this.state) ? `${id} ${live}` : '', (isCurrent) => void this.#think(isCurrent));
    const kind = advice(this.state, this.analysis.wantsLines);
    const { node } = this.tree.place;
    const about = { hint: node, offer: live, judge: live, review: id, check: `${node} ${this.study.lesson?.shown?.uci}`, lines: this.analysis.question };
    this.adviser.work(kind ? `${id} ${kind} ${about[kind]}` : '', (isCurrent) => void (kind && this.#advise(kind, isCurrent)));
  }

  /** The engine moves, or claims a draw. @param {() => boolean} isCurrent */
  async #think(isCurrent) {
    try {
      const decision = await decide(this.opponent, this.live, isCurrent);
      if (decision?.claim) this.claim(decision.claim.with, false);
      else if (decision) this.#playMatch(decision.move, false);
    } catch (error) {
      await nextTask();
      if (!isCurrent()) return;
      // Who cannot move does not lose on time. It runs again when the engine is loaded.
      this.live.clock?.stop();
      this.failure = failure(error);
      this.#emit('broke');
    }
  }

  /** @param {NonNullable<ReturnType<typeof advice>>} kind @param {() => boolean} isCurrent */
  async #advise(kind, isCurrent) {
    try {
      if (kind === 'lines') await this.analysis.findLines(isCurrent, () => this.show());
      else await { hint: this.#findHint, offer: this.#answerOffer, judge: this.#judge, review: this.#review, check: this.#check }[kind].call(this, isCurrent);
    } catch (error) {
      await nextTask();
      if (!isCurrent()) return;
      const why = failure(error);
      if (kind === 'judge') this.failure = why;
      else if (kind === 'check') this.study.lesson?.fail(`The engine gives no answer. ${why}`);
      else this.#pass(`The engine gives no answer. ${why}`);
      if (kind === 'lines') this.analysis.setLines(false);
      this.#emit('broke');
    }
  }

  /** @param {() => boolean} isCurrent */
  async #findHint(isCurrent) {
    const san = await this.analysis.findHint(isCurrent);
    if (san === undefined) return;
    this.note = `Hint: ${san}.`;
    this.#emit('answered');
  }

  /** @param {() => boolean} isCurrent */
  async #answerOffer(isCurrent) {
    const agreed = await agrees(this.adviser, this.live);
    if (agreed === undefined || !isCurrent()) return;
    if (agreed) {
      this.#agree(this.live.userColor);
      return;
    }
    this.note = 'Tabiya declines the draw.';
    this.#emit('answered');
  }

  /** The coach judges the user's last move. @param {() => boolean} isCurrent */
  async #judge(isCurrent) {
    if (await this.live.judge(this.adviser, isCurrent)) this.#emit('answered');
  }

  /** The move in place of a mistake is judged. @param {() => boolean} isCurrent */
  async #check(isCurrent) {
    const event = await this.study.lesson?.check(this.adviser, this.tree, isCurrent);
    if (event) this.#emit(event);
  }

  /** @param {() => boolean} isCurrent */
  async #review(isCurrent) {
    this.#pass('Reviewing the game.');
    const count = await this.study.runReview(this.adviser, isCurrent, () => {
      this.show();
      this.keeping.saveSoon();
    });
    if (count === undefined) return;
    this.note = `Reviewed: ${mistakesInWords(count)}.`;
    this.#emit('answered');
  }

  /** Loads the engine before it is needed. */
  async preload() {
    await this.opponent.load().catch(() => {});
    this.progress = undefined;
    this.show();
  }

  /** The addresses have the version, so that a script never gets the WebAssembly of another. */
  #createEngine() {
    return new RestartingEngine({
      worker: `tabiya.js?v=${VERSION}`,
      wasm: `tabiya.wasm?v=${VERSION}`,
      onProgress: ({ loaded, total }) => {
        this.progress = loaded < total ? loaded / total : undefined;
        this.show();
      },
    });
  }
}

/**
 * Before a failure is believed. The browser breaks off what a page loads when the page is left, sometimes
 * before it says so: then no other task comes, and what was waited for is kept, and not that it failed.
 */
const nextTask = () => new Promise((resolve) => window.setTimeout(resolve));
