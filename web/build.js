/**
 * Builds the package (`dist/`) and the page (`site/`): `npm run build`. `--keep-wasm` builds only the
 * JavaScript again; `--tools` only installs the target and the build program that are absent.
 *
 * Needs Rust with rustup, and Python 3. `bindgen/` is the program that writes the calls between JavaScript and
 * WebAssembly; cargo builds it below `target/`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const TARGET = 'wasm32-unknown-unknown';
process.chdir(import.meta.dirname);

/** @param {string} command @param {string[]} args */
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });

/** Installs what is absent: the target for WebAssembly, and the program `bindgen/`. */
function findTools() {
  const library = execFileSync('rustc', ['--print', 'target-libdir', '--target', TARGET], { encoding: 'utf8' });
  if (!existsSync(library.trim())) run('rustup', 'target', 'add', TARGET);
  const lock = (/** @type {string} */ file) => /name = "wasm-bindgen-shared"\nversion = "(.+)"/.exec(readFileSync(file, 'utf8'))?.[1];
  const [crate, program] = [lock('../Cargo.lock'), lock('bindgen/Cargo.lock')];
  if (crate !== program) throw new Error(`Cargo.lock has wasm-bindgen ${crate}, bindgen/Cargo.lock has ${program}: they must be equal`);
  run('cargo', 'build', '--quiet', '--locked', '--manifest-path', 'bindgen/Cargo.toml', '--target-dir', '../target/bindgen');
}

function buildWasm() {
  const packages = ['-p', 'tabiya-web', '-p', 'tabiya-rules'];
  run('cargo', 'build', '--release', '--locked', '--target', TARGET, '--target-dir', '../target', ...packages);
  for (const name of ['tabiya_web', 'tabiya_rules']) {
    run('../target/bindgen/debug/tabiya-web-bindgen', `../target/${TARGET}/release/${name}.wasm`, 'generated');
  }
}

/** @type {esbuild.BuildOptions} */
const BUNDLE = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

/** What the code of the package knows about its files. */
const sizes = () => ({
  ENGINE_BYTES: String(statSync('generated/tabiya_web_bg.wasm').size),
  RULES_BYTES: String(statSync('generated/tabiya_rules_bg.wasm').size),
});

async function buildPackage() {
  cpSync('generated/tabiya_web_bg.wasm', 'dist/tabiya.wasm');
  cpSync('generated/tabiya_rules_bg.wasm', 'dist/rules.wasm');
  for (const [name, file] of [['engine-data', 'tabiya'], ['rules-data', 'rules']]) {
    const text = gzipSync(readFileSync(`dist/${file}.wasm`), { level: 9 }).toString('base64');
    writeFileSync(`dist/${name}.js`, `export default ${JSON.stringify(text)};\n`);
  }
  // The workers. That of browsers is a file, and also a text within other files; that of Node.js is
  // only a text.
  await esbuild.build({ ...BUNDLE, entryPoints: ['engine/worker.js'], outfile: 'dist/tabiya.js', format: 'iife', define: sizes() });
  await esbuild.build({ ...BUNDLE, entryPoints: ['engine/thread.js'], outfile: 'generated/thread.js.txt', format: 'cjs', platform: 'node' });
  cpSync('dist/tabiya.js', 'generated/tabiya.js.txt');
  await esbuild.build({ ...BUNDLE, entryPoints: ['element/style.css'], outfile: 'generated/board.css.txt' });

  for (const [entry, folder] of [['index', 'engine'], ['rules', 'engine'], ['board', 'element']]) {
    /** @param {string} host @param {string} outfile @param {esbuild.BuildOptions} [options] */
    const build = (host, outfile, options) =>
      esbuild.build({
        ...BUNDLE,
        entryPoints: [`${folder}/${entry}.js`],
        outfile: `dist/${outfile}`,
        format: 'esm',
        alias: { '#host': `./engine/hosts/${host}.js` },
        external: ['#engine-data', '#rules-data'],
        plugins: [besides, ...(entry === 'board' ? [entriesBeside(outfile)] : [])],
        ...options,
        define: { ...sizes(), ...options?.define },
      });
    await build('browser', `${entry}.js`);
    await build('embedded', `${entry}-embedded.js`);
    await build('production', `${entry}-production.js`);
    await build('node', `${entry}-node.js`, { platform: 'node' });
    await build('node', `${entry}-node.cjs`, {
      platform: 'node',
      format: 'cjs',
      define: { 'import.meta.url': 'ownUrl' },
      banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    });
    cpSync(`${folder}/${entry}.d.ts`, `dist/${entry}.d.ts`);
    // The same types for `require`. They import nothing by a path.
    cpSync(`${folder}/${entry}.d.ts`, `dist/${entry}.d.cts`);
  }
  cpSync('../LICENSE', 'LICENSE');
  writeLicences();
}

