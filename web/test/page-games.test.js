/** The page in Chromium: playing and analysing. `CHROMIUM` names the browser. */
import assert from 'node:assert/strict';
import { OPERA, accept, clickSquare, enter, eventually, isolated, menu, moves, movetext, newGame, onPage, open, pgn, plain, ready, resize, status, useBrowser } from './browser.js';

/** @typedef {import('playwright-core').Page} Page */
useBrowser(isolated, plain);

/* Games. */

onPage('a move is made by mouse against the engine, and a mate by keyboard on the analysis board', {}, async (page) => {
  await open(page, '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
  await page.click('#new');
  await page.check('[name=from-here]');
  await accept(page, '#new-dialog');
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

onPage('a game with a clock, a hint and take-back goes on after a reload', {}, async (page) => {
  await newGame(page, { level: '1500', clock: '5+3' });
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
  await enter(page, 'd4');
  await status(page, /^Tabiya plays .* Your move/);
  assert.equal((await moves(page)).length, 4);
  await page.click('#hint');
  await status(page, /Hint: /);
  await page.click('#back');
  await status(page, /Taken back/);
  assert.match(String(await page.textContent('#bottom .clock')), /^[45]:\d\d$/);
  await page.reload();
  await ready(page);
  assert.equal((await moves(page)).length, 4);
  await status(page, /Your move/);
  assert.match(String(await page.textContent('#bottom .clock')), /^[45]:\d\d$/);
});

onPage('the engine plays White when asked, and resigning is confirmed', {}, async (page) => {
  await newGame(page, { side: 'black', level: '1000' });
  await status(page, /^Tabiya plays/);
  await page.click('#resign');
  await page.click('#confirm-dialog [value=cancel]');
  await status(page, /Your move/);
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  await status(page, /White wins by resignation \(article 5\.1\.2\)/);
  await page.reload();
  await ready(page);
  await status(page, /White wins by resignation/);
});

onPage('a draw is claimed when a position occurs for the third time', {}, async (page) => {
  await newGame(page, { side: 'both' });
  for (const move of 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ')) await enter(page, move);
  assert.equal(await page.textContent('#claims'), 'Claim a draw with Ng8: threefold repetition (article 9.2.1)');
  await enter(page, 'Ng8');
  await page.click('text=Claim a draw: threefold repetition (article 9.2.2)');
  await status(page, /drawn by a claim of threefold repetition \(article 9\.2\)/);
});

onPage('a dead position ends the game', {}, async (page) => {
  await open(page, '7k/8/8/8/8/8/5n2/6K1 w - - 0 1');
  await status(page, /drawn by insufficient material \(article 5\.2\.2\)/);
  await open(page, '4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1');
  await status(page, /no series of legal moves leads to checkmate \(article 5\.2\.2\)/);
});

onPage('a pawn is promoted by mouse', {}, async (page) => {
  await open(page, '7k/P7/8/8/8/8/8/K7 w - - 0 1');
  await clickSquare(page, 'a7');
  await clickSquare(page, 'a8');
  await page.click('#promotion [aria-label=rook]');
  assert.deepEqual(await moves(page), ['a8=R+']);
});

onPage('Chess960 is played and saved', {}, async (page) => {
  await page.click('#new');
  await page.selectOption('[name=side]', 'both');
  await page.check('#new-dialog [name=chess960]');
  await accept(page, '#new-dialog');
  await enter(page, 'e4');
  const text = await pgn(page);
  assert.match(text, /\[Variant "Chess960"\]/);
  await open(page, text);
  assert.equal((await moves(page)).length, 1);
});

/* The tree of moves. */

onPage('another move at an earlier place is a variation, which is promoted, deleted and undone', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *');
  await page.click('#moves >> text=Nf3');
  await enter(page, 'Bc5');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 Nc6 (2... Bc5) 3. Bb5 a6 *');
  await page.click('#promote');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 Bc5 (2... Nc6 3. Bb5 a6) *');
  await page.click('#remove');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *');
  await page.click('#undo');
  await page.click('#undo');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 Nc6 (2... Bc5) 3. Bb5 a6 *');
  await page.click('#redo');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 Bc5 (2... Nc6 3. Bb5 a6) *');
});

onPage('moves that are taken back stay as a variation, and not while another position is shown', {}, async (page) => {
  await newGame(page, { side: 'both' });
  for (const move of ['e4', 'e5', 'Nf3']) await enter(page, move);
  await page.press('body', 'Home');
  await page.waitForFunction(() => /** @type {HTMLButtonElement} */ (document.querySelector('#back')).disabled);
  await page.press('body', 'End');
  await page.click('#back');
  await enter(page, 'Bc4');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Bc4 (2. Nf3) *');
});

onPage('comments, glyphs, variations and tags of a PGN come back, also after a reload', {}, async (page) => {
  const text = '[Event "?"]\n[Site "Wien"]\n[Date "1908.03.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n[Result "*"]\n[Annotator "C"]\n\n{before} 1. e4 $1 {good} 1... e5 (1... c5 $6 {sharp} 2. Nf3 (2. c3)) 2. Nf3 $14 *\n';
  await open(page, text);
  const first = await pgn(page);
  assert.equal(movetext(first), movetext(text));
  for (const tag of ['Date "1908.03.01"', 'Annotator "C"', 'Site "Wien"']) assert(first.includes(`[${tag}]`), first);
  await page.reload();
  await ready(page);
  assert.equal(await pgn(page), first);
});

onPage('in a game of 2,000 plies a move takes a moment, and so does a reload', {}, async (page) => {
  const cycle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  await open(page, Array.from({ length: 2000 }, (_, ply) => cycle[ply % 4]).join(' '));
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 2000);
  await page.press('body', 'End');
  const made = (/** @type {number} */ count) => page.waitForFunction((wanted) => document.querySelectorAll('#moves [data-node]').length === wanted, count);
  // A busy machine may delay any one of three.
  const least = async (/** @type {((index: number) => Promise<unknown>)[]} */ steps) => {
    const times = [];
    for (const step of steps) {
      const began = Date.now();
      await step(times.length);
      times.push(Date.now() - began);
    }
    return Math.min(...times);
  };
  const move = await least(['e4', 'e5', 'd4'].map((san) => (index) => enter(page, san).then(() => made(2001 + index))));
  assert(move < 1500, `a move took ${move} ms`);
  const reload = await least(Array(3).fill(() => page.reload().then(() => made(2003))));
  assert(reload < 4000, `a reload took ${reload} ms`);
});

onPage('the list of moves stays where it was scrolled to, until another move is on the board', {}, async (page) => {
  const cycle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  await open(page, Array.from({ length: 200 }, (_, ply) => cycle[ply % 4]).join(' '));
  await page.press('body', 'End');
  const scrolled = () => page.evaluate(() => document.querySelector('#moves')?.scrollTop ?? -1);
  assert(await scrolled() > 500);
  await page.evaluate(() => document.querySelector('#moves')?.scrollTo(0, 0));
  await page.click('#flip');
  assert.equal(await scrolled(), 0);
  await page.press('body', 'ArrowLeft');
  assert(await scrolled() > 500);
});

/* States. */

onPage('a hint ends when another position is looked at, and an offer is answered there', {}, async (page) => {
  await newGame(page, { level: '1000' });
  await enter(page, 'e4');
  await status(page, /Your move/);
  await page.click('#hint');
  await page.press('body', 'ArrowLeft');
  await status(page, /another position/);
  await page.waitForTimeout(1200);
  assert.doesNotMatch(String(await page.textContent('#status')), /Hint/);
  assert(await page.isDisabled('#hint'));
  await page.press('body', 'End');
  await page.click('#draw');
  await page.press('body', 'ArrowLeft');
  await status(page, /declines the draw/);
});

onPage('analysis has no button for a hint or a draw, and keeps a promotion that is being chosen', {}, async (page) => {
  await open(page, '7k/P7/8/8/8/8/8/K7 w - - 0 1');
  assert(!(await page.isVisible('#hint')) && !(await page.isVisible('#draw')));
  await page.check('#lines-on');
  await clickSquare(page, 'a7');
  await clickSquare(page, 'a8');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
  await page.waitForTimeout(600);
  await page.click('#promotion [aria-label=knight]');
  assert.deepEqual(await moves(page), ['a8=N']);
});

onPage('after the flag has fallen nothing is taken back', { begin: (page) => page.clock.install() }, async (page) => {
  await page.clock.resume();
  await ready(page);
  await newGame(page, { side: 'both', clock: '1+1' });
  await enter(page, 'e4');
  await page.clock.fastForward(70_000);
  await status(page, /White wins on time \(article 6\.9\)/);
  assert(!(await page.isVisible('#back')));
  await page.reload();
  await ready(page);
  await status(page, /White wins on time/);
});

/** The clock of the page stands still until a test moves it, and no timer runs. @param {Page} page */
async function frozen(page) {
  await page.clock.install();
  await page.addInitScript(() => (window.setInterval = /** @type {any} */ (() => 0)));
}

onPage('a move that comes after the time is over is not played, also if the tab stood still', { begin: frozen }, async (page) => {
  await page.clock.resume();
  await ready(page);
  await newGame(page, { side: 'both', clock: '1+1' });
  await enter(page, 'e4');
  await page.clock.fastForward(70_000);
  await enter(page, 'e5');
  await status(page, /White wins on time \(article 6\.9\)/);
  assert.deepEqual(await moves(page), ['e4']);
  assert.equal(await page.textContent('#top .clock'), '0.0');
});

onPage('who enters a move while another position is shown is told why it is not played', {}, async (page) => {
  await newGame(page, { level: '1000' });
  await enter(page, 'e4');
  await status(page, /Your move/);
  await page.press('body', 'ArrowLeft');
  await enter(page, 'd4');
  assert.equal(await page.textContent('#entry-error'), 'The board shows another position: go back to the game with » or End.');
});

onPage('arrow keys go through the game after a click on a checkbox and after a flip', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 *');
  await page.click('#lines-on');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.textContent('#moves [aria-current]'), 'e5');
  await page.click('#flip');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await page.textContent('#moves [aria-current]'), 'e4');
});

