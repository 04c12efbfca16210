/**
 * The page in Chromium, without a window. `CHROMIUM` names the browser. With `SCREENSHOTS=FOLDER` the
 * tests also save the pictures of `docs/`.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createSite } from '../serve.js';

const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
const DESKTOP = { width: 1200, height: 820 };
const PHONE = { width: 390, height: 844 };
const OPERA = `[Event "Paris"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0`;

/** @typedef {import('playwright-core').Page} Page */
/** @type {import('playwright-core').Browser} */
let browser;
const isolated = createSite();
const plain = createSite({ isolated: false });

/** @param {import('node:http').Server} server */
const address = (server) => `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;

const skip = existsSync(BROWSER) ? false : `no browser: ${BROWSER}`;

before(async () => {
  if (skip) return;
  for (const server of [isolated, plain]) await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(null)));
  browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  isolated.close();
  plain.close();
});

/**
 * A test on a fresh page. It fails if the console has a message or the page is too wide.
 * @param {string} name
 * @param {{ viewport?: { width: number, height: number }, server?: typeof isolated, colorScheme?: 'dark' | 'light',
 *   serviceWorkers?: 'allow' | 'block', expected?: RegExp }} options  `expected` is a message of the console
 * @param {(page: Page) => Promise<void>} body
 */
function onPage(name, { viewport = DESKTOP, server = isolated, colorScheme = 'light', serviceWorkers = 'allow', expected }, body) {
  test(name, { skip, timeout: 110_000 }, async () => {
    const page = await browser.newPage({ viewport, colorScheme, serviceWorkers, reducedMotion: 'reduce' });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => {
      // What `serviceWorkers: 'block'` prints.
      if (!message.text().includes('blocked by Playwright') && !expected?.test(message.text())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(error.message));
    page.setDefaultTimeout(80_000);
    try {
      await page.goto(address(server));
      await page.waitForSelector('body[data-ready]');
      await body(page);
      assert.deepEqual(messages, []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(width <= viewport.width, `the page is ${width} wide`);
    } finally {
      await page.close();
    }
  });
}

/** @param {Page} page @param {RegExp} pattern */
async function status(page, pattern) {
  await page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector('#status')?.textContent ?? ''),
    [pattern.source],
  );
}

/** @param {Page} page @param {string} text */
async function enter(page, text) {
  await page.fill('#move', text);
  await page.press('#move', 'Enter');
}

/** @param {Page} page @param {string} text */
async function open(page, text) {
  await page.click('#open');
  await page.fill('#text', text);
  await page.click('#open-dialog .main');
}

/** @param {Page} page @param {Record<string, string>} choices */
async function newGame(page, choices) {
  await page.click('#new');
  for (const [name, value] of Object.entries(choices)) await page.selectOption(`#new-dialog [name=${name}]`, value);
  await page.click('#new-dialog .main');
}

/** Clicks the centre of a square of a board with White below. @param {Page} page @param {string} square */
async function clickSquare(page, square) {
  const box = await page.locator('cg-board').boundingBox();
  assert(box);
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
  await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((8.5 - rank) * box.height) / 8);
}

/** @param {Page} page @param {string} name */
async function picture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `web-${name}.png`) });
}

