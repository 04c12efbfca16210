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
 * - `over`: the match has ended, and its moves can be looked at like those of any game;
 * - `reviewing`: the whole game is being judged.
 * @typedef {'loading' | 'analysing' | 'playing' | 'browsing' | 'thinking' | 'waiting' | 'failed' | 'hinting'
 *   | 'offering' | 'over' | 'reviewing'} State
 */

/**
 * - `changed`: another game, a move, an act of a player, a variation;
 * - `browsed`: another position is on the board, and nothing has changed;
 * - `hint`, `offer`, `review`: the user asks for it; `stop`: the user ends the review;
 * - `answered`: what was asked is done; `broke`: the engine failed; `retry`: the user tries again.
 * @typedef {'changed' | 'browsed' | 'hint' | 'offer' | 'review' | 'stop' | 'answered' | 'broke' | 'retry'} Event
 */

/**
 * @typedef {object} Facts
 * @property {boolean} match  a game is played here, by the clock or not
 * @property {boolean} over  it has ended
 * @property {boolean} live  the board shows the position of the match
 * @property {boolean} usersTurn  the user is to move in it
 */

/** @type {State[]} */
export const STATES = ['loading', 'analysing', 'playing', 'browsing', 'thinking', 'waiting', 'failed', 'hinting', 'offering', 'over', 'reviewing'];
/** @type {Event[]} */
export const EVENTS = ['changed', 'browsed', 'hint', 'offer', 'review', 'stop', 'answered', 'broke', 'retry'];

/**
 * Where the page rests.
 * @param {Facts} facts
 * @returns {State}
 */
export function rest({ match, over, live, usersTurn }) {
  if (!match) return 'analysing';
  if (over) return 'over';
  if (usersTurn) return live ? 'playing' : 'browsing';
  return live ? 'thinking' : 'waiting';
}

/** What is not here changes nothing. @type {Record<State, Partial<Record<Event, State | typeof rest>>>} */
const TABLE = {
  loading: { changed: rest },
  analysing: { changed: rest, browsed: rest, review: 'reviewing' },
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
  over: { changed: rest, browsed: rest, review: 'reviewing' },
  reviewing: { changed: rest, stop: rest, answered: rest, broke: rest },
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

/** @param {...State} states */
const within = (...states) => (/** @type {State} */ state) => states.includes(state);

/** What the user may do in a state. A button is enabled only if its entry holds. */
export const may = {
  move: within('analysing', 'playing', 'hinting', 'over', 'reviewing'),
  premove: within('thinking'),
  /** Change the tree of moves: promote, delete, undo. */
  edit: within('analysing', 'over'),
  hint: within('playing'),
  offer: within('playing', 'hinting'),
  claim: within('playing', 'hinting'),
  takeBack: within('playing', 'hinting', 'thinking', 'over'),
  resign: within('playing', 'browsing', 'hinting', 'thinking', 'waiting', 'failed'),
  review: within('analysing', 'over', 'reviewing'),
  lines: within('analysing', 'playing', 'browsing', 'over'),
};

/** Whether the engine searches for its move. */
export const isThinking = within('thinking', 'waiting');

/**
 * What the adviser, the second engine, works on.
 * @param {State} state
 * @param {boolean} wantsLines
 * @returns {'hint' | 'offer' | 'review' | 'lines' | undefined}
 */
export function advice(state, wantsLines) {
  if (state === 'hinting') return 'hint';
  if (state === 'offering') return 'offer';
  if (state === 'reviewing') return 'review';
  return wantsLines && may.lines(state) ? 'lines' : undefined;
}
