/** The page in Chromium: what is going on goes on after a reload, and what is seen comes back. */
import assert from 'node:assert/strict';
import { LOOSE, OPERA, coached, enter, isolated, kept, learn, leaveGame, menu, moves, newGame, onPage, open, press, ready, status, useBrowser } from './browser.js';

useBrowser(isolated);

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
async function reload(page) {
  await page.reload();
  await ready(page);
}

const decision = (/** @type {Page} */ page) => page.locator('#decision button:visible').allTextContents();
const pieces = (/** @type {Page} */ page) => page.textContent('#pieces');

/** What the user sees of the game. @param {Page} page */
const seen = async (page) => [await page.textContent('#status'), await decision(page), await pieces(page), await page.locator('#moves [aria-current]').allTextContents()];

/* Mistakes. */

onPage('learning from mistakes goes on after a reload: the mistake, what was said, and what was found', {}, async (page) => {
  await learn(page);
  await enter(page, 'Nb3');
  await status(page, /^Right!/);
  let before = await seen(page);
  await reload(page);
  assert.deepEqual(await seen(page), before);
  await press(page, 'n');
  await enter(page, 'h4');
  await status(page, /Try again\.$/);
  before = await seen(page);
  await reload(page);
  assert.deepEqual(await seen(page), before);
  await press(page, 's');
  await status(page, /^The better move/);
  before = await seen(page);
  await reload(page);
  assert.deepEqual(await seen(page), before);
  await press(page, 'n');
  await status(page, /you found 1 of 2 on the first try\.$/);
  await reload(page);
  await status(page, /you found 1 of 2 on the first try\.$/);
});

onPage('a try at a mistake is judged after a reload, and a lesson that was left goes on where it was', {}, async (page) => {
  await learn(page);
  await press(page, 'n');
  await status(page, /^Mistake 2/);
  await enter(page, 'h4');
  await reload(page);
  await status(page, /^13\. h4\?\? .* Try again\.$/);
  await page.click('#leave-mistakes');
  await reload(page);
  await status(page, /^Black to move|^White to move/);
  await press(page, 'L');
  await status(page, /^Mistake 2 of 2/);
});

onPage('a review goes on after a reload with the positions that it had', {}, async (page) => {
  await open(page, OPERA);
  await page.click('#tab-review');
  await page.click('#review');
  /** How many positions are done, once there are so many. @param {number} least */
  const count = async (least) => {
    const read = (/** @type {number} */ wanted) => {
      const [, done] = /^(\d+) of 34/.exec(document.querySelector('#progress')?.textContent ?? '') ?? [];
      return Number(done) >= wanted && Number(done);
    };
    return Number(await (await page.waitForFunction(read, least)).jsonValue());
  };
  const before = await count(6);
  await page.reload();
  const after = await count(1);
  assert(after >= before, `${after} after ${before}`);
  assert(await page.isVisible('#panel-review'));
  await status(page, /Reviewed: /);
  assert.equal(await page.locator('#players-review li').count(), 2);
});

/* Games that have not begun. */

onPage('a game without a move, a position and an ending come back after a reload, and leave no empty games', {}, async (page) => {
  await open(page, '[White "First"]\n\n1. e4 *');
  await open(page, '[White "Named"]\n\n*');
  await newGame(page, { side: 'both' });
  await reload(page);
  assert.deepEqual(await page.locator('.player .name').allTextContents(), ['Black', 'White']);
  assert.deepEqual(await moves(page), []);
  await status(page, /^White to move\./);
  await open(page, LOOSE);
  const before = await pieces(page);
  await reload(page);
  assert.equal(await pieces(page), before);
  // A position of Chess960 is not the random start of a new game.
  await open(page, '1r3k1r/pp3ppp/8/8/8/8/PP3PPP/1R3K1R w HBhb - 0 20');
  await page.click('#tab-gym');
  await page.selectOption('#ending', { label: 'A pawn in the middle' });
  await page.click('#practise');
  const ending = await pieces(page);
  assert.notEqual(ending, before);
  await reload(page);
  assert.equal(await pieces(page), ending);
  assert.equal(await page.textContent('#practise'), 'Try again');
  await newGame(page, { side: 'both' });
  await page.waitForFunction(() => document.querySelector('#pieces')?.textContent?.includes('queen d8'));
  assert.deepEqual(await kept(page), ['White – Black', 'A position', 'A position', 'Named – Black', 'First – Black']);
});

onPage('a game that has just begun comes back, although its tab does not have the lock yet', {}, async (page) => {
  await open(page, '[White "First"]\n\n1. e4 *');
  await page.evaluate(() => {
    navigator.locks.request = /** @type {any} */ (() => new Promise(() => {}));
  });
  await open(page, '[White "Second"]\n\n1. d4 *');
  await reload(page);
  assert.deepEqual(await moves(page), ['d4']);
});

