/** `<tabiya-board>` in Chromium, on pages that have nothing but its script. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, OPERA, PHONE, TIMEOUT, accessible, address, browser, centre, clickSquare, eventually, isolated, plain, resize, skip, useBrowser } from './browser.js';

useBrowser(isolated, plain);

const NOTES = '1. e4 {Best by test.} e5 $1 (1... c5 2. Nf3 (2. c3 d5) 2... d6 {Najdorf.}) 2. Nf3 Nc6 *';

/** @typedef {import('playwright-core').Page} Page */

/** @param {string} body @param {string} [head] */
const html = (body, head = '') => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A blog</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${head}
  <script type="module" src="/dist/board.js"></script></head><body><main><h1>A blog</h1>${body}</main></body></html>`;

/**
 * A test on a page with these elements. It fails if the console has a message or the page is too wide.
 * @param {string} name
 * @param {string} body
 * @param {(page: Page) => Promise<void>} steps
 * @param {{ viewport?: { width: number, height: number }, head?: string, expected?: RegExp, colorScheme?: 'light' | 'dark', hasTouch?: boolean,
 *   server?: typeof plain, begin?: (page: Page) => Promise<unknown> }} [options]
 */
function onBlog(name, body, steps, { viewport = DESKTOP, head, expected, colorScheme = 'light', hasTouch = false, server = plain, begin } = {}) {
  test(name, { skip, timeout: 4 * TIMEOUT }, async () => {
    const page = await browser.newPage({ viewport, colorScheme, hasTouch, reducedMotion: 'reduce' });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => expected?.test(message.text()) || messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    page.setDefaultTimeout(TIMEOUT);
    try {
      await page.route('**/blog.html', (route) => route.fulfill({ contentType: 'text/html', body: html(body, head) }));
      await begin?.(page);
      await page.goto(`${address(server)}blog.html`);
      await page.waitForFunction(() => [...document.querySelectorAll('tabiya-board')].every((board) => /** @type {any} */ (board).game || board.shadowRoot?.querySelector('.failed')));
      await steps(page);
      assert.deepEqual(messages, []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(width <= viewport.width, `the page is ${width} wide`);
    } finally {
      await page.close();
    }
  });
}

/** @param {Page} page @param {string} [board] */
const fen = (page, board = 'tabiya-board') => page.locator(board).evaluate((/** @type {any} */ element) => element.game.fen.split(' ')[0]);
/** The move on the board. @param {Page} page @param {string} [board] */
const current = async (page, board = 'tabiya-board') => {
  const move = page.locator(`${board} >> [aria-current]`);
  return (await move.count()) > 0 ? move.textContent() : 'start';
};
/** @param {Page} page @param {string} board */
const moves = (page, board = 'tabiya-board') => page.locator(`${board} >> [data-node]`).allTextContents();
/** @param {Page} page @param {string} id @param {RegExp} pattern */
const says = (page, id, pattern) => page.locator(`tabiya-board >> ${id}`).filter({ hasText: pattern }).first().waitFor({ state: 'attached' });

onBlog('moves, variations, comments and glyphs of a PGN are shown', `<tabiya-board pgn="${NOTES}"></tabiya-board>`, async (page) => {
  assert.deepEqual(await moves(page), ['e4', 'e5!', 'c5', 'Nf3', 'c3', 'd5', 'd6', 'Nf3', 'Nc6']);
  const text = await page.locator('tabiya-board >> #moves').innerText();
  assert.match(text, /Best by test\./);
  assert.match(text, /Najdorf\./);
  await page.locator('tabiya-board >> [data-node]').nth(6).click();
  assert.match(await fen(page), /^rnbqkbnr\/pp2pppp\/3p4\/2p5\/4P3\/5N2/);
  assert.equal(await current(page), 'd6');
  assert.equal(await page.locator('tabiya-board >> cg-board piece').count(), 32);
});

onBlog('the text of the element is a PGN, and its lines may be indented', `<tabiya-board>\n      ${OPERA.replaceAll('\n', '\n      ')}\n    </tabiya-board>`, async (page) => {
  assert.equal((await moves(page)).length, 33);
  assert.equal(await page.locator('tabiya-board >> #title').textContent(), 'Paul Morphy – Duke Karl / Count Isouard, Paris 1858');
  assert.match(String(await page.locator('tabiya-board >> .frame').getAttribute('aria-label')), /^Chess game: Paul Morphy – Duke Karl/);
});

onBlog('keys walk through the game once it has the focus, and leave the page alone before', `<tabiya-board pgn="${NOTES}"></tabiya-board><p style="height: 200vh"></p>`, async (page) => {
  const press = async (/** @type {string} */ key) => {
    await page.keyboard.press(key);
    return current(page);
  };
  assert.equal(await press('ArrowRight'), 'start');
  await page.locator('tabiya-board >> #moves').focus();
  const walked = [];
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'End', 'ArrowLeft', 'Home']) walked.push(await press(key));
  assert.deepEqual(walked, ['e4', 'e5!', 'c5', 'e5!', 'Nc6', 'Nf3', 'start']);
  await press('f');
  assert.equal(await page.locator('tabiya-board >> .orientation-black').count(), 1);
  // The keys that the element takes do not scroll the page, which is long enough for it.
  assert.equal(await page.evaluate(() => window.scrollY), 0);
});

onBlog('a click on the board leaves the arrow keys to the moves', '<tabiya-board pgn="1. e4 e5 2. Nf3 *"></tabiya-board>', async (page) => {
  await clickSquare(page, 'd5', 'tabiya-board >> cg-board');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal(await current(page), 'e5');
});

const RIGHT_TO_LEFT = '<style>html { direction: rtl } tabiya-board { white-space: pre; text-transform: uppercase; letter-spacing: 1em }</style>';
onBlog('the text of the document does not change what is in the element', `<tabiya-board pgn="${NOTES}"></tabiya-board>`, async (page) => {
  const left = async (/** @type {string} */ letter) => (await page.locator('tabiya-board >> coords.files coord', { hasText: letter }).boundingBox())?.x ?? NaN;
  assert((await left('a')) < (await left('h')));
  const styles = await page.locator('tabiya-board >> #moves').evaluate((moves) => {
    const { direction, whiteSpace, textTransform, letterSpacing } = getComputedStyle(moves);
    return [direction, whiteSpace, textTransform, letterSpacing];
  });
  assert.deepEqual(styles, ['ltr', 'normal', 'none', 'normal']);
}, { head: RIGHT_TO_LEFT });

onBlog('in a row the element has a width', '<div style="display: flex"><tabiya-board pgn="1. e4 *"></tabiya-board><p>Text</p></div>', async (page) => {
  const box = await page.locator('tabiya-board').boundingBox();
  assert(box && box.width > 200, JSON.stringify(box));
});

onBlog('a script that changes the players changes the title', '<tabiya-board pgn="1. e4 *"></tabiya-board>', async (page) => {
  await page.locator('tabiya-board').evaluate((/** @type {any} */ board) => {
    board.game.setTag('White', 'Anna');
    board.update();
  });
  assert.match(String(await page.locator('tabiya-board >> #title').textContent()), /^Anna – /);
  assert.match(String(await page.locator('tabiya-board >> .frame').getAttribute('aria-label')), /^Chess game: Anna – /);
});

onBlog('a finger scrolls the page from a board where nothing can be moved', '<tabiya-board id="one" view-only></tabiya-board><tabiya-board id="two"></tabiya-board>', async (page) => {
  await page.evaluate(() => {
    const taken = /** @type {boolean[]} */ ((/** @type {any} */ (window).taken = []));
    // After chessground, whose board ends the way down.
    document.addEventListener('touchstart', (event) => setTimeout(() => taken.push(event.defaultPrevented)), { capture: true, passive: true });
  });
  for (const id of ['#one', '#two']) {
    const board = page.locator(`${id} >> cg-board`);
    await board.scrollIntoViewIfNeeded();
    const { x, y } = await centre(page, 'e2', `${id} >> cg-board`);
    await page.touchscreen.tap(x, y);
  }
  await eventually(async () => assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).taken), [false, true]));
}, { hasTouch: true });

onBlog('a move of the reader becomes a variation, a promotion is chosen, and a page hears of both', '<tabiya-board id="one" pgn="1. e4 e5 *"></tabiya-board><tabiya-board id="two" fen="7k/P7/8/8/8/8/8/K7 w - - 0 1"></tabiya-board>', async (page) => {
  await page.evaluate(() => {
    const heard = /** @type {string[]} */ ((/** @type {any} */ (window).heard = []));
    for (const board of document.querySelectorAll('tabiya-board')) board.addEventListener('change', ({ target }) => heard.push(/** @type {any} */ (target).game.fen.split(' ')[0]));
  });
  for (const square of ['d2', 'd4']) await clickSquare(page, square, '#one >> cg-board');
  await page.locator('#one >> [data-node]', { hasText: 'd4' }).waitFor();
  assert.deepEqual(await moves(page, '#one'), ['e4', 'd4', 'e5']);
  await page.locator('#two').scrollIntoViewIfNeeded();
  for (const square of ['a7', 'a8']) await clickSquare(page, square, '#two >> cg-board');
  await page.locator('#two >> [aria-label=knight]').click();
  await page.locator('#two >> [data-node]').waitFor();
  assert.deepEqual(await moves(page, '#two'), ['a8=N']);
  const heard = await page.evaluate(() => /** @type {any} */ (window).heard);
  assert.deepEqual(heard, ['rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR', 'N6k/8/8/8/8/8/8/K7']);
});

onBlog('a move that the reader tries at the end leaves the result', '<tabiya-board pgn="1. e4 e5 1-0" ply="end"></tabiya-board>', async (page) => {
  for (const square of ['g1', 'f3']) await clickSquare(page, square, 'tabiya-board >> cg-board');
  await page.locator('tabiya-board >> [data-node]', { hasText: 'Nf3' }).waitFor();
  const result = await page.locator('tabiya-board').evaluate((/** @type {any} */ board) => board.game.result);
  assert.deepEqual([result, await page.locator('tabiya-board >> .result').textContent()], ['1-0', '1\u20110']);
});

onBlog('a click finds its square when the page above has grown', '<p id="above"></p><tabiya-board></tabiya-board>', async (page) => {
  await clickSquare(page, 'e2', 'tabiya-board >> cg-board');
  await page.locator('#above').evaluate((above) => (above.style.height = '100px'));
  await clickSquare(page, 'e4', 'tabiya-board >> cg-board');
  await page.locator('tabiya-board >> [data-node]').waitFor();
  assert.deepEqual(await moves(page, 'tabiya-board'), ['e4']);
});

onBlog('attributes say what is shown first, and can be changed', '<tabiya-board pgn="1. e4 e5 2. Nf3 *" ply="2" orientation="black" view-only no-review></tabiya-board>', async (page) => {
  const set = (/** @type {string} */ name, /** @type {string | null} */ value) =>
    page.locator('tabiya-board').evaluate((board, [key, text]) => (text === null ? board.removeAttribute(String(key)) : board.setAttribute(String(key), text)), [name, value]);
  assert.equal(await current(page), 'e5');
  assert.equal(await page.locator('tabiya-board >> .orientation-black').count(), 1);
  assert.equal(await page.locator('tabiya-board >> #review').isVisible(), false);
  // The board is turned: where b8 and a6 would be are g1 and h3. The game goes on with Nf3.
  for (const square of ['b8', 'a6']) await clickSquare(page, square, 'tabiya-board >> cg-board');
  // A move would come a moment after the click.
  await page.waitForTimeout(100);
  assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3']);
  await set('orientation', 'white');
  assert.equal(await page.locator('tabiya-board >> .orientation-white').count(), 1);
  // As frameworks do where there is no value.
  await page.locator('tabiya-board').evaluate((board) => Object.assign(board, { fen: undefined, orientation: undefined }));
  assert.deepEqual(await page.locator('tabiya-board').evaluate((board) => ['fen', 'orientation'].map((name) => board.getAttribute(name))), [null, null]);
  await set('no-review', null);
  assert.equal(await page.locator('tabiya-board >> #review').isVisible(), true);
  for (const [ply, expected] of [['end', 'Nf3'], ['1', 'e4'], ['99', 'Nf3'], ['-3', 'start'], ['x', 'start']]) {
    await set('ply', ply);
    assert.equal(await current(page), expected, ply);
  }
  await set('pgn', '1. c4 *');
  await page.locator('tabiya-board >> text=c4').waitFor();
  await set('pgn', null);
  await set('fen', '4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tabiya-board')).game?.fen.startsWith('4k3'));
  await set('fen', null);
  await page.locator('tabiya-board').evaluate((board) => (board.textContent = '1. b3 *'));
  await page.locator('tabiya-board >> text=b3').waitFor();
});

onBlog('a text that is no game is one sentence in place of the board', '<tabiya-board pgn="1. e4 e5 2. Ke3 Nf6"></tabiya-board><tabiya-board pgn="hello"></tabiya-board><tabiya-board fen="garbage"></tabiya-board>', async (page) => {
  // Up to the fault it is a game.
  assert.deepEqual(await page.locator('tabiya-board >> [data-node]').allTextContents(), ['e4', 'e5']);
  assert.match(String(await page.locator('tabiya-board >> #fault:visible').textContent()), /^[^.]*Ke3.*\.$/);
  const failed = page.locator('tabiya-board >> .failed');
  assert.equal(await failed.count(), 2);
  for (const text of await failed.allTextContents()) assert.match(text, /^[A-Z'‘].{10,120}\.$/);
  assert.equal(await page.locator('tabiya-board >> cg-board').count(), 1);
  await page.locator('tabiya-board').nth(1).evaluate((board) => board.setAttribute('pgn', '1. d4'));
  await page.locator('tabiya-board >> text=d4').waitFor();
  assert.equal(await failed.count(), 1);
});

onBlog('of a text with a million games the first is shown at once', '<tabiya-board></tabiya-board>', async (page) => {
  await page.locator('tabiya-board').evaluate((board) => board.setAttribute('pgn', `1. b4 *\n${'\n*\n'.repeat(1 << 20)}`));
  await page.locator('tabiya-board >> text=b4').waitFor({ timeout: 10_000 });
});

test('properties that were set before the element was defined count, and so do later ones', { skip, timeout: 4 * TIMEOUT }, async () => {
  const page = await browser.newPage();
  await page.route('**/blog.html', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A blog</title><link rel="icon" href="data:,"><main></main>' }));
  await page.goto(`${address(plain)}blog.html`);
  await page.evaluate(async () => {
    const board = /** @type {any} */ (document.createElement('tabiya-board'));
    Object.assign(board, { pgn: '1. e4 *', orientation: 'black' });
    document.querySelector('main')?.append(board);
    await import(/** @type {any} */ ('/dist/board.js'));
  });
  await page.locator('tabiya-board >> text=e4').waitFor();
  assert.equal(await page.locator('tabiya-board >> .orientation-black').count(), 1);
  await page.locator('tabiya-board').evaluate((/** @type {any} */ board) => (board.pgn = '1. d4 *'));
  await page.locator('tabiya-board >> text=d4').waitFor();
  await page.close();
});

onBlog('names and comments with HTML stay text', `<tabiya-board pgn='[White "<img src=x onerror=alert(1)>"]\n[Black "<b>B</b>"]\n\n1. e4 {<script>alert(1)</script>} *'></tabiya-board>`, async (page) => {
  assert.match(String(await page.locator('tabiya-board >> #title').textContent()), /^<img src=x onerror=alert\(1\)> – <b>B<\/b>$/);
  assert.equal(await page.locator('tabiya-board >> img').count(), 0);
});

/** Waits until the engine has ended. @param {Page} page */
const noWorker = (page) => eventually(async () => assert.equal(page.workers().length, 0));

const TWO = `<tabiya-board id="one" pgn="1. f3 e5 2. g4 Qh4# 0-1"></tabiya-board><tabiya-board id="two" pgn="1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"></tabiya-board>`;

for (const [kind, server] of /** @type {const} */ ([['isolated', isolated], ['plain', plain]])) {
  /** @type {string[]} */
  const asked = [];
  const begin = async (/** @type {Page} */ page) => void page.on('request', (request) => asked.push(request.url()));
  onBlog(`boards on a ${kind} page share an engine that is loaded for the first review, and free it`, TWO, async (page) => {
    assert.equal(asked.filter((url) => /tabiya\.(js|wasm)/.test(url)).length, 0, `${asked}`);
    await page.locator('#one >> #review').click();
    // In one step, before the first review can have ended.
    const waiting = await page.locator('#two').evaluate(({ shadowRoot: root }) => {
      /** @type {HTMLElement | null | undefined} */ (root?.querySelector('#review'))?.click();
      return root?.querySelector('#progress')?.textContent;
    });
    assert.match(String(waiting), /Waiting/);
    await page.locator('#one >> #progress', { hasText: /mistake/ }).waitFor();
    await page.locator('#two >> #progress', { hasText: /mistake/ }).waitFor();
    assert.equal(page.workers().length, 1);
    assert.equal(asked.filter((url) => /tabiya\.wasm/.test(url)).length, 1);
    assert.equal((await moves(page, '#one'))[2], 'g4??');
    await page.locator('#one >> #mistake-after').click();
    await page.locator('#one >> #mistake-after').click();
    assert.match(String(await page.locator('#one >> #judgement').textContent()), /2\. g4\?\? .*Qh4#.*Better: 2\. /);
    await page.locator('#one >> #better').click();
    assert((await moves(page, '#one')).length > 4);
    assert.match(String(await page.locator('#one >> #players-review').textContent()), /White: accuracy \d+ %.*Black: accuracy/);
    assert.equal(await page.locator('#one >> #graph').getAttribute('role'), 'slider');
    // The engine stays for the board that is left, and ends with it.
    const game = await page.evaluateHandle(() => /** @type {any} */ (document.querySelector('#one')).game);
    await page.locator('#one').evaluate((board) => board.remove());
    await page.waitForTimeout(100);
    assert.equal(page.workers().length, 1);
    assert.equal(await game.evaluate((/** @type {any} */ freed) => {
      try {
        return freed.pgn();
      } catch {
        return 'freed';
      }
    }), 'freed');
    await page.locator('#two').evaluate((board) => board.remove());
    await noWorker(page);
  }, { server, begin });
}

onBlog('a game that is too large to be drawn is refused', `<tabiya-board pgn="${'Nf3 Nf6 Ng1 Ng8 '.repeat(5001)}*"></tabiya-board>`, async (page) => {
  assert.equal(await page.locator('tabiya-board >> .failed').textContent(), 'The game has 20,004 moves, and at most 20,000 are shown.');
});

onBlog('a review that was stopped goes on with the positions that it had', `<tabiya-board>${OPERA}</tabiya-board>`, async (page) => {
  const count = async (/** @type {number} */ least) => {
    const read = async () => Number(/^(\d+) of 34 positions$/.exec(String(await page.locator('tabiya-board >> #count').textContent()))?.[1]);
    await eventually(async () => assert((await read()) >= least));
    return read();
  };
  await page.locator('tabiya-board >> #review').click();
  const before = await count(5);
  assert.equal(await page.locator('tabiya-board >> #progress').textContent(), 'Reviewing the game.');
  await page.locator('tabiya-board >> #review').click();
  assert.equal(await page.locator('tabiya-board >> #count').textContent(), '');
  await page.locator('tabiya-board >> #review').click();
  assert((await count(1)) > before);
  await page.locator('tabiya-board >> #review').click();
});

onBlog('a review can be stopped, and a board that is removed ends its own', TWO, async (page) => {
  for (const board of ['#one', '#two']) await page.locator(`${board} >> #review`).click();
  await page.locator('#one >> #review', { hasText: 'Stop' }).click();
  assert.equal(await page.locator('#one >> #progress').textContent(), '');
  assert.equal(await page.locator('#one >> #review').textContent(), 'Review');
  await page.locator('#two').evaluate((board) => board.remove());
  await page.locator('#one >> #review').click();
  await page.locator('#one >> #progress', { hasText: /mistake/ }).waitFor();
  await page.locator('#one >> #review').click();
  await page.locator('#one').evaluate((board) => board.remove());
  await noWorker(page);
});