/** The licences of what others wrote in the package and the page: crates, Rust's library, the board. */
function writeLicences() {
  run('python3', '../scripts/release.py', 'licences', 'dist', 'tabiya-web', 'tabiya-rules');
  const board = JSON.parse(readFileSync('node_modules/@lichess-org/chessground/package.json', 'utf8'));
  appendFileSync('dist/THIRD-PARTY.txt', `\n${'='.repeat(80)}\n${board.name} ${board.version}: ${board.license}, see LICENSE\n`
    + "Its pieces ('cburnett') are by Colin M.L. Burnett: GPL-2.0-or-later, here under version 3.\n");
}

/** The packed modules stay files of their own, which bundlers find. @type {esbuild.Plugin} */
const besides = {
  name: 'besides',
  setup({ onResolve }) {
    onResolve({ filter: /^#(engine|rules)-data$/ }, ({ path }) => ({ path: `./${path.slice(1)}.js`, external: true }));
  },
};

/**
 * The board imports the other entries, those of its own host, as a page does that uses all three.
 * @param {string} outfile  such as `board-node.cjs`
 * @returns {esbuild.Plugin}
 */
const entriesBeside = (outfile) => ({
  name: 'entries-beside',
  setup({ onResolve }) {
    onResolve({ filter: /\/engine\/(index|rules)\.js$/ }, ({ path }) => ({
      path: `./${outfile.replace('board', path.endsWith('/index.js') ? 'index' : 'rules')}`,
      external: true,
    }));
  },
});

/** In place of the version, before it is known: it follows from the content of all files. */
const PLACE = '@VERSION@';

async function buildPage() {
  await esbuild.build({
    ...BUNDLE,
    entryPoints: ['page/main.js', 'page/early.js', 'page/style.css'],
    outdir: 'site',
    format: 'esm',
    alias: { '#host': './engine/hosts/browser.js' },
    define: { ...sizes(), VERSION: JSON.stringify(PLACE) },
  });
  for (const file of ['index.html', 'manifest.webmanifest']) cpSync(join('page', file), join('site', file));
  for (const file of ['tabiya.js', 'tabiya.wasm', 'rules.wasm']) cpSync(join('dist', file), join('site', file));
  for (const file of ['icon.svg', 'icon.png']) cpSync(join('../assets', file), join('site', file));
  cpSync('../LICENSE', 'site/LICENSE.txt');
  // The address of the source, which whoever publishes the page names. Without one, its link goes.
  const page = readFileSync('site/index.html', 'utf8');
  const { SOURCE } = process.env;
  writeFileSync('site/index.html', SOURCE ? page.replace('SOURCE', () => SOURCE) : page.replace(/\s*<a href="SOURCE">.*?<\/a>\./, ''));

  const files = readdirSync('site').sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join('site', file)));
  const version = hash.digest('hex').slice(0, 16);
  for (const file of ['index.html', 'main.js']) {
    const text = readFileSync(join('site', file), 'utf8');
    writeFileSync(join('site', file), text.replaceAll(PLACE, version));
  }
  // The service worker keeps these files, if they are what they should be. It leaves the licences
  // of others, which take half a megabyte.
  const digest = (/** @type {string} */ file) => `sha256-${createHash('sha256').update(readFileSync(join('site', file))).digest('base64')}`;
  const digests = Object.fromEntries(['./', ...files].map((file) => [file, digest(file === './' ? 'index.html' : file)]));
  await esbuild.build({
    ...BUNDLE,
    entryPoints: ['page/offline.js'],
    outfile: 'site/offline.js',
    define: { FILES: JSON.stringify(digests), VERSION: JSON.stringify(version) },
  });
  for (const file of ['THIRD-PARTY.txt', 'RUST-LICENCES.html']) cpSync(join('dist', file), join('site', file));
}

const [task] = process.argv.slice(2);
if (task === '--tools') {
  findTools();
} else {
  const keepWasm = task === '--keep-wasm';
  for (const folder of keepWasm ? ['dist', 'site'] : ['dist', 'site', 'generated']) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  if (!keepWasm) {
    findTools();
    buildWasm();
  }
  await buildPackage();
  await buildPage();
}
