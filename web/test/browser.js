/** What the tests of the page share: a browser, servers, and the steps of a user. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createSite } from '../serve.js';

const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
export const DESKTOP = { width: 1280, height: 720 };
export const PHONE = { width: 390, height: 844 };
export const SIZES = [{ width: 320, height: 568 }, PHONE, { width: 844, height: 390 }, { width: 768, height: 1024 }, DESKTOP, { width: 1440, height: 900 }];
export const OPERA = `[Event "Paris"]
[Date "1858.??.??"]
[White "Paul Morphy"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0`;

/** A position in which `Nc6` loses the knight, and a game from there with two mistakes of White and one of Black. */
export const LOOSE = 'r5k1/1b3pp1/7p/8/3N4/8/5PPP/3R2K1 w - - 0 12';
const MISTAKES = `[SetUp "1"]\n[FEN "${LOOSE}"]\n\n12. Nc6 Kh7 13. h3 Bxc6 *`;

/** @typedef {import('playwright-core').Page} Page */
/** @type {import('playwright-core').Browser} */
export let browser;
export const isolated = createSite();
export const plain = createSite({ isolated: false });

/** @param {import('node:http').Server} server */
export const address = (server) => `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;

/** Milliseconds after which something that hangs is given up: a busy machine may take long. */
export const TIMEOUT = 60_000;

export const skip = existsSync(BROWSER) ? false : `no browser: ${BROWSER}`;

/** Starts what the tests of a file need. @param {...import('node:http').Server} servers */
export function useBrowser(...servers) {
  before(async () => {
    if (skip) return;
    for (const server of servers) await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(null)));
    // Scroll bars take room, as in most browsers of a desktop.
    browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'], ignoreDefaultArgs: ['--hide-scrollbars'] });
  });
  after(async () => {
    await browser?.close();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
}

/**
 * A test on a fresh page. It fails if the console has a message or the page is too wide.
 * @param {string} name
 * @param {{ viewport?: { width: number, height: number }, server?: typeof isolated, colorScheme?: 'dark' | 'light',
 *   serviceWorkers?: 'allow' | 'block', expected?: RegExp, begin?: (page: Page) => Promise<unknown>, hash?: string }} options
 *   `expected` is a message of the console; `begin` comes before the page is loaded
 * @param {(page: Page) => Promise<void>} body
 */
export function onPage(name, { viewport = DESKTOP, server = isolated, colorScheme = 'light', serviceWorkers = 'block', expected, begin, hash = '' }, body) {
  test(name, { skip, timeout: 4 * TIMEOUT }, async () => {
    const page = await browser.newPage({ viewport, colorScheme, serviceWorkers, reducedMotion: 'reduce' });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => {
      // What `serviceWorkers: 'block'` prints.
      if (!message.text().includes('blocked by Playwright') && !expected?.test(message.text())) messages.push(message.text());
    });
    page.on('pageerror', ({ message }) => {
      if (!expected?.test(message)) messages.push(message);
    });
    page.setDefaultTimeout(TIMEOUT);
    try {
      await begin?.(page);
      // A page whose script never comes is not loaded.
      await page.goto(address(server) + hash, { waitUntil: begin ? 'commit' : 'load' });
      if (!begin) await ready(page);
      await body(page);
      assert.deepEqual(messages, []);
      await notTooWide(page);
    } finally {
      await page.close();
    }
  });
}

/** @param {Page} page */
export async function notTooWide(page) {
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert(width <= room, `the page is ${width} wide, and has ${room}`);
}

/**
 * The assertions of `body` hold within a while: what is kept in the database or drawn in the next
 * frame is not there when the call that asked for it returns.
 * @param {() => Promise<void>} body
 */
export async function eventually(body) {
  for (const began = Date.now(); ; ) {
    try {
      await body();
      return;
    } catch (error) {
      if (Date.now() - began > TIMEOUT) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Another size of the window, and the frames in which what observes sizes draws.
 * @param {Page} page
 * @param {{ width: number, height: number }} viewport
 */
export async function resize(page, viewport) {
  await page.setViewportSize(viewport);
  await page.waitForFunction(({ width, height }) => window.innerWidth === width && window.innerHeight === height, viewport);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))));
}

/**
 * Presses the main button of a dialog. The page acts on it when the dialog has closed, after the click.
 * @param {Page} page
 * @param {string} dialog
 */
export async function accept(page, dialog) {
  const acted = await page.evaluateHandle((selector) => {
    const closed = new Promise((resolve) => document.querySelector(selector)?.addEventListener('close', () => resolve(null), { once: true }));
    return { closed };
  }, dialog);
  await page.click(`${dialog} .main`);
  await acted.evaluate(({ closed }) => closed);
}

const AXE = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');

/** @param {Page} page @param {string} where */
export async function accessible(page, where) {
  // Not as a script of the page, which its security policy forbids.
  await page.evaluate(AXE);
  // @ts-expect-error axe is a global there.
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const found = violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.target.flat()).join(' ')}`);
  assert.deepEqual(found, [], where);
}

