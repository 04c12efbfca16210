/**
 * What this browser keeps: choices in `localStorage`, games in IndexedDB, each under its own id.
 *
 * A game belongs to the tab that holds its lock, so that two tabs never write the same one. Only a
 * page from HTTPS or from localhost has locks: elsewhere the tab that writes last wins. A browser
 * that refuses to keep anything is not an error: the page then says so and goes on.
 */

const CHOICES = 'tabiya.choices';
const TAB = 'tabiya.game.id';
/** Before the id of a game that the database may not have taken, or removed, when the page was left. */
const LEFT = 'tabiya.left.';
/** Before the id of a game in the name of its lock. */
const LOCK = 'tabiya.game.';
/** For how long, in milliseconds, a page waits for the game of its tab: the page before a reload may still hold it. */
const PATIENCE = 1000;
/** Errors of a connection that the browser has ended: its event may not have come yet. */
const LOST = ['InvalidStateError', 'UnknownError'];

/**
 * @typedef {object} KeptGame
 * @property {string} id
 * @property {string} pgn
 * @property {string} title
 * @property {number} updated  milliseconds since 1970
 * @property {number[]} path  to the position on the board: which of the moves that follow, from the start
 * @property {'white' | 'black'} orientation
 * @property {import('./state.js').State} [state]
 * @property {string} [note]
 * @property {Draft} [draft]
 */
/** @typedef {KeptGame & import('./live.js').KeptLive & import('./study.js').KeptStudy & import('./analysis.js').KeptAnalysis} Kept */

/**
 * A position that is being set up in the board editor.
 * @typedef {{ fen: string, orientation: 'white' | 'black' }} Draft
 */

/** @param {string} name */
function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name */
function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // Nothing is kept.
  }
}

