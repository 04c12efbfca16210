/** The entry `tabiya/rules` under node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TabiyaError, chess960Start, loadRules, referee } from '../dist/rules-node.js';

test('before loading, every call says what to do', () => {
  for (const call of [() => referee(), () => chess960Start(518)]) {
    assert.throws(call, (error) => error instanceof TabiyaError && /^the rules are not loaded yet: /.test(error.message));
  }
});

test('the start positions of Chess960 have numbers from 0 to 959', async () => {
  await loadRules();
  assert.match(chess960Start(518), /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w /);
  for (const number of [-1, 960, 1.5, NaN]) assert.throws(() => chess960Start(number), /they are 0 to 959$/);
});

test('the referee answers questions', async () => {
  await loadRules();
  assert.equal(referee({}).legal_moves.length, 20);
  const mate = referee({ moves: ['f3', 'e5', 'g4', 'Qh4'] });
  assert.deepEqual([mate.checkmate, mate.result, mate.san_last], [true, '0-1', 'Qh4#']);
  const repeated = referee({ moves: 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ') });
  assert.equal(repeated.claim_threefold_with.f6g8, true);
  assert.equal(referee({ moves: ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5'] }).opening, 'C60 Ruy Lopez');
  assert.equal(referee({ fen: '8/8/8/8/8/8/8/K1k5 w - - 0 1' }).auto_draw, 'insufficient');
  assert.match(referee({ fen: 'nonsense' }).error, /./);
  assert.match(referee({ moves: ['e5'] }).error, /^move 1: /);
  assert.match(referee({ pgn: '1. e4 e5 2. Ke3 *' }).pgn_faults[0], /^game 1, line 1: /);
});
