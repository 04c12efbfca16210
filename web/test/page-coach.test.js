/** The page as a coach: games in which each move is judged, the user's mistakes, and notes about moves. */
import assert from 'node:assert/strict';
import { LOOSE, SIZES, accept, centre, clickSquare, coached, enter, eventually, isolated, learn, moves, movetext, newGame, notTooWide, onPage, open, pgn, press, ready, resize, status, useBrowser } from './browser.js';

useBrowser(isolated);

const OBJECTION = /^12\. Nc6\?\? Loses the knight: 12\.\.\. Bxc6\. Try another move, or go on\.$/;
const decision = (/** @type {import('playwright-core').Page} */ page) => page.locator('#decision button:visible').allTextContents();
/** Where the user is. @param {import('playwright-core').Page} page */
const current = async (page) => (await page.locator('#moves [aria-current]').allTextContents())[0];

/* Coach. */

onPage('the coach objects to a mistake with the line that proves it, and the move is taken back', {}, async (page) => {
  await coached(page, LOOSE, { level: '400' });
  assert(await page.isHidden('#bottom .clock'));
  await enter(page, 'Nc6');
  await status(page, OBJECTION);
  assert.deepEqual(await decision(page), ['Try another move', 'Go on']);
  // The engine does not answer, and another position on the board changes nothing.
  await press(page, 'ArrowLeft');
  await page.waitForTimeout(1500);
  assert.deepEqual(await moves(page), ['Nc6']);
  await status(page, OBJECTION);
  await page.click('#another');
  await status(page, /Taken back/);
  assert(await page.isHidden('#decision'));
  await enter(page, 'Nb3');
  await status(page, /^Tabiya plays .* Your move/);
  const [first] = await moves(page);
  assert.equal(first, 'Nb3');
  assert.match(movetext(await pgn(page)), /^12\. Nb3 \(12\. Nc6\) 12\.\.\. /);
});

onPage('the objection stands after a reload, and the user may go on, with the better move named', {}, async (page) => {
  await coached(page, LOOSE, { level: '400' });
  await enter(page, 'Nc6');
  await status(page, OBJECTION);
  await page.reload();
  await ready(page);
  await status(page, OBJECTION);
  await press(page, 'g');
  await status(page, /^Tabiya plays .* Your move\. +Better: 12\. \S+ /);
  assert.equal((await moves(page)).length, 2);
});

onPage('the keys of the coach do nothing without an objection', {}, async (page) => {
  await coached(page, LOOSE, { level: '400' });
  await enter(page, 'Nb3');
  await status(page, /^Tabiya plays .* Your move/);
  const before = await moves(page);
  for (const key of ['t', 'g', 's', 'n']) await press(page, key);
  await status(page, /^Tabiya plays .* Your move/);
  assert.deepEqual(await moves(page), before);
});

onPage('a key of the coach takes a move back', {}, async (page) => {
  await coached(page, LOOSE, { level: '400' });
  await enter(page, 'Nc6');
  await status(page, OBJECTION);
  await press(page, 't');
  await status(page, /Taken back/);
  assert.equal(await current(page), undefined);
});

onPage('a move that stalemates can be taken back, because the coach speaks before the end', {}, async (page) => {
  await coached(page, '7k/8/8/8/8/5Q2/8/K7 w - - 0 1');
  await enter(page, 'Qf7');
  await status(page, /drawn by stalemate .*\. 1\. Qf7\?\? Stalemates the opponent, which is a draw\. Try another move/);
  await page.click('#another');
  await enter(page, 'Kb2');
  await status(page, /^Tabiya plays/);
});

