/**
 * The page without its looks: the game, who plays it, what the engines do. Views read from here and
 * are called after each change; they call the methods that are named after what the user does.
 */
import { chess960Start, Game, levels } from '../engine/rules.js';
import { Clock } from './clock.js';
import { sentence } from './dom.js';
import { RestartingEngine, searchLines, whiteScore } from './engines.js';
import { mistakes } from './judged.js';
import { checkSize } from './movelist.js';
import { judgeMove, reviewGame } from './review.js';
import { AGAIN, advice, isThinking, may, next } from './state.js';
import { choices, choose, unkept } from './store.js';
import { at, mainLine } from './tree.js';
import { LAST_MARK, NAMES, ending, goalLost, marked, opinion, other, withText } from './words.js';

/** Milliseconds: the engine's time without a clock, the least it takes, and the time for advice. */
const MOVE_TIME = 1000;
const LEAST_TIME = 400;
const ADVICE_TIME = 800;
/** Milliseconds after which a place that was looked at is kept, and the searches of a review. */
const SAVING = 1000;
/** Moves in the title of a game without players. */
const TITLE_PLIES = 6;
/** How long lines are searched before the user has to ask for more. */
const PATIENCE = 'movetime 30000';
const LINES = 3;
/** The engine declines draws before this move number. */
const OFFER_MOVE = 10;
/** The marks of moves to which the coach objects. An inaccuracy would stop a beginner at each move. */
const OBJECTED = ['mistake', 'blunder'];

/** @typedef {import('./words.js').Color} Color */
/** @typedef {import('../engine/rules.d.ts').Place} Place */
/**
 * A game that is played here.
 * @typedef {object} Match
 * @property {Color | 'both'} side  that of the user
 * @property {number} level  the engine's Elo; 0 for full strength
 * @property {string} clock  minutes, `+`, seconds; empty without a clock
 * @property {boolean} [coach]  whether each move of the user is judged before the engine answers
 * @property {{ name: string, goal: 'win' | 'draw' }} [practice]  an ending of the Gym
 */
/** @typedef {{ node: number, lines: { score: string, uci: string, moves: import('../engine/rules.d.ts').LineMove[] }[],
 *   depth: string, bar: { expected: number, text: string } }} Lines */

/**
 * The mistakes of a player, one after the other.
 * @typedef {object} Lesson
 * @property {Color} color
 * @property {import('./judged.js').Mistake[]} list
 * @property {number} index  of the one that is asked
 * @property {number} found
 * @property {boolean} isTried  whether a wrong move was made, or the answer shown
 * @property {boolean} isDone  whether the better move was found or shown
 * @property {string} said  about the last try
 * @property {import('../engine/rules.d.ts').LineMove} [shown]  the move on the board, which the game does not have
 */

export class App {
  /** @type {import('./state.js').State} */
  state = 'loading';
  game = new Game();
  /** @type {Match | undefined} */
  match;
  /** The last position of the match. @type {Place} */
  live;
  /** @type {Clock | undefined} */
  clock;
  /** @type {Color} */
  orientation = 'white';
  /** What happened last, as a sentence for the status. */
  note = '';
  /** The hint: a move of the position on the board. @type {string | undefined} */
  hint;
  /** What the opponent would play if the user passed. @type {string | undefined} */
  threat;
  wantsThreat = false;
  wantsLines = Boolean(choices().lines);
  /** Lines of the position on the board. @type {Lines | undefined} */
  lines;
  isEndless = false;
  /** Why the engine cannot play. */
  failure = '';
  /** How much of the engine is loaded, from 0 to 1. @type {number | undefined} */
  progress;
  /** The last review of the game. @type {import('./review.js').GameReview | undefined} */
  review;
  /** What the coach says against the user's last move. @type {import('./review.js').Judged | undefined} */
  objection;
  /** @type {Lesson | undefined} */
  lesson;
  /** Counts changes of the tree, so that a view knows when to draw it again. */
  version = 0;
  opponent = this.#createEngine();
  adviser = this.#createEngine();
  /** The engine's last score for itself, in centipawns. */
  #engineScore = 0;
  /** The engines' work that runs, by name. */
  #thought = '';
  #advised = '';
  /** Whether moves were taken back, so that the next one is a variation that becomes the game. */
  #tookBack = false;
  /** @type {{ version: number, list: import('../engine/rules.d.ts').GameNode[] } | undefined} */
  #nodes;
  /** @type {(() => void)[]} */
  #views = [];
  /** @type {((event: 'move' | 'capture' | 'check' | 'end') => void)[]} */
  #heard = [];
  /** @type {import('./store.js').Kept['end']} */
  #end;
  /** Whether the coach has to judge the user's last move. */
  #isUnjudged = false;
  /** Of the game, among the kept ones. */
  id = newId();
  /** Whether the game is worth keeping: the user has chosen it, or done something with it. */
  #isTouched = false;
  /** What the board editor shows while it is open. @type {import('./store.js').Draft | undefined} */
  draft;
  /** What a review that was stopped has found. @type {import('./review.js').Searched | undefined} */
  #searched;
  /** Whether it is the copy of a game that another tab has. Until the user does something with it, it is not kept. */
  #isCopy = false;
  /** Whether the user knows that his games are not kept. */
  #knowsUnkept = false;
  /** The last note that is of no use after the page was loaded again. */
  #passing = '';
  #saving = 0;