onBlog('an element that is moved keeps its place, and one that comes back is shown again', '<tabiya-board pgn="1. e4 e5 *" ply="1"></tabiya-board><div id="new"></div>', async (page) => {
  await page.locator('tabiya-board >> #moves').focus();
  await page.keyboard.press('ArrowRight');
  await page.evaluate(() => document.querySelector('#new')?.append(/** @type {Element} */ (document.querySelector('tabiya-board'))));
  await page.waitForTimeout(100);
  assert.equal(await current(page), 'e5');
  await page.evaluate(async () => {
    const board = /** @type {HTMLElement} */ (document.querySelector('tabiya-board'));
    board.remove();
    await new Promise((resolve) => setTimeout(resolve, 50));
    document.body.append(board);
  });
  await page.locator('tabiya-board >> [aria-current]').waitFor();
  assert.equal(await current(page), 'e4');
});

/** @type {(value?: undefined) => void} */
let come = () => {};
const rules = new Promise((resolve) => (come = resolve));
test('an element has its size before the rules are there', { skip, timeout: 4 * TIMEOUT }, async () => {
  const page = await browser.newPage();
  await page.route('**/blog.html', (route) => route.fulfill({ contentType: 'text/html', body: html('<tabiya-board pgn="1. e4 *"></tabiya-board>') }));
  await page.route('**/rules.wasm', async (route) => {
    await rules;
    await route.continue();
  });
  await page.goto(`${address(plain)}blog.html`);
  await page.locator('tabiya-board >> .empty').waitFor();
  const height = async () => (await page.locator('tabiya-board').boundingBox())?.height ?? 0;
  const before = await height();
  assert.equal(await page.locator('tabiya-board >> [aria-busy]').count(), 1);
  come();
  await page.locator('tabiya-board >> cg-board').waitFor();
  assert(before > 300 && Math.abs((await height()) - before) < 3, `${before} and ${await height()}`);
  assert.equal(await page.locator('tabiya-board >> [aria-busy]').count(), 0);
  await page.close();
});