onPage('the arrow of a hint turns with the board', {}, async (page) => {
  await newGame(page, { level: '1000' });
  await page.click('#hint');
  await status(page, /Hint: /);
  const ends = () => page.locator('#board svg.cg-shapes line').evaluate((line) => [line.getAttribute('y1'), line.getAttribute('y2')].map(Number));
  const before = await ends();
  await page.press('body', 'f');
  await page.waitForFunction(() => document.querySelector('#board.orientation-black, #board .orientation-black, .cg-wrap.orientation-black'));
  const after = await ends();
  assert(Math.sign(before[0] - before[1]) === -Math.sign(after[0] - after[1]), `${before} ${after}`);
});

onPage('a move made in advance is played when the engine has moved', {}, async (page) => {
  await newGame(page, { level: '1000' });
  await enter(page, 'h3');
  await clickSquare(page, 'a2');
  await clickSquare(page, 'a3');
  await page.waitForFunction(() => [...document.querySelectorAll('#moves [data-node]')].some((move) => move.textContent === 'a3'));
});

onPage('a move made in advance is given up by a key, by taking back and by another game', {}, async (page) => {
  // The engine never answers.
  await page.evaluate(() => (Worker.prototype.postMessage = () => {}));
  await newGame(page, { level: '1000' });
  const inAdvance = async () => {
    await enter(page, 'e4');
    await status(page, /is thinking/);
    await clickSquare(page, 'g1');
    await clickSquare(page, 'f3');
    await page.waitForSelector('#board square.current-premove:visible');
  };
  const acts = [() => page.click('#back'), () => newGame(page, { level: '1000' })];
  for (const act of acts) {
    await inAdvance();
    await act();
    await status(page, /Your move/);
    await page.waitForTimeout(100);
    assert(!(await moves(page)).some((move) => move.includes('Nf3')));
    // Chessground hides the squares that it no longer needs.
    assert.equal(await page.locator('#board square.current-premove:visible').count(), 0);
  }
  await inAdvance();
  await page.focus('#board');
  await page.keyboard.press('Escape');
  await page.locator('#announcer', { hasText: 'The move in advance is cancelled.' }).waitFor({ state: 'attached' });
  await page.waitForSelector('#board square.current-premove', { state: 'hidden' });
});

