/**
 * The package as its users install it: the file of `npm pack`, in an empty folder, under each bundler
 * and runtime. Nothing is configured for Tabiya.
 *
 * `CHROMIUM` names the browser, `DENO` and `BUN` these runtimes. What is absent is skipped.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

const WEB = join(import.meta.dirname, '..');
const BIN = join(WEB, 'node_modules', '.bin');
const BROWSER = process.env.CHROMIUM || '/usr/bin/chromium';
const noBrowser = existsSync(BROWSER) ? false : `no browser: ${BROWSER}`;

/** A small application: a best move, a rejected error, the rules, and in a browser a board. */
const body = `
  const engine = new Engine();
  const { best } = await engine.search({ moves: ['e4', 'e5', 'Qh5', 'Ke7'], go: 'depth 4' });
  print('best ' + best);
  try {
    await engine.search({ moves: ['e2e5'] });
  } catch (error) {
    print((error instanceof TabiyaError) + ' ' + error.message);
  }
  engine.close();
  await loadRules();
  print(referee({ moves: ['f3', 'e5', 'g4', 'Qh4'] }).result);
  print(new Game({ pgn: '1. e4 (1. d4) e5' }).move('Nf3').uci);
  if (!globalThis.document) return;
  const board = document.createElement('tabiya-board');
  board.pgn = '1. e4 *';
  document.body.append(board);
  await new Promise((resolve) => board.addEventListener('change', resolve, { once: true }));
  const moves = board.shadowRoot.querySelector('#moves').textContent;
  board.remove();
  print('board ' + moves);`;
const APP = `import { Engine, TabiyaError } from 'tabiya';
import { Game, loadRules, referee } from 'tabiya/rules';
import 'tabiya/board';
const print = (line) => (globalThis.document ? (document.body.append(line, '\\n'), 0) : console.log(line));
async function main() {${body}
}
main().catch((error) => print('failed: ' + error)).then(() => print('end'));
`;
const EXPECTED = ['best h5e5', 'true move 1: e2e5 is not a legal move here', '0-1', 'g1f3', 'end'];
const EXPECTED_ON_PAGE = [...EXPECTED.slice(0, -1), 'board 1.e4', 'end'];

const root = mkdtempSync(join(tmpdir(), 'tabiya-install-'));
/** A folder in which the package is installed and nothing else. */
const installed = join(root, 'installed');
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', root], { cwd: WEB });
  const [file] = readdirSync(root).filter((name) => name.endsWith('.tgz'));
  mkdirSync(installed);
  writeFileSync(join(installed, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--silent', '--offline', join(root, file)], { cwd: installed });
  if (!noBrowser) browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});

/**
 * A fresh folder with the package and these files.
 * @param {string} name
 * @param {Record<string, string>} files
 */
function folderWith(name, files) {
  const folder = join(root, name);
  cpSync(installed, folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

/** @param {string} folder @param {string} command @param {string[]} args */
function run(folder, command, ...args) {
  const env = { ...process.env, NODE_ENV: undefined, NO_COLOR: '1' };
  const { status, stdout, stderr, signal } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 100_000, env });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${signal ?? status}\n${stdout}${stderr}`);
  return stdout;
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Serves a folder. Scripts of other origins may load its files.
 * @param {string} folder
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
async function serve(folder) {
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://localhost').pathname;
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const type = TYPES[/** @type {'.js'} */ (extname(file))] ?? 'application/octet-stream';
    if (existsSync(file)) response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' }).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { origin: `http://localhost:${port}`, close: () => server.close() };
}

/**
 * Opens the page of a folder and reads what the application prints.
 * @param {string} folder
 */
async function open(folder) {
  const server = await serve(folder);
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  try {
    await page.goto(`${server.origin}/index.html`);
    await page.waitForFunction(() => document.body.textContent?.includes('end'), null, { timeout: 60_000 });
    const lines = (await page.evaluate(() => document.body.innerText)).split('\n').filter(Boolean);
    assert.deepEqual([lines, errors], [EXPECTED_ON_PAGE, []]);
  } finally {
    await page.close();
    server.close();
  }
}

/** @param {string} script @param {string} [head] */
const html = (script, head = '') => `<!doctype html><title>test</title>${head}<body style="white-space: pre">${script}</body>`;
const MODULE = html('<script type="module" src="/main.js"></script>');

test('the rules are small', () => {
  const { length } = gzipSync(readFileSync(join(WEB, 'dist/rules.wasm')), { level: 9 });
  assert(length <= 400_000, `${length} bytes`);
});

