/** The service worker by itself: which addresses it answers, and how. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';

const SCRIPT = readFileSync(join(import.meta.dirname, '../site/offline.js'), 'utf8');
const VERSION = /main\.js\?v=(\w+)/.exec(readFileSync(join(import.meta.dirname, '../site/index.html'), 'utf8'))?.[1];

/** @param {Response} response @param {boolean} value  whether it came from another address */
const redirect = (response, value) => Object.defineProperty(response, 'redirected', { value });

/** The service worker, installed in a scope, and the caches of the origin. @param {string} scope @param {Map<string, Map<string, Response>>} [kept] */
async function install(scope, kept = new Map()) {
  /** @type {Record<string, (event: any) => void>} */
  const on = {};
  const address = (/** @type {string | Request} */ request) => new URL(typeof request === 'string' ? request : request.url, scope);
  const caches = {
    open: async (/** @type {string} */ name) => {
      const cache = kept.get(name) ?? new Map();
      kept.set(name, cache);
      const match = async (/** @type {Request} */ request, { ignoreSearch = false } = {}) => {
        const { pathname, search } = address(request);
        const response = cache.get(pathname + (ignoreSearch ? '' : search));
        return response && redirect(response.clone(), response.redirected);
      };
      return { put: async (/** @type {string} */ file, /** @type {Response} */ response) => cache.set(address(file).pathname + address(file).search, response), match };
    },
    has: async (/** @type {string} */ name) => kept.has(name),
    keys: async () => [...kept.keys()],
    delete: async (/** @type {string} */ name) => kept.delete(name),
  };
  class AnyRequest extends Request {
    constructor(/** @type {string} */ url, /** @type {RequestInit} */ options) {
      super(new URL(url, scope), options);
    }
  }
  const self = { addEventListener: (/** @type {string} */ type, /** @type {any} */ listener) => (on[type] = listener), registration: { scope } };
  // The host redirects `index.html` to the folder.
  const fetch = async (/** @type {Request} */ { url }) => redirect(new Response(`from the server: ${url} ${VERSION}`), url.endsWith('index.html'));
  vm.runInNewContext(SCRIPT, { self, caches, fetch, Request: AnyRequest, Response, URL, location: new URL('offline.js', scope), console });
  await new Promise((resolve) => on.install({ waitUntil: resolve }));
  const activate = () => new Promise((resolve) => on.activate({ waitUntil: resolve }));
  /** What a request gets: `undefined` if the network answers. @param {string} url @param {string} [method] */
  const get = async (url, method = 'GET') => {
    /** @type {Promise<Response> | undefined} */
    let answer;
    on.fetch({ request: new Request(new URL(url, scope), { method }), respondWith: (/** @type {any} */ given) => (answer = given) });
    const response = await answer;
    return response && `${response.status} ${(await response.text()).slice(0, 15)}${response.redirected ? ', redirected' : ''}`;
  };
  return { get, activate };
}

test('a new version drops the older ones, and nothing of a page in another folder', async () => {
  const others = ['tabiya-/trial/-1', 'tabiya-/trial/-2', 'blog'];
  const kept = new Map(['tabiya-/chess/-1', 'tabiya-/chess/-2', ...others].map((name) => [name, new Map()]));
  const { activate } = await install('https://club.example/chess/', kept);
  await activate();
  assert.deepEqual([...kept.keys()], ['tabiya-/chess/-2', ...others, `tabiya-/chess/-${VERSION}`]);
});

for (const scope of ['https://club.example/', 'https://club.example/chess/']) {
  test(`only the files of the page are answered in ${scope}`, async () => {
    const { get } = await install(scope);
    for (const file of ['./', 'index.html', 'main.js', `main.js?v=${VERSION}`, './?utm_source=x', './?v=2', 'index.html?v=2']) {
      assert.equal(await get(file), '200 from the server', file);
    }
    assert.equal(await get('tabiya.wasm?v=older'), '503 This version of');
    for (const other of ['forum/thread?v=2', 'forum/main.js?v=1.2.3', 'blog', 'offline.js', 'https://club.example/chess', 'https://club.example/forum/?v=2', 'https://other.example/main.js?v=3']) {
      assert.equal(await get(other), undefined, other);
    }
    assert.equal(await get('main.js', 'POST'), undefined);
  });
}
