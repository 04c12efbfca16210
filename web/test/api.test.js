/** The class `Engine`: answers, and the errors of each wrong call. Under node, and in Chromium. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { Engine, TabiyaError } from 'tabiya';
import { createSite } from '../serve.js';

/** @param {Promise<unknown>} call @param {string} code @param {RegExp} message */
const rejects = (call, code, message) =>
  assert.rejects(call, (error) => {
    assert(error instanceof TabiyaError, `${error}`);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });

/** @param {(engine: Engine) => Promise<void>} body */
async function withEngine(body) {
  const engine = new Engine();
  try {
    await body(engine);
  } finally {
    engine.close();
  }
}

test('moves are read in coordinates and SAN', () =>
  withEngine(async (engine) => {
    const mates = { fen: '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1', moves: ['h3', 'g8h8'], go: 'depth 3' };
    assert.deepEqual((await engine.search(mates)).lines[0].score, { mate: 1 });
    const roots = await engine.search({ moves: ['e4', 'e7e5'], searchMoves: ['Ke2', 'a2a3'], go: 'depth 3' });
    assert.match(String(roots.best), /^(e1e2|a2a3)$/);
    // A side that is not in check may pass, as in a game with null moves.
    const passed = await engine.search({ moves: ['e4', '--', 'Bc4', '0000', 'Qh5', '--'], go: 'depth 2' });
    assert.deepEqual([String(passed.best).slice(2), passed.lines[0].score], ['f7', { mate: 1 }]);
  }));

test('a wrong search is rejected, and the next one has its answer', () =>
  withEngine(async (engine) => {
    const wrong = [
      [{ moves: ['e2e5'] }, /^move 1: e2e5 is not a legal move here$/],
      [{ moves: ['e4', 'Nd2'] }, /^move 2: Nd2 is not a legal move here$/],
      [{ moves: ['e4', 'nonsense'] }, /^move 2: 'nonsense' is not a move such as Nf3/],
      [{ moves: 'e4' }, /^moves must be a list of texts, not string$/],
      [{ moves: [1] }, /^moves\[0\] must be a text, not number$/],
      [{ moves: ['e4\nquit'] }, /^moves\[0\] must not have a line break$/],
      [{ searchMoves: ['Ke4'] }, /^search move 1: Ke4 is not a legal move here$/],
      [{ fen: 'garbage' }, /^bad FEN: /],
      [{ fen: '8/8/8/8/8/8/8/8 w - - 0 1' }, /^illegal position: .*White has no king/],
      [{ fen: '4k3/8/8/8/8/8/8/4K3 w - - 0 1\nquit' }, /^fen must not have a line break$/],
      [{ fen: 5 }, /^fen must be a text, not number$/],
      [{ go: '' }, /^go needs a limit such as /],
      [{ go: 'deep 5' }, /^go: 'deep' is not a limit such as /],
      [{ go: 'depth x' }, /^go: 'depth x' is not a limit such as /],
      [{ go: 'depth 5\nquit' }, /^go must not have a line break$/],
    ];
    for (const [search, message] of wrong) {
      await rejects(engine.search(/** @type {any} */ (search)), 'input', /** @type {RegExp} */ (message));
    }
    assert.equal((await engine.search({ moves: ['f3', 'e5', 'g4'], go: 'depth 2' })).best, 'd8h4');
  }));

test('a wrong option is rejected', () =>
  withEngine(async (engine) => {
    await rejects(engine.setOptions({ Nonsense: 1 }), 'input', /^no option is called 'Nonsense'$/);
    await rejects(engine.setOptions({ Hash: 'x' }), 'input', /^option Hash takes a whole number /);
    await rejects(engine.setOptions({ Threads: 2 }), 'input', /^option Threads takes a whole number from 1 to 1, /);
    await rejects(engine.setOptions({ Hash: '8\nquit' }), 'input', /^Hash must not have a line break$/);
    await rejects(engine.setOptions({ 'Hash\nquit': 8 }), 'input', /must not have a line break$/);
    await rejects(engine.setOptions({ 'Hash value 8': 8 }), 'input', /^no option is called /);
    await engine.setOptions({ Hash: 8, MultiPV: 2 });
    assert.equal((await engine.search({ go: 'depth 3' })).lines.length, 2);
  }));

test('close rejects the search that runs, the one that waits, and later calls', async () => {
  const engine = new Engine();
  await engine.ready;
  const searches = [engine.search({ go: 'infinite' }), engine.search()];
  setTimeout(() => engine.close(), 200);
  for (const search of searches) await rejects(search, 'closed', /^the engine was closed$/);
  await rejects(engine.search(), 'closed', /^the engine was closed$/);
  await rejects(engine.setOptions({ Hash: 8 }), 'closed', /^the engine was closed$/);
  assert.throws(() => engine.send('isready'), /^TabiyaError: the engine was closed$/);
});

