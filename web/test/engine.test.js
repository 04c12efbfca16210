/** The worker file under node, as a browser runs it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseInfo } from '../engine/info.js';
import { browserSupport } from '../engine/support.js';
import { NodeWorker } from './node_worker.js';

const SCRIPT = new URL('../dist/tabiya.js', import.meta.url);

/** Starts the worker, collects its lines and waits for them. */
function start(isolated = true) {
  const worker = new NodeWorker(SCRIPT, { isolated });
  /** @type {string[]} */
  const lines = [];
  /** @type {{ pattern: RegExp, resolve: (line: string) => void } | undefined} */
  let waiting;
  worker.onmessage = ({ data }) => {
    lines.push(data);
    if (waiting?.pattern.test(data)) waiting.resolve(data);
  };
  return {
    lines,
    send: (/** @type {string} */ line) => worker.postMessage(line),
    /** @param {RegExp} pattern @returns {Promise<string>} */
    next: (pattern) => new Promise((resolve) => (waiting = { pattern, resolve })),
    stop: () => worker.terminate(),
  };
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('the bench has the signature that the tests of the engine record', async () => {
  const source = readFileSync(new URL('../../tests/it/bench.rs', import.meta.url), 'utf8');
  const recorded = /SIGNATURE: u64 = ([\d_]+)/.exec(source)?.[1].replaceAll('_', '');
  const engine = start();
  engine.send('bench');
  assert.match(await engine.next(/nodes .* nps/), new RegExp(`\\b${recorded} nodes\\b`));
  await engine.stop();
});

for (const isolated of [true, false]) {
  const way = isolated ? 'with shared memory' : 'without shared memory';

  test(`stop is answered within 100 ms ${way}`, async () => {
    const engine = start(isolated);
    for (const line of ['uci', 'setoption name Hash value 32', 'position startpos moves e2e4 e7e5']) engine.send(line);
    const delays = [];
    for (let round = 0; round < 5; round += 1) {
      engine.send('go infinite');
      await engine.next(/ depth [6-9] .* pv /);
      await pause(50);
      const asked = performance.now();
      engine.send('stop');
      assert.match(await engine.next(/^bestmove/), /^bestmove [a-h][1-8][a-h][1-8]/);
      delays.push(performance.now() - asked);
    }
    assert(Math.max(...delays) < 100, `${delays}`);
    await engine.stop();
  });

  test(`a stop that follows go at once is not lost ${way}`, async () => {
    const engine = start(isolated);
    engine.send('go infinite');
    engine.send('stop');
    await engine.next(/^bestmove/);
    engine.send('isready');
    await engine.next(/^readyok/);
    assert.equal(engine.lines.filter((line) => line.startsWith('bestmove')).length, 1);
    await engine.stop();
  });

  test(`isready and ponderhit are answered during a search ${way}`, async () => {
    const engine = start(isolated);
    engine.send('go ponder movetime 100');
    await engine.next(/ depth [6-9] .* pv /);
    engine.send('isready');
    await engine.next(/^readyok/);
    engine.send('ponderhit');
    await engine.next(/^bestmove/);
    await engine.stop();
  });

  test(`options and the position outlive a stop ${way}`, async () => {
    const engine = start(isolated);
    engine.send('setoption name MultiPV value 2');
    engine.send('position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1');
    engine.send('go infinite');
    await engine.next(/ multipv 2 /);
    engine.send('stop');
    await engine.next(/^bestmove/);
    engine.send('go depth 4');
    await engine.next(/ depth 4 .*multipv 2 /);
    await engine.next(/^bestmove/);
    await engine.stop();
  });
}

test('lines that arrive during a search wait for its end', async () => {
  const engine = start(false);
  for (const line of ['go depth 6', 'position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1', 'go depth 2']) engine.send(line);
  await engine.next(/^bestmove/);
  assert.match(await engine.next(/^bestmove/), /^bestmove g6g7/);
  await engine.stop();
});

test('an engine that cannot be loaded says so', async () => {
  const worker = new NodeWorker(`${SCRIPT}#absent.wasm`);
  const answers = new Promise((resolve) => {
    /** @type {string[]} */
    const lines = [];
    worker.onmessage = ({ data }) => lines.push(data) === 2 && resolve(lines);
  });
  worker.postMessage('go depth 1');
  const [reason, best] = await answers;
  assert.match(reason, /^info string .*absent\.wasm/);
  assert.equal(best, 'bestmove 0000');
  await worker.terminate();
});

test('an info line is read', () => {
  const line = 'info depth 9 seldepth 14 multipv 2 score mate -3 wdl 0 0 1000 nodes 900 nps 9 time 7 pv e2e4 e7e5';
  const info = parseInfo(line);
  assert.deepEqual([info?.depth, info?.multipv, info?.score, info?.wdl], [9, 2, { mate: -3 }, [0, 0, 1000]]);
  assert.deepEqual(info?.pv, ['e2e4', 'e7e5']);
  assert.equal(parseInfo('info string hello'), undefined);
});

test('a host without workers gets a sentence', () => {
  assert.match(String(browserSupport()), /^Tabiya needs a browser with WebAssembly SIMD and workers, /);
  Object.assign(globalThis, { Worker: class {} });
  assert.equal(browserSupport(), undefined);
});
