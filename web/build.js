/**
 * Builds the package (`dist/`) and the page (`site/`): `npm run build`. `--keep-wasm` builds only the
 * JavaScript again; `--tools` only installs the tools that are absent.
 *
 * Needs Rust with rustup. wasm-bindgen, the program that writes the calls between JavaScript and
 * WebAssembly, must have the version of the crate; if it is absent, cargo installs it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const TARGET = 'wasm32-unknown-unknown';
process.chdir(import.meta.dirname);

/** @param {string} command @param {string[]} args */
const run = (command, ...args) => execFileSync(command, args, { stdio: 'inherit' });

/** @param {string} command @param {string[]} args */
const output = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The wasm-bindgen of the crate's version. */
function findBindgen() {
  const lock = readFileSync('../Cargo.lock', 'utf8');
  const version = /name = "wasm-bindgen"\nversion = "(.+)"/.exec(lock)?.[1];
  const installed = join('..', 'target', 'wasm-bindgen', 'bin', 'wasm-bindgen');
  for (const command of ['wasm-bindgen', installed]) {
    try {
      if (output(command, '--version').trim() === `wasm-bindgen ${version}`) return command;
    } catch {
      // Not there: try the next one.
    }
  }
  const install = ['install', '--root', '../target/wasm-bindgen', 'wasm-bindgen-cli', '--version', `${version}`];
  try {
    run('cargo', ...install, '--locked');
  } catch {
    // A mirror of the registry may lack the versions in the lock file.
    run('cargo', ...install);
  }
  return installed;
}

/** Installs what is absent: the target for WebAssembly and wasm-bindgen. */
function findTools() {
  const library = output('rustc', '--print', 'target-libdir', '--target', TARGET).trim();
  if (!existsSync(library)) run('rustup', 'target', 'add', TARGET);
  return findBindgen();
}

/** @param {string} bindgen */
function buildWasm(bindgen) {
  run('cargo', 'build', '--release', '--locked', '--target', TARGET, '--target-dir', '../target');
  const wasm = `../target/${TARGET}/release/tabiya_web.wasm`;
  run(bindgen, '--target', 'web', '--remove-name-section', '--remove-producers-section', '--out-dir', 'generated', wasm);
}

/** @type {esbuild.BuildOptions} */
const BUNDLE = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };

async function buildPackage() {
  await esbuild.build({
    ...BUNDLE,
    entryPoints: ['engine/worker.js'],
    outfile: 'dist/tabiya.js',
    format: 'iife',
    // The generated code names its own wasm file only by default; the worker passes the module.
    define: { 'import.meta.url': 'self.location.href' },
  });
  await esbuild.build({ ...BUNDLE, entryPoints: ['engine/index.js'], outfile: 'dist/index.js', format: 'esm' });
  cpSync('engine/index.d.ts', 'dist/index.d.ts');
  cpSync('generated/tabiya_web_bg.wasm', 'dist/tabiya.wasm');
  cpSync('../LICENSE', 'LICENSE');
}

async function buildPage() {
  await esbuild.build({ ...BUNDLE, entryPoints: ['page/main.js', 'page/style.css'], outdir: 'site', format: 'esm' });
  for (const file of ['index.html', 'manifest.webmanifest']) cpSync(join('page', file), join('site', file));
  for (const file of ['tabiya.js', 'tabiya.wasm']) cpSync(join('dist', file), join('site', file));
  cpSync('../assets/logo.svg', 'site/logo.svg');
  cpSync('../LICENSE', 'site/LICENSE.txt');
  // The service worker keeps these files. Its version follows from their content.
  const files = readdirSync('site').sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join('site', file)));
  await esbuild.build({
    ...BUNDLE,
    entryPoints: ['page/offline.js'],
    outfile: 'site/offline.js',
    define: { FILES: JSON.stringify(['./', ...files]), VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)) },
  });
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
  if (!keepWasm) buildWasm(findTools());
  await buildPackage();
  await buildPage();
}
