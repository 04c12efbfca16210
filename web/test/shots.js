/**
 * Pictures of the page: `node test/shots.js FOLDER [STATE...]` saves the states, by default all, at five
 * sizes, and `node test/shots.js --docs` those of `docs/`.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createSite } from '../serve.js';
import { OPERA, clickSquare, coached, enter, learn, menu, newGame, open, ready, status } from './browser.js';

const SIZES = {
  small: { width: 320, height: 568 },
  phone: { width: 390, height: 844 },
  low: { width: 844, height: 390 },
  laptop: { width: 1280, height: 720 },
  desktop: { width: 1440, height: 900 },
};

/** @typedef {import('playwright-core').Page} Page */
/** What leads to each state. @type {Record<string, (page: Page) => Promise<void>>} */
const STATES = {
  begin: async () => {},
  playing: async (page) => {
    for (const move of ['e4', 'Nf3']) {
      await enter(page, move);
      await status(page, /Tabiya plays/);
    }
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  },
  clock: async (page) => {
    await newGame(page, { side: 'black', level: '1000', clock: '5+3' });
    await status(page, /Tabiya plays/);
  },
  hint: async (page) => {
    await page.click('#hint');
    await status(page, /Hint:/);
  },
  lines: async (page) => {
    await open(page, OPERA);
    for (let ply = 0; ply < 17; ply += 1) await page.keyboard.press('ArrowRight');
    await page.press('body', 'l');
    await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
    await page.waitForTimeout(1500);
  },
  review: async (page) => {
    await open(page, OPERA);
    await page.click('#tab-review');
    await page.click('#review');
    await status(page, /Reviewed/);
    await page.click('#mistake-after');
  },
  gym: async (page) => {
    await page.click('#tab-gym');
    await page.click('#practise');
  },
  coach: async (page) => {
    await coached(page);
    await enter(page, 'Nc6');
    await status(page, /^12\. Nc6/);
  },
  mistake: async (page) => learn(page),
  'wrong-move': async (page) => {
    await learn(page);
    await page.click('#next-mistake');
    await enter(page, 'h4');
    await status(page, /Try again/);
  },
  'right-move': async (page) => {
    await learn(page);
    await enter(page, 'Nb3');
    await status(page, /^Right/);
  },
  answer: async (page) => {
    await learn(page);
    await page.click('#answer');
  },
  notes: async (page) => {
    await open(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5 $1 {The Ruy Lopez, played since the sixteenth century.} a6 *');
    await page.keyboard.press('ArrowLeft');
    await page.click('#tab-notes');
  },
  variations: async (page) => open(page, '1. e4 {Best by test.} e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6 {Najdorf follows.}) 2. Nf3 Nc6 3. Bb5 $1 a6 *'),
  promotion: async (page) => {
    await open(page, '7k/P7/8/8/8/8/8/K7 w - - 0 1');
    for (const square of ['a7', 'a8']) await clickSquare(page, square);
  },
  mate: async (page) => {
    await open(page, '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
    await enter(page, 'Rd8');
  },
  menu: async (page) => page.click('#menu-button'),
  'new-game': async (page) => page.click('#new'),
  open: async (page) => page.click('#open'),
  choice: async (page) => open(page, '[White "A"]\n\n1. e4 *\n\n[White "B"]\n[Black "C"]\n\n1. d4 *\n'),
  share: async (page) => page.click('#share'),
  'gym-coach': async (page) => {
    await page.click('#tab-gym');
    await page.selectOption('#ending', { label: 'The king on the sixth rank' });
    await page.check('#gym-coach');
    await page.click('#practise');
    await enter(page, 'Kd5');
    await status(page, /^1\. Kd5/);
  },
  games: async (page) => {
    for (const game of [OPERA, '1. e4 e5 2. Nf3 Nc6 3. Bb5 *', '8/8/8/8/8/8/4K3/k6R b - - 0 1']) await open(page, game);
    await menu(page, '#games');
  },
  editor: async (page) => {
    await menu(page, '#edit');
    await page.fill('#editor-dialog [name=fen]', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1');
  },
  help: async (page) => page.press('body', '?'),
  failed: async (page) => {
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.unregister())));
    await page.route('**/tabiya.wasm*', (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await ready(page);
    await enter(page, 'e4');
    await status(page, /cannot play/);
  },
};

const [folder = '.', ...wanted] = process.argv.slice(2);
const site = createSite();
await new Promise((resolve) => site.listen(0, 'localhost', () => resolve(null)));
const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });

/** @param {string} state @param {{ width: number, height: number }} viewport @param {string} path @param {'light' | 'dark'} colorScheme */
async function take(state, viewport, path, colorScheme) {
  // The scroll bars of a phone take no room.
  const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce', serviceWorkers: 'block', isMobile: viewport.width < 500 });
  try {
    await page.goto(`http://localhost:${port}/`);
    await ready(page);
    await STATES[state](page);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.waitForTimeout(200);
    await page.screenshot({ path });
  } finally {
    await page.close();
  }
}

if (folder === '--docs') {
  const docs = join(import.meta.dirname, '../../docs');
  await take('review', SIZES.laptop, join(docs, 'web-analysis.png'), 'light');
  await take('playing', SIZES.phone, join(docs, 'web-phone.png'), 'dark');
} else {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const state of wanted.length > 0 ? wanted : Object.keys(STATES)) {
      await take(state, viewport, join(folder, `${state}-${size}.png`), size === 'desktop' ? 'dark' : 'light').catch((error) => console.log(`${state}, ${size}: ${error.message}`));
    }
  }
}
await browser.close();
site.close();
site.closeAllConnections();