/* Lines. */

/** Counts what observes sizes. @param {Page} page */
const counted = (page) =>
  page.addInitScript(() => {
    const Native = ResizeObserver;
    const seen = /** @type {any} */ (window);
    seen.observers = 0;
    window.ResizeObserver = class extends Native {
      constructor(/** @type {ResizeObserverCallback} */ callback) {
        super(callback);
        seen.observers += 1;
      }
    };
  });

onPage('what is shown again leaves nothing behind, and is as large as before', { begin: counted }, async (page) => {
  await ready(page);
  const observers = () => page.evaluate(() => /** @type {any} */ (window).observers);
  /**
   * Where a piece of a board is, in squares from the left and the top.
   * @param {string} board
   * @param {string} piece
   */
  const place = async (board, piece) => {
    const [outer, inner] = [await page.locator(`${board} cg-board`).boundingBox(), await page.locator(`${board} ${piece}`).boundingBox()];
    return outer && inner && [inner.x - outer.x, inner.y - outer.y].map((distance) => Math.round((8 * distance) / outer.width));
  };
  await open(page, '7k/8/8/8/8/8/8/K5R1 w - - 0 1');
  await page.press('body', 'l');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
  const buttons = page.locator('#lines li >> nth=0 >> button');
  await buttons.nth(0).hover();
  const before = await observers();
  for (let index = 1; index < 5; index += 1) {
    await page.mouse.move(0, 0);
    await page.waitForSelector('#preview', { state: 'hidden' });
    await buttons.nth(index).hover();
    await page.waitForSelector('#preview cg-board piece.white.rook');
  }
  const [x, y] = (await place('#preview', 'piece.white.rook')) ?? [];
  assert(x > 0 && y < 8, `${x} ${y}`);
  await page.mouse.move(0, 0);
  for (const width of [1000, 1100, 1280]) {
    await resize(page, { width, height: 720 });
    assert.deepEqual(await place('#board', 'piece.white.rook'), [6, 7], `${width}`);
  }
  await menu(page, '#edit');
  await page.keyboard.press('Escape');
  await menu(page, '#edit');
  assert.deepEqual(await place('#editor-board', 'piece.white.rook'), [6, 7]);
  // One for the board of the editor.
  assert((await observers()) <= before + 1);
});

