/** The page without its looks, under node: the app with an engine and a store that a test makes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build } from 'esbuild';

const SOURCE = `
  export { App } from './page/app.js';
  export { Lesson } from './page/lesson.js';
  export { EVALUATION } from './page/review.js';
  export { sentences } from './page/sentences.js';
  export { Game, loadRules } from './engine/rules.js';
  export { Engine } from './engine/index.js';
  export { GameReader, RulesGame } from './generated/tabiya_rules.js';
`;
const { outputFiles } = await build({
  stdin: { contents: SOURCE, resolveDir: new URL('..', import.meta.url).pathname },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  alias: { '#host': './engine/hosts/node.js' },
  define: { VERSION: '"test"' },
  loader: { '.txt': 'text' },
});
Object.assign(globalThis, { window: globalThis });
/** @type {typeof import('../page/app.js') & typeof import('../page/lesson.js') & typeof import('../page/review.js') & typeof import('../page/sentences.js') & typeof import('../engine/index.js') & typeof import('../engine/rules.js') & typeof import('../generated/tabiya_rules.js')} */
const { App, EVALUATION, Engine, Game, GameReader, Lesson, RulesGame, loadRules, sentences } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
await loadRules({ wasm: new URL('../dist/rules.wasm', import.meta.url) });

/** @typedef {import('../page/app.js').App} TheApp */

/**
 * An app that keeps nothing, with an opponent that is loaded and never answers.
 * @param {import('node:test').TestContext} t
 * @returns {TheApp}
 */
function createApp(t) {
  const games = { isKept: true, begin() {}, put: async () => true, remove: async () => {} };
  const app = new App(/** @type {any} */ (games));
  app.opponent.isLoaded = true;
  app.opponent.search = () => new Promise(() => {});
  t.after(() => app.live.clock?.stop());
  return app;
}

/** The moves and the result of the game on the board. @param {TheApp} app */
const movetext = (app) => app.tree.game.pgn().split('\n\n')[1].trim();

/** @type {[string, (app: TheApp) => void, string][]} */
const ENDS = [
  ['a resignation', (app) => app.resign(), '1-0'],
  ['an agreement', (app) => app.offerDraw(), '1/2-1/2'],
  ['a fallen flag', (app) => app.live.act((game) => game.flag('white')), '0-1'],
];
for (const [name, end, result] of ENDS) {
  test(`a match that ended by ${name} keeps its result when moves are tried, undone and deleted`, (t) => {
    const app = createApp(t);
    app.start({ side: 'both', level: 0, clock: '' });
    for (const move of ['e4', 'e5', 'Nf3']) app.play(move);
    end(app);
    const played = movetext(app);
    assert.equal(played, `1. e4 e5 2. Nf3 ${result}`);
    app.play('Nc6');
    app.follow(['Bb5', 'a6']);
    assert.equal(movetext(app), `1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ${result}`);
    for (let count = 0; count < 3; count += 1) app.undo();
    assert.deepEqual([movetext(app), app.note], [played, '']);
    app.redo();
    app.edit('remove');
    assert.equal(movetext(app), played);
    // An act in the match, and the moves of it, stay.
    for (let count = 0; count < 3; count += 1) app.undo();
    assert.deepEqual([movetext(app), app.note], [played, 'The moves that were played cannot be changed.']);
    app.browse('first');
    app.play('d4');
    app.edit('promote');
    assert.deepEqual([movetext(app), app.note], [played.replace('e4', 'e4 (1. d4) 1...'), 'The moves that were played cannot be changed.']);
    app.edit('remove');
    assert.deepEqual([movetext(app), app.note], [played, '']);
  });
}

test('a match that ended by mate keeps its moves and its result when others are tried', (t) => {
  const app = createApp(t);
  app.start({ side: 'both', level: 0, clock: '' });
  for (const move of ['f3', 'e5', 'g4', 'Qh4']) app.play(move);
  app.browse('previous');
  app.play('d6');
  app.edit('promote');
  assert.deepEqual([movetext(app), app.note], ['1. f3 e5 2. g4 Qh4# (2... d6) 0-1', 'The moves that were played cannot be changed.']);
  app.undo();
  assert.equal(movetext(app), '1. f3 e5 2. g4 Qh4# 0-1');
  // Among moves that were not played, any may be the first.
  for (const move of ['d6', 'Nc6']) {
    app.goTo(app.tree.node(app.live.place.node)?.parent ?? 0);
    app.play(move);
  }
  app.edit('promote');
  assert.equal(movetext(app), '1. f3 e5 2. g4 Qh4# (2... Nc6) (2... d6) 0-1');
});

