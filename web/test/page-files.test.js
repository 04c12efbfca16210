/** The page in Chromium: what is opened, pasted, dropped or shared; the editor; loading and failures. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createSite } from '../serve.js';
import { addressOf } from '../page/hash.js';
import { address, browser, clickSquare, enter, eventually, isolated, leaveGame, menu, moves, newGame, onPage, open, pgn, plain, ready, skip, status, useBrowser } from './browser.js';

/** A copy of the page that changes during a test. */
const root = mkdtempSync(join(tmpdir(), 'tabiya-site-'));
cpSync(join(import.meta.dirname, '../site'), root, { recursive: true });
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
const changing = createSite({ root });

useBrowser(isolated, plain, changing);

const FEN = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3';

/** @typedef {import('playwright-core').Page} Page */

/** Pastes or drops onto the page itself. @param {Page} page @param {'paste' | 'drop'} type @param {{ text?: string, bytes?: number[] }} data */
const give = (page, type, { text, bytes }) =>
  page.evaluate(
    ([type, text, bytes]) => {
      const data = new DataTransfer();
      if (bytes) data.items.add(new File([Uint8Array.from(/** @type {number[]} */ (bytes))], 'games.pgn'));
      else data.setData('text/plain', String(text));
      const event = type === 'paste' ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true }) : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector('#board')?.dispatchEvent(event);
    },
    /** @type {const} */ ([type, text, bytes]),
  );

onPage('broken texts are reported with place and reason', {}, async (page) => {
  await open(page, '1. e4 e5 2. Ke3 *');
  assert.match(String(await page.textContent('#open-dialog .error')), /Game 1, line 1: Ke3 is not a legal move/);
  await page.click('#open-dialog .main');
  assert.deepEqual(await moves(page), ['e4', 'e5']);
  assert.match(await pgn(page), /Ke3/);
});

onPage('whatever is opened ends in a game or in one sentence', {}, async (page) => {
  await page.click('#open');
  const texts = ['', ' \n ', 'hello world', '<b>x</b>', 'rnbqkbnr/ppp w', '8/8/8/8/8/8/8/8 w - - 0 1', 'position fen x', '\u0000\u0001', '{', '(((((', '[', '9'.repeat(5000)];
  for (const text of texts) {
    await page.fill('#text', text);
    await page.click('#open-dialog .main');
    assert(await page.isVisible('#open-dialog'), `${JSON.stringify(text)} was opened`);
    assert.match(String(await page.textContent('#open-dialog .error')), /\w.*[.!?]$/s, JSON.stringify(text));
  }
  await page.click('#open-dialog [value=cancel]');
  await status(page, /Your move/);
});

onPage('a FEN is pasted anywhere, as people have it', {}, async (page) => {
  for (const text of [`"${FEN}"`, FEN.replaceAll(' ', '  '), FEN.replace('4p3/', '4p3/\n'), FEN.split(' ').slice(0, 4).join(' '), `${FEN.split(' ').slice(0, 4).join(' ')} bm Bb5; id "1";`]) {
    await enter(page, (await page.textContent('#status'))?.startsWith('White') ? 'a3' : 'h3').catch(() => {});
    await give(page, 'paste', { text });
    await leaveGame(page);
    await page.waitForFunction(() => document.querySelector('#pieces')?.textContent?.includes('knight f3'));
    assert(!(await page.isVisible('#open-dialog')), text);
    assert.deepEqual(await moves(page), []);
  }
});

/** The texts of the browser's own paste, which a made event does not cause. @param {Page} page @param {string} text */
async function pasteByKey(page, text) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press('Control+v');
}

onPage('a paste is read once, wherever the focus is', {}, async (page) => {
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await pasteByKey(page, 'see you at the club tomorrow');
  assert.equal(await page.inputValue('#text'), 'see you at the club tomorrow');
  assert.match(String(await page.textContent('#open-dialog .error')), /^No game or position was found/);
  assert.equal(await page.textContent('#open-dialog .main'), 'Open');
  await page.click('#open-dialog [value=cancel]');
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
  await pasteByKey(page, '1. e4 e5 2. Ke3 *');
  assert.match(String(await page.textContent('#open-dialog .error')), /Ke3 is not a legal move/);
  assert.equal(await page.textContent('#open-dialog .main'), 'Open what is readable (2 moves)');
  await page.click('#open-dialog [value=cancel]');
  // The field of a move keeps the focus.
  await enter(page, 'e4');
  await pasteByKey(page, '[White "A"]\n\n1. d4 *\n\n[White "B"]\n\n1. c4 *\n');
  assert.equal(await page.textContent('#count'), '2 of 2 games.');
  assert.equal(await page.inputValue('[name=filter]'), '');
  await page.click('#open-dialog [value=cancel]');
  // A move is pasted into it as before.
  await page.fill('#move', '');
  await page.focus('#move');
  await pasteByKey(page, 'Nf6');
  assert.equal(await page.inputValue('#move'), 'Nf6');
  await page.fill('#move', '');
  await open(page, '1. e4 *');
  await page.click('#lines-on');
  await pasteByKey(page, FEN);
  await page.waitForFunction(() => document.querySelector('#pieces')?.textContent?.includes('knight f3'));
});

