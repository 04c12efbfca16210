/**
 * The interactive figures of the book, in Chromium and Firefox. `CHROMIUM` and `FIREFOX` name the
 * browsers. The book with its pictures is in `target/book`, where `mdbook build` and
 * `scripts/pictures.sh` put it.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { createSite } from '../serve.js';
import { inFirefox, noFirefox } from './firefox.js';
import { CHECKS } from './pictures.js';

const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
const BOOK = join(import.meta.dirname, '../../target/book');
const DESKTOP = { width: 1200, height: 900 };
const PHONE = { width: 390, height: 844 };

const skip = !existsSync(join(BOOK, 'pictures/main.js'))
  ? 'no book with pictures in target/book'
  : !existsSync(BROWSER) && `no browser: ${BROWSER}`;

/** @typedef {import('playwright-core').Page} Page */
/** @type {import('playwright-core').Browser} */
let browser;
const site = createSite({ isolated: false, root: BOOK });

before(async () => {
  if (skip) return;
  await new Promise((resolve) => site.listen(0, 'localhost', () => resolve(null)));
  browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  site.close();
});

const address = () => `http://localhost:${/** @type {import('node:net').AddressInfo} */ (site.address()).port}/`;

/**
 * A test of a picture on a page of the book. It fails if the console has a message, or if the page is
 * too wide.
 * @param {string} name
 * @param {{ path: string, picture?: string, viewport?: { width: number, height: number }, theme?: string,
 *   javaScriptEnabled?: boolean }} options
 * @param {(page: Page) => Promise<void>} body
 */