test('an end by rule that is taken back is no result, also if the page was loaded again', async (t) => {
  const app = createApp(t);
  /** @type {any} */
  let kept;
  Object.assign(app.keeping.games, { put: async (/** @type {any} */ game) => Boolean((kept = game)), take: async () => true, get: async () => kept });
  app.start({ side: 'both', level: 0, clock: '', fen: 'k7/8/1K6/8/8/8/8/2Q5 w - - 0 1' });
  app.play('Qc7');
  assert.equal(movetext(app), '1. Qc7 1/2-1/2');
  await app.restore(kept);
  app.takeBack();
  app.play('Qc8');
  assert.equal(movetext(app), '1. Qc8# (1. Qc7) 1-0');
});

test('a game that was opened keeps its result when moves are tried at its end, and one that is entered gets its own', (t) => {
  const app = createApp(t);
  app.open(new Game({ pgn: '1. f3 e5 1-0' }));
  app.browse('last');
  app.play('g4');
  assert.equal(movetext(app), '1. f3 e5 2. g4 1-0');
  app.edit('remove');
  assert.equal(movetext(app), '1. f3 e5 1-0');
  app.open(new Game());
  for (const move of ['f3', 'e5', 'g4']) app.play(move);
  assert.equal(movetext(app), '1. f3 e5 2. g4 *');
  app.play('Qh4');
  assert.equal(movetext(app), '1. f3 e5 2. g4 Qh4# 0-1');
});

test('a move that was taken back and is played again goes on as the game', (t) => {
  const app = createApp(t);
  app.start({ side: 'both', level: 0, clock: '' });
  for (const move of ['f3', 'e5', 'g4', 'd6']) app.play(move);
  for (let count = 0; count < 2; count += 1) app.takeBack();
  for (const move of ['g4', 'Qh4']) app.play(move);
  assert.equal(movetext(app), '1. f3 e5 2. g4 Qh4# (2... d6) 0-1');
});

test('the move of a refused claim becomes the game in place of one that was taken back', (t) => {
  const app = createApp(t);
  app.start({ side: 'both', level: 0, clock: '' });
  for (const move of ['e4', 'e5', 'Nf3']) app.play(move);
  app.takeBack();
  app.claim('Nc3');
  app.play('Nc6');
  assert.equal(movetext(app), '1. e4 e5 2. Nc3 (2. Nf3) 2... Nc6 *');
});

test('a game that ends after moves were taken back ends without them', (t) => {
  for (const [name, end, result] of ENDS) {
    const app = createApp(t);
    app.start({ side: 'both', level: 0, clock: '' });
    for (const move of ['e4', 'e5', 'Nf3', 'Nc6', 'Bc4']) app.play(move);
    for (let count = 0; count < 2; count += 1) app.takeBack();
    end(app);
    assert.equal(movetext(app), `1. e4 e5 2. Nf3 ${result}`, name);
    assert.equal(app.live.isOver, true, name);
  }
});

test('a new game begins without the work of the one before', (t) => {
  const app = createApp(t);
  app.adviser.search = () => new Promise(() => {});
  app.start({ side: 'both', level: 0, clock: '' });
  app.play('e4');
  app.resign();
  app.toggleReview();
  assert.equal(app.state, 'reviewing');
  app.start({ side: 'white', level: 0, clock: '' });
  assert.equal(sentences(app).trim(), 'Your move.');
  app.play('e4');
  assert.equal(app.state, 'thinking');
  const search = t.mock.method(app.opponent, 'search', () => new Promise(() => {}));
  app.start({ side: 'white', level: 0, clock: '3+2' });
  assert.equal(search.mock.callCount(), 0);
});