onPage('a file of any encoding is dropped anywhere, and one of its games is chosen', {}, async (page) => {
  const text = '[White "M\u00fcller"]\n[Black "O\u0092Kelly"]\n\n1. e4 e5 1-0\n\n[White "<img src=x onerror=alert(1)>"]\n[Date "1990.01.02"]\n\n1. d4 *\n';
  await give(page, 'drop', { bytes: Array.from(text, (letter) => letter.charCodeAt(0)) });
  await page.waitForSelector('#found li');
  const names = await page.locator('#found button').allTextContents();
  assert.match(names[0], /1\. Müller – O’Kelly, 1-0/);
  await page.fill('[name=filter]', 'img');
  assert.equal(await page.locator('#found li').count(), 1);
  await page.click('#found button');
  assert.equal(await page.textContent('#bottom .name'), '<img src=x onerror=alert(1)>');
  assert.equal(await page.locator('#bottom img').count(), 0);
  // The date is that of the game, not of the day.
  assert.match(await pgn(page), /\[Date "1990\.01\.02"\]/);
});

onPage('a text that is dropped into a field stays there', {}, async (page) => {
  await open(page, '1. e4 *');
  await page.click('#tab-notes');
  const isTaken = await page.locator('#comment').evaluate((field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', '1. d4');
    return ['dragover', 'drop'].map((type) => !field.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));
  });
  await page.waitForTimeout(100);
  assert.deepEqual([isTaken, await moves(page)], [[false, false], ['e4']]);
});

onPage('only what is opened with the box ticked is a Chess960 position', {}, async (page) => {
  const castling = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  await page.click('#open');
  await page.check('#open-dialog [name=chess960]');
  await page.fill('#text', castling);
  await page.click('#open-dialog .main');
  await page.waitForFunction(() => document.querySelector('#pieces')?.textContent?.includes('rook h1'));
  assert.match(await pgn(page), /Chess960/);
  await give(page, 'paste', { text: castling.replace(' w ', ' b ') });
  await status(page, /^Black to move/);
  assert.doesNotMatch(await pgn(page), /Chess960/);
});

onPage('Enter in the field above a list of games opens the first of them', {}, async (page) => {
  await give(page, 'paste', { text: '[White "Anna"]\n\n1. e4 *\n\n[White "Bea"]\n\n1. d4 *\n' });
  await page.fill('[name=filter]', 'bea');
  await page.press('[name=filter]', 'Enter');
  await page.waitForSelector('#open-dialog', { state: 'hidden' });
  assert.deepEqual(await moves(page), ['d4']);
});

onPage('a file that is still read when it is cancelled is not opened', {}, async (page) => {
  await page.evaluate(() => {
    const { arrayBuffer } = File.prototype;
    File.prototype.arrayBuffer = async function () {
      /** @type {HTMLElement | null} */ (document.querySelector('#open-dialog [value=cancel]'))?.click();
      return arrayBuffer.call(this);
    };
  });
  await give(page, 'drop', { bytes: Array.from(FEN, (letter) => letter.charCodeAt(0)) });
  await page.waitForTimeout(300);
  assert(!(await page.isVisible('#open-dialog')));
  assert.doesNotMatch(String(await page.textContent('#pieces')), /knight f3/);
});

onPage('the date of a game is the local one of its start', { begin: (page) => page.clock.setFixedTime(new Date(2026, 0, 5, 0, 30)) }, async (page) => {
  await ready(page);
  await enter(page, 'e4');
  assert.match(await pgn(page), /\[Date "2026\.01\.05"\]/);
});

/* Sharing. */

