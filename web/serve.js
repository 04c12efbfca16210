/**
 * Serves the page, and `examples/` beside it: `npm run serve`, or `node serve.js PORT`. Its headers
 * isolate the page, so that the workers can share memory. The page works without them, from any web
 * server.
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';

const ROOT = join(import.meta.dirname, 'site');
/** What is served beside the page: the examples, and the package that they use. */
const BESIDE = /^\/(dist|examples)\//;
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * @param {{ isolated?: boolean, root?: string }} [options]
 */
export function createSite({ isolated = true, root = ROOT } = {}) {
  return createServer(async ({ url = '/' }, response) => {
    try {
      // Both calls throw for what is not a path, such as `//` and `/%`.
      const path = posix.normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
      // On Windows it separates folders, and `..` behind it would leave the root.
      if (path.includes('\\')) throw new Error('not a path');
      const folder = BESIDE.test(path) ? import.meta.dirname : root;
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      const body = await readFile(file);
      const type = TYPES[/** @type {keyof typeof TYPES} */ (extname(file))] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type, ...(isolated ? ISOLATION : {}) }).end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found.\n');
    }
  });
}

if (process.argv[1] === import.meta.filename) {
  const port = Number(process.argv[2] ?? 8080);
  if (!(port >= 0 && port < 65536)) {
    console.error('usage: node serve.js [PORT]');
    process.exit(2);
  }
  const site = createSite();
  site.on('error', (error) => {
    console.error(`serve.js: ${error.message}`);
    process.exit(1);
  });
  site.listen(port, 'localhost', () => console.log(`http://localhost:${port}/`));
}