onBlog('rules that cannot be loaded are one sentence, and can be tried again', '<tabiya-board pgn="1. e4 *"></tabiya-board>', async (page) => {
  assert.match(String(await page.locator('tabiya-board >> .failed p').textContent()), /^The rules of chess cannot be loaded: .*503/);
  await page.unroute('**/rules.wasm');
  await page.locator('tabiya-board >> text=Try again').click();
  await page.locator('tabiya-board >> text=e4').waitFor();
}, { expected: /503/, begin: (page) => page.route('**/rules.wasm', (route) => route.fulfill({ status: 503 })) });

onBlog('an engine that cannot be loaded is one sentence, and can be tried again', '<tabiya-board pgn="1. f3 e5 2. g4 Qh4# *"></tabiya-board>', async (page) => {
  await page.locator('tabiya-board >> #review').click();
  await says(page, '#progress', /^The engine failed: .*503.*\.$/);
  await page.unroute('**/tabiya.wasm');
  await page.locator('tabiya-board >> #review').click();
  await says(page, '#progress', /mistake/);
}, { expected: /503/, begin: (page) => page.route('**/tabiya.wasm', (route) => route.fulfill({ status: 503 })) });

onBlog('the board is played by keyboard and says what is on it', '<tabiya-board pgn="1. e4 *"></tabiya-board>', async (page) => {
  await page.keyboard.press('Tab');
  const said = () => page.locator('tabiya-board >> #announcer').textContent();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await said(), 'd2, white pawn');
  await page.keyboard.press('Enter');
  assert.match(String(await said()), /d2, white pawn picked up\. To d3, d4\.|To d4, d3\./);
  for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await says(page, '#place', /^1\. d4\. Black to move\.$/);
  assert.deepEqual(await moves(page), ['e4', 'd4']);
  assert.equal(await page.locator('tabiya-board >> square.cursor:visible').count(), 1);
});