/** A key that is no text. @param {Page} page @param {string} key */
export async function press(page, key) {
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press(key);
}

/** @param {Page} page */
export const ready = (page) => page.waitForSelector('body[data-ready]');

/** @param {Page} page @param {RegExp} pattern */
export async function status(page, pattern) {
  await page
    .waitForFunction(([source]) => new RegExp(source).test(document.querySelector('#status')?.textContent ?? ''), [pattern.source])
    .catch(async (error) => {
      throw new Error(`the status is '${await page.textContent('#status')}', not ${pattern}: ${error.message}`);
    });
}

/** @param {Page} page @param {string} text */
export async function enter(page, text) {
  await page.fill('#move', text);
  await page.press('#move', 'Enter');
}

/** Says yes if the page asks whether to leave the game. @param {Page} page */
export async function leaveGame(page) {
  if (await page.isVisible('#confirm-dialog')) await accept(page, '#confirm-dialog');
}

/** @param {Page} page @param {string} text */
export async function open(page, text) {
  await page.click('#open');
  await page.fill('#text', text);
  await page.click('#open-dialog .main');
  await leaveGame(page);
}

/** @param {Page} page @param {string} item */
export async function menu(page, item) {
  await page.click('#menu-button');
  await page.click(item);
}

/** @param {Page} page @param {Record<string, string>} [choices] */
export async function newGame(page, choices = {}) {
  await page.click('#new');
  await leaveGame(page);
  await page.waitForSelector('#new-dialog[open]');
  for (const [name, value] of Object.entries(choices)) await page.selectOption(`#new-dialog [name=${name}]`, value);
  await accept(page, '#new-dialog');
}

/** A game with the coach, from a position. @param {Page} page @param {string} [fen] @param {Record<string, string>} [choices] */
export async function coached(page, fen = LOOSE, choices = {}) {
  await open(page, fen);
  await page.click('#new');
  await page.check('#new-dialog [name=from-here]');
  await page.check('#new-dialog [name=coach]');
  for (const [name, value] of Object.entries(choices)) await page.selectOption(`#new-dialog [name=${name}]`, value);
  await accept(page, '#new-dialog');
}

/** White's mistakes of a game, the first of them on the board. @param {Page} page @param {string} [game] */
export async function learn(page, game = MISTAKES) {
  await open(page, game);
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed/);
  await page.click('[data-learn=white]');
  await status(page, /^Mistake 1 of /);
}

/** Opens "My games", whose list is there when the dialog is. Returns the titles. @param {Page} page */
export async function kept(page) {
  await menu(page, '#games');
  await page.waitForSelector('#games-dialog[open]');
  return page.locator('#games-dialog .name').evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
}

/** The game as PGN. @param {Page} page */
export async function pgn(page) {
  await page.click('#share');
  const text = await page.inputValue('#pgn');
  await page.click('#share-dialog .main');
  return text;
}

/** The moves of a PGN on one line. @param {string} text */
export const movetext = (text) => text.split('\n\n')[1].split(/\s+/).filter(Boolean).join(' ');

/** The moves of the list, without numbers. @param {Page} page */
export const moves = (page) => page.locator('#moves [data-node]').allTextContents();

/** The centre of a square of a board with White below. @param {Page} page @param {string} square @param {string} [board] */
export async function centre(page, square, board = '#board cg-board') {
  const box = await page.locator(board).boundingBox();
  assert(box);
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
  return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((8.5 - rank) * box.height) / 8 };
}

/** @param {Page} page @param {string} square @param {string} [board] */
export async function clickSquare(page, square, board) {
  const { x, y } = await centre(page, square, board);
  await page.mouse.click(x, y);
}
