/** What the page writes about moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reviewedGlyphs } from '../page/words.js';

test('a review replaces its own signs and keeps those of people', () => {
  // The glyphs, the sign of the review before, the new sign, the glyphs after: 2 is ?, 3 !!, 4 ??, 6 ?!.
  for (const [glyphs, before, now, after] of /** @type {const} */ ([
    [undefined, undefined, '??', [4]],
    [[3], undefined, '??', [3]],
    [[14], undefined, '?', [2, 14]],
    [[4], '??', undefined, []],
    [[4, 14], '??', '?!', [6, 14]],
    [[3], '??', '?!', [3]],
  ])) {
    assert.deepEqual(reviewedGlyphs(glyphs && [...glyphs], before, now), after);
  }
});