onPage('without the coach a mistake is answered, and with both sides at the board there is none', {}, async (page) => {
  await open(page, LOOSE);
  await page.click('#new');
  await page.check('#new-dialog [name=from-here]');
  await accept(page, '#new-dialog');
  await enter(page, 'Nc6');
  await status(page, /^Tabiya plays/);
  assert(await page.isHidden('#decision'));
  await page.click('#new');
  await accept(page, '#confirm-dialog');
  await page.check('#new-dialog [name=coach]');
  assert(await page.isDisabled('#new-dialog [name=clock]'));
  await page.selectOption('#new-dialog [name=side]', 'both');
  assert(await page.isDisabled('#new-dialog [name=coach]'));
  assert(await page.isEnabled('#new-dialog [name=clock]'));
});

onPage('a coach whose engine cannot be loaded says so, and judges after another try', { expected: /503/, begin: (page) => page.route('**/tabiya.wasm*', (route) => route.fulfill({ status: 503 })) }, async (page) => {
  await ready(page);
  await coached(page);
  await enter(page, 'Nc6');
  await status(page, /The engine cannot play/);
  await page.unroute('**/tabiya.wasm*');
  await page.click('#retry');
  await status(page, OBJECTION);
});

/* Learning from mistakes. */

onPage('the better move is found in place of each mistake, and the game stays as it was', {}, async (page) => {
  await learn(page);
  const before = await pgn(page);
  await status(page, /^Mistake 1 of 2: 12\. Nc6\?\? was played\. Find a better move for White\.$/);
  assert.deepEqual(await decision(page), ['Show answer', 'Next mistake', 'Leave']);
  assert.equal(await current(page), undefined);
  // The mistake again, by mouse: the knight returns.
  await clickSquare(page, 'd4');
  await clickSquare(page, 'c6');
  await status(page, /^Nc6 was played: find another move\.$/);
  const { x, y } = await centre(page, 'd4');
  await eventually(async () => {
    const back = await page.locator('#board piece.white.knight:not(.ghost)').boundingBox();
    assert(back && Math.abs(back.x + back.width / 2 - x) < 5 && Math.abs(back.y + back.height / 2 - y) < 5);
  });
  // A move that is not the best one, but as good.
  await enter(page, 'Nb3');
  await status(page, /^Right! .*12\. Nc6\?\? Loses the knight: 12\.\.\. Bxc6\.$/);
  assert.match(String(await page.textContent('#pieces')), /^Black to move\. White: .*knight b3/);
  assert.deepEqual(await decision(page), ['Next mistake', 'Leave']);
  await press(page, 'n');
  await status(page, /^Mistake 2 of 2: 13\. h3\?\? was played/);
  assert.equal(await current(page), 'Kh7??');
  await enter(page, 'h4');
  await status(page, /^13\. h4\?\? (Loses|Misses) .* Try again\.$/);
  await press(page, 's');
  await status(page, /^The better move: 13\. N/);
  assert.deepEqual(await decision(page), ['Finish', 'Leave']);
  await page.click('#next-mistake');
  await status(page, /That was the last one: you found 0 of 2 on the first try\.$/);
  assert(await page.isHidden('#decision'));
  assert.equal(await pgn(page), before);
});

onPage('a mistake is left by browsing and by a button, and learning goes on there', {}, async (page) => {
  await learn(page);
  await press(page, 'n');
  await status(page, /^Mistake 2 of 2/);
  await press(page, 'ArrowLeft');
  assert(await page.isHidden('#decision'));
  assert.equal(await current(page), 'Nc6??');
  await press(page, 'L');
  await status(page, /^Mistake 2 of 2/);
  await page.click('#leave-mistakes');
  await status(page, /^White to move/);
  assert(await page.isHidden('#decision'));
  // Another player's mistakes are seen from his side.
  await page.click('[data-learn=black]');
  await status(page, /^Mistake 1 of 1: 12\.\.\. Kh7\?\? was played\. Find a better move for Black\.$/);
  assert.equal(await page.locator('#board .cg-wrap.orientation-black, #board.orientation-black').count(), 1);
  await enter(page, 'Ra9');
  assert.match(String(await page.textContent('#entry-error')), /Ra9/);
  await enter(page, 'Bxc6');
  await status(page, /^Right! 12\.\.\. Bxc6/);
  // What was found is not counted again: after the last mistake, all begins anew.
  await press(page, 'ArrowLeft');
  await press(page, 'L');
  await status(page, /^Mistake 1 of 1/);
  await press(page, 's');
  await press(page, 'n');
  await status(page, /you found 0 of 1 on the first try\.$/);
});

