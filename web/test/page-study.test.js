/** The page as a teacher: reviews, levels and endings to practise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goalLost, plain, withText } from '../page/words.js';
import { accept, enter, isolated, movetext, newGame, onPage, open, pgn, ready, status, useBrowser } from './browser.js';

useBrowser(isolated);

onPage('a review tells the counts, the reason and the better line, also after a reload', {}, async (page) => {
  await open(page, '1. f3 e5 2. g4 Qh4# 0-1');
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed: (no mistakes|1 mistake or inaccuracy|\d mistakes or inaccuracies)\./);
  const [white, black] = await page.locator('#players-review li').allTextContents();
  assert.match(white, /^White: accuracy \d+ %, .* 1 blunder Find (the better move|\d better moves)$/);
  assert.match(black, /^Black: accuracy 100 %, .* 0 blunders$/);
  assert.match(movetext(await pgn(page)), /2\. g4 \$4 \{ ?\[%eval #-1\] ?\} 2\.\.\. Qh4# \{ ?\[%eval #-0\]/);
  // One step back takes the whole review away.
  const reviewed = movetext(await pgn(page));
  await page.click('#undo');
  assert.equal(movetext(await pgn(page)), '1. f3 e5 2. g4 Qh4# 0-1');
  assert(await page.isDisabled('#undo'));
  await page.click('#redo');
  assert.equal(movetext(await pgn(page)), reviewed);
  await page.press('body', 'End');
  await page.click('#mistake-before');
  const told = /^2\. g4\?\? .*2\.\.\. Qh4#\. Better: 2\. /;
  assert.match(String(await page.textContent('#judgement')), told);
  const bar = () => page.getAttribute('#bar', 'aria-label');
  assert.equal(await bar(), 'Evaluation for White: #-1', 'the bar shows the review while no lines are searched');
  assert.equal(await page.locator('#board svg.cg-shapes line').count(), 1, 'an arrow shows the best move');
  await page.reload();
  await ready(page);
  await page.click('#tab-review');
  assert.match(String(await page.textContent('#judgement')), told);
  await page.click('[data-go=next]');
  assert.equal(await page.textContent('#judgement'), '2... Qh4# is the best move.');
  assert.equal(await bar(), 'Evaluation: off', 'the game is over');
  await page.click('[data-go=previous]');
  const line = String(await page.textContent('#better'));
  await page.click('#better');
  const second = line.split(' ')[1];
  assert((await pgn(page)).replaceAll('\n', ' ').includes(`(2. ${second} `), line);
  assert.equal(await page.textContent('#judgement'), '');
});

onPage('levels are chosen by Elo from 400 and by name, and the choice is remembered', {}, async (page) => {
  const texts = await page.locator('#new-dialog [name=level] option').allTextContents();
  assert.equal(texts[0], 'Elo 400, beginner');
  assert.equal(texts[texts.length - 1], 'Full strength');
  for (const text of ['Elo 700, novice', 'Elo 1350, intermediate', 'Elo 1500', 'Elo 2400, master']) assert(texts.includes(text), text);
  assert.equal(await page.inputValue('#new-dialog [name=level]'), '1350');
  await newGame(page, { level: '400' });
  await page.locator('#top .name').getByText('Tabiya (400)', { exact: true }).waitFor();
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
  await page.reload();
  await ready(page);
  assert.equal(await page.inputValue('#new-dialog [name=level]'), '400');
});

onPage('an ending is practised: the referee says when the win is gone and when the goal is reached', {}, async (page) => {
  const verdict = async (/** @type {RegExp} */ pattern) => {
    await page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector('#verdict')?.textContent ?? ''), [pattern.source]);
  };
  await page.click('#tab-gym');
  assert.deepEqual((await page.locator('#ending optgroup').evaluateAll((groups) => groups.map((group) => group.getAttribute('label')))).slice(0, 2), ['Mates', 'King and pawn']);
  await page.selectOption('#ending', { label: 'Queen' });
  assert.match(String(await page.textContent('#goal')), /^You have White and are to win/);
  assert.equal(await page.textContent('#practise'), 'Start');
  await page.click('#practise');
  await enter(page, 'Qd4');
  await verdict(/^The game is drawn .*insufficient material .*\(article 5\.2\.2\)\. You were to win: try again\.$/);
  // Again, from the start, which a reload keeps.
  assert.equal(await page.textContent('#practise'), 'Try again');
  await page.click('#practise');
  await page.waitForFunction(() => document.querySelectorAll('#moves [data-node]').length === 0);
  assert.equal(await page.textContent('#verdict'), '');
  await enter(page, 'Qd3');
  await status(page, /^Tabiya plays/);
  await page.reload();
  await ready(page);
  await page.click('#tab-gym');
  assert.equal(await page.locator('#ending option:checked').textContent(), 'Queen');
  assert.equal(await page.textContent('#practise'), 'Try again');
  await page.click('#resign');
  await accept(page, '#confirm-dialog');
  // A king alone has nothing to win by it.
  await verdict(/^The game is drawn .*resign.*\(article 5\.1\.2\)\. You were to win: try again\.$/);
  // The queen is lost, and a king alone cannot mate; the game goes on.
  await page.selectOption('#ending', { label: 'A pawn in the middle' });
  await page.click('#practise');
  await enter(page, 'Qf3');
  await verdict(/^White can no longer win: no series of legal moves leads to mate\. Try again\.$/);
  await page.selectOption('#ending', { label: 'A knight guards the pawn' });
  await page.click('#practise');
  assert.match(String(await page.textContent('#goal')), /^You have Black and are to draw/);
  await page.click('#practise-next');
  assert.match(String(await page.textContent('#goal')), /^You have Black/);
});