onPage('a line is previewed, followed, searched on, and shows the threat', {}, async (page) => {
  await open(page, OPERA);
  await page.press('body', 'Home');
  for (let ply = 0; ply < 5; ply += 1) await page.press('body', 'ArrowRight');
  await page.press('body', 'l');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
  await page.hover('#lines li >> nth=0 >> button >> nth=1');
  assert(await page.isVisible('#preview cg-board'));
  await page.press('body', 'x');
  await page.waitForFunction(() => document.querySelectorAll('#board svg.cg-shapes line').length >= 2);
  await page.click('#go-on');
  await page.waitForSelector('#go-on', { state: 'hidden' });
  await page.press('body', 'x');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length === 3);
  const count = (await moves(page)).length;
  // The lines change while the button of the mouse is down.
  const lines = () => page.textContent('#lines');
  await page.hover('#lines li >> nth=2 >> button >> nth=1');
  await page.mouse.down();
  const [depth, pressed] = [await page.textContent('#depth'), await lines()];
  await eventually(async () => assert.notEqual(await page.textContent('#depth'), depth));
  assert.equal(await lines(), pressed);
  await page.mouse.up();
  await eventually(async () => assert((await moves(page)).length > count));
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length > 0);
  const now = await page.textContent('#moves [aria-current]');
  // Until the engine has its first line for the new position, the key does nothing.
  const followed = async () => (await page.textContent('#moves [aria-current]')) !== now;
  for (let presses = 0; presses < 100 && !(await followed()); presses += 1) {
    await page.press('body', ' ');
    await page.waitForTimeout(100);
  }
  assert(await followed());
  await page.press('body', '?');
  assert(await page.isVisible('#help-dialog'));
});