/** The choices that were made last. @returns {Record<string, any>} */
export function choices() {
  try {
    return JSON.parse(recall(CHOICES) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

/** @param {Record<string, any>} some */
export function choose(some) {
  try {
    localStorage.setItem(CHOICES, JSON.stringify({ ...choices(), ...some }));
  } catch {
    // Storage is full or blocked.
  }
}

/** What the user is told when a game is not kept. @param {Games} games */
export const unkept = ({ isKept }) =>
  isKept ? 'The browser could not keep the game: save it as a file.' : 'This browser keeps no games: save them as files.';

/** The games. */
export class Games {
  /**
   * The connection, which the browser may end in the background.
   * @type {Promise<IDBDatabase> | undefined}
   */
  #database;
  /** Whether there was one. */
  #hasDatabase = false;
  /** Whether it was closed for a later version of the page. */
  #isClosed = false;
  /**
   * What the database has not finished, or cannot do: a game, or `null` for one that is removed. It
   * counts as long as the page lives.
   * @type {Map<string, Kept | null>}
   */
  #unfinished = new Map();
  /** Gives the lock of the game of this tab back. */
  #release = () => {};

  static async open() {
    const games = new Games();
    try {
      await games.#connect();
      games.#hasDatabase = true;
      await games.#collect();
    } catch {
      // The caller asks `isKept`.
    }
    return games;
  }

  /** @returns {Promise<IDBDatabase>} */
  #connect() {
    this.#database ??= this.#open().catch((error) => {
      this.#database = undefined;
      throw error;
    });
    return this.#database;
  }

  async #open() {
    const request = indexedDB.open('tabiya', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('games', { keyPath: 'id' });
    const database = await done(request);
    // A later version of the page may want to change the database.
    database.onversionchange = () => {
      this.#isClosed = true;
      database.close();
    };
    database.onclose = () => (this.#database = undefined);
    return database;
  }

  /** Does what was left in `localStorage`. */
  async #collect() {
    for (const id of leftIds()) {
      const left = newerLeft(id, await this.#read(id));
      if (left === undefined) forget(LEFT + id);
      else await this.#write(id, left);
    }
  }

  /**
   * Keeps a game when the page is left, with all that is not finished: a transaction of the database
   * would be broken off, and `localStorage` waits.
   * @param {Kept} [game]
   */
  leave(game) {
    // Without a database, nobody would ever read it.
    if (!this.#hasDatabase) return;
    const all = new Map(this.#unfinished);
    if (game) all.set(game.id, game);
    for (const [id, left] of all) {
      try {
        localStorage.setItem(LEFT + id, JSON.stringify(left));
      } catch {
        // The database has all but the last move.
      }
    }
  }

  get isKept() {
    return this.#hasDatabase && !this.#isClosed;
  }

  /** Resolves with whether the game is kept. @param {Kept} game */
  async put(game) {
    return this.#write(game.id, game);
  }

  /** @param {string} id @returns {Promise<Kept | undefined>} */
  async get(id) {
    const unfinished = this.#unfinished.get(id);
    if (unfinished !== undefined) return unfinished ?? undefined;
    const kept = await this.#read(id);
    const left = newerLeft(id, kept);
    return left === undefined ? kept : (left ?? undefined);
  }

  /** A game as the database has it. @param {string} id @returns {Promise<Kept | undefined>} */
  #read(id) {
    return this.#run('readonly', (store) => store.get(id)).catch(() => undefined);
  }

  /** The newest first. @returns {Promise<Kept[]>} */
  async list() {
    /** @type {Kept[]} */
    const kept = await this.#run('readonly', (store) => store.getAll()).catch(() => []);
    /** @type {Map<string, Kept | null>} */
    const games = new Map(kept.map((game) => [game.id, game]));
    for (const id of leftIds()) {
      const left = newerLeft(id, games.get(id) ?? undefined);
      if (left !== undefined) games.set(id, left);
    }
    for (const [id, game] of this.#unfinished) games.set(id, game);
    return [...games.values()].filter((game) => game !== null).sort((a, b) => b.updated - a.updated);
  }

  /** The games that tabs have open. @returns {Promise<Set<string>>} */
  async inTabs() {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    return new Set(held.map(({ name = '' }) => name.slice(LOCK.length)));
  }

  /** @param {string} id */
  async remove(id) {
    await this.#write(id, null);
  }

  /**
   * Resolves with whether the database has done it.
   * @param {string} id
   * @param {Kept | null} game  `null` removes it
   */
  async #write(id, game) {
    this.#unfinished.set(id, game);
    try {
      await this.#run('readwrite', (store) => (game ? store.put(game) : store.delete(id)));
    } catch {
      return false;
    }
    if (this.#unfinished.get(id) === game) this.#unfinished.delete(id);
    // Otherwise it would come back later. A newer one was left since.
    if (game === null || newerLeft(id, game) === undefined) forget(LEFT + id);
    return true;
  }

  /**
   * Makes a game that of this tab. Resolves with `false` if it is open in another.
   * @param {string} id
   * @returns {Promise<boolean>}
   */
  async take(id) {
    if (!navigator.locks) {
      this.#remember(id);
      return true;
    }
    const signal = id === this.ofTab ? AbortSignal.timeout(PATIENCE) : undefined;
    return new Promise((resolve) => {
      navigator.locks
        .request(LOCK + id, signal ? { signal } : { ifAvailable: true }, (lock) => {
          if (!lock) {
            resolve(false);
            return undefined;
          }
          this.#release();
          this.#remember(id);
          resolve(true);
          return new Promise((release) => (this.#release = () => release(undefined)));
        })
        .catch(() => resolve(!signal?.aborted));
    });
  }

  /**
   * Makes a new game that of this tab. It is remembered before the lock is there: the page may be
   * loaded again at once.
   * @param {string} id
   */
  begin(id) {
    this.#remember(id);
    void this.take(id);
  }

  /** @param {string} id */
  #remember(id) {
    try {
      sessionStorage.setItem(TAB, id);
    } catch {
      // The newest game is opened instead.
    }
  }

  /** The game that this tab had before it was loaded again. */
  get ofTab() {
    try {
      return sessionStorage.getItem(TAB) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} call
   * @returns {Promise<any>}
   */
  async #run(mode, call) {
    try {
      return await this.#runOnce(mode, call);
    } catch (error) {
      if (!LOST.includes(/** @type {Error | null} */ (error)?.name ?? '')) throw error;
      this.#database = undefined;
      return this.#runOnce(mode, call);
    }
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest} call
   */
  async #runOnce(mode, call) {
    if (!this.isKept) throw new Error('no database');
    const transaction = (await this.#connect()).transaction('games', mode);
    const answer = done(call(transaction.objectStore('games')));
    // What a request has written may still be refused, such as for lack of room.
    const [result] = await Promise.all(mode === 'readwrite' ? [answer, completed(transaction)] : [answer]);
    return result;
  }
}

/** The games of which something was left in `localStorage`. */
function leftIds() {
  try {
    return Object.keys(localStorage).flatMap((name) => (name.startsWith(LEFT) ? [name.slice(LEFT.length)] : []));
  } catch {
    return [];
  }
}

/**
 * What was left of a game and the database does not have: `null` if it was removed, and `undefined`
 * if nothing was left that can be read and is newer.
 * @param {string} id
 * @param {Kept} [kept]  what the database has
 * @returns {Kept | null | undefined}
 */
function newerLeft(id, kept) {
  try {
    /** @type {Kept | null} */
    const left = JSON.parse(recall(LEFT + id) ?? '');
    return left && kept && left.updated <= kept.updated ? undefined : left;
  } catch {
    return undefined;
  }
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const completed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    if (request instanceof IDBOpenDBRequest) request.onblocked = () => reject(new Error('blocked'));
  });