onPage('what the database had not finished when the page was left is done when it comes back', {}, async (page) => {
  await open(page, '[White "Removed"]\n\n1. e4 *');
  await open(page, '[White "Kept"]\n\n1. d4 *');
  await menu(page, '#games');
  await page.click('[aria-label^="Delete Removed"]');
  await page.evaluate(() => {
    const never = /** @type {any} */ (() => ({}));
    IDBObjectStore.prototype.delete = never;
    IDBObjectStore.prototype.put = never;
  });
  await page.click('[aria-label^="Really delete Removed"]');
  await page.click('#games-dialog .main');
  await enter(page, 'd5');
  await open(page, '[White "Last"]\n\n1. c4 *');
  await reload(page);
  assert.deepEqual(await kept(page), ['Last – Black', 'Kept – Black']);
  await page.click('#games-dialog .name:enabled');
  await page.locator('#moves [data-node]', { hasText: 'd5' }).waitFor();
  assert.deepEqual(await moves(page), ['d4', 'd5']);
});

onPage('a board that was flipped before the first move stays so', {}, async (page) => {
  await page.click('#flip');
  await reload(page);
  assert.equal(await page.locator('#board .cg-wrap.orientation-black, #board.orientation-black').count(), 1);
});

onPage('a game without players has its moves as its name', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *');
  await menu(page, '#games');
  assert.match(String(await page.textContent('#games-dialog .name')), /^1\. e4 e5 2\. Nf3 Nc6 3\. Bb5 a6/);
});

/* What was asked, and what is seen. */

onPage('a hint, an offer and the better move of the coach are there after a reload', {}, async (page) => {
  await newGame(page, { level: '1000' });
  await page.click('#hint');
  await status(page, /Hint: /);
  const hint = await page.textContent('#status');
  await reload(page);
  assert.equal(await page.textContent('#status'), hint);
  await page.locator('#board svg.cg-shapes line').waitFor({ state: 'attached' });
  await page.click('#draw');
  await reload(page);
  await status(page, /declines the draw/);
  await coached(page, LOOSE, { level: '400' });
  await enter(page, 'Nc6');
  await status(page, /^12\. Nc6\?\?/);
  await press(page, 'g');
  await status(page, /^Tabiya plays .*Better: 12\. /);
  const told = await page.textContent('#status');
  await reload(page);
  assert.equal(await page.textContent('#status'), told);
});

/** Until the page is left, the engine is never loaded; then the browser breaks that off first. @param {Page} page */
const brokenOff = (page) => page.addInitScript(() => {
  const { fetch } = window;
  const left = new Promise((_, reject) => window.addEventListener('pagehide', () => reject(new TypeError('Network error'))));
  left.catch(() => sessionStorage.setItem('broken', 'yes'));
  window.fetch = (url, ...rest) => (String(url).includes('tabiya.wasm') && !sessionStorage.getItem('broken') ? left : fetch(url, ...rest));
});

onPage('what an engine was loaded for is done after a reload', { begin: brokenOff }, async (page) => {
  await ready(page);
  await newGame(page, { level: '1000' });
  await page.click('#draw');
  await reload(page);
  await status(page, /declines the draw/);
  await page.evaluate(() => sessionStorage.removeItem('broken'));
  await reload(page);
  await enter(page, 'e4');
  await status(page, /Tabiya is thinking/);
  await reload(page);
  await status(page, /Tabiya plays/);
});

onPage('lines that are on for analysis stay off in a game after a reload, and the other way round', {}, async (page) => {
  await open(page, OPERA);
  await press(page, 'l');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length > 0);
  await newGame(page, { level: '1000' });
  await page.waitForFunction(() => !(/** @type {HTMLInputElement} */ (document.querySelector('#lines-on')).checked));
  await reload(page);
  assert(!(await page.isChecked('#lines-on')));
  await page.waitForTimeout(500);
  assert.equal(await page.locator('#lines li').count(), 0);
  await press(page, 'x');
  await reload(page);
  assert(await page.isChecked('#lines-on'));
  assert.equal(await page.getAttribute('#threat', 'aria-pressed'), 'true');
});

onPage('the place, the panel and the chosen ending come back after a reload', {}, async (page) => {
  await open(page, '1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *');
  await page.click('#moves >> text=Nf3');
  await page.click('#tab-gym');
  await page.selectOption('#ending', { label: 'Queen' });
  await reload(page);
  assert.equal(await page.textContent('#moves [aria-current]'), 'Nf3');
  assert(await page.isVisible('#panel-gym'));
  assert.equal(await page.locator('#ending option:checked').textContent(), 'Queen');
});

onPage('a position that is being set up in the board editor comes back after a reload, until it is used or left', {}, async (page) => {
  await enter(page, 'e4');
  await status(page, /Your move/);
  await menu(page, '#edit');
  await page.click('#editor-empty');
  await page.click('#editor-flip');
  const field = '#editor-dialog [name=fen]';
  await page.fill(field, '8/8/8/8/8/8/4K3/k6R w - - 0 1');
  await reload(page);
  assert.equal(await page.inputValue(field), '8/8/8/8/8/8/4K3/k6R w - - 0 1');
  assert.equal(await page.locator('#editor-board .orientation-black, #editor-board.orientation-black').count(), 1);
  await page.keyboard.press('Escape');
  await reload(page);
  assert(!(await page.isVisible('#editor-dialog')));
  assert.equal((await moves(page))[0], 'e4');
  await menu(page, '#edit');
  await page.fill(field, '8/8/8/8/8/8/4K3/k6R b - - 0 1');
  await page.click('[data-use=analyse]');
  await leaveGame(page);
  await reload(page);
  assert(!(await page.isVisible('#editor-dialog')));
  assert.match(String(await pieces(page)), /king e2, rook h1/);
});
