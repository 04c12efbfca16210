/** The direction of imports: the parts of the page know neither the app nor the views, and there is no cycle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';

const { metafile } = await build({
  absWorkingDir: new URL('..', import.meta.url).pathname,
  entryPoints: ['page/main.js', 'page/offline.js', 'element/board.js', 'engine/index.js', 'engine/rules.js', 'engine/worker.js'],
  outdir: 'unused',
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  alias: { '#host': './engine/hosts/browser.js' },
  loader: { '.txt': 'text' },
});
/** What each module of this package imports. @type {Map<string, string[]>} */
const graph = new Map(
  Object.entries(metafile.inputs)
    .filter(([path]) => !path.startsWith('node_modules/'))
    .map(([path, { imports }]) => [path, imports.map((found) => found.path)]),
);

test('no module imports itself through others', () => {
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} path @param {string[]} above */
  const walk = (path, above) => {
    assert(!above.includes(path), [...above, path].join(' imports '));
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...above, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
});

test('only main.js imports the app, and only it, the keys, views and dialogs import views', () => {
  const importers = (/** @type {RegExp} */ of) => [...graph].filter(([, imports]) => imports.some((path) => of.test(path))).map(([path]) => path);
  assert.deepEqual(importers(/^page\/app\.js$/), ['page/main.js']);
  const outside = importers(/^page\/(views|dialogs)\//).filter((path) => !/^page\/(main\.js|keys\.js|views\/|dialogs\/)/.test(path));
  assert.deepEqual(outside, []);
});