  /** @param {import('./store.js').Games} games */
  constructor(games) {
    this.games = games;
    this.live = this.game.place;
  }

  /** Calls a view now and after each change. @param {() => void} view */
  watch(view) {
    this.#views.push(view);
    view();
  }

  /** @param {(event: 'move' | 'capture' | 'check' | 'end') => void} listener */
  hear(listener) {
    this.#heard.push(listener);
  }

  show() {
    for (const view of this.#views) view();
  }

  /* What is. */

  get place() {
    return this.game.place;
  }

  /** Start and moves of the match, for a question to the referee. */
  get livePosition() {
    return this.#position(this.live.node);
  }

  get isLive() {
    return this.place.node === this.live.node;
  }

  /** All moves with their notes. @returns {import('../engine/rules.d.ts').GameNode[]} */
  get nodes() {
    if (this.#nodes?.version !== this.version) this.#nodes = { version: this.version, list: this.game.nodes() };
    return this.#nodes.list;
  }

  /** How the match has ended, or the position on the board if there is no match. */
  get status() {
    if (!this.match) return this.place.status;
    return this.#end ?? this.live.status;
  }

  get isOver() {
    return this.status.kind !== 'playing';
  }

  get isUsersTurn() {
    return this.match?.side === 'both' || this.match?.side === this.live.turn;
  }

  /** The user's colour in a match, that of the side to move if he plays both. */
  get userColor() {
    const side = this.match?.side;
    return side === 'white' || side === 'black' ? side : this.live.turn;
  }

  /** Whether the game that is played would be lost by another. */
  get isAtStake() {
    return Boolean(this.match) && !this.isOver && this.live.ply > 0;
  }

  get names() {
    const { White = 'White', Black = 'Black' } = this.game.tags;
    return { white: White === '?' ? 'White' : White, black: Black === '?' ? 'Black' : Black };
  }

  get canTakeBack() {
    if (!this.match || !may.takeBack(this.state) || this.#end) return false;
    return this.live.ply >= (this.isUsersTurn && this.match.side !== 'both' ? 2 : 1);
  }

  /** @returns {import('./state.js').Facts} */
  get #facts() {
    return {
      match: Boolean(this.match),
      over: this.isOver,
      live: this.isLive,
      usersTurn: this.isUsersTurn,
      unjudged: this.#isUnjudged,
      objected: Boolean(this.objection),
    };
  }

  /** What is on the board: the place in the game, or the move that is tried in place of a mistake. @returns {Place} */
  get shown() {
    const { place } = this;
    const move = may.leave(this.state) ? this.lesson?.shown : undefined;
    if (!move) return place;
    const [from, to] = [move.uci.slice(0, 2), move.uci.slice(2, 4)];
    return { ...place, fen: move.fen, turn: other(place.turn), check: /[+#]/.test(move.san), moves: [], lastMove: /** @type {any} */ ({ ...move, from, to }) };
  }

  /** A move that shows what is wrong: the reply to the user's move, or the mistake itself. */
  get refutation() {
    const { objection, state } = this;
    if (state === 'solving') return this.mistake?.node.uci;
    return state === 'objecting' && this.isLive && objection?.reason && !objection.reason.missed ? objection.reason.moves[0] : undefined;
  }

  /** The mistake that is asked. */
  get mistake() {
    return this.lesson?.list[this.lesson.index];
  }

  /** The marked moves of a player. @param {Color} color */
  mistakes(color) {
    return mistakes(this.review, this.nodes, color);
  }

  /** Whether the mistakes of this player are those of the user. @param {Color} color */
  isLearner(color) {
    return !this.match || this.match.side === 'both' || this.match.side === color;
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
  start({ chess960 = false, fromHere = false, fen: position, ...match }, { isChosen = true } = {}) {
    const here = { fen: this.place.fen, chess960: this.game.chess960 };
    const fen = chess960 ? chess960Start(Math.floor(Math.random() * 960)) : position;
    const game = new Game(fromHere ? here : { fen, chess960 });
    const engine = match.level ? `Tabiya (${match.level})` : 'Tabiya';
    const side = match.side;
    // The coach needs time, and so does who listens.
    match.coach = match.coach && side !== 'both';
    if (match.coach) match.clock = '';
    game.setTag('Event', match.practice?.name ?? 'Casual game');
    game.setTag('Date', today());
    game.setTag('White', side === 'both' ? 'White' : side === 'white' ? 'You' : engine);
    game.setTag('Black', side === 'both' ? 'Black' : side === 'black' ? 'You' : engine);
    this.#replace(game, match);
    this.orientation = side === 'black' ? 'black' : 'white';
    this.#isTouched = isChosen;
    this.setLines(false);
    if (match.clock) {
      const [minutes, increment] = match.clock.split('+').map(Number);
      this.clock = this.#createClock({ white: minutes * 60e3, black: minutes * 60e3, increment: increment * 1e3 });
    }
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
    this.#touch();
    this.#changed();
  }

  /** @param {Game} game @param {Match | undefined} match @param {string} [taken]  its id, if it is that of this tab */
  #replace(game, match, taken) {
    if (this.#saving) this.save();
    // Nothing is lost with a game that has not begun.
    if (this.#isTouched && this.#isBlank) void this.games.remove(this.id);
    this.clock?.stop();
    this.clock = undefined;
    this.game = game;
    this.version += 1;
    this.match = match;
    this.live = game.place;
    this.#end = undefined;
    this.review = undefined;
    this.lesson = undefined;
    this.draft = undefined;
    this.#searched = undefined;
    this.#forgetJudgement();
    this.#tookBack = false;
    this.#engineScore = 0;
    this.note = '';
    this.id = taken ?? newId();
    this.#isTouched = false;
    this.#isCopy = false;
    if (!taken) this.games.begin(this.id);
  }

  /** Whether the game has nothing of its own yet: no move, text or name, and a position that is found again. */
  get #isBlank() {
    const [start, ...moves] = this.nodes;
    const { White = '?', Black = '?', Event = '?', FEN } = this.game.tags;
    const isNamed = !this.match && [White, Black, Event].some((name) => name !== '?');
    const isKnown = this.game.chess960 || this.match?.practice || !FEN;
    return moves.length === 0 && !start.comments && !isNamed && isKnown;
  }

  /** @param {{ white: number, black: number, increment: number }} times */
  #createClock(times) {
    return new Clock(times, {
      onTick: () => this.show(),
      onFlag: (loser) => this.#act(() => this.game.flag(loser), false),
    });
  }

  /* Moves. */

  /** The user's move, in coordinates or SAN. Throws what is wrong with it. @param {string} text */
  play(text) {
    if (this.clock?.check()) return;
    if (!may.move(this.state)) throw new Error(this.isOver ? 'The game is over.' : (UNMOVABLE[this.state] ?? 'It is not your move.'));
    if (this.state === 'solving') {
      this.#try(text);
      return;
    }
    if (this.match && !this.isOver) {
      this.#playMatch(text, true);
      return;
    }
    this.#sound(this.game.move(text));
    this.#touch();
    this.note = '';
    this.#changed();
  }

  /** Moves along a line, which becomes a variation. @param {string[]} moves */
  follow(moves) {
    if (!may.edit(this.state)) return;
    for (const move of moves) this.game.move(move);
    this.#touch();
    this.#changed();
  }

  /** @param {string} text @param {boolean} isUsers */
  #playMatch(text, isUsers) {
    const here = this.place.node;
    const wasLive = this.isLive;
    this.game.go(this.live.node);
    try {
      this.#sound(this.game.move(text));
      if (this.#tookBack) this.#makeMain();
      this.#tookBack = false;
      this.live = this.place;
    } finally {
      if (!wasLive) this.game.go(here);
    }
    this.#touch(isUsers);
    // What is said of the user's move stays until he has read it.
    if (isUsers) this.note = '';
    this.#isUnjudged = isUsers && Boolean(this.match?.coach) && this.live.status.kind !== 'won';
    if (this.clock && !this.clock.running && !this.isOver) this.clock.start(this.live.turn);
    else this.clock?.press();
    this.#changed();
  }

  /** The move on the board becomes the first of those after its parent. */
  #makeMain() {
    const { node, parent } = this.place;
    for (;;) {
      const above = this.game.nodes().find((/** @type {any} */ { id }) => id === parent);
      if (!above || above.children.indexOf(node) <= 0) return;
      this.game.promote(node);
    }
  }

  /** @param {import('../engine/rules.d.ts').MoveInfo} move */
  #sound(move) {
    const event = this.place.status.kind !== 'playing' ? 'end' : this.place.check ? 'check' : move.captured ? 'capture' : 'move';
    for (const listener of this.#heard) listener(event);
  }

  /** An act in the match, such as a claim. @param {() => unknown} act @param {boolean} [isUsers] */
  #act(act, isUsers = true) {
    this.clock?.check();
    if (!this.match || this.isOver) return undefined;
    const here = this.place.node;
    const wasLive = this.isLive;
    this.game.go(this.live.node);
    const answer = act();
    this.live = this.place;
    this.#touch(isUsers);
    const { status } = this.place;
    if (status.kind !== 'playing') {
      this.#end = status;
      this.#forgetJudgement();
      for (const listener of this.#heard) listener('end');
    }
    if (!wasLive) this.game.go(here);
    this.#changed();
    return answer;
  }

  takeBack() {
    if (this.clock?.check()) return;
    if (!this.canTakeBack || !this.match) return;
    // Without the engine's move, too, so that the user is to move.
    const plies = this.match.side !== 'both' && this.isUsersTurn ? 2 : 1;
    this.#touch();
    this.game.go(this.live.node);
    this.game.back(plies);
    this.live = this.place;
    this.#tookBack = true;
    this.#forgetJudgement();
    this.note = 'Taken back. The moves stay in the list as a variation.';
    if (this.clock?.running) this.clock.start(this.live.turn);
    this.#changed();
  }

  #forgetJudgement() {
    this.#isUnjudged = false;
    this.objection = undefined;
  }

  /** Goes on with the move to which the coach objects. */
  accept() {
    if (!may.accept(this.state)) return;
    const { better } = this.objection ?? {};
    this.#touch();
    this.#forgetJudgement();
    this.note = better ? `Better: ${sentence(better.line)}` : '';
    this.#emit('accept');
  }

  resign() {
    const color = this.userColor;
    this.#act(() => this.game.resign(color));
  }

  /** @param {string} [move] @param {boolean} [isUsers] */
  claim(move, isUsers = true) {
    const answer = /** @type {{ refused?: string } | undefined} */ (this.#act(() => this.game.claim(move), isUsers));
    if (answer?.refused) this.note = sentence(answer.refused);
    this.show();
  }

  /* The tree of moves. */

  /** @param {'promote' | 'remove'} change @param {number} [node] */
  edit(change, node = this.place.node) {
    if (!may.edit(this.state) || node === 0) return;
    const liveGone = change === 'remove' && this.match && this.#path(this.live.node).some((step) => step.id === node);
    if (liveGone) {
      this.note = 'The moves of the game itself stay.';
      this.show();
      return;
    }
    this.#touch();
    this.game[change](node);
    this.#changed();
  }

  /**
   * Replaces the sign of a move, by its glyph or 0 for none, or the text about it.
   * @param {number} node
   * @param {{ glyph?: number, text?: string }} notes
   */
  annotate(node, { glyph, text }) {
    const { comments = [], glyphs = [] } = this.#byId.get(node) ?? {};
    const notes = {
      comments: text === undefined ? comments : withText(comments, text),
      glyphs: glyph === undefined ? glyphs : [...(glyph > 0 ? [glyph] : []), ...glyphs.filter((other) => other > LAST_MARK)],
    };
    if (!may.edit(this.state) || JSON.stringify(notes) === JSON.stringify({ comments, glyphs })) return;
    this.game.annotate(node, notes);
    this.#touch();
    this.#changed();
  }

  undo() {
    if (may.edit(this.state) && this.place.canUndo) this.#unlessPlayed(() => this.game.undo(), () => this.game.redo());
  }

  redo() {
    if (may.edit(this.state) && this.place.canRedo) this.#unlessPlayed(() => this.game.redo(), () => this.game.undo());
  }

  /** Changes the tree, but not the game that was played. @param {() => void} change @param {() => void} revert */
  #unlessPlayed(change, revert) {
    const { match, live, place } = this;
    const played = () => match && JSON.stringify([this.#position(live.node), this.#steps(live.node), this.game.result]);
    try {
      const before = played();
      change();
      this.version += 1;
      if (played() !== before) throw new Error('a move of the game');
      this.#touch();
      this.#changed();
    } catch {
      revert();
      this.version += 1;
      this.game.go(place.node);
      this.note = 'The moves of the game itself stay.';
      this.show();
    }
  }

  /** @param {number} node */
  goTo(node) {
    this.game.go(node);
    this.#browsed();
  }

  /** @param {'first' | 'previous' | 'next' | 'last'} where */
  browse(where) {
    if (where === 'last' && this.match && !this.isOver) this.game.go(this.live.node);
    else ({ first: () => this.game.toStart(), previous: () => this.game.back(), next: () => this.game.forward(), last: () => this.game.toEnd() })[where]();
    this.#browsed();
  }

  /** To the variation above or below. @param {1 | -1} step */
  sibling(step) {
    const { node, parent } = this.place;
    const children = this.nodes.find(({ id }) => id === parent)?.children ?? [];
    const to = children[children.indexOf(node) + step];
    if (to !== undefined) this.goTo(to);
  }

  #browsed() {
    this.#emit('browsed');
  }

  flip() {
    this.orientation = other(this.orientation);
    this.#touch();
    this.save();
    this.show();
  }

  /** What is set up in the board editor is kept with the game. @param {import('./store.js').Draft} [draft] */
  setDraft(draft) {
    this.draft = draft;
    this.#touch();
    this.save();
  }

  /* What the user asks the engines. */

  askHint() {
    this.#emit('hint');
  }

  offerDraw() {
    if (!may.offer(this.state)) return;
    if (this.match?.side === 'both') {
      const color = this.live.turn;
      this.#agree(color);
      return;
    }
    this.note = 'You offer a draw (article 9.1).';
    this.#emit('offer');
  }

  /** The opponent accepts the draw that a player offers. @param {Color} color */
  #agree(color) {
    this.#act(() => {
      try {
        this.game.offerDraw(color);
        this.game.acceptDraw(other(color));
      } catch (error) {
        // It is too early.
        this.note = sentence(/** @type {Error} */ (error).message);
      }
    });
  }

