/** Which of the kept games is on the board, and when it is saved. */
import { Game } from '../engine/rules.js';
import { checkSize } from './movelist.js';
import { namesOf } from './words.js';

/** Milliseconds after which a place that was looked at is kept, and the searches of a review. */
const SAVING = 1000;
/** Moves in the title of a game without players. */
const TITLE_PLIES = 6;

/** @typedef {import('./store.js').Kept} Kept */

export class Keeping {
  /** Of the game, among the kept ones. */
  id = newId();
  #listeners;
  /** Whether the game is worth keeping: the user has chosen it, or done something with it. */
  #isTouched = false;
  /** Whether it is the copy of a game that another tab has. Until the user does something with it, it is not kept. */
  #isCopy = false;
  /** Whether the user knows that his games are not kept. */
  #knowsUnkept = false;
  #timer = 0;

  /**
   * @param {import('./store.js').Games} games
   * @param {{ kept: () => Kept, onUnkept: () => void }} listeners
   *   `kept` returns the game as it is now; `onUnkept` is called when the first one is not kept
   */
  constructor(games, listeners) {
    this.games = games;
    this.#listeners = listeners;
  }

  /** The game is worth keeping from now on. @param {boolean} [isUsers]  whether the user has done something with it */
  touch(isUsers = true) {
    if (!isUsers && this.#isCopy) return;
    this.#isTouched = true;
    this.#isCopy = false;
  }

  save() {
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    if (this.#isTouched) void this.#keep();
  }

  /** Once for all that happens within a moment, such as a key that is held. */
  saveSoon() {
    this.#timer ||= window.setTimeout(() => this.save(), SAVING);
  }

  async #keep() {
    const isKept = await this.games.put(this.#listeners.kept());
    const isNews = !isKept && !this.#knowsUnkept;
    this.#knowsUnkept = !isKept;
    if (isNews) this.#listeners.onUnkept();
  }

  /** Another game will be on the board. @param {boolean} isBlank  whether nothing is lost with this one */
  end(isBlank) {
    // The time since the last move, too.
    this.save();
    if (this.#isTouched && isBlank) void this.games.remove(this.id);
  }

  /** @param {{ taken?: string, isCopy?: boolean }} [origin]  the id of a kept game that is that of this tab; or a copy */
  begin({ taken, isCopy = false } = {}) {
    this.id = taken ?? newId();
    this.#isTouched = taken !== undefined;
    this.#isCopy = isCopy;
    if (taken === undefined) this.games.begin(this.id);
  }

  /**
   * Makes a kept game that of this tab, and reads it.
   * @param {Kept} listed  as it was when it was chosen
   */
  async take(listed) {
    // A game that is open in another tab is copied: each tab writes its own.
    const isOurs = await this.games.take(listed.id);
    try {
      // Until now, another tab may have gone on with it, or deleted it.
      const kept = (await this.games.get(listed.id)) ?? (this.games.isKept ? undefined : listed);
      if (!kept) throw new Error('the game was deleted in another tab');
      const [read] = Game.readAll(kept.pgn, { limit: 1 });
      if (!read) throw new Error('the game cannot be read');
      checkSize(read.game);
      return { game: read.game, kept, isOurs };
    } catch (error) {
      if (isOurs) this.games.begin(this.id);
      throw error;
    }
  }

  /** The page is left. */
  leave() {
    this.games.leave(this.#isTouched ? this.#listeners.kept() : undefined);
  }
}

/**
 * In the list of games: the players, or what else tells the game from others.
 * @param {import('./tree.js').Tree} tree
 */
export function titleOf(tree) {
  const { tags } = tree.game;
  const { White = '?', Black = '?', Event = '?' } = tags;
  const event = Event === '?' || Event === 'Casual game' ? '' : Event;
  const moves = tree.mainLine.slice(1, TITLE_PLIES + 1);
  const begun = moves.map(({ number = '', san = '' }, index) => (index === 0 || !number.endsWith('...') ? `${number} ${san}` : san));
  const { white, black } = namesOf(tags);
  const who = White !== '?' || Black !== '?' ? `${white} – ${black}` : begun.join(' ') || 'A position';
  return event ? `${who}, ${event}` : who;
}

/**
 * Whether a game has nothing of its own yet: no move, text or name, and a position that is found again.
 * @param {import('./tree.js').Tree} tree
 * @param {import('./live.js').Match | undefined} match
 */
export function isBlank(tree, match) {
  const [start, ...moves] = tree.nodes;
  const { White = '?', Black = '?', Event = '?', FEN } = tree.game.tags;
  const isNamed = !match && [White, Black, Event].some((name) => name !== '?');
  const isKnown = (match && tree.game.chess960) || match?.practice || !FEN;
  return Boolean(moves.length === 0 && !start.comments && !isNamed && isKnown);
}

/** @returns {string} */
const newId = () => crypto.randomUUID?.() ?? String(Math.random());