onPage('a link opens the same game', {}, async (page) => {
  await open(page, '[White "Ä"]\n\n1. e4 {x} e5 (1... c5) *');
  await page.click('#share');
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('#link')).value.includes('#game='));
  const [link, first] = [await page.inputValue('#link'), await page.inputValue('#pgn')];
  await page.check('#link-position');
  await page.waitForFunction(() => /** @type {HTMLInputElement} */ (document.querySelector('#link')).value.includes('#fen='));
  await page.click('#share-dialog .main');
  await open(page, FEN);
  await page.goto(link);
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 3);
  assert.equal(await pgn(page), first);
  assert.doesNotMatch(page.url(), /#/);
});

onPage('a link to a position opens it', { hash: `#fen=${FEN.replaceAll(' ', '_')}` }, async (page) => {
  await page.waitForFunction(() => document.querySelector('#pieces')?.textContent?.includes('knight f3'));
});

onPage('a link that is cut off says so, and the game stays', { hash: '#game=eJwLz0' }, async (page) => {
  await status(page, /address has a game that cannot be read/);
  await enter(page, 'e4');
  await status(page, /Tabiya plays/);
});

const CROWDED = await addressOf({ pgn: `1. b4 *\n${'\n*\n'.repeat(6e5)}` });

onPage('of a link with a million games the first is opened at once', { hash: CROWDED }, async (page) => {
  assert.deepEqual(await moves(page), ['b4']);
});

onPage('a link that has no game says so, and the game on the board goes on', {}, async (page) => {
  await newGame(page, { side: 'both', clock: '5+3' });
  await enter(page, 'e4');
  for (const hash of ['#fen=rnbqkbnr/pppp1ppp', '#pgn=hello', '#fen=']) {
    await page.evaluate((text) => (location.hash = text), hash);
    await status(page, /part of it may be missing\.$/);
    assert.deepEqual(await moves(page), ['e4'], hash);
    assert(await page.isVisible('#top .clock'), hash);
    await page.press('body', 'ArrowLeft');
    await page.press('body', 'ArrowRight');
    await status(page, /^Black to move\.$/);
  }
});

onPage('whatever would take the place of a game in progress asks first', {}, async (page) => {
  await newGame(page, { side: 'both', clock: '5+3' });
  await enter(page, 'e4');
  const bytes = Array.from(FEN, (letter) => letter.charCodeAt(0));
  /** @type {(() => Promise<unknown>)[]} */
  const ways = [
    () => give(page, 'paste', { text: FEN }),
    () => give(page, 'drop', { bytes }),
    () => page.evaluate((hash) => (location.hash = hash), `#fen=${FEN.replaceAll(' ', '_')}`),
    () => menu(page, '#edit').then(() => page.click('[data-use=analyse]')),
  ];
  for (const way of ways) {
    await way();
    await page.click('#confirm-dialog [value=cancel]');
    // What was to be opened is still there.
    if (ways.indexOf(way) < 2) {
      assert.equal(await page.inputValue('#text'), FEN);
      await page.click('#open-dialog [value=cancel]');
    }
    await page.waitForSelector('#open-dialog', { state: 'hidden' });
    assert.deepEqual(await moves(page), ['e4']);
    assert.equal(await page.locator('.clock.running').count(), 1);
  }
  await page.click('[data-use=analyse]');
  await leaveGame(page);
  await page.waitForSelector('#top .clock', { state: 'hidden' });
  assert.deepEqual(await moves(page), []);
});

onPage('a button that copies has its own word again after two clicks', { begin: (page) => page.clock.install() }, async (page) => {
  await ready(page);
  await page.click('#share');
  const [button] = await page.locator('[data-copy]').all();
  const word = await button.textContent();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
  const copy = async () => {
    // So that it is seen when the word changes.
    await button.evaluate((element) => (element.textContent = ''));
    await button.click();
    await button.filter({ hasText: 'Copied' }).waitFor();
  };
  await copy();
  await page.clock.runFor(1000);
  await copy();
  // The time counts from the second click.
  await page.clock.runFor(1000);
  assert.equal(await button.textContent(), 'Copied');
  await page.clock.runFor(1000);
  assert.equal(await button.textContent(), word);
});

/* The board editor. */