  /** Begins with the mistakes of a player, or goes on where they were left. @param {Color} color */
  learn(color = this.match && this.match.side !== 'both' ? this.userColor : this.orientation) {
    const list = this.mistakes(color);
    if (!may.learn(this.state) || list.length === 0 || !this.isLearner(color)) return;
    const left = this.lesson?.color === color ? this.lesson : { index: 0, found: 0, isTried: false, isDone: false };
    const index = left.index + Number(left.isDone);
    const isNew = index >= list.length;
    this.lesson = { color, list, index: isNew ? 0 : index, found: isNew ? 0 : left.found, isTried: left.isTried && !left.isDone, isDone: false, said: '' };
    this.orientation = color;
    this.#ask();
  }

  /** To the next mistake. After the last one, the lesson is over. */
  nextMistake() {
    const { lesson } = this;
    if (!lesson || !may.leave(this.state)) return;
    if (lesson.index + 1 < lesson.list.length) {
      this.lesson = { ...lesson, index: lesson.index + 1, isTried: false, isDone: false, said: '', shown: undefined };
      this.#ask();
      return;
    }
    this.lesson = undefined;
    this.note = `That was the last one: you found ${lesson.found} of ${lesson.list.length} at once.`;
    this.#emit('stop');
  }

  showAnswer() {
    const { lesson, mistake } = this;
    if (!lesson || !mistake || !may.show(this.state)) return;
    lesson.isTried = true;
    lesson.isDone = true;
    lesson.shown = this.game.line([mistake.best.uci])[0];
    lesson.said = `The better move: ${sentence(mistake.best.line)}`;
    this.#emit('show');
  }