onPage('lines that would give the answer away are off while a mistake is asked', {}, async (page) => {
  await learn(page);
  await page.click('#leave-mistakes');
  await press(page, 'l');
  await page.waitForFunction(() => document.querySelectorAll('#lines li').length > 0);
  await press(page, 'L');
  await status(page, /^Mistake 1 of 2/);
  await page.waitForTimeout(500);
  assert.equal(await page.locator('#lines li').count(), 0);
  assert.equal(await page.getAttribute('#bar', 'aria-label'), 'Evaluation: off');
});

onPage('after a game against the engine, only the mistakes of the user are asked', {}, async (page) => {
  await open(page, 'r5k1/1b3pp1/7p/8/3N4/8/5PPP/3R2K1 b - - 0 12');
  await page.click('#new');
  await page.check('#new-dialog [name=from-here]');
  await page.selectOption('#new-dialog [name=side]', 'black');
  await page.selectOption('#new-dialog [name=level]', '0');
  await accept(page, '#new-dialog');
  await enter(page, 'Bxg2');
  await status(page, /^Tabiya plays Kxg2/);
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed/);
  assert.deepEqual(await page.locator('[data-learn]').evaluateAll((all) => all.map((one) => one.getAttribute('data-learn'))), ['black']);
  await press(page, 'L');
  await status(page, /^Mistake 1 of 1: 12\.\.\. Bxg2\?\?? was played/);
});

/* Notes. */

onPage('a sign and a comment are written, undone, kept, and stay text', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 *');
  await press(page, 'c');
  assert.equal(await page.textContent('#noted'), 'About 2. Nf3');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'comment');
  await page.click('#signs [data-glyph="5"]');
  assert.equal(await page.getAttribute('#signs [data-glyph="5"]', 'aria-pressed'), 'true');
  await page.click('#signs [data-glyph="1"]');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 $1 *');
  await page.fill('#comment', 'A <img src=x onerror=alert(1)> {c}');
  await page.press('#comment', 'Tab');
  const text = '1. e4 e5 2. Nf3 $1 {A <img src=x onerror=alert(1)> {c)} *';
  assert.equal(movetext(await pgn(page)), text);
  assert.equal(await page.locator('#moves img').count(), 0);
  assert.equal(await page.textContent('#moves .comment'), 'A <img src=x onerror=alert(1)> {c)');
  await page.reload();
  await ready(page);
  assert.equal(movetext(await pgn(page)), text);
  await page.click('#tab-notes');
  await page.fill('#comment', '');
  await page.press('#comment', 'Tab');
  await page.click('#signs [data-glyph="0"]');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 *');
  await page.click('#undo');
  assert.equal(await page.getAttribute('#signs [data-glyph="1"]', 'aria-pressed'), 'true');
  await page.click('#undo');
  assert.equal(movetext(await pgn(page)), text);
  assert.equal(await page.inputValue('#comment'), 'A <img src=x onerror=alert(1)> {c)');
  await page.click('#redo');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 $1 *');
});

onPage('what is being written is saved when a move is clicked, one is played, or the page is left', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 *');
  await page.click('#tab-notes');
  await page.type('#comment', 'first?');
  await page.click('#moves >> text=e5');
  assert.equal(await current(page), 'e5');
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 {first?} *');
  await press(page, 'End');
  await page.fill('#comment', 'second');
  await clickSquare(page, 'b8');
  await clickSquare(page, 'c6');
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 4);
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 {second} 2... Nc6 *');
  await page.fill('#comment', 'third');
  await page.reload();
  await ready(page);
  assert.equal(movetext(await pgn(page)), '1. e4 e5 2. Nf3 {second} 2... Nc6 {third} *');
});