test('Vite builds it for production', { skip: noBrowser }, async () => {
  const folder = folderWith('vite', { 'main.js': APP, 'index.html': MODULE });
  run(folder, join(BIN, 'vite'), 'build', '--logLevel', 'error');
  const files = readdirSync(join(folder, 'dist', 'assets'));
  assert(files.some((name) => /^tabiya-.*\.wasm$/.test(name)), `the wasm is a file of its own: ${files}`);
  assert(!files.some((name) => /data/.test(name)), `it is not there as text, too: ${files}`);
  await open(join(folder, 'dist'));
});

test('webpack builds it for production', { skip: noBrowser }, async () => {
  const folder = folderWith('webpack', { 'main.js': APP });
  const log = run(folder, join(BIN, 'webpack'), '--mode', 'production', '--entry', './main.js', '--output-path', 'out');
  assert.doesNotMatch(log, /ERROR|Critical dependency/);
  writeFileSync(join(folder, 'out', 'index.html'), html('<script src="/main.js"></script>'));
  await open(join(folder, 'out'));
});

for (const format of ['esm', 'iife']) {
  test(`esbuild builds it for production as ${format}`, { skip: noBrowser }, async () => {
    const folder = folderWith(`esbuild-${format}`, { 'main.js': APP });
    const log = run(folder, join(BIN, 'esbuild'), 'main.js', '--bundle', '--minify', `--format=${format}`, '--outfile=out/main.js');
    assert.doesNotMatch(log, /warning/i);
    writeFileSync(join(folder, 'out', 'index.html'), format === 'esm' ? MODULE : html('<script src="/main.js"></script>'));
    await open(join(folder, 'out'));
  });
}

for (const [name, options, env] of /** @type {const} */ ([
  ['Rollup builds it for production', '{ browser: true }', undefined],
  ['Rollup builds it for development', '', 'development'],
])) {
  test(name, { skip: noBrowser }, async () => {
    // Rollup itself finds no package; the plugin for that is the only one.
    const resolve = JSON.stringify(join(WEB, 'node_modules/@rollup/plugin-node-resolve/dist/es/index.js'));
    const config = `import resolve from ${resolve};\nexport default { input: 'main.js', output: { dir: 'out' }, plugins: [resolve(${options})] };\n`;
    const folder = folderWith(name.replaceAll(' ', '-'), { 'main.js': APP, 'rollup.config.mjs': config });
    run(folder, 'env', ...(env ? [`NODE_ENV=${env}`] : []), join(BIN, 'rollup'), '--config', '--silent');
    writeFileSync(join(folder, 'out', 'index.html'), MODULE);
    await open(join(folder, 'out'));
  });
}

test('a plain page imports it by a map', { skip: noBrowser }, async () => {
  const dist = '/node_modules/tabiya/dist';
  const imports = { tabiya: `${dist}/index.js`, 'tabiya/rules': `${dist}/rules.js`, 'tabiya/board': `${dist}/board.js` };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const folder = folderWith('plain', { 'main.js': APP, 'index.html': html('<script type="module" src="/main.js"></script>', map) });
  await open(folder);
});

test('a page imports it from another origin', { skip: noBrowser }, async () => {
  const other = await serve(join(installed, 'node_modules', 'tabiya'));
  // What the README says that the policy has to allow.
  const policy = `default-src 'self'; script-src 'self' 'wasm-unsafe-eval' ${other.origin}; connect-src ${other.origin}; worker-src blob:; img-src data:; style-src 'unsafe-inline'`;
  try {
    const app = APP.replace("'tabiya'", `'${other.origin}/dist/index.js'`).replace(/'tabiya\/(rules|board)'/g, `'${other.origin}/dist/$1.js'`);
    const folder = join(root, 'cdn');
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.js'), app);
    const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    writeFileSync(join(folder, 'index.html'), html('<script type="module" src="/main.js"></script>', head));
    await open(folder);
  } finally {
    other.close();
  }
});

/** @param {string} output */
const printed = (output) => output.trim().split('\n');

test('Node.js imports it', () => {
  assert.deepEqual(printed(run(folderWith('node-esm', { 'main.mjs': APP }), process.execPath, 'main.mjs')), EXPECTED);
});

test('Node.js requires it', () => {
  const app = APP.replace(/import (\{.*\}) from ('.*')/g, 'const $1 = require($2)').replace(/import ('.*')/, 'require($1)');
  assert.deepEqual(printed(run(folderWith('node-cjs', { 'main.cjs': app }), process.execPath, 'main.cjs')), EXPECTED);
});