test('close before the engine is loaded rejects ready', async () => {
  const engine = new Engine();
  engine.close();
  await rejects(engine.ready, 'closed', /^the engine was closed$/);
});

test('a signal and stop end a search with its answer', () =>
  withEngine(async (engine) => {
    const abort = new AbortController();
    const isDeep = (/** @type {{ depth: number }} */ { depth }) => depth >= 5;
    const aborted = engine.search({ go: 'infinite', signal: abort.signal }, (info) => isDeep(info) && abort.abort());
    assert.match(String((await aborted).best), /^[a-h]/);
    assert.match(String((await engine.search({ go: 'infinite' }, (info) => isDeep(info) && engine.stop())).best), /^[a-h]/);
    assert.deepEqual(await engine.search({ signal: abort.signal }), { lines: [] });
  }));

test('an error of the listener rejects the search', () =>
  withEngine(async (engine) => {
    const fail = () => {
      throw new RangeError('mine');
    };
    await assert.rejects(engine.search({ go: 'depth 2' }, fail), /^RangeError: mine$/);
    assert.match(String((await engine.search({ go: 'depth 2' })).best), /^[a-h]/);
  }));

test('a wrong address of the wasm is rejected under node', async () => {
  const engine = new Engine({ wasm: 'absent.wasm' });
  await rejects(engine.ready, 'load', /^absent\.wasm cannot be loaded: /);
  await rejects(engine.search(), 'load', /^absent\.wasm cannot be loaded: /);
});

test('what earlier lines print is no answer to an option', () =>
  withEngine(async (engine) => {
    engine.send('uci');
    engine.send('isready');
    await engine.setOptions({ MultiPV: 3 });
    assert.equal((await engine.search({ go: 'depth 3' })).lines.length, 3);
    engine.send('isready');
    await rejects(engine.setOptions({ Nonsense: 1 }), 'input', /^no option is called 'Nonsense'$/);
  }));

test('an error of the listener ends a search that has no other end', { timeout: 60_000 }, () =>
  withEngine(async (engine) => {
    const fail = () => {
      throw new RangeError('mine');
    };
    await assert.rejects(engine.search({ go: 'infinite' }, fail), /^RangeError: mine$/);
    assert.match(String((await engine.search({ go: 'depth 2' })).best), /^[a-h]/);
  }));

test('a search that waits is ended by its signal, and not by stop', () =>
  withEngine(async (engine) => {
    const abort = new AbortController();
    const [waiting, next] = [engine.search({ go: 'infinite', signal: abort.signal }), engine.search({ go: 'depth 2' })];
    engine.stop();
    abort.abort();
    assert.deepEqual(await waiting, { lines: [] });
    assert.match(String((await next).best), /^[a-h]/);
  }));

test('a position of Chess960 is searched by its castling rights, or refused', () =>
  withEngine(async (engine) => {
    const search = { fen: 'rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1', searchMoves: ['O-O'], go: 'depth 1' };
    for (const fen of [search.fen, search.fen.replace('HAha', 'KQkq')]) {
      await rejects(engine.search({ fen, go: 'depth 1' }), 'input', /^fen: these castling rights are of Chess960: set the option UCI_Chess960$/);
    }
    // Whoever does not castle needs no option.
    assert.match(String((await engine.search({ fen: search.fen.replace('HAha', '-'), go: 'depth 1' })).best), /^[a-h]/);
    // In each spelling that the engine takes.
    for (const options of [{ UCI_Chess960: true }, { UCI_Chess960: 1 }, { 'uci chess960': 'on' }, { Chess960: 'TRUE' }]) {
      await engine.setOptions(/** @type {any} */ (options));
      assert.equal((await engine.search(search)).best, 'b1h1');
      await engine.setOptions({ Chess960: false });
      await rejects(engine.search(search), 'input', /UCI_Chess960$/);
    }
    engine.send('setoption name UCI_Chess960 value true');
    assert.equal((await engine.search(search)).best, 'b1h1');
  }));

test('a signal that comes while a search waits for one without an end resolves it at once', { timeout: 60_000 }, () =>
  withEngine(async (engine) => {
    const endless = engine.search({ go: 'infinite' });
    const abort = new AbortController();
    const waiting = engine.search({ signal: abort.signal });
    const loading = new Engine();
    const early = loading.search({ signal: abort.signal });
    abort.abort();
    assert.deepEqual([await waiting, await early, await engine.search({ signal: abort.signal })], [{ lines: [] }, { lines: [] }, { lines: [] }]);
    await engine.ready;
    while (true) {
      engine.stop();
      if (await Promise.race([endless, new Promise((resolve) => setTimeout(resolve, 50))])) break;
    }
    loading.close();
    await rejects(loading.search({ signal: abort.signal }), 'closed', /./);
  }));