test('of two at one board, the one to move is named while another position is shown', (t) => {
  const app = createApp(t);
  app.start({ side: 'both', level: 0, clock: '' });
  for (const move of ['e4', 'e5', 'Nf3']) app.play(move);
  app.browse('previous');
  assert.equal(sentences(app).trim(), 'Black to move. The board shows another position.');
});

test('a comment of a million digits is no evaluation, which is seen at once', () => {
  const began = performance.now();
  assert.equal(EVALUATION.exec(`[%eval ${'1'.repeat(1e6)}`), null);
  assert(performance.now() - began < 1000, `${performance.now() - began} ms`);
  for (const [text, value] of [['[%eval 0.35]', '0.35'], ['[%eval -1.2,20]', '-1.2'], ['[%eval #-3]', '-3']]) assert.equal(EVALUATION.exec(text)?.[2], value);
});

test('no clock runs before the first move, also if it was taken back', (t) => {
  const app = createApp(t);
  app.start({ side: 'white', level: 0, clock: '5+3' });
  for (const move of ['e4', 'd4']) {
    assert.equal(app.live.clock?.running, undefined);
    app.play(move);
    assert.equal(app.live.clock?.running, 'black');
    app.takeBack();
  }
  assert.equal(app.live.clock?.running, undefined);
});

/** All that waits for promises has happened, and what waits for the next task, as a failure does. */
const settled = async () => {
  for (let task = 0; task < 2; task += 1) await new Promise((resolve) => setTimeout(resolve));
};

test('each completed move adds the increment, and one that is taken back gives it back', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const app = createApp(t);
  const left = () => /** @type {const} */ (['white', 'black']).map((color) => app.live.clock?.left(color));
  app.start({ side: 'both', level: 0, clock: '3+2' });
  for (const move of ['e4', 'e5']) app.play(move);
  assert.deepEqual(left(), [182_000, 182_000]);
  for (let count = 0; count < 5; count += 1) {
    now += 1000;
    app.takeBack();
    assert.deepEqual(left(), [182_000 - 1000 * (count + 1), 180_000]);
    app.play('e5');
  }
  app.start({ side: 'white', level: 0, clock: '3+2' });
  app.play('e4');
  app.live.play('e5', false);
  assert.deepEqual(left(), [182_000, 182_000]);
  app.takeBack();
  assert.deepEqual(left(), [180_000, 180_000]);
  // Who has less than the increment keeps it.
  app.play('e4');
  app.live.play('e5', false);
  now += 181_000;
  app.takeBack();
  assert.deepEqual(left(), [1000, 180_000]);
});

test('the time that was spent on a move is kept when another game takes the board', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const app = createApp(t);
  /** @type {Map<string, any>} */
  const kept = new Map();
  const put = async (/** @type {any} */ game) => Boolean(kept.set(game.id, game));
  Object.assign(app.keeping.games, { put, take: async () => true, get: async (/** @type {string} */ id) => kept.get(id) });
  app.start({ side: 'both', level: 0, clock: '5+3' });
  app.play('e4');
  const { id } = app.keeping;
  now += 60_000;
  app.open(new Game());
  await app.restore(kept.get(id));
  assert.equal(app.live.clock?.left('black'), 240_000);
});

test('a review does not take a draw that the players agreed for what the last move is worth', async (t) => {
  const app = createApp(t);
  app.start({ side: 'both', level: 0, clock: '', fen: '4k3/8/8/8/8/8/PPPPP3/4K3 w - - 0 1' });
  app.adviser.search = async ({ moves }) => /** @type {any} */ ({ lines: [{ score: { cp: moves.length % 2 ? -700 : 700 }, pv: [] }] });
  for (const move of ['e4', 'Kd8', 'd4']) app.play(move);
  app.offerDraw();
  app.toggleReview();
  await settled();
  assert.equal(movetext(app), '1. e4 {[%eval 7.00]} 1... Kd8 {[%eval 7.00]} 2. d4 {[%eval 7.00]} 1/2-1/2');
});

