/** The page as a teacher: reviews, levels and endings to practise. */
import assert from 'node:assert/strict';
import { enter, isolated, movetext, newGame, onPage, open, pgn, ready, status, useBrowser } from './browser.js';

useBrowser(isolated);

onPage('a review tells the counts, the reason and the better line, also after a reload', {}, async (page) => {
  await open(page, '1. f3 e5 2. g4 Qh4# 0-1');
  await page.click('#tab-review');
  await page.click('#review');
  await status(page, /Reviewed: \d moves? (is|are) marked\./);
  const [white, black] = await page.locator('#players-review li').allTextContents();
  assert.match(white, /^White: accuracy \d+ %, .* 1 blunder$/);
  assert.match(black, /^Black: accuracy 100 %, .* 0 blunders$/);
  assert.match(movetext(await pgn(page)), /2\. g4 \$4 \{ ?\[%eval #-1\] ?\} 2\.\.\. Qh4# \{ ?\[%eval #-0\]/);
  await page.press('body', 'End');
  await page.click('#mistake-before');
  const told = /^2\. g4\?\? .*2\.\.\. Qh4#\. Better: 2\. /;
  assert.match(String(await page.textContent('#judgement')), told);
  await page.reload();
  await ready(page);
  await page.click('#tab-review');
  assert.match(String(await page.textContent('#judgement')), told);
  await page.click('[data-go=next]');
  assert.equal(await page.textContent('#judgement'), '2... Qh4# is the best move.');
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
  assert.equal(await page.textContent('#top .name'), 'Tabiya (400)');
  await enter(page, 'e4');
  await status(page, /^Tabiya plays/);
  await page.reload();
  await ready(page);
  assert.equal(await page.inputValue('#new-dialog [name=level]'), '400');
});