test('a line quit closes the engine', { timeout: 60_000 }, async () => {
  const engine = new Engine();
  await engine.ready;
  const running = engine.search({ go: 'infinite' });
  // Words before a command do not count.
  setTimeout(() => engine.send(' joho quit'), 100);
  await rejects(running, 'closed', /^the engine was closed$/);
  await rejects(engine.search(), 'closed', /^the engine was closed$/);
});

test('a search that would have no end, or a clock that is not there, is refused', { timeout: 60_000 }, () =>
  withEngine(async (engine) => {
    for (const go of ['movestogo 40', 'winc 100 binc 100', 'nodes 99999999999999999999999', 'depth 5 nodes 9007199254740993']) {
      await rejects(engine.search({ go }), 'input', /^go(:.*is not| needs) a limit such as 'depth 12'/);
    }
    await rejects(engine.search({ go: 'wtime 1000', moves: ['e4'] }), 'input', /^go needs 'btime': Black is to move$/);
    await rejects(engine.search({ go: 'btime 1000 depth 3', fen: '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1', moves: ['Kd8'] }), 'input', /^go needs 'wtime': White is to move$/);
    assert.match(String((await engine.search({ go: 'btime 500', fen: '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1' })).best), /^e8/);
    assert.match(String((await engine.search({ go: 'wtime 500 movestogo 1' })).best), /^[a-h]/);
  }));

test('a listener that throws keeps no line from the others', () => {
  const entry = JSON.stringify(new URL('../dist/index-node.js', import.meta.url));
  const script = `import { Engine } from ${entry};
    process.on('uncaughtException', (error) => (seen = error.message));
    let seen;
    const engine = new Engine();
    engine.listen(() => { throw new Error('mine'); });
    console.log((await engine.search({ go: 'depth 3' })).best.length, seen);
    engine.close();`;
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 60_000 }), '4 mine\n');
});

test('an error is an instance of the class of each entry, also by require', async () => {
  const rules = await import('tabiya/rules');
  const required = createRequire(import.meta.url)('../dist/index-node.cjs');
  await rules.loadRules();
  const engine = new Engine();
  engine.close();
  const errors = [await engine.search().catch((error) => error), await new required.Engine({ wasm: 'absent' }).ready.catch((/** @type {unknown} */ error) => error)];
  try {
    new rules.Game().move('e5');
  } catch (error) {
    errors.push(error);
  }
  for (const error of errors) {
    for (const kind of [TabiyaError, rules.TabiyaError, required.TabiyaError]) assert(error instanceof kind, `${error}`);
  }
  class Own extends TabiyaError {}
  for (const other of [new Error('x'), null, 5, {}]) assert(!(other instanceof TabiyaError));
  assert(!(errors[0] instanceof Own) && new Own('input', 'x') instanceof Own && new Own('input', 'x') instanceof TabiyaError);
});

test('in a bundle that does not know where it lies, an engine and the rules say what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabiya-bundle-'));
  const dist = join(import.meta.dirname, '../dist');
  const app = `import { Engine } from ${JSON.stringify(join(dist, 'index-node.js'))};
    import { loadRules, referee } from ${JSON.stringify(join(dist, 'rules-node.js'))};
    const say = (error) => console.log(error.name, error.code, error.message);
    new Engine().ready.catch(say).then(() => loadRules()).catch(say)
      .then(() => loadRules({ wasm: ${JSON.stringify(join(dist, 'rules.wasm'))} })).then(() => console.log(referee().ok));`;
  try {
    await build({ stdin: { contents: app, resolveDir: folder }, bundle: true, platform: 'node', format: 'cjs', outfile: join(folder, 'app.cjs'), logLevel: 'silent' });
    const [first, second, last] = execFileSync(process.execPath, [join(folder, 'app.cjs')], { encoding: 'utf8', timeout: 60_000 }).trim().split('\n');
    assert.match(first, /^TabiyaError load the WebAssembly of Tabiya is not found from within a bundle: .*`wasm`$/);
    assert.deepEqual([second, last], [first, 'true']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
const skip = existsSync(BROWSER) ? false : `no browser: ${BROWSER}`;
const site = createSite({ root: join(import.meta.dirname, '..', 'dist'), isolated: false });
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  if (skip) return;
  await new Promise((resolve) => site.listen(0, 'localhost', () => resolve(null)));
  browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  site.close();
});

/**
 * What a call on a page answers, or its error.
 * @param {string} code  the body of an async function with `Engine`
 */
async function inBrowser(code) {
  const page = await browser.newPage();
  try {
    await page.goto(`http://localhost:${/** @type {any} */ (site.address()).port}/package.json`);
    const call = `import('/index.js').then(async ({ Engine }) => { ${code} }).catch((error) => error.name + ' ' + error.code + ': ' + error.message)`;
    return await page.evaluate(call);
  } finally {
    await page.close();
  }
}

