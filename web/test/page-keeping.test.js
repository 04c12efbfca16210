/** The page in Chromium: what is kept, in one tab and in several, and what may not get lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIMEOUT, address, browser, enter, eventually, isolated, kept, menu, moves, newGame, onPage, open, ready, skip, status, useBrowser } from './browser.js';

/** @typedef {import('playwright-core').Page} Page */
useBrowser(isolated);

/**
 * A test in two tabs of one browser, with a game in the first.
 * @param {string} name
 * @param {(first: Page, second: Page) => Promise<void>} body
 */
function inTwoTabs(name, body) {
  test(name, { skip, timeout: 4 * TIMEOUT }, async () => {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    context.setDefaultTimeout(TIMEOUT);
    try {
      const [first, second] = [await context.newPage(), await context.newPage()];
      // A tab in the background draws once a second, which every click waits for.
      await first.bringToFront();
      await first.goto(address(isolated));
      await ready(first);
      await open(first, '[White "First"]\n\n1. e4 *');
      await body(first, second);
    } finally {
      await context.close();
    }
  });
}

inTwoTabs('two tabs keep two games, and the same game in a second tab is a copy', async (first, second) => {
  await second.bringToFront();
  await second.goto(address(isolated));
  await ready(second);
  // The newest game is that of the other tab.
  await status(second, /copy/);
  await enter(second, 'd5');
  await open(second, '[White "Second"]\n\n1. d4 *');
  await first.bringToFront();
  await enter(first, 'c5');
  await second.close({ runBeforeUnload: true });
  await first.reload();
  await ready(first);
  assert.deepEqual(await moves(first), ['e4', 'c5']);
  assert.equal((await kept(first)).filter((title) => title?.startsWith('First')).length, 2);
  await first.click('#games-dialog .name >> text=Second');
  await first.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 1);
  assert.deepEqual(await moves(first), ['d4']);
});

/** The games of "My games". @param {Page} page @returns {Promise<import('../page/store.js').Kept[]>} */
const keptGames = (page) =>
  page.evaluate(async () => {
    const done = (/** @type {IDBRequest} */ request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await done(indexedDB.open('tabiya'));
    const games = await done(database.transaction('games').objectStore('games').getAll());
    database.close();
    return games;
  });

/** The moves of the games with this name. @param {Page} page @param {string} name */
const keptMoves = async (page, name) => {
  const named = (await keptGames(page)).filter(({ title }) => title.startsWith(name));
  return named.map(({ pgn }) => pgn.split('\n\n')[1].trim()).sort();
};

/** Waits until these are the moves of the games with this name. @param {Page} page @param {string} name @param {string[]} expected */
const keeps = (page, name, expected) => eventually(async () => assert.deepEqual(await keptMoves(page, name), expected));

inTwoTabs('a game of the list is opened as it is, not as it was when the list was drawn', async (first, second) => {
  await second.bringToFront();
  await second.goto(address(isolated));
  await ready(second);
  await open(second, '[White "Second"]\n\n1. d4 *');
  await kept(second);
  await first.bringToFront();
  for (const move of ['e5', 'Nf3', 'Nc6']) await enter(first, move);
  const id = await first.evaluate(() => sessionStorage.getItem('tabiya.game.id'));
  await open(first, '[White "Third"]\n\n1. c4 *');
  // The browser gives the game back a moment later.
  await first.waitForFunction(async (name) => !(await navigator.locks.query()).held?.some((lock) => lock.name === name), `tabiya.game.${id}`);
  await second.bringToFront();
  await second.click('#games-dialog .name >> text=First');
  await second.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 4);
  assert.deepEqual(await moves(second), ['e4', 'e5', 'Nf3', 'Nc6']);
  // Only the second tab turns the board, so what is kept then is its game.
  await second.press('body', 'f');
  await eventually(async () => assert.equal((await keptGames(second)).find((game) => game.id === id)?.orientation, 'black'));
  assert.deepEqual(await keptMoves(second, 'First'), ['1. e4 e5 2. Nf3 Nc6 *']);
});

inTwoTabs('a link in a new tab opens its game and copies no other, and a copy is kept when it is used', async (first, second) => {
  for (const move of ['d4', 'c4']) {
    await second.bringToFront();
    await second.goto('about:blank');
    await second.goto(`${address(isolated)}#pgn=1.%20${move}`);
    await ready(second);
    assert.deepEqual(await moves(second), [move]);
  }
  const third = await second.context().newPage();
  await third.goto(address(isolated));
  await status(third, /copy/);
  // The newest is the game of the other tab.
  assert.deepEqual(await moves(third), ['c4']);
  await third.press('body', 'ArrowLeft');
  await third.reload();
  await status(third, /copy/);
  assert.deepEqual([await keptMoves(first, '1. c4'), await keptMoves(first, 'First')], [['1. c4 *'], ['1. e4 *']]);
  await enter(third, 'e5');
  await keeps(first, '1. c4', ['1. c4 *', '1. c4 e5 *']);
});

