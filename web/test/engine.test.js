/** The worker file under node, as a browser runs it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { COMMANDS, Front } from '../engine/front.js';
import { parseInfo } from '../engine/info.js';
import { LIMITS, isEndless } from '../engine/limits.js';
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

test('a folder of tablebases, which a browser has not, is refused in a sentence', async () => {
  const engine = start();
  engine.send('setoption name SyzygyPath value tables');
  engine.send('isready');
  await engine.next(/^readyok/);
  assert.match(engine.lines.join('\n'), /info string .*tables/);
  await engine.stop();
});

test('the words of commands and limits are those of the parser', async () => {
  const source = readFileSync(new URL('../../src/protocol/uci/parse.rs', import.meta.url), 'utf8');
  /** The words that a function of the parser matches. @param {string} head */
  const words = (head) => {
    const [body] = source.slice(source.indexOf(head)).split('\n}\n');
    const arms = [...body.matchAll(/^ *((?:"\w+"(?: \| )?)+) =>/gm)];
    return arms.flatMap(([, arm]) => [...arm.matchAll(/\w+/g)].map(String)).sort();
  };
  assert.deepEqual([...COMMANDS].sort(), words('\npub fn parse(line'));
  // The class `Engine` takes root moves apart, and counts nothing.
  assert.deepEqual([...Object.keys(LIMITS), 'perft', 'searchmoves'].sort(), words('\nfn parse_go('));
  const engine = start();
  for (const [word, { hasNumber }] of Object.entries(LIMITS)) {
    engine.send(`go depth 1 ${word}${hasNumber ? ' 1' : ''}`);
    engine.send('stop');
    await engine.next(/^bestmove/);
  }
  assert.deepEqual(engine.lines.filter((line) => line.startsWith('info string')), []);
  await engine.stop();
});

test('a search ends by itself with each limit, unless it has none or waits for a command', () => {
  const ends = ['depth 1', 'nodes 1', 'mate 1', 'movetime 1', 'wtime 1', 'btime 1', 'winc 1 wtime 1'];
  const waits = ['infinite', 'ponder', 'ponder depth 1', '', 'winc 1', 'searchmoves e2e4'];
  assert.deepEqual([...ends, ...waits].filter(isEndless), waits);
  const known = Object.keys(LIMITS).filter((word) => LIMITS[word].ends);
  assert.deepEqual(known, ends.slice(0, -1).map((go) => go.split(' ')[0]));
});