onPage('notes leave evaluations, clock times and other glyphs where they are', {}, async (page) => {
  await open(page, '1. e4 $4 $14 {[%eval 0.3] good [%clk 0:01:00]} *');
  await page.click('#tab-notes');
  assert.equal(await page.inputValue('#comment'), 'good');
  await page.fill('#comment', 'better');
  await page.press('#comment', 'Tab');
  await page.click('#signs [data-glyph="3"]');
  assert.equal(movetext(await pgn(page)), '1. e4 $3 $14 {[%eval 0.3] [%clk 0:01:00] better} *');
  // The start has a comment, and no sign.
  await press(page, 'Home');
  assert.equal(await page.textContent('#noted'), 'About the start of the game');
  assert(await page.isDisabled('#signs [data-glyph="3"]'));
  await page.fill('#comment', 'before');
  await page.press('#comment', 'Tab');
  assert.match(movetext(await pgn(page)), /^\{before\} 1\. e4/);
});

onPage('during a game notes wait, and afterwards undo leaves the moves that were played', {}, async (page) => {
  await newGame(page, { side: 'both' });
  await enter(page, 'e4');
  await enter(page, 'e5');
  await page.click('#tab-notes');
  assert(await page.isDisabled('#comment'));
  await press(page, 'c');
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'comment');
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  await page.click('#signs [data-glyph="2"]');
  assert.deepEqual(await moves(page), ['e4', 'e5?']);
  await page.click('#undo');
  assert.deepEqual(await moves(page), ['e4', 'e5']);
  await page.click('#undo');
  await status(page, /The moves that were played cannot be changed\.$/);
  assert.match(movetext(await pgn(page)), /^1\. e4 e5 (1-0|0-1)$/);
});

/* What is seen. */

onPage('what the coach says and what is decided is in sight at each size', { viewport: SIZES[0] }, async (page) => {
  /** @param {(where: string, size: { width: number, height: number }) => Promise<void>} look */
  const atEachSize = async (look) => {
    for (const size of SIZES) {
      await resize(page, size);
      await look(`${size.width} × ${size.height}`, size);
      await notTooWide(page);
    }
    await resize(page, SIZES[0]);
  };
  const inSight = (/** @type {string[]} */ selectors) =>
    atEachSize(async (where, { width, height }) => {
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.evaluate(() => document.querySelector('.side')?.scrollTo(0, 0));
      for (const selector of selectors) {
        const box = await page.locator(selector).boundingBox();
        assert(box && box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5, `${where}, ${selector}: ${JSON.stringify(box)}`);
      }
      const board = await page.locator('#board cg-board').boundingBox();
      assert(board && board.width > Math.min(width, height) * 0.72, `${where}: the board is ${board?.width} wide`);
      const scroll = await page.evaluate(() => document.documentElement.scrollHeight);
      if (width > height && height > 500) assert(scroll <= height, `${where}: ${scroll} of ${height}`);
    });
  await coached(page);
  await enter(page, 'Nc6');
  await status(page, /^12\. Nc6\?\?/);
  await inSight(['#status', '#another', '#accept']);
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  await learn(page);
  await inSight(['#status', '#answer', '#next-mistake', '#leave-mistakes']);
  await page.click('#answer');
  await inSight(['#status', '#next-mistake', '#leave-mistakes']);
  await page.click('#leave-mistakes');
  await page.click('#tab-notes');
  await atEachSize(async (where, { width, height }) => {
    for (const sign of await page.locator('#signs button').all()) {
      const box = await sign.boundingBox();
      assert(box && box.x >= 0 && box.x + box.width <= width && box.width >= 24 && box.height >= 24, `${where}, signs: ${JSON.stringify(box)}`);
    }
    if (width > height && height > 500) {
      const [side, comment] = [await page.locator('.side').boundingBox(), await page.locator('#comment').boundingBox()];
      assert(side && comment && comment.y + comment.height <= side.y + side.height, `${where}: the comment is cut off`);
    }
  });
});