inTwoTabs('the copy of a game against the engine is not kept when the engine moves', async (first, second) => {
  await newGame(first, { level: '1000' });
  await first.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 0);
  // The engine never answers there.
  await first.evaluate(() => (Worker.prototype.postMessage = () => {}));
  await enter(first, 'e4');
  await second.bringToFront();
  await second.goto(address(isolated));
  await status(second, /^Tabiya plays .* Your move/);
  assert.equal((await moves(second)).length, 2);
  assert.deepEqual(await keptMoves(first, 'You'), ['1. e4 *']);
  await enter(second, 'h3');
  await eventually(async () => assert.equal((await keptMoves(first, 'You')).length, 2));
});

inTwoTabs('a game that came back after a reload is still that of its tab', async (first, second) => {
  await first.reload();
  await ready(first);
  await second.bringToFront();
  await second.goto(address(isolated));
  await status(second, /copy/);
  await open(second, '[White "Second"]\n\n1. d4 *');
  await first.bringToFront();
  await first.reload();
  await ready(first);
  assert.deepEqual(await moves(first), ['e4']);
});

inTwoTabs('after a reload, a page waits until the one before gives the game back', async (page, before) => {
  await before.goto(`${address(isolated)}manifest.webmanifest`);
  const id = await page.evaluate(() => sessionStorage.getItem('tabiya.game.id'));
  // It has the lock until the page asks for it.
  await before.evaluate((name) => {
    const isAsked = async () => (await navigator.locks.query()).pending?.some((lock) => lock.name === name);
    const hold = async () => {
      while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    void navigator.locks.request(name, hold);
  }, `tabiya.game.${id}`);
  await page.reload();
  await ready(page);
  assert.doesNotMatch(String(await page.textContent('#status')), /copy/);
  assert.equal((await kept(page)).length, 1);
});

/** The database takes what it gets and then refuses it, as when there is no room. @param {Page} page */
const refuse = (page) =>
  page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (/** @type {[any, IDBValidKey?]} */ ...values) {
      const request = put.apply(this, values);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    };
  });

onPage('a game that cannot be kept is told once, is in the list, and comes back if there is room again', {}, async (page) => {
  await newGame(page, { side: 'both' });
  await refuse(page);
  await enter(page, 'e4');
  await status(page, /could not keep the game: save it as a file\.$/);
  await enter(page, 'e5');
  await status(page, /^White to move\.$/);
  await open(page, '[White "Second"]\n\n1. d4 *');
  await menu(page, '#games');
  await page.locator('#games-dialog .name:enabled', { hasText: 'White' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 2);
  await page.reload();
  await ready(page);
  assert.deepEqual(await moves(page), ['e4', 'e5']);
  assert.equal((await kept(page)).filter((title) => title?.startsWith('Second')).length, 1);
});

onPage('what was left for the database is not lost while it cannot take it, and a part that is damaged keeps nothing back', { expected: /404/ }, async (page) => {
  await newGame(page, { side: 'both' });
  await enter(page, 'e4');
  await page.goto(`${address(isolated)}manifest.webmanifest`);
  await page.evaluate(() => {
    const left = { id: 'left', pgn: '[White "Left"]\n\n1. b3 *', title: 'Left', updated: 5, path: [], livePath: [], orientation: 'white' };
    localStorage.setItem('tabiya.left.bad', '{');
    localStorage.setItem('tabiya.left.left', JSON.stringify(left));
  });
  const keys = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tabiya.left.')));
  await page.addInitScript(() => {
    if (sessionStorage.getItem('has room')) return;
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (/** @type {[any, IDBValidKey?]} */ ...values) {
      const request = put.apply(this, values);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    };
  });
  await page.goto(address(isolated));
  await ready(page);
  assert((await keys()).includes('tabiya.left.left'));
  await page.evaluate(() => sessionStorage.setItem('has room', 'yes'));
  await page.reload();
  await ready(page);
  assert.deepEqual(await keys(), []);
  assert.equal((await kept(page)).filter((title) => title === 'Left').length, 1);
});

/** Deletes a game in "My games". @param {Page} page @param {string} name */
async function remove(page, name) {
  await menu(page, '#games');
  const item = page.locator('#games-dialog li', { hasText: name });
  await item.getByText('Delete').click();
  await item.getByText('Really?').click();
}

inTwoTabs('what a tab leaves is what another opens, and a game that is deleted there does not come back', async (first, second) => {
  await second.bringToFront();
  await second.goto(address(isolated));
  await ready(second);
  await first.bringToFront();
  await refuse(first);
  await enter(first, 'e5');
  await status(first, /could not keep/);
  await first.goto(`${address(isolated)}manifest.webmanifest`);
  await second.bringToFront();
  await open(second, '[White "Second"]\n\n1. d4 *');
  await menu(second, '#games');
  await second.click('#games-dialog .name >> text=First');
  await second.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 2);
  assert.deepEqual(await moves(second), ['e4', 'e5']);
  await second.press('body', 'f');
  await keeps(second, 'First', ['1. e4 e5 *']);
  // A page that is left leaves what the database has, too.
  const third = await second.context().newPage();
  await third.goto(address(isolated));
  await status(third, /copy/);
  await second.goto(`${address(isolated)}manifest.webmanifest`);
  await remove(third, 'First');
  await keeps(third, 'First', []);
  await third.reload();
  await ready(third);
  assert.deepEqual(await keptMoves(third, 'First'), []);
});

