/**
 * What the page is doing: the one state machine, as a pure function. README.md draws it.
 *
 * A state decides which engine works, what the user may do and what the status says. Facts about
 * the game decide between the states in which the page rests, so that a transition never has to
 * know where it came from.
 */

/**
 * - `loading`: the rules are not there yet, so that there is no game;
 * - `analysing`: no match, the user moves for both sides;
 * - `playing`: a match, the user is to move; `browsing`: the same, with another position on the board;
 * - `thinking`: the engine is to move; `waiting`: the same, with another position on the board;
 * - `failed`: the engine is to move but cannot;
 * - `hinting`, `offering`: the user is to move and has asked for a hint, or has offered a draw;
 * - `judging`: the coach judges the move that the user has made; `objecting`: it is a mistake, and the
 *   user takes it back or goes on;
 * - `over`: the match has ended, and its moves can be looked at like those of any game;
 * - `reviewing`: the whole game is being judged;
 * - `solving`: the board shows the position before a mistake, and the user looks for a better move;
 *   `checking`: his move is being judged; `solved`: it was right, or the answer is shown.
 * @typedef {'loading' | 'analysing' | 'playing' | 'browsing' | 'thinking' | 'waiting' | 'failed' | 'hinting'
 *   | 'offering' | 'judging' | 'objecting' | 'over' | 'reviewing' | 'solving' | 'checking' | 'solved'} State
 */

/**
 * - `changed`: another game, a move, an act of a player, a variation;
 * - `browsed`: another position is on the board, and nothing has changed;
 * - `hint`, `offer`, `review`: the user asks for it; `stop`: the user ends a review, or leaves the
 *   mistakes;
 * - `answered`: what was asked is done; `broke`: the engine failed; `retry`: the user tries again;
 * - `accept`: the user goes on with a move to which the coach objects;
 * - `learn`: the user is asked about a mistake; `try`: he makes a move that has to be judged; `right`,
 *   `wrong`: what his move is; `show`: he wants the answer.
 * @typedef {'changed' | 'browsed' | 'hint' | 'offer' | 'review' | 'stop' | 'answered' | 'broke' | 'retry'
 *   | 'accept' | 'learn' | 'try' | 'right' | 'wrong' | 'show'} Event
 */

/**
 * @typedef {object} Facts
 * @property {boolean} match  a game is played here, by the clock or not
 * @property {boolean} over  it has ended
 * @property {boolean} live  the board shows the position of the match
 * @property {boolean} usersTurn  the user is to move in it
 * @property {boolean} unjudged  the coach has to judge the user's last move
 * @property {boolean} objected  the coach has objected to that move, and the user has not answered
 */

/** @type {State[]} */
export const STATES = ['loading', 'analysing', 'playing', 'browsing', 'thinking', 'waiting', 'failed', 'hinting', 'offering', 'judging', 'objecting', 'over', 'reviewing', 'solving', 'checking', 'solved'];
/** @type {Event[]} */
export const EVENTS = ['changed', 'browsed', 'hint', 'offer', 'review', 'stop', 'answered', 'broke', 'retry', 'accept', 'learn', 'try', 'right', 'wrong', 'show'];

/**
 * Where the page rests.
 * @param {Facts} facts
 * @returns {State}
 */
export function rest({ match, over, live, usersTurn, unjudged, objected }) {
  if (!match) return 'analysing';
  // Before the end: a move that draws by stalemate can be taken back.
  if (unjudged) return 'judging';
  if (objected) return 'objecting';
  if (over) return 'over';
  if (usersTurn) return live ? 'playing' : 'browsing';
  return live ? 'thinking' : 'waiting';
}