onPage('the lines of the game before leave with it', {}, async (page) => {
  await page.press('body', 'l');
  await page.waitForSelector('#lines li');
  await open(page, '7k/5KQ1/8/8/8/8/8/8 b - - 0 1');
  await status(page, /White wins by checkmate/);
  assert.equal(await page.locator('#lines li').count(), 0);
});

onPage('the clock runs again when a mate is taken back', {}, async (page) => {
  await newGame(page, { side: 'both', clock: '5+3' });
  for (const move of ['f3', 'e5', 'g4', 'Qh4']) await enter(page, move);
  await status(page, /Black wins by checkmate/);
  await page.click('#back');
  await page.waitForSelector('.clock.running');
});

onPage('a resignation to a bare king is a draw', {}, async (page) => {
  await open(page, '8/8/4k3/8/8/8/4P3/4K3 w - - 0 1');
  await page.click('#new');
  await page.check('[name=from-here]');
  await page.selectOption('#new-dialog [name=side]', 'both');
  await accept(page, '#new-dialog');
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  await status(page, /The game is drawn because .* cannot give checkmate \(article 5\.1\.2\)/);
});

onPage('the threat and the lines leave the board when they are turned off', {}, async (page) => {
  const arrows = (/** @type {number} */ count) => page.waitForFunction((wanted) => document.querySelectorAll('#board svg.cg-shapes line').length === wanted, count);
  await open(page, '1. e4 e5 2. Nf3 Nc6 *');
  await page.press('body', 'l');
  await arrows(1);
  await page.press('body', 'x');
  await arrows(2);
  await page.press('body', 'x');
  await arrows(1);
  await page.press('body', 'l');
  await arrows(0);
  assert.deepEqual([await page.textContent('#depth'), await page.locator('#lines li').count()], ['Off', 0]);
  await page.press('body', ' ');
  assert.equal((await moves(page)).length, 4);
});

onPage('a game is reviewed, with a graph that the keyboard moves along', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ Ke7 *');
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed: /);
  assert((await page.locator('#graph circle').count()) > 0);
  await page.focus('#graph');
  await page.press('#graph', 'Home');
  await page.press('#graph', 'ArrowRight');
  assert.match(String(await page.getAttribute('#graph', 'aria-valuetext')), /1\. e4/);
  await enter(page, 'c5');
  assert.equal(await page.getAttribute('#graph', 'aria-valuetext'), 'In a variation');
  await page.click('#mistake-after');
  assert.match(String(await page.textContent('#moves [aria-current]')), /\?/);
  assert.match(await pgn(page), /\[%eval/);
});

for (const [name, server] of /** @type {const} */ ([['with isolation', isolated], ['without isolation', plain]])) {
  onPage(`a search stops within 100 ms ${name}`, { server }, async (page) => {
    const delays = await page.evaluate(async () => {
      const worker = new Worker('tabiya.js');
      const next = (/** @type {RegExp} */ pattern) =>
        new Promise((resolve) => (worker.onmessage = ({ data }) => pattern.test(data) && resolve(data)));
      worker.postMessage('uci');
      await next(/^uciok/);
      const delays = [];
      for (let round = 0; round < 5; round += 1) {
        worker.postMessage('go infinite');
        await next(/ depth 8 .* pv /);
        const asked = performance.now();
        worker.postMessage('stop');
        await next(/^bestmove/);
        delays.push(performance.now() - asked);
      }
      worker.terminate();
      return delays;
    });
    // A busy machine may delay any one of them.
    assert(Math.min(...delays) < 100, `${delays} ms`);
  });
}