inTwoTabs('a game that another tab has open is not deleted', async (first, second) => {
  await second.bringToFront();
  await second.goto(address(isolated));
  await ready(second);
  await remove(second, 'First');
  await second.waitForSelector('#games-dialog li >> text=Delete');
  assert.match(String(await second.textContent('#games-dialog li')), /open in another tab/);
  assert.deepEqual(await keptMoves(first, 'First'), ['1. e4 *']);
});

const noDatabase = (/** @type {Page} */ page) => page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
onPage('a browser that keeps nothing says so, and nothing is left in it', { begin: noDatabase }, async (page) => {
  await ready(page);
  await status(page, /This browser keeps no games: save them as files\.$/);
  await newGame(page, { side: 'both' });
  await enter(page, 'e4');
  await open(page, '[White "Second"]\n\n1. d4 *');
  await menu(page, '#games');
  await page.click('#games-dialog .name:enabled');
  await page.waitForFunction(() => document.querySelector('#moves')?.textContent?.includes('e4'));
  await page.reload();
  await ready(page);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tabiya.left.'))), []);
});

for (const [lost, isTold] of /** @type {const} */ ([['', true], [', of which the page is not told', false]])) {
  onPage(`a database that the browser has closed is opened again${lost}`, {}, async (page) => {
    await newGame(page, { side: 'both' });
    await page.evaluate((isTold) => {
      const { transaction } = IDBDatabase.prototype;
      IDBDatabase.prototype.transaction = function () {
        IDBDatabase.prototype.transaction = transaction;
        this.close();
        if (isTold) this.dispatchEvent(new Event('close'));
        throw new DOMException('The database connection is closing.', 'InvalidStateError');
      };
    }, isTold);
    await enter(page, 'e4');
    await keeps(page, 'White', ['1. e4 *']);
    await enter(page, 'e5');
    await status(page, /^White to move\.$/);
    await keeps(page, 'White', ['1. e4 e5 *']);
    assert.equal((await kept(page)).length, 1);
  });
}

onPage('a tab that is closed at once loses nothing but the move being made', {}, async (page) => {
  await newGame(page, { side: 'both' });
  for (const move of ['e4', 'e5', 'Nf3', 'Nc6']) await enter(page, move);
  await page.goto('about:blank');
  await page.goto(address(isolated));
  await ready(page);
  assert.deepEqual((await moves(page)).slice(0, 3), ['e4', 'e5', 'Nf3']);
});

onPage('choices of a new game are remembered', {}, async (page) => {
  await newGame(page, { level: '2000', clock: '10+5', side: 'both' });
  await page.reload();
  await ready(page);
  await page.click('#new');
  assert.deepEqual([await page.inputValue('[name=level]'), await page.inputValue('[name=clock]'), await page.inputValue('[name=side]')], ['2000', '10+5', 'both']);
});

onPage('a new game asks before it leaves one, which stays in the list', {}, async (page) => {
  await newGame(page, { side: 'both' });
  await enter(page, 'a3');
  await page.click('#new');
  await page.click('#confirm-dialog [value=cancel]');
  assert.deepEqual(await moves(page), ['a3']);
  await newGame(page, { side: 'both' });
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 0);
  await menu(page, '#games');
  await page.click('#games-dialog .name:enabled >> nth=0');
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 1);
  assert.deepEqual(await moves(page), ['a3']);
  await status(page, /Black to move/);
});
