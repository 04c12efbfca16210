/** The page as a teacher: reviews, levels and endings to practise. */
import assert from 'node:assert/strict';
import { isolated, movetext, onPage, open, pgn, ready, status, useBrowser } from './browser.js';

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