onPage('the board editor keeps the castling right of an inner rook', {}, async (page) => {
  await open(page, 'rr3k1r/pp3ppp/8/8/8/8/PP3PPP/RR3K1R w KBkb - 0 1');
  await menu(page, '#edit');
  await page.selectOption('#editor-dialog [name=turn]', 'b');
  assert.equal(await page.inputValue('#editor-dialog [name=fen]'), 'rr3k1r/pp3ppp/8/8/8/8/PP3PPP/RR3K1R b KkBb - 0 1');
  await page.click('[data-use=analyse]');
  assert.match(await pgn(page), /\[FEN "rr3k1r\/pp3ppp\/8\/8\/8\/8\/PP3PPP\/RR3K1R b KBkb - 0 1"\]/);
});

onPage('the board editor names what is wrong, and opens what is right', {}, async (page) => {
  await menu(page, '#edit');
  await page.click('#editor-empty');
  assert.match(String(await page.textContent('#defects')), /The board is empty\./);
  assert(await page.isDisabled('[data-use=analyse]'));
  for (const [tool, square] of [['white king', 'e1'], ['black king', 'e8'], ['white pawn', 'a7']]) {
    await page.click(`[data-tool="${tool}"]`);
    await clickSquare(page, square, '#editor-board cg-board');
  }
  assert.equal(await page.inputValue('#editor-dialog [name=fen]'), '4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
  assert.match(String(await page.textContent('#defects')), /can be played/);
  await page.check('[name=castle-K]');
  assert.match(String(await page.textContent('#defects')), /castling right lacks its king or rook: this is corrected/i);
  await page.uncheck('[name=castle-K]');
  // The whole FEN is in sight.
  assert(await page.locator('#editor-dialog [name=fen]').evaluate((field) => field.scrollWidth <= field.clientWidth));
  await page.click('[data-use=analyse]');
  await enter(page, 'a8=Q+');
  assert.deepEqual(await moves(page), ['a8=Q+']);
});

/* Loading and failures. */

test('a browser without WebAssembly SIMD gets a sentence', { skip }, async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => (WebAssembly.validate = () => false));
  await page.goto(address(plain));
  await status(page, /^Tabiya needs a browser with WebAssembly SIMD/);
  await page.close();
});

for (const file of ['tabiya.wasm', 'tabiya.js']) {
  const begin = (/** @type {Page} */ page) => page.route(`**/${file}*`, (route) => route.fulfill({ status: 503 }));
  onPage(`without ${file} there is a sentence, and another try plays on`, { begin, expected: /status of 503/ }, async (page) => {
    await ready(page);
    await enter(page, 'e4');
    await status(page, /^The engine cannot play: the game is kept\./);
    assert.deepEqual(await moves(page), ['e4']);
    await page.unroute(`**/${file}*`);
    await page.click('#retry');
    await status(page, /^Tabiya plays/);
  });
}

const noRules = (/** @type {Page} */ page) => page.route('**/rules.wasm*', (route) => route.fulfill({ status: 503 }));
onPage('without the rules there is a sentence, no button acts, and another try starts the page', { begin: noRules, expected: /status of 503|preload/ }, async (page) => {
  await status(page, /^The rules of chess cannot be loaded/);
  // The board is there at once.
  assert.equal(await page.locator('#board piece:not(.ghost)').count(), 32);
  assert.equal(await page.locator('nav button:enabled').count(), 0);
  await page.unroute('**/rules.wasm*');
  await page.click('#retry');
  await ready(page);
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
});

onPage('without its script the page says so', { begin: (page) => page.route('**/main.js*', (route) => route.fulfill({ status: 404 })), expected: /404|preload/ }, async (page) => {
  await status(page, /^The page cannot be loaded completely/);
  assert.equal(await page.locator('button:enabled:visible').count(), 0);
  // Without the script, Enter would load the page again and lose what was typed.
  await page.fill('#move', 'e4');
  await page.press('#move', 'Enter');
  await page.waitForTimeout(300);
  assert.equal(await page.inputValue('#move'), 'e4');
});

onPage('a browser that cannot read the script says which can', { begin: (page) => page.route('**/main.js*', (route) => route.fulfill({ contentType: 'text/javascript', body: 'class {' })), expected: /SyntaxError|Unexpected|preload/ }, async (page) => {
  await status(page, /^This page needs a later browser/);
});

onPage('the engine shows how much of it is loaded', { begin: slowEngine }, async (page) => {
  await ready(page);
  await enter(page, 'e4');
  await status(page, /Loading the engine\.$/);
  assert.match(String(await page.textContent('#progress')), /^\d+ %$/);
  await open(page, '1. e4 *');
  await page.click('#lines-on');
  await page.waitForFunction(() => /^Loading the engine: \d+ %\.$/.test(String(document.querySelector('#depth')?.textContent)));
});