function onPage(name, { path, picture, viewport = DESKTOP, theme = 'light', javaScriptEnabled = true }, body) {
  test(name, { skip, timeout: 300_000 }, async () => {
    const page = await browser.newPage({ viewport, javaScriptEnabled });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => {
      // What mdBook's highlighter says about transcripts.
      if (!/language 'session'|no-highlight/.test(message.text())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(error.message));
    page.setDefaultTimeout(60_000);
    try {
      await page.addInitScript((name) => localStorage.setItem('mdbook-theme', name), theme);
      await page.goto(address() + path);
      if (picture) {
        await page.locator(`figure[data-picture=${picture}]`).scrollIntoViewIfNeeded();
        await page.waitForSelector('figure.is-living .picture');
      }
      await body(page);
      assert.deepEqual(messages, []);
      if (!javaScriptEnabled) return;
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(width <= viewport.width, `the page is ${width} wide`);
    } finally {
      await page.close();
    }
  });
}

/** The text of a picture. @param {Page} page @param {string} [part] */
const text = (page, part = '.picture-text') => page.innerText(`figure.is-living ${part}`);

/** @param {Page} page @param {string} name */
const square = (page, name) => page.locator(`figure.is-living [data-square=${name}]`).first();

/** @param {Page} page @param {string} fen */
async function paste(page, fen) {
  await page.fill('figure.is-living .fen:not(.orders) input', fen);
  await page.press('figure.is-living .fen:not(.orders) input', 'Enter');
}

for (const { name, path, picture, check } of CHECKS) {
  onPage(name, { path, picture }, async (page) => assert.deepEqual(await page.evaluate(check), []));
  onPage(`${name}: at the width of a phone`, { path, picture, viewport: PHONE, theme: 'navy' }, async (page) => {
    assert.deepEqual(await page.evaluate(check), []);
  });
}

test('all pictures work in Firefox', { skip: skip || noFirefox, timeout: 300_000 }, async () => {
  assert.equal(await inFirefox('firefox-pictures.js', address()), '');
});

const attacks = { path: 'chapters/moves.html', picture: 'attacks' };

onPage('a click shows the attacks of a square, and a blocker changes the index', attacks, async (page) => {
  assert.match(await text(page), /white rook on d4 attacks 9 squares/);
  await square(page, 'e4').click();
  assert.match(await text(page), /white rook on e4/);
  await page.selectOption('figure.is-living label:has-text("Piece") select', 'q');
  assert.match(await text(page), /white queen on e4[\s\S]*As a rook:[\s\S]*As a bishop:/);
  await paste(page, '4k3/8/8/8/3R4/8/8/4K3 w - - 0 1');
  await page.selectOption('figure.is-living label:has-text("Piece") select', '');
  await square(page, 'd4').click();
  assert.match(await text(page), /attacks 14 squares[\s\S]*in the mask: nothing[\s\S]*index 0 of 1,024/);
  await page.selectOption('figure.is-living label:has-text("A click") select', 'change');
  await square(page, 'd5').click();
  assert.match(await text(page), /attacks 11 squares[\s\S]*in the mask: d5[\s\S]*index [1-9]\d* of 1,024/);
});

onPage('the board is used by the keyboard alone', attacks, async (page) => {
  await square(page, 'e4').focus();
  for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  assert.match(await text(page), /on g5 would attack/);
  assert.match(page.url(), /moves\.html/);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-square')), 'g5');
});

const tree = { path: 'chapters/negamax.html', picture: 'tree' };
const table = { path: 'chapters/transposition.html', picture: 'table' };

onPage('a search that is too long says that its steps are only the beginning', tree, async (page) => {
  assert.equal(await text(page, '.limit'), '');
  await page.selectOption('figure.is-living label:has-text("Program") select', 'step06-unordered');
  await page.selectOption('figure.is-living label:has-text("Depth") select', '3');
  assert.match(await text(page, '.limit'), /^The search took [\d,]+ nodes\. .* its beginning\.$/);
  await page.selectOption('figure.is-living label:has-text("Depth") select', '4');
  assert.match(await text(page, '.limit'), /was stopped after [\d,]+ nodes, .* its beginning\.$/);
});

onPage('both orders are played from the pasted position', table, async (page) => {
  const errors = () => page.locator('figure.is-living .picture-error').allInnerTexts();
  // The orders of before are not legal there.
  await paste(page, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
  assert.match((await errors()).join(''), /^The first order: /);
  await page.fill('figure.is-living .orders label:has-text("First") input', 'e3 Kd7 e4 Ke8');
  await page.fill('figure.is-living .orders label:has-text("Second") input', 'Kd1 Kd7 Ke1 Ke8 e4');
  await page.click('figure.is-living button:has-text("Play both")');
  assert.deepEqual((await errors()).join(''), '');
  assert.match(await text(page), /Kd1[\s\S]*The orders end in different positions/);
  // An error of the search goes with the next position.
  await page.fill('figure.is-living .orders label:has-text("First") input', 'f3 e5 g4 Qh4');
  await page.fill('figure.is-living .orders label:has-text("Second") input', 'g4 e5 f3 Qh4');
  await paste(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
  await page.click('figure.is-living button:has-text("Search after")');
  assert.match((await errors()).join(''), /checkmate/);
  await page.fill('figure.is-living .orders label:has-text("First") input', 'g4');
  await page.fill('figure.is-living .orders label:has-text("Second") input', 'g4');
  await page.click('figure.is-living button:has-text("Play both")');
  assert.deepEqual((await errors()).join(''), '');
  for (const input of await page.locator('figure.is-living .picture input').all()) {
    assert.equal(await input.getAttribute('autocapitalize'), 'off');
  }
});

for (const [figure, selects] of /** @type {const} */ ([[attacks, true], [tree, false], [table, false]])) {
  onPage(`the board of ${figure.picture} says whether its squares can be selected`, figure, async (page) => {
    const board = page.locator('figure.is-living .board');
    assert.equal((await board.getAttribute('aria-label'))?.includes('Enter selects'), selects);
    const cursor = await square(page, 'e4').evaluate((cell) => getComputedStyle(cell).cursor);
    assert.equal(cursor, selects ? 'pointer' : 'default');
  });
}

onPage('what is not a position is refused in one sentence', attacks, async (page) => {
  await paste(page, 'no position');
  const refused = await page.innerText('figure.is-living .fen .picture-error');
  assert.match(refused, /^[A-Z][^\n]{10,150}\.$/);
  // The old position stays.
  assert.match(await text(page), /white rook on d4/);
});

onPage('on paper, a figure shows its drawing', attacks, async (page) => {
  const drawing = page.locator('figure[data-picture] img').first();
  assert(!(await drawing.isVisible()));
  await page.emulateMedia({ media: 'print' });
  assert(await drawing.isVisible());
  assert(!(await page.locator('figure .picture').isVisible()));
});

onPage('without scripts, a figure shows its drawing', { path: attacks.path, javaScriptEnabled: false }, async (page) => {
  assert(await page.locator('figure[data-picture] img').first().isVisible());
});

onPage('the page for printing has the drawings only', { path: 'print.html' }, async (page) => {
  assert.equal(await page.locator('script[src*="pictures/"]').count(), 0);
  assert(await page.locator('figure[data-picture] img').first().isVisible());
});

for (const theme of ['light', 'navy']) {
  onPage(`at the width of a phone, in the theme ${theme}`, { ...attacks, viewport: PHONE, theme }, async (page) => {
    const box = await page.locator('figure.is-living .board').boundingBox();
    assert(box && box.width > 250 && box.x >= 0 && box.x + box.width <= PHONE.width);
    // The text has enough contrast with what is behind it (WCAG 2.2: 4.5 to 1).
    const contrast = await page.evaluate(() => {
      const channels = (/** @type {string} */ color) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
      const luminance = (/** @type {string} */ color) => {
        const [red, green, blue] = channels(color).map((value) => {
          const share = value / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const element = /** @type {Element} */ (document.querySelector('figure.is-living .picture-text'));
      const text = luminance(getComputedStyle(element).color);
      const back = luminance(getComputedStyle(document.documentElement).backgroundColor);
      return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
    });
    assert(contrast >= 4.5, `the contrast is ${contrast}`);
  });
}