onPage('a game to mate against the engine, by mouse and by keyboard', {}, async (page) => {
  await open(page, '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
  await page.click('#new');
  await page.check('[name=from-here]');
  await page.click('#new-dialog .main');
  await clickSquare(page, 'h2');
  await clickSquare(page, 'h3');
  await status(page, /^Tabiya plays .*Your move/);
  await open(page, '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
  await enter(page, 'Ra9');
  assert.match(String(await page.textContent('#entry-error')), /Ra9/);
  await enter(page, 'Rd8');
  await status(page, /White wins by checkmate \(article 5\.1\.1\)/);
  assert.match(String(await page.textContent('#pieces')), /White: rook d8/);
});

onPage('a game with a clock, a hint and take-back', {}, async (page) => {
  await newGame(page, { level: '1500', clock: '5+3' });
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
  await enter(page, 'd4');
  await status(page, /^Tabiya plays .* Your move/);
  assert.equal(await page.locator('#moves button').count(), 4);
  await page.click('#hint');
  await status(page, /Hint: /);
  await picture(page, 'desktop');
  await page.click('#back');
  assert.equal(await page.locator('#moves button').count(), 2);
  assert.match(String(await page.textContent('#bottom .clock')), /^[45]:\d\d$/);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  assert.equal(await page.locator('#moves button').count(), 2);
});

onPage('the engine plays White when asked', {}, async (page) => {
  await newGame(page, { side: 'black', level: '1000' });
  await status(page, /^Tabiya plays/);
  await page.click('#resign');
  await status(page, /White wins: Black resigns \(article 5\.1\.2\)/);
});

onPage('a draw is claimed when a position occurs for the third time', {}, async (page) => {
  await newGame(page, { side: 'both' });
  for (const move of 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ')) await enter(page, move);
  assert.equal(await page.textContent('#claims'), 'Claim a draw with Ng8: threefold repetition (article 9.2.1)');
  await enter(page, 'Ng8');
  await page.click('text=Claim a draw: threefold repetition (article 9.2.2)');
  await status(page, /Draw by claim: threefold repetition \(article 9\.2\.2\)/);
});

onPage('a dead position ends the game', {}, async (page) => {
  await open(page, '7k/8/8/8/8/8/5n2/6K1 w - - 0 1');
  await status(page, /the position is dead.*5\.2\.2/);
});

onPage('broken texts are reported with place and reason', {}, async (page) => {
  await open(page, '1. e4 e5 2. Ke3 *');
  assert.match(String(await page.textContent('#open-dialog .error')), /Game 1, line 1: Ke3 is not a legal move/);
  await page.fill('#text', 'rnbqkbnr/ppp w');
  await page.click('#open-dialog .main');
  assert.match(String(await page.textContent('#open-dialog .error')), /8 ranks, not 2/);
  await page.click('#open-dialog [value=cancel]');
});

test('a browser without WebAssembly SIMD gets a sentence', { skip }, async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => (WebAssembly.validate = () => false));
  await page.goto(address(plain));
  await status(page, /^Tabiya needs a browser with WebAssembly SIMD/);
  await page.close();
});

onPage('a pawn is promoted by mouse', {}, async (page) => {
  await open(page, '7k/P7/8/8/8/8/8/K7 w - - 0 1');
  await clickSquare(page, 'a7');
  await clickSquare(page, 'a8');
  await page.click('#promotion [aria-label=rook]');
  await page.waitForSelector('#moves button');
  assert.equal(await page.textContent('#moves button'), 'a8=R+');
});

onPage('Chess960 is played and saved', {}, async (page) => {
  await page.click('#new');
  await page.selectOption('[name=side]', 'both');
  await page.check('#new-dialog [name=chess960]');
  await page.click('#new-dialog .main');
  await enter(page, 'e4');
  await page.click('#save');
  const pgn = await page.inputValue('#pgn');
  assert.match(pgn, /\[Variant "Chess960"\]/);
  await page.click('#save-dialog .main');
  await open(page, pgn);
  assert.equal(await page.locator('#moves button').count(), 1);
});

for (const [name, server] of /** @type {const} */ ([['with isolation', isolated], ['without isolation', plain]])) {
  onPage(`a search stops within 100 ms ${name}`, { server }, async (page) => {
    const delay = await page.evaluate(async () => {
      const worker = new Worker('tabiya.js');
      const next = (/** @type {RegExp} */ pattern) =>
        new Promise((resolve) => (worker.onmessage = ({ data }) => pattern.test(data) && resolve(data)));
      worker.postMessage('uci');
      await next(/^uciok/);
      worker.postMessage('go infinite');
      await next(/ depth 8 .* pv /);
      const asked = performance.now();
      worker.postMessage('stop');
      await next(/^bestmove/);
      worker.terminate();
      return performance.now() - asked;
    });
    assert(delay < 100, `${delay} ms`);
  });
}

// A service worker would bring the file from its cache.
const broken = /** @type {const} */ ({ serviceWorkers: 'block', expected: /status of 503/ });
onPage('an engine that cannot be loaded is reported, and the game is kept', broken, async (page) => {
  await page.route('**/tabiya.wasm', (route) => route.fulfill({ status: 503 }));
  await enter(page, 'e4');
  await status(page, /^The engine cannot be loaded/);
  assert.equal(await page.locator('#moves button').count(), 1);
});

onPage('a game is analysed, with a graph and lines', {}, async (page) => {
  await open(page, OPERA);
  await page.click('#review');
  await status(page, /Analysed: /);
  assert((await page.locator('#graph circle').count()) > 0);
  await page.click('#moves button >> nth=17');
  await page.check('#lines-on');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
  if (process.env.SCREENSHOTS) await page.waitForTimeout(3000);
  await picture(page, 'analysis');
  await page.uncheck('#lines-on');
});

onPage('the page fits a phone, in the dark', { viewport: PHONE, colorScheme: 'dark' }, async (page) => {
  for (const move of ['e4', 'Nf3']) {
    await enter(page, move);
    await status(page, /^Tabiya plays/);
  }
  const box = await page.locator('cg-board').boundingBox();
  assert(box && box.width > 330);
  await picture(page, 'phone');
});

onPage('the page works offline after the first visit', {}, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
});