/** Half of the engine comes. @param {Page} page */
async function slowEngine(page) {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (url, ...rest) => {
      const response = await fetch(url, ...rest);
      if (!String(url).includes('tabiya.wasm')) return response;
      const bytes = new Uint8Array(await response.arrayBuffer());
      return new Response(
        new ReadableStream({
          async start(controller) {
            controller.enqueue(bytes.slice(0, bytes.length / 2));
          },
        }),
      );
    };
  });
}

onPage(
  'the theme that was chosen is there before the page is drawn',
  { begin: async (page) => void (await page.addInitScript(() => localStorage.setItem('tabiya.choices', '{"theme":"dark"}')), await page.route('**/main.js*', () => {})) },
  async (page) => {
    await page.waitForFunction(() => document.styleSheets.length > 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), 'rgb(23, 26, 25)');
  },
);

/* The service worker. */

onPage('the page works offline after the first visit, also with a query', { serviceWorkers: 'allow' }, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await page.goto(`${address(isolated)}?utm_source=x`);
  await ready(page);
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
});

/** The digest of a file, as `offline.js` has it. @param {string} file */
const digest = (file) => `sha256-${createHash('sha256').update(readFileSync(join(root, file))).digest('base64')}`;

/** @param {Page} page */
const versionOf = async (page) => /main\.js\?v=(\w+)/.exec(await page.content())?.[1] ?? '';

/**
 * The server gets another version.
 * @param {string} old
 * @param {string} version  of 16 characters
 * @param {string[]} [late]  files that stay as they are
 */
function publish(old, version, late = []) {
  const files = ['index.html', 'main.js', 'rules.wasm'];
  const before = files.map((file) => ({ file, content: readFileSync(join(root, file)), digest: digest(file) }));
  for (const file of ['index.html', 'main.js']) writeFileSync(join(root, file), readFileSync(join(root, file), 'utf8').replaceAll(old, version));
  // An empty section makes another file of the same rules.
  writeFileSync(join(root, 'rules.wasm'), Buffer.concat([readFileSync(join(root, 'rules.wasm')), Buffer.from([0, 2, 1, 120])]));
  let worker = readFileSync(join(root, 'offline.js'), 'utf8').replaceAll(old, version);
  for (const { file, digest: one } of before) worker = worker.replaceAll(one, digest(file));
  writeFileSync(join(root, 'offline.js'), worker);
  for (const { file, content } of before) if (late.includes(file)) writeFileSync(join(root, file), content);
}

/** The page looks for a new version. @param {Page} page */
const lookForUpdate = (page) => page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));

onPage('a new version is offered, and its files are never mixed with those of the old one', { server: changing, serviceWorkers: 'allow' }, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await ready(page);
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
  const before = await moves(page);
  const [old, rules] = [await versionOf(page), readFileSync(join(root, 'rules.wasm'))];
  publish(old, 'f00d'.repeat(4));
  await lookForUpdate(page);
  await page.waitForSelector('#update:not([hidden])');
  // It is read aloud: the text comes into an element that is there.
  await page.locator('#update [role=status]', { hasText: 'A new version is ready.' }).waitFor();
  const size = (/** @type {string} */ version) =>
    page.evaluate(async ([of]) => (await (await fetch(`rules.wasm?v=${of}`)).arrayBuffer()).byteLength, [version]);
  assert.equal(await size(old), rules.length);
  await page.click('#reload');
  await page.waitForFunction(() => document.documentElement.outerHTML.includes('main.js?v=f00df00d'));
  await ready(page);
  assert.deepEqual(await moves(page), before);
  assert.equal(await size('f00d'.repeat(4)), rules.length + 4);
  // Another tab may still show the old page.
  assert.equal(await size(old), rules.length);
});

onPage('a new version is not installed before all of its files are there', { server: changing, serviceWorkers: 'allow', expected: /integrity/ }, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await ready(page);
  const old = await versionOf(page);
  for (const late of ['index.html', 'main.js', 'rules.wasm']) {
    const version = `beef${late.slice(0, 4)}`.padEnd(16, '0');
    const files = ['index.html', 'main.js', 'rules.wasm', 'offline.js'].map((file) => ({ file, content: readFileSync(join(root, file)) }));
    publish(old, version, [late]);
    const end = await page.evaluate(async () => {
      const registration = await (await navigator.serviceWorker.ready).update();
      const worker = registration.installing;
      if (!worker) return 'no worker';
      while (!['redundant', 'installed'].includes(worker.state)) await new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }));
      return worker.state;
    });
    assert.equal(end, 'redundant', late);
    assert(await page.isHidden('#update'), late);
    for (const { file, content } of files) writeFileSync(join(root, file), content);
  }
});