/** What is not here changes nothing. @type {Record<State, Partial<Record<Event, State | typeof rest>>>} */
const TABLE = {
  loading: { changed: rest },
  analysing: { changed: rest, browsed: rest, review: 'reviewing', learn: 'solving' },
  playing: { changed: rest, browsed: rest, hint: 'hinting', offer: 'offering' },
  browsing: { changed: rest, browsed: rest },
  thinking: { changed: rest, browsed: rest, broke: 'failed' },
  waiting: { changed: rest, browsed: rest, broke: 'failed' },
  // Another try is the user's choice: a search that fails at once would otherwise start for ever.
  failed: { changed: rest, retry: rest },
  // A hint belongs to the position on the board.
  hinting: { changed: rest, browsed: rest, offer: 'offering', answered: rest, broke: rest },
  // An offer stands until it is answered or a move is made, whatever is on the board.
  offering: { changed: rest, answered: rest, broke: rest },
  // The coach speaks of the last move, whatever is on the board.
  judging: { changed: rest, answered: rest, broke: 'failed' },
  objecting: { changed: rest, accept: rest },
  over: { changed: rest, browsed: rest, review: 'reviewing', learn: 'solving' },
  reviewing: { changed: rest, stop: rest, answered: rest, broke: rest },
  // A mistake belongs to the position on the board, so that browsing leaves it.
  solving: { changed: rest, browsed: rest, stop: rest, learn: 'solving', try: 'checking', right: 'solved', wrong: 'solving', show: 'solved' },
  checking: { changed: rest, browsed: rest, stop: rest, learn: 'solving', right: 'solved', wrong: 'solving', show: 'solved', broke: 'solving' },
  solved: { changed: rest, browsed: rest, stop: rest, learn: 'solving' },
};

/**
 * @param {State} state
 * @param {Event} event
 * @param {Facts} facts
 * @returns {State}
 */
export function next(state, event, facts) {
  const to = TABLE[state][event];
  return typeof to === 'function' ? to(facts) : (to ?? state);
}

/**
 * The events that lead from where the page rests back to a state, after it was loaded again. The other
 * states follow from the facts.
 * @type {Partial<Record<State, Event[]>>}
 */
export const AGAIN = {
  hinting: ['hint'],
  offering: ['offer'],
  reviewing: ['review'],
  solving: ['learn'],
  checking: ['learn', 'try'],
  solved: ['learn', 'show'],
};

/** @param {...State} states */
const within = (...states) => (/** @type {State} */ state) => states.includes(state);

/** What the user may do in a state. A button is enabled only if its entry holds. */
export const may = {
  move: within('analysing', 'playing', 'hinting', 'over', 'reviewing', 'solving'),
  premove: within('thinking'),
  /** Change the tree of moves: promote, delete, write about them, undo. */
  edit: within('analysing', 'over'),
  hint: within('playing'),
  offer: within('playing', 'hinting'),
  claim: within('playing', 'hinting'),
  takeBack: within('playing', 'hinting', 'thinking', 'judging', 'objecting', 'over'),
  /** Go on with a move to which the coach objects. */
  accept: within('objecting'),
  resign: within('playing', 'browsing', 'hinting', 'thinking', 'waiting', 'failed', 'judging', 'objecting'),
  review: within('analysing', 'over', 'reviewing'),
  /** Begin with the mistakes, or go to the next. */
  learn: within('analysing', 'over', 'solving', 'checking', 'solved'),
  /** See the better move, or leave the mistakes. */
  show: within('solving', 'checking'),
  leave: within('solving', 'checking', 'solved'),
  lines: within('analysing', 'playing', 'browsing', 'over'),
};

/** Whether the engine searches for its move. */
export const isThinking = within('thinking', 'waiting');

/**
 * What the adviser, the second engine, works on.
 * @param {State} state
 * @param {boolean} wantsLines
 * @returns {'hint' | 'offer' | 'judge' | 'review' | 'check' | 'lines' | undefined}
 */
export function advice(state, wantsLines) {
  if (state === 'hinting') return 'hint';
  if (state === 'offering') return 'offer';
  if (state === 'judging') return 'judge';
  if (state === 'reviewing') return 'review';
  if (state === 'checking') return 'check';
  return wantsLines && may.lines(state) ? 'lines' : undefined;
}