test('the load of the engine takes no time of its clock, and its search gets the time that is left', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const app = createApp(t);
  let loaded = () => {};
  app.opponent.isLoaded = false;
  app.opponent.load = () => new Promise((resolve) => (loaded = resolve));
  /** @type {string[]} */
  const asked = [];
  app.opponent.search = (_position, _options, go) => {
    asked.push(go);
    return new Promise(() => {});
  };
  app.start({ side: 'white', level: 0, clock: '1+0' });
  app.play('e4');
  now += 30_000;
  loaded();
  await settled();
  assert.deepEqual(asked, ['wtime 60000 btime 60000 winc 0 binc 0']);
  now += 10_000;
  assert.deepEqual([app.live.clock?.left('white'), app.live.clock?.left('black')], [60_000, 50_000]);
});

test('an engine that cannot play does not lose on time, and its clock runs again when it can', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const app = createApp(t);
  app.opponent.search = async () => {
    app.opponent.close();
    throw new Error('it ended');
  };
  app.start({ side: 'white', level: 0, clock: '1+0' });
  app.play('e4');
  now += 10_000;
  await settled();
  assert.equal(app.state, 'failed');
  now += 70_000;
  assert.deepEqual([app.live.clock?.check(), app.live.clock?.left('black')], [false, 50_000]);
  app.opponent.load = async () => {};
  app.opponent.search = () => new Promise(() => {});
  app.retry();
  await settled();
  now += 20_000;
  assert.deepEqual([app.state, app.live.clock?.left('black')], ['thinking', 30_000]);
});

test('what was read of a text that does not fit into the memory is released', (t) => {
  const freed = t.mock.method(RulesGame.prototype, 'free');
  const { read } = GameReader.prototype;
  let count = 0;
  t.mock.method(GameReader.prototype, 'read', /** @this {any} */ function () {
    count += 1;
    if (count > 2) throw new WebAssembly.RuntimeError('unreachable');
    return read.call(this);
  });
  assert.throws(() => Game.readAll('1. e4 *\n\n1. d4 *\n\n1. c4 *'), WebAssembly.RuntimeError);
  assert.equal(freed.mock.callCount(), 2);
});

test('a try in a lesson that is not legal leaves nothing in the memory', (t) => {
  const [game, freed] = [new Game(), t.mock.method(RulesGame.prototype, 'free')];
  const lesson = new Lesson([/** @type {any} */ ({})], { color: 'white', index: 0, found: 0, isTried: false, isDone: false });
  assert.throws(() => lesson.try('Ke5', game), /Ke5/);
  assert.equal(freed.mock.callCount(), 1);
});

test('a search that fails after a later one has begun leaves the engine to that', async (t) => {
  const closed = t.mock.method(Engine.prototype, 'close', () => {});
  t.mock.method(Engine.prototype, 'setOptions', async () => {});
  /** @type {((error: Error) => void)[]} */
  const fail = [];
  t.mock.method(Engine.prototype, 'search', () => new Promise((_, reject) => fail.push(reject)));
  const { adviser } = createApp(t);
  const searches = [];
  for (let count = 0; count < 2; count += 1) {
    searches.push(adviser.search({ fen: '', moves: [], chess960: false }, {}, 'depth 1'));
    await settled();
  }
  fail[0](new Error('it failed'));
  assert.deepEqual([await searches[0], closed.mock.callCount()], [undefined, 0]);
  fail[1](new Error('it failed'));
  await assert.rejects(searches[1]);
  assert.equal(closed.mock.callCount(), 1);
});

test('a kept game that another tab has deleted is not opened', async (t) => {
  const app = createApp(t);
  /** @type {any} */
  let kept;
  Object.assign(app.keeping.games, { put: async (/** @type {any} */ game) => Boolean((kept = game)), take: async () => true, get: async () => undefined });
  app.start({ side: 'both', level: 0, clock: '' });
  app.play('e4');
  await assert.rejects(app.restore({ ...kept, id: 'other' }), /^Error: the game was deleted in another tab$/);
  // Where nothing is kept, the list has all that there is.
  Object.assign(app.keeping.games, { isKept: false });
  await app.restore({ ...kept, id: 'other' });
  assert.equal(app.keeping.id, 'other');
});