test('a program under Node.js ends although it closes nothing', () => {
  const app = "import { Engine } from 'tabiya';\nconsole.log((await new Engine().search({ go: 'depth 2' })).best.length);\n";
  assert.deepEqual(printed(run(folderWith('node-end', { 'main.mjs': app }), process.execPath, 'main.mjs')), ['4']);
});

/** @param {string} name */
function runtime(name) {
  const places = [process.env[name.toUpperCase()], join(WEB, '..', 'target', 'runtimes', 'node_modules', '.bin', name)];
  const path = places.find((place) => place && existsSync(place));
  const skip = path ? false : `no ${name}: name it in ${name.toUpperCase()}`;
  return { path: path ?? name, skip };
}

const deno = runtime('deno');
test('Deno imports it', { skip: deno.skip }, () => {
  const folder = folderWith('deno', { 'main.mjs': APP });
  assert.deepEqual(printed(run(folder, deno.path, 'run', '--allow-read', 'main.mjs')), EXPECTED);
});

const bun = runtime('bun');
test('Bun imports it', { skip: bun.skip }, () => {
  assert.deepEqual(printed(run(folderWith('bun', { 'main.mjs': APP }), bun.path, 'main.mjs')), EXPECTED);
});

test('Bun builds it for the browser', { skip: bun.skip || noBrowser }, async () => {
  const folder = folderWith('bun-build', { 'main.js': APP });
  run(folder, bun.path, 'build', 'main.js', '--minify', '--outdir', 'out');
  writeFileSync(join(folder, 'out', 'index.html'), MODULE);
  await open(join(folder, 'out'));
});

test('a page that is rendered on a server imports it, and an engine there is refused', () => {
  const app = `for (const file of ['index.js', 'index-embedded.js', 'index-production.js', 'rules.js', 'rules-embedded.js', 'rules-production.js', 'board.js', 'board-embedded.js', 'board-production.js']) {
  const { Engine } = await import('./node_modules/tabiya/dist/' + file);
  if (Engine) await new Engine().search().catch((error) => console.log(error.code, error.message));
}\n`;
  const [first, second, third, ...rest] = printed(run(folderWith('server', { 'main.mjs': app }), process.execPath, 'main.mjs'));
  assert.match(first, /^unsupported Tabiya needs a browser with WebAssembly SIMD, reference types and workers, /);
  assert.deepEqual([second, third], [first, first]);
  assert.deepEqual(rest, []);
});

test('its types serve modules and CommonJS', () => {
  const app = `import { Engine, TabiyaError, type Answer } from 'tabiya';
import { Game, loadRules, referee, type RefereeAnswer, type Status } from 'tabiya/rules';
import { TabiyaBoard } from 'tabiya/board';
export const moves = (board: TabiyaBoard) => (document.querySelector('tabiya-board') ?? board).game?.moves();
// @ts-expect-error a colour is white or black
export const turn = (board: TabiyaBoard) => (board.orientation = 'green');
function winner(status: Status): string {
  if (status.kind === 'playing') return 'nobody yet';
  // @ts-expect-error a drawn game has no winner
  void status.winner;
  return status.kind === 'won' ? status.winner : status.by;
}
const opening = ['e4'] as const;
export async function play(): Promise<string | undefined> {
  const answer: Answer = await new Engine({ onProgress: ({ loaded, total }) => loaded / total }).search({ moves: opening });
  await loadRules();
  const position: RefereeAnswer = referee({ moves: opening });
  new Game().line(opening);
  const { score } = answer.lines[0];
  // @ts-expect-error a score is centipawns or a mate, and both have to be looked at
  const wrong: number = score.cp;
  // @ts-expect-error a question that is refused has no position
  void position.fen;
  return answer instanceof TabiyaError ? (position.ok ? position.fen : position.error) + winner(new Game().status) : answer.best ?? String(wrong);
}\n`;
  const config = (/** @type {string} */ module, /** @type {string} */ resolution) =>
    JSON.stringify({ compilerOptions: { strict: true, noEmit: true, module, moduleResolution: resolution, types: [], lib: ['es2022', 'dom'] } });
  const folder = folderWith('types', { 'app.mts': app, 'app.cts': app, 'node.json': config('node16', 'node16'), 'bundler.json': config('esnext', 'bundler') });
  for (const project of ['node.json', 'bundler.json']) run(folder, join(BIN, 'tsc'), '--project', project);
});

test('publint finds nothing', async () => {
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: WEB, strict: true });
  assert.deepEqual(messages, []);
});
