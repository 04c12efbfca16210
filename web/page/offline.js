/**
 * The service worker: keeps the files of the page, so that it works offline after the first visit.
 * The build defines `FILES` and `VERSION`.
 *
 * A page gets the files of one version only. The version is in the addresses that it asks for
 * (`tabiya.wasm?v=…`), a new version waits until the user takes it, and the files of the version
 * before stay as long as tabs may show it.
 */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
// Caches belong to the origin, and another folder of it may have this page too.
const PREFIX = `tabiya-${new URL(worker.registration.scope).pathname}-`;

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(PREFIX + VERSION).then((cache) =>
      Promise.all(Object.keys(FILES).map(async (file) => cache.put(file, await load(file)))),
    ),
  );
});

/**
 * A file of this version. Throws if another one comes: while a site changes, the parts of a network
 * may have different versions of it. Then nothing is installed, and the browser tries again later.
 * @param {string} file
 */
async function load(file) {
  // The page has just loaded most of them from the same addresses: they come from the HTTP cache. A
  // page has no version in its address.
  const request = isPage(file) ? new Request(file, { cache: 'reload' }) : new Request(`${file}?v=${VERSION}`, { integrity: FILES[file] });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  // A host may add something to a page, so that only its version is looked at.
  const body = isPage(file) ? await response.text() : response.body;
  if (typeof body === 'string' && !body.includes(VERSION)) throw new Error(`${file} is of another version`);
  // Some hosts redirect `index.html`, and a navigation refuses what was redirected.
  return new Response(body, response);
}

/** @param {string} file */
const isPage = (file) => file === './' || file === 'index.html';

worker.addEventListener('message', ({ data }) => {
  if (data === 'activate') void worker.skipWaiting();
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then((names) => {
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION);
      // In the order in which they were made: the last is that of the version before.
      return Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
    }),
  );
});

// The page may be a part of a site, or lie at its root: what is not a file of the page is not its business.
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const file = fileOf(request.url);
  if (request.method === 'GET' && Object.hasOwn(FILES, file)) event.respondWith(answer(request, file));
});

/** The name of a file of the page, as `FILES` has it. @param {string} url */
function fileOf(url) {
  const { origin, pathname } = new URL(url);
  const scope = new URL(worker.registration.scope);
  const isWithin = origin === scope.origin && pathname.startsWith(scope.pathname);
  return isWithin ? pathname.slice(scope.pathname.length) || './' : '';
}

/** @param {Request} request @param {string} file */
async function answer(request, file) {
  // The address of the page itself may have a query of anyone.
  const wanted = (isPage(file) ? null : new URL(request.url).searchParams.get('v')) ?? VERSION;
  const isOther = wanted !== VERSION;
  if (!isOther || (await caches.has(PREFIX + wanted))) {
    const cache = await caches.open(PREFIX + wanted);
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
  } else {
    // The server may have another version by now.
    return new Response('This version of the page is gone: load the page again.', { status: 503 });
  }
  return fetch(request);
}