onPage('in an ending the coach says with the reply when the win is gone, and when the draw is', {}, async (page) => {
  await page.click('#tab-gym');
  await page.selectOption('#ending', { label: 'The king on the sixth rank' });
  await page.check('#gym-coach');
  await page.click('#practise');
  await enter(page, 'Kd5');
  // Two moves draw.
  await status(page, /^1\. Kd5\?\? Tabiya sees no win any more: 1\.\.\. K[de]7.* Try another move, or go on\.$/);
  await page.click('#another');
  await enter(page, 'Kd6');
  await status(page, /^Tabiya plays K.\d\. Your move/);
  await page.selectOption('#ending', { label: 'Into the square' });
  await page.click('#practise');
  await enter(page, 'Kf4');
  await status(page, /^1\.\.\. Kf4\?\? (Lets a pawn promote|Tabiya sees a win for White): 2\. a6.* Try another move, or go on\.$/);
  // The choice is remembered, and without the coach the engine answers.
  await page.reload();
  await ready(page);
  assert(await page.isChecked('#gym-coach'));
  await page.uncheck('#gym-coach');
  await page.click('#practise');
  await enter(page, 'Kf4');
  await status(page, /^Tabiya plays/);
});

test('a goal is given away by the expected score of the user, and a reason that a reply proves comes first', () => {
  const reply = { uci: '', san: '', line: '2. Kd4', moves: [] };
  const said = (/** @type {any} */ judged, /** @type {'win' | 'draw'} */ goal) => goalLost({ reply, ...judged }, { name: '', goal });
  assert.equal(said({ color: 'white', expected: 0.5 }, 'win'), 'Tabiya sees no win any more: 2. Kd4.');
  assert.equal(said({ color: 'white', expected: 0.9 }, 'win'), '');
  assert.equal(said({ color: 'black', expected: 0.9 }, 'draw'), 'Tabiya sees a win for White: 2. Kd4.');
  assert.equal(said({ color: 'black', expected: 0.5 }, 'draw'), '');
  assert.equal(said({ color: 'white', expected: 0.5, reason: { missed: false } }, 'win'), '');
  assert.notEqual(said({ color: 'white', expected: 0.5, reason: { missed: true } }, 'win'), '');
  assert.equal(goalLost(/** @type {any} */ ({ color: 'white', expected: 0, reply }), undefined), '');
});

onPage('keys go from mistake to mistake, past the other moves', {}, async (page) => {
  await open(page, '1. e4 e5 2. Nf3 f6 $6 3. Nxe5 fxe5 $4 4. Qh5+ Ke7 $2 5. Qxe5+ 1-0');
  const current = () => page.locator('#moves [aria-current]').textContent();
  const seen = [];
  for (const key of ['m', 'm', 'm', 'm', 'Shift+M', 'Shift+M', 'Shift+M']) {
    await page.press('body', key);
    seen.push(await current());
  }
  assert.deepEqual(seen, ['f6?!', 'fxe5??', 'Ke7?', 'Ke7?', 'fxe5??', 'f6?!', 'f6?!']);
  // In a text, the letter is a letter.
  await page.fill('#move', '');
  await page.type('#move', 'm');
  assert.equal(await page.inputValue('#move'), 'm');
  assert.equal(await current(), 'f6?!');
});

test('a comment without its commands keeps its words and their blanks', () => {
  for (const [comment, expected] of [
    ['[%eval 0.3] good', 'good'],
    ['good[%clk 0:01:00]move', 'good move'],
    ['a [%clk 0:01:00] b [%csl Ga1]', 'a b'],
    // What is not closed is text, and takes nothing with it.
    ['[%eval 0.3 a [%clk 0:01:00] b', '[%eval 0.3 a b'],
  ]) {
    assert.equal(plain(comment), expected);
  }
  assert.deepEqual(withText(['[%eval 0.3 [%clk 0:01:00]', 'old'], 'new'), ['[%clk 0:01:00] new']);
});