test('a wrong address of the worker is rejected in a browser', { skip }, async () => {
  for (const worker of ['absent.js', 'index.d.ts']) {
    const search = `new Engine({ worker: '/${worker}' }).search({ go: 'depth 1' })`;
    assert.match(String(await inBrowser(`return ${search}`)), /^TabiyaError load: the worker cannot be started/);
  }
});

test('a wrong address of the wasm is rejected in a browser, and a second try succeeds', { skip }, async () => {
  const failed = "const failed = await new Engine({ wasm: '/absent.wasm' }).ready.catch((error) => error.message);";
  const answer = await inBrowser(`${failed} return [failed, (await new Engine().search({ go: 'depth 1' })).best.length]`);
  assert.deepEqual(answer, ['/absent.wasm cannot be loaded: 404 Not Found', 4]);
});

test('loading reports its progress in a browser', { skip }, async () => {
  const [first, last] = /** @type {any} */ (
    await inBrowser('const all = []; await new Engine({ onProgress: (step) => all.push(step) }).ready; return [all[0], all.at(-1)]')
  );
  assert(first.loaded < first.total, 'it reports more than the end');
  assert.equal(last.loaded, last.total);
  assert.equal(first.total, last.total);
});

test('a worker of a page creates an engine', { skip }, async () => {
  const script = "import('/index.js').then(async ({ Engine }) => postMessage((await new Engine().search({ go: 'depth 1' })).best))";
  const answer = await inBrowser(`
    const text = ${JSON.stringify(script)}.replace('/index.js', location.origin + '/index.js') + '.catch((error) => postMessage(error.message))';
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));`);
  assert.match(String(answer), /^[a-h][1-8][a-h][1-8]$/);
});

test('stop without shared memory has its answer in a browser', { skip }, async () => {
  const search = "engine.search({ go: 'infinite' }, ({ depth }) => depth > 4 && engine.stop())";
  const answer = await inBrowser(`const engine = new Engine(); return [(await ${search}).best.length, (await ${search}).best.length]`);
  assert.deepEqual(answer, [4, 4]);
});

test('the program speaks UCI, and ends with its input after the last answer', () => {
  const program = join(import.meta.dirname, '../bin/tabiya.js');
  const input = 'uci\nposition startpos moves e2e4\ngo depth 4\n';
  const lines = execFileSync(process.execPath, [program], { input, encoding: 'utf8', timeout: 60_000 }).trim().split('\n');
  assert(lines.includes('uciok'));
  assert.match(lines[lines.length - 1], /^bestmove [a-h][1-8][a-h][1-8]/);
});

for (const lines of ['go infinite\nstop\ngo infinite\nquit\n', 'go depth 8\ngo infinite\nquit\n', 'go infinite\ngo depth 3\n', 'joho isready\njoho go depth 6\nwell go depth 3\n']) {
  test(`the program answers each search and ends after ${lines.trim().replaceAll('\n', ', ')}`, async () => {
    const program = spawn(process.execPath, [join(import.meta.dirname, '../bin/tabiya.js')], { timeout: 60_000 });
    let printed = '';
    // The engine is loaded by then.
    program.stdout.on('data', (data) => {
      printed += data;
      if (printed === 'readyok\n') program.stdin.end(lines);
    });
    program.stdin.write('isready\n');
    assert.equal(await new Promise((resolve) => program.on('exit', resolve)), 0);
    assert.equal(printed.match(/^bestmove [a-h]/gm)?.length, 2);
  });
}

for (const [line, end, last] of /** @type {[string, string, RegExp][]} */ ([
  ['go perft 3', '', /^Nodes searched: 8902$/],
  ['bench 1', '', / nodes \d+ nps$/],
  ['go', '', /^bestmove [a-h]/],
  ['go ponder depth 3', '', /^bestmove [a-h]/],
  ['uci\ngo perft 12', 'quit\n', /^uciok$/],
])) {
  test(`the program answers '${line.replace('\n', ' ')}' and ends${end && ' by quit'}`, () => {
    const program = join(import.meta.dirname, '../bin/tabiya.js');
    const printed = execFileSync(process.execPath, [program], { input: `${line}\n${end}`, encoding: 'utf8', timeout: 60_000 });
    assert.match(printed.trim().split('\n').at(-1) ?? '', last);
  });
}

for (const flags of [[], ['--input-type=module']]) {
  test(`a program under Node.js${flags.map((flag) => ` ${flag}`)} goes on when the engine is ready`, () => {
    const entry = JSON.stringify(new URL('../dist/index-node.js', import.meta.url));
    const script = `import(${entry}).then(({ Engine }) => new Engine().ready).then(() => console.log('ready'));`;
    assert.equal(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8', timeout: 60_000 }), 'ready\n');
  });
}