onPage('a new version is offered while the engine is still loaded', { server: changing, serviceWorkers: 'allow' }, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await ready(page);
  publish(await versionOf(page), 'cafe'.repeat(4));
  await slowEngine(page);
  await page.reload();
  await ready(page);
  await page.waitForSelector('#update:not([hidden])');
});

onPage('a page that stays open looks for a new version when it is looked at', { server: changing, serviceWorkers: 'allow' }, async (page) => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await ready(page);
  publish(await versionOf(page), 'f1e1'.repeat(4));
  await eventually(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.waitForSelector('#update:not([hidden])', { timeout: 1000 });
  });
});

/** @type {string[]} */
const asked = [];
onPage('a file that the page has loaded is not transferred again for the service worker', { server: changing, serviceWorkers: 'allow', begin: async () => void changing.prependListener('request', ({ url }, response) => {
  asked.push(String(url));
  response.setHeader('Cache-Control', 'max-age=600');
  // As hosts do. A private window, which this is, has its cache in memory, and keeps nothing there above 6 MB.
  response.setHeader('Content-Encoding', 'gzip');
  const end = response.end.bind(response);
  response.end = (/** @type {any} */ body) => end(gzipSync(body, { level: 1 }));
}) }, async (page) => {
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const count = (/** @type {RegExp} */ pattern) => asked.filter((url) => pattern.test(url)).length;
  for (const file of [/main\.js/, /rules\.wasm/, /tabiya\.wasm/]) assert.equal(count(file), 1, `${file}`);
  // The page itself has no version in its address: what the HTTP cache has may be another one.
  assert.equal(count(/^\/$/), 2);
});

const LONG = await addressOf({ pgn: 'Nf3 Nf6 Ng1 Ng8 '.repeat(50_000) });

onPage('a link to a game that is too large says so, and the page goes on', { hash: LONG }, async (page) => {
  await status(page, /The game has 200,000 moves, and at most 20,000 are shown\.$/);
  await page.reload();
  await ready(page);
  await enter(page, 'e4');
  await status(page, /Tabiya plays/);
});

onPage('a game that is too large is not opened', {}, async (page) => {
  await page.click('#open');
  await page.evaluate(() => (/** @type {HTMLTextAreaElement} */ (document.querySelector('#text')).value = 'Nf3 Nf6 Ng1 Ng8 '.repeat(6_000)));
  await page.click('#open-dialog .main');
  await page.locator('#open-dialog .error').getByText('The game has 24,000 moves, and at most 20,000 are shown.').waitFor();
});

const NESTED = await addressOf({ pgn: `${'Nf3 (Nc3 Nf6 (Nc6 Ne4 (Nb1 Ne5 (Nb8 '.repeat(2_000)}${')'.repeat(8_000)}` });

onPage('variations within variations are shown to a depth, and the page goes on', { hash: NESTED }, async (page) => {
  await page.waitForFunction(() => document.querySelector('#moves')?.textContent?.includes('(…)'));
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.querySelector('#moves')?.textContent?.includes('(…)'));
});

onPage('a kept game that is too large stays in the list, and the page goes on', { expected: /404/ }, async (page) => {
  await enter(page, 'e4');
  await status(page, /Tabiya plays/);
  // A page without a script, whose icon is missing.
  await page.goto(`${address(isolated)}LICENSE.txt`);
  await page.evaluate(async () => {
    const done = (/** @type {IDBRequest} */ request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const database = await done(indexedDB.open('tabiya'));
    const store = database.transaction('games', 'readwrite').objectStore('games');
    const [kept] = await done(store.getAll());
    await done(store.put({ ...kept, updated: Date.now() + 1000, pgn: 'Nf3 Nf6 Ng1 Ng8 '.repeat(6_000) }));
    database.close();
  });
  await page.goto(address(isolated));
  await ready(page);
  await status(page, /The last game cannot be read\. It stays in “My games”\./);
  await enter(page, 'd4');
  await status(page, /Tabiya plays/);
  await menu(page, '#games');
  await page.click('#games-dialog li .name:enabled');
  await status(page, /The game has 24,000 moves, and at most 20,000 are shown\./);
});