for (const isolated of [true, false]) {
  const way = isolated ? 'with shared memory' : 'without shared memory';

  test(`stop ends what other words hide ${way}`, async () => {
    const engine = start(isolated);
    engine.send('please go infinite');
    await engine.next(/ depth 6 .* pv /);
    engine.send('stop');
    assert.match(await engine.next(/^bestmove/), /^bestmove [a-h][1-8][a-h][1-8]/);
    engine.send('go infinite perft 7');
    await pause(200);
    engine.send('stop');
    engine.send('go depth 1');
    assert.match(await engine.next(/^bestmove/), /^bestmove [a-h][1-8][a-h][1-8]/);
    await engine.stop();
  });

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
    // A busy machine may delay any one of them.
    assert(Math.min(...delays) < 100, `${delays}`);
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

  test(`a stop ends each search before it, whatever waits between ${way}`, async () => {
    const engine = start(isolated);
    const ends = async (/** @type {string[]} */ lines, /** @type {number} */ searches) => {
      engine.lines.length = 0;
      for (const line of lines) engine.send(line);
      const count = () => engine.lines.filter((line) => line.startsWith('bestmove')).length;
      for (let tries = 0; tries < 1200 && count() < searches; tries += 1) await pause(50);
      // An answer too many would come after the last one.
      await pause(50);
      assert.equal(count(), searches, lines.join());
    };
    // Before the engine is loaded, and after that.
    await ends(['go infinite', 'setoption name MultiPV value 1', 'stop'], 1);
    await ends(['go infinite', 'stop', 'go infinite', 'stop'], 2);
    await ends(['go infinite', 'position startpos moves e2e4', 'go infinite', 'go depth 30', 'stop'], 3);
    await ends(['go ponder', 'stop', 'ponderhit'], 1);
    await ends(['go ponder', 'stop', 'go ponder depth 1', 'ponderhit'], 2);
    await ends(['bench', 'stop', 'go infinite', 'stop'], 1);
    // A stop that nothing waits for is for nothing that follows.
    await ends(['stop', 'go depth 2'], 1);
    await engine.stop();
  });

  test(`an option that is refused leaves the value before it ${way}`, async () => {
    const engine = start(isolated);
    for (const value of ['2', 'x', 'y']) engine.send(`setoption name MultiPV value ${value}`);
    engine.send('go infinite');
    await engine.next(/ multipv 2 /);
    engine.send('stop');
    await engine.next(/^bestmove/);
    engine.lines.length = 0;
    engine.send('go depth 4');
    await engine.next(/^bestmove/);
    assert(engine.lines.some((line) => / depth 4 .*multipv 2 /.test(line)));
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
    // From the start position there is no mate.
    assert.match(await engine.next(/ depth 4 .*multipv 2 /), / score mate 2 /);
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

/** A worker that begins each search and never ends. */
class Idle {
  static alive = new Set();
  /** @type {((event: any) => any) | null} */
  onmessage = null;
  onerror = null;
  constructor() {
    Idle.alive.add(this);
  }

  postMessage(/** @type {any} */ message) {
    const say = (/** @type {any} */ data) => queueMicrotask(() => this.onmessage?.({ data }));
    if (message.module) say('ready');
    else if (/^go/.test(message)) say('info depth 1 score cp 1 pv e2e4 e7e5');
    else say(null);
  }

  terminate() {
    Idle.alive.delete(this);
  }
}

/** @param {(front: Front, line: string) => void} listen */
async function idle(listen) {
  /** @type {string[]} */
  const lines = [];
  const print = (/** @type {string} */ line) => {
    lines.push(line);
    listen(front, line);
  };
  const front = new Front({ module: Promise.resolve(/** @type {any} */ ({})), startWorker: () => new Idle(), isolated: false, print });
  await pause(10);
  return { front, lines };
}

test('a listener that closes the engine at its bestmove, or at its failure, leaves no worker', async () => {
  const stopped = await idle((front, line) => line.startsWith('bestmove') && front.close());
  stopped.front.receive('go infinite');
  await pause(10);
  stopped.front.receive('stop');
  assert.deepEqual([stopped.lines.at(-1), Idle.alive.size], ['bestmove e2e4 ponder e7e5', 0]);
  const failed = await idle((front, line) => line.startsWith('info string') && front.close());
  failed.front.receive('go infinite');
  /** @type {any} */ ([...Idle.alive][0]).onerror({ message: 'out of memory' });
  assert.equal(Idle.alive.size, 0);
  // Nothing is printed by an engine that is closed.
  assert.deepEqual(failed.lines.filter((line) => !line.startsWith('info string')), []);
});

test('a listener that stops at a bestmove gets no other', async () => {
  const { front, lines } = await idle((front, line) => line.startsWith('bestmove') && front.receive('stop'));
  front.receive('go infinite');
  await pause(10);
  front.receive('stop');
  await pause(10);
  assert.equal(lines.filter((line) => line.startsWith('bestmove')).length, 1);
  front.close();
});

test('words after stop and isready do not count, as in the native engine', async () => {
  const { front, lines } = await idle(() => {});
  front.receive('go infinite');
  await pause(10);
  lines.length = 0;
  front.receive('isready please');
  assert.deepEqual(lines, ['readyok']);
  front.receive('please stop now');
  assert.deepEqual(lines.slice(1), ['bestmove e2e4 ponder e7e5']);
  front.receive('quit at once');
  assert.equal(Idle.alive.size, 0);
});

test('an info line is read', () => {
  const line = 'info depth 9 seldepth 14 multipv 2 score mate -3 wdl 0 0 1000 nodes 900 nps 9 time 7 pv e2e4 e7e5';
  const info = parseInfo(line);
  assert.deepEqual([info?.depth, info?.multipv, info?.score, info?.wdl], [9, 2, { mate: -3 }, [0, 0, 1000]]);
  assert.deepEqual(info?.pv, ['e2e4', 'e7e5']);
  assert.equal(parseInfo('info string hello'), undefined);
});

test('a host without workers gets a sentence', () => {
  assert.match(String(browserSupport()), /^Tabiya needs a browser with WebAssembly SIMD, reference types and workers, /);
  Object.assign(globalThis, { Worker: class {} });
  assert.equal(browserSupport(), undefined);
  // The modules have a table of `externref`, which Chrome 91 to 95 refuse.
  const { validate } = WebAssembly;
  WebAssembly.validate = (bytes) => !new Uint8Array(/** @type {ArrayBuffer} */ (bytes)).includes(0x6f);
  assert.match(String(browserSupport()), /reference types and workers, such as Chrome 96,/);
  WebAssembly.validate = validate;
});
