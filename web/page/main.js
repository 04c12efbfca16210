/** The page starts: board, rules, kept game, views, and the engine in the background. */
import { support } from '../engine/index.js';
import { Game, loadRules } from '../engine/rules.js';
import { App } from './app.js';
import { mayLeave } from './dialogs/confirm.js';
import { setUpEditor } from './dialogs/editor.js';
import { setUpGames } from './dialogs/games.js';
import { setUpNew } from './dialogs/new.js';
import { isNoGame, setUpOpen } from './dialogs/open.js';
import { setUpShare } from './dialogs/share.js';
import { $, hide, plainReason, say, sentence } from './dom.js';
import { UNREADABLE, textOf } from './hash.js';
import { setUpKeys } from './keys.js';
import { defaultLevel } from './levels.js';
import { setUpMenu } from './menu.js';
import { addPanel } from './panels.js';
import * as sounds from './sounds.js';
import { Games, choices, unkept } from './store.js';
import { watchUpdates } from './updates.js';
import { createBoard, showBoard } from './views/board.js';
import { showDecision } from './views/decision.js';
import { gymPanel } from './views/gym.js';
import { linesPanel } from './views/lines.js';
import { showMoves } from './views/moves.js';
import { notesPanel } from './views/notes.js';
import { showPlayers } from './views/players.js';
import { reviewPanel } from './views/review.js';
import { showStatus } from './views/status.js';

const board = createBoard();

/** Loads the rules, as often as the user tries. */
async function load() {
  for (;;) {
    try {
      await loadRules({ wasm: `rules.wasm?v=${VERSION}` });
      return;
    } catch (error) {
      say($('#status'), `The rules of chess cannot be loaded. ${sentence(plainReason(error))}`);
      const retry = $('#retry');
      retry.hidden = false;
      await new Promise((resolve) => (retry.onclick = () => resolve(undefined)));
      hide(retry, true);
      say($('#status'), 'Loading…');
    }
  }
}

/** What is on the board first: a game of the address, of this tab, the newest, or a new one. @param {App} app */
async function begin(app) {
  const notes = app.keeping.games.isKept ? [] : [unkept(app.keeping.games)];
  const fault = await openAddress(app);
  if (fault) notes.push(fault);
  if (fault !== '') await goOn(app, notes);
  if (notes.length > 0) app.note = [...notes, app.note].join(' ').trim();
}

/** A game that is kept, or a new one. @param {App} app @param {string[]} notes  what the user is told */
async function goOn(app, notes) {
  const kept = (app.keeping.games.ofTab && (await app.keeping.games.get(app.keeping.games.ofTab))) || (await app.keeping.games.list())[0];
  const { side = 'white', level = defaultLevel() } = choices();
  try {
    if (kept) await app.restore(kept);
  } catch {
    notes.push('The last game cannot be read. It stays in “My games”.');
  }
  if (app.state === 'loading') app.start({ side: side === 'black' ? 'black' : 'white', level, clock: '' }, { isChosen: false });
}

/**
 * Opens the game of the address. Resolves with what is wrong with it, an empty text if nothing is,
 * and `undefined` if there is none.
 * @param {App} app
 */
async function openAddress(app) {
  try {
    const text = await textOf(location.hash);
    if (text === undefined) return undefined;
    history.replaceState(null, '', location.pathname + location.search);
    // Anyone may have written it: a text of two megabytes can have a million games.
    const [read] = Game.readAll(text, { limit: 1 });
    if (!read || isNoGame(read)) throw new Error(UNREADABLE);
    if (await mayLeave(app, 'Open')) app.open(read.game, read.faults.length > 0 ? sentence(read.faults[0]) : '');
    return '';
  } catch (error) {
    return sentence(/** @type {Error} */ (error).message);
  }
}

async function start() {
  const unsupported = support();
  if (unsupported) {
    say($('#status'), unsupported);
    return;
  }
  const [games] = await Promise.all([Games.open(), load()]);
  const app = new App(games);
  await begin(app);
  showBoard(app, board);
  showPlayers(app);
  showStatus(app);
  showDecision(app);
  showMoves(app);
  addPanel(app, linesPanel);
  addPanel(app, reviewPanel);
  addPanel(app, notesPanel);
  addPanel(app, gymPanel);
  setUpNew(app);
  setUpOpen(app);
  setUpShare(app);
  setUpGames(app);
  setUpEditor(app);
  setUpMenu();
  setUpKeys(app);
  app.hear(sounds.play);
  window.addEventListener('hashchange', async () => {
    const fault = await openAddress(app);
    if (!fault) return;
    app.note = fault;
    app.show();
  });
  // Times are saved when the tab is left; moves are saved when they are made.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && app.keeping.save());
  window.addEventListener('pagehide', () => app.keeping.leave());
  document.body.dataset.ready = 'true';
  for (const button of document.querySelectorAll('nav button, .browse button, #entry button')) /** @type {HTMLButtonElement} */ (button).disabled = false;
  await watchUpdates(app.preload());
}

void start();