const FULL = `<tabiya-board pgn="${NOTES}"></tabiya-board><h2>More</h2><tabiya-board>${OPERA}</tabiya-board><tabiya-board pgn="hello"></tabiya-board>`;
for (const [colorScheme, viewport] of /** @type {const} */ ([['light', DESKTOP], ['dark', PHONE]])) {
  onBlog(`axe finds nothing, ${colorScheme}`, FULL, async (page) => {
    await page.locator('tabiya-board >> #review').first().click();
    await says(page, '#progress', /mistake/);
    await page.locator('tabiya-board >> [data-go=next]').first().click();
    await accessible(page, 'with a review');
  }, { colorScheme, viewport, head: '<meta name="color-scheme" content="light dark"><style>body { background: Canvas }</style>' });
}

onBlog('its colours are those of the page that it is on', '<tabiya-board pgn="1. e4 *"></tabiya-board>', async (page) => {
  const background = () => page.locator('tabiya-board >> .frame').evaluate((frame) => getComputedStyle(frame).backgroundColor);
  const light = await background();
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'light dark'));
  assert.notEqual(await background(), light);
  await page.evaluate(() => (document.documentElement.style.colorScheme = 'light'));
  assert.equal(await background(), light);
}, { colorScheme: 'dark' });

/** Board and moves fit into the page. @param {Page} page @param {number} width */
async function fits(page, width) {
  const box = async (/** @type {string} */ selector) => {
    const found = await page.locator(`tabiya-board >> ${selector}`).boundingBox();
    assert(found, `${width}: ${selector}`);
    return found;
  };
  const [frame, field, board, list] = [await box('.frame'), await box('.field'), await box('cg-board'), await box('#moves')];
  assert(frame.x >= 0 && frame.x + frame.width <= width, `${width}: the element is cut off`);
  assert(Math.abs(field.width - board.width) < 1 && Math.abs(field.height - board.height) < 1, `${width}: the board fills ${board.width} × ${board.height} of ${field.width} × ${field.height}`);
  if (width < 600) assert(list.y >= board.y + board.height - 1, `${width}: the moves are below the board`);
  else assert(list.x >= board.x + board.width - 1 && list.y < board.y + board.height / 2, `${width}: the moves are beside the board`);
  assert(list.x + list.width <= frame.x + frame.width, `${width}: the moves are cut off`);
  const all = await page.evaluate(() => document.documentElement.scrollWidth);
  assert(all <= width, `${width}: the page is ${all} wide`);
}

onBlog('board and moves fit at each width', `<tabiya-board>${OPERA}</tabiya-board>`, async (page) => {
  await fits(page, 320);
  for (const width of [390, 640, 1280, 320]) {
    await resize(page, { width, height: 800 });
    await fits(page, width);
  }
}, { viewport: { width: 320, height: 800 } });

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:">`;
onBlog('a strict security policy allows it', '<tabiya-board pgn="1. f3 e5 2. g4 Qh4# 0-1"></tabiya-board>', async (page) => {
  await page.locator('tabiya-board >> #review').click();
  await says(page, '#progress', /mistake/);
}, { head: POLICY });

test('the example page shows its boards without a message', { skip, timeout: 4 * TIMEOUT }, async () => {
  const page = await browser.newPage();
  /** @type {string[]} */
  const messages = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(error.message));
  await page.goto(`${address(isolated)}examples/board.html`);
  await page.waitForFunction(() => document.querySelectorAll('tabiya-board').length === 3 && [...document.querySelectorAll('tabiya-board')].every((board) => /** @type {any} */ (board).game));
  assert.deepEqual(await page.locator('tabiya-board >> #fault:visible').count(), 0);
  assert.deepEqual(messages, []);
  await page.close();
});