  stopLearning() {
    if (!may.leave(this.state)) return;
    if (this.lesson) this.lesson.shown = undefined;
    this.#emit('stop');
  }

  /** Shows the position before the mistake. */
  #ask() {
    if (!this.mistake) return;
    this.game.go(this.mistake.node.parent ?? 0);
    this.note = '';
    this.hint = undefined;
    this.threat = undefined;
    this.lines = undefined;
    this.#emit('learn');
  }

  /** A move in place of the mistake. Throws what is wrong with it. @param {string} text */
  #try(text) {
    const { lesson, mistake } = this;
    if (!lesson || !mistake) return;
    const trial = new Game({ fen: this.place.fen, chess960: this.game.chess960 });
    const move = trial.move(text);
    trial.free();
    lesson.shown = this.game.line([move.uci])[0];
    if (move.uci === mistake.best.uci) this.#found('');
    else if (move.uci === mistake.node.uci) this.#miss(`${move.san} was played: find another move.`);
    else this.#emit('try');
  }

  /** The tried move is right. @param {string} said */
  #found(said) {
    const { lesson, mistake } = this;
    if (!lesson || !mistake) return;
    if (!lesson.isTried) lesson.found += 1;
    lesson.isDone = true;
    lesson.said = `Right! ${said || sentence(mistake.best.line)}`;
    this.#emit('right');
  }

  /** The tried move is wrong. @param {string} said */
  #miss(said) {
    if (!this.lesson) return;
    this.lesson.isTried = true;
    this.lesson.shown = undefined;
    this.lesson.said = said;
    this.#emit('wrong');
  }

  toggleReview() {
    if (may.review(this.state)) this.#touch();
    this.note = this.state === 'reviewing' ? 'The review was stopped.' : '';
    this.#emit(this.state === 'reviewing' ? 'stop' : 'review');
  }

  retry() {
    this.failure = '';
    this.#emit('retry');
  }

  /** @param {boolean} wants */
  setLines(wants) {
    this.wantsLines = wants;
    this.isEndless = false;
    if (!wants) this.lines = this.threat = undefined;
    if (!this.match) choose({ lines: wants });
    this.#work();
    this.save();
    this.show();
  }

  /** Searches on, until the position changes. */
  goOn() {
    this.isEndless = true;
    this.#work();
    this.save();
    this.show();
  }

  toggleThreat() {
    this.wantsThreat = !this.wantsThreat;
    if (!this.wantsThreat) this.threat = undefined;
    else if (!this.wantsLines) this.setLines(true);
    this.#work();
    this.save();
    this.show();
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

  /* The machine. */

  #changed() {
    this.version += 1;
    if (!this.match) this.live = this.place;
    if (this.isOver) this.clock?.stop();
    this.#emit('changed');
  }

  /** @param {import('./state.js').Event} event */
  #emit(event) {
    const node = this.place.node;
    this.state = next(this.state, event, this.#facts);
    if (this.lines?.node !== node) this.lines = undefined;
    if (event === 'changed' || event === 'browsed') {
      this.hint = undefined;
      this.threat = undefined;
      this.isEndless = false;
      if (event === 'browsed' && this.state !== 'offering' && this.state !== 'reviewing') this.note = '';
    }
    this.#work();
    this.show();
    if (event === 'browsed') this.#saveSoon();
    else this.save();
  }

  /** Starts and ends what the engines do, so that it is what the state asks for. */
  #work() {
    const thought = isThinking(this.state) ? `${this.id} ${this.live.node}` : '';
    if (thought !== this.#thought) {
      this.#thought = thought;
      this.opponent.stop();
      if (thought) void this.#think(thought);
    }
    const kind = advice(this.state, this.wantsLines);
    const { node } = this.place;
    const { node: live } = this.live;
    const about = { hint: node, offer: live, judge: live, review: this.id, check: `${node} ${this.lesson?.shown?.uci}`, lines: `${node} ${this.isEndless} ${this.wantsThreat} ${this.version}` };
    const advised = kind ? `${this.id} ${kind} ${about[kind]}` : '';
    if (advised === this.#advised) return;
    this.#advised = advised;
    this.adviser.stop();
    if (kind) void this.#advise(kind, () => this.#advised === advised);
  }

  /** The engine chooses its move, or claims a draw. @param {string} thought */
  async #think(thought) {
    const began = performance.now();
    const isCurrent = () => this.#thought === thought;
    const position = this.#position(this.live.node);
    const { level = 0 } = this.match ?? {};
    const times = this.clock && [this.clock.left('white'), this.clock.left('black')].map(Math.floor);
    const increment = this.clock?.times.increment;
    const go = times ? `wtime ${times[0]} btime ${times[1]} winc ${increment} binc ${increment}` : `movetime ${MOVE_TIME}`;
    try {
      const answer = await this.opponent.search(position, { UCI_LimitStrength: level > 0, UCI_Elo: level || levels().highest }, go);
      if (!answer?.best || !isCurrent()) return;
      // It must not lose on time by waiting.
      const left = this.clock?.left(this.live.turn) ?? Infinity;
      const rest = Math.min(LEAST_TIME, left / 20) - (performance.now() - began);
      if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
      if (!isCurrent() || this.clock?.check()) return;
      const score = answer.lines[0]?.score;
      if (score) this.#engineScore = score.cp ?? Math.sign(score.mate) * 10_000;
      const [claim] = this.live.claims;
      if (claim && this.#engineScore <= 0) this.claim(claim.with, false);
      else this.#playMatch(answer.best, false);
    } catch (error) {
      if (!isCurrent()) return;
      // Without the address, of which the user knows nothing.
      this.failure = sentence(/** @type {Error} */ (error).message.replace(/^.* cannot be loaded: /, ''));
      this.#thought = '';
      this.#emit('broke');
    }
  }

  /** @param {'hint' | 'offer' | 'judge' | 'review' | 'check' | 'lines'} kind @param {() => boolean} isCurrent */
  async #advise(kind, isCurrent) {
    try {
      await { hint: this.#findHint, offer: this.#answerOffer, judge: this.#judge, review: this.#review, check: this.#check, lines: this.#findLines }[kind].call(this, isCurrent);
    } catch (error) {
      if (!isCurrent()) return;
      const why = sentence(/** @type {Error} */ (error).message);
      if (kind === 'judge') {
        this.failure = why;
      } else if (kind === 'check' && this.lesson) {
        this.lesson.said = `The engine cannot be loaded. ${why}`;
        this.lesson.shown = undefined;
      } else {
        this.#pass(`The engine cannot be loaded. ${why}`);
      }
      if (kind === 'lines') {
        this.wantsLines = false;
        this.lines = this.threat = undefined;
      }
      this.#emit('broke');
    }
  }

  /** @param {() => boolean} isCurrent */
  async #findHint(isCurrent) {
    const answer = await this.adviser.search(this.#position(), { MultiPV: 1 }, `movetime ${ADVICE_TIME}`);
    if (!answer?.best || !isCurrent()) return;
    this.hint = answer.best;
    this.note = `Hint: ${this.game.line([answer.best])[0]?.san}.`;
    this.#emit('answered');
  }

  /** @param {() => boolean} isCurrent */
  async #answerOffer(isCurrent) {
    const answer = await this.adviser.search(this.#position(this.live.node), { MultiPV: 1 }, `movetime ${ADVICE_TIME}`);
    if (!answer || !isCurrent()) return;
    // The score is the user's, who is to move.
    const score = answer.lines[0]?.score;
    const isGood = score !== undefined && (score.mate !== undefined ? score.mate > 0 : score.cp >= 0);
    const color = this.userColor;
    if (isGood && this.live.fullmove > OFFER_MOVE) {
      this.#agree(color);
      return;
    }
    this.note = 'Tabiya declines the draw.';
    this.#emit('answered');
  }

  /** The coach judges the user's last move. @param {() => boolean} isCurrent */
  async #judge(isCurrent) {
    const { node, parent, lastMove } = this.live;
    if (parent === null || !lastMove) return;
    const { position, fen } = at(this.game, parent, () => ({ position: this.#position(), fen: this.place.fen }));
    const judged = await judgeMove(this.adviser, position, fen, lastMove.uci);
    if (!judged || !isCurrent() || node !== this.live.node) return;
    this.#isUnjudged = false;
    this.objection = judged.mark && OBJECTED.includes(judged.mark.name) ? judged : undefined;
    this.#emit('answered');
  }

  /** The move in place of a mistake is judged. @param {() => boolean} isCurrent */
  async #check(isCurrent) {
    const move = this.lesson?.shown;
    if (!move) return;
    const judged = await judgeMove(this.adviser, this.#position(), this.place.fen, move.uci);
    if (!judged || !isCurrent()) return;
    if (judged.isGood) this.#found(`${judged.text} is as good as ${this.mistake?.best.san}.`);
    else this.#miss(`${marked(judged)} ${opinion(judged, { isSecret: true }) || 'is not as good as the best move.'} Try again.`);
  }

  /** @param {() => boolean} isCurrent */
  async #review(isCurrent) {
    const steps = mainLine(this.nodes);
    const onProgress = (/** @type {import('./review.js').Searched} */ searched) => {
      if (!isCurrent()) return;
      this.#searched = searched;
      this.#pass(`Reviewing: ${searched.lines.length} of ${steps.length} positions.`);
      this.show();
      this.#saveSoon();
    };
    const review = await reviewGame(this.adviser, this.game, steps, onProgress, this.#searched, this.review);
    if (!review || !isCurrent()) return;
    this.version += 1;
    this.review = review;
    this.#searched = undefined;
    this.lesson = undefined;
    const count = review.moves.filter(({ mark }) => mark).length;
    this.note = `Reviewed: ${count === 0 ? 'no move is marked' : count === 1 ? '1 move is marked' : `${count} moves are marked`}.`;
    this.#emit('answered');
  }

  /** @param {() => boolean} isCurrent */
  async #findLines(isCurrent) {
    const { place } = this;
    if (place.moves.length === 0) return;
    const isWhite = place.turn === 'white';
    if (this.wantsThreat) {
      const fen = this.game.passed();
      const threat = fen && (await this.adviser.search({ fen, moves: [], chess960: this.game.chess960 }, { MultiPV: 1 }, `movetime ${ADVICE_TIME}`));
      if (!isCurrent()) return;
      this.threat = threat ? threat.best : undefined;
      this.show();
    }
    await searchLines(this.adviser, this.#position(), { lines: LINES, go: this.isEndless ? 'infinite' : PATIENCE }, (infos) => {
      if (!isCurrent()) return;
      this.lines = {
        node: place.node,
        bar: whiteScore(infos[0], isWhite),
        lines: infos.map((info) => ({ score: whiteScore(info, isWhite).text, uci: info.pv[0], moves: this.game.line(info.pv) })),
        depth: `Depth ${infos[0].depth}, ${speed(infos[0].nps)}`,
      };
      this.show();
    });
  }

  /** What an engine has to know about a position of the game. @param {number} [node] */
  #position(node = this.place.node) {
    return at(this.game, node, () => ({ ...this.game.searchPosition(), chess960: this.game.chess960 }));
  }

  /* Keeping. */

  get #byId() {
    return new Map(this.nodes.map((node) => [node.id, node]));
  }

  /**
   * The moves to a node, the start first.
   * @param {number} id
   * @returns {import('../engine/rules.d.ts').GameNode[]}
   */
  #path(id) {
    const byId = this.#byId;
    const path = [];
    for (let node = byId.get(id); node; node = node.parent === undefined ? undefined : byId.get(node.parent)) path.unshift(node);
    return path;
  }

  /** Where a node lies, for another reading of the same PGN. @param {number} id */
  #steps(id) {
    const path = this.#path(id);
    return path.slice(1).map((node, index) => path[index].children.indexOf(node.id));
  }

  /** @param {number[]} steps */
  #find(steps) {
    const byId = this.#byId;
    let node = this.nodes[0];
    for (const step of steps) node = byId.get(node.children[step]) ?? node;
    return node.id;
  }

  /** In the list of games: the players, or what else tells the game from others. */
  get #title() {
    const { White = '?', Black = '?', Event = '?' } = this.game.tags;
    const event = Event === '?' || Event === 'Casual game' ? '' : Event;
    const moves = mainLine(this.nodes).slice(1, TITLE_PLIES + 1);
    const begun = moves.map(({ number = '', san = '' }, index) => (index === 0 || !number.endsWith('...') ? `${number} ${san}` : san));
    const { white, black } = this.names;
    const who = White !== '?' || Black !== '?' ? `${white} – ${black}` : begun.join(' ') || 'A position';
    return event ? `${who}, ${event}` : who;
  }

  get kept() {
    const { clock, match } = this;
    return {
      id: this.id,
      pgn: this.game.pgn(),
      title: this.#title,
      updated: Date.now(),
      path: this.#steps(this.place.node),
      livePath: this.#steps(this.live.node),
      match,
      end: this.#end,
      review: this.review,
      isUnjudged: this.#isUnjudged || Boolean(this.objection),
      state: this.state,
      lesson: this.lesson && { ...this.lesson, list: undefined },
      searched: this.#searched,
      wants: { lines: this.wantsLines, threat: this.wantsThreat, endless: this.isEndless },
      hint: this.hint,
      note: this.note === this.#passing ? '' : this.note,
      draft: this.draft,
      times: clock && { ...clock.times, white: clock.left('white'), black: clock.left('black'), started: clock.running !== undefined },
      orientation: this.orientation,
    };
  }

  save() {
    window.clearTimeout(this.#saving);
    this.#saving = 0;
    if (this.#isTouched) void this.#keep();
  }

  async #keep() {
    const isKept = await this.games.put(/** @type {any} */ (this.kept));
    const isNews = !isKept && !this.#knowsUnkept;
    this.#knowsUnkept = !isKept;
    if (!isNews) return;
    this.#pass(unkept(this.games));
    this.show();
  }

  /** The game is worth keeping from now on. @param {boolean} [isUsers]  whether the user has done something with it */
  #touch(isUsers = true) {
    if (!isUsers && this.#isCopy) return;
    this.#isTouched = true;
    this.#isCopy = false;
  }

  /** Once for all that happens within a moment, such as a key that is held. */
  #saveSoon() {
    this.#saving ||= window.setTimeout(() => this.save(), SAVING);
  }

  /** The page is left. */
  leave() {
    this.games.leave(this.#isTouched ? /** @type {any} */ (this.kept) : undefined);
  }

  /** Goes on with a kept game. @param {import('./store.js').Kept} listed  as it was when it was chosen */
  async restore(listed) {
    // A game that is open in another tab is copied: each tab writes its own.
    const isOurs = await this.games.take(listed.id);
    // Until now, another tab may have gone on with it.
    const kept = (await this.games.get(listed.id)) ?? listed;
    let read;
    try {
      [read] = Game.readAll(kept.pgn, { limit: 1 });
      if (!read) throw new Error('the game cannot be read');
      checkSize(read.game);
    } catch (error) {
      if (isOurs) this.games.begin(this.id);
      throw error;
    }
    this.#replace(read.game, kept.match, isOurs ? kept.id : undefined);
    this.#isTouched = isOurs;
    this.#isCopy = !isOurs;
    this.orientation = kept.orientation;
    this.#end = kept.end;
    this.review = kept.review;
    this.#isUnjudged = kept.isUnjudged ?? false;
    this.game.go(this.#find(kept.livePath));
    this.live = this.place;
    this.#tookBack = this.place.status.kind === 'playing' && this.game.forward();
    this.game.go(this.#find(kept.path));
    if (kept.times) {
      this.clock = this.#createClock(kept.times);
      if (kept.times.started && !this.isOver) this.clock.start(this.live.turn);
    }
    this.#searched = kept.searched;
    this.draft = kept.draft;
    this.#restoreLesson(kept.lesson);
    const { lines = this.wantsLines, threat = false, endless = false } = kept.wants ?? {};
    this.wantsLines = lines;
    this.wantsThreat = threat;
    this.#changed();
    this.isEndless = endless;
    this.hint = kept.hint;
    this.note = kept.note ?? '';
    if (!isOurs) this.#pass('This is a copy: the game is open in another tab.');
    const { state = this.state } = kept;
    if (this.lesson || !may.leave(state)) for (const event of AGAIN[state] ?? []) this.#emit(event);
    this.#work();
    this.save();
    this.show();
  }

  /** The mistakes are found again by the review. @param {import('./store.js').Kept['lesson']} lesson */
  #restoreLesson(lesson) {
    if (!lesson) return;
    const list = this.mistakes(lesson.color);
    if (lesson.index < list.length) this.lesson = { ...lesson, list };
  }

  /** The status: who is to move or how the game has ended, and what happened last. */
  get sentences() {
    const { state, live, place, status } = this;
    const last = live.lastMove?.san;
    if (may.leave(state)) return this.#lessonSentences;
    if (state === 'objecting' && this.objection) {
      const said = goalLost(this.objection, this.match?.practice) || opinion(this.objection, { isSecret: true });
      return `${ending(status)} ${marked(this.objection)} ${said} Try another move, or go on.`;
    }
    if (this.isOver) return `${ending(status)} ${this.note}`;
    if (state === 'failed') return `The engine cannot be loaded: the game is kept. ${this.failure}`;
    const loading = this.progress === undefined ? '' : ` Loading the engine: ${Math.round(this.progress * 100)} %.`;
    if (isThinking(state)) {
      return `${last ? `You play ${last}. ` : ''}${this.note} Tabiya is thinking…${loading}`;
    }
    if (state === 'judging') return `You play ${last}. The coach looks at it…${loading}`;
    const check = place.check ? ' Check!' : '';
    if (!this.match || this.match.side === 'both') {
      const isEnd = place.moves.length > 0 && !this.match && this.game.result !== '*' && place.node === mainLine(this.nodes).at(-1)?.id;
      const recorded = isEnd ? ` The recorded result is ${this.game.result.replace(/1\/2/g, '½')}.` : '';
      return `${NAMES[place.turn]} to move.${check}${recorded} ${this.note}`;
    }
    const asked = state === 'hinting' ? 'Looking for a good move…' : this.note;
    const where = state === 'browsing' ? ' The board shows an earlier position.' : '';
    return `${last ? `Tabiya plays ${last}. ` : ''}Your move.${where}${where ? '' : check} ${asked}`;
  }

  /** The status while the user learns from mistakes. */
  get #lessonSentences() {
    const { lesson, mistake, state } = this;
    if (!lesson || !mistake) return '';
    const which = `Mistake ${lesson.index + 1} of ${lesson.list.length}`;
    if (state === 'checking') return `${which}. Looking at ${lesson.shown?.san}…`;
    if (state === 'solved') return `${lesson.said} ${marked(mistake.move)} ${opinion(mistake.move)}`;
    return lesson.said || `${which}: ${marked(mistake.move)} was played. Find a better move for ${NAMES[lesson.color]}.`;
  }
}

/** Why the user cannot move although the game goes on. @type {Partial<Record<import('./state.js').State, string>>} */
const UNMOVABLE = {
  browsing: 'The board shows an earlier position: go to the last one first.',
  offering: 'Tabiya thinks about your offer: wait for the answer.',
  judging: 'The coach looks at your last move: wait for the answer.',
  objecting: 'Try another move, or go on, by the buttons above.',
  checking: 'Your move is being judged: wait for the answer.',
  solved: 'Go to the next mistake, or leave the mistakes.',
};

/** @returns {string} */
const newId = () => crypto.randomUUID?.() ?? String(Math.random());

/** The local date, as PGN writes it. */
function today() {
  const date = new Date();
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('.');
}

/** @param {number} nps */
const speed = (nps) => (nps >= 1e6 ? `${(nps / 1e6).toFixed(1)} million nodes/s` : `${Math.round(nps / 1000)} thousand nodes/s`);
