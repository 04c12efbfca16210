/** The server of the page: what it is asked for cannot end it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createSite } from '../serve.js';

const site = createSite({ root: join(import.meta.dirname, '..') });

before(() => new Promise((resolve) => site.listen(0, 'localhost', () => resolve(null))));
after(() => site.close());

test('a port that is none, or is taken, is answered in one line', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
  const run = (/** @type {string} */ word) => spawnSync(process.execPath, [join(import.meta.dirname, '../serve.js'), word], { encoding: 'utf8' });
  for (const word of ['--help', '80000']) assert.equal(run(word).stderr, 'usage: node serve.js [PORT]\n');
  assert.match(run(String(port)).stderr, /^serve\.js: .*\n$/);
});

test('each kind of file of the page has its type', async () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
  const names = readdirSync(join(import.meta.dirname, '../site'));
  const types = await Promise.all(names.map(async (name) => [name, (await fetch(`http://localhost:${port}/site/${name}`)).headers.get('Content-Type')]));
  assert.deepEqual(types.filter(([, type]) => type === 'application/octet-stream'), []);
});

/**
 * The status line of the answer to a request line. `fetch` would correct the address.
 * @param {string} request
 * @returns {Promise<string>}
 */
function ask(request) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (site.address());
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, 'localhost', () => socket.write(`${request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    socket.on('data', (data) => (answer += data));
    socket.on('end', () => resolve(answer.split('\r\n')[0]));
    socket.on('error', reject);
  });
}

test('an address that is not a path is not found', async () => {
  const addresses = ['//', '///', '/%', '/%ff', '/%00', '/../../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/absent', 'http://', '*', '/test', '//[/'];
  for (const address of addresses) {
    assert.match(await ask(`GET ${address}`), /^HTTP\/1\.1 40[04] /, address);
  }
  assert.equal(await ask('GET /package.json'), 'HTTP/1.1 200 OK');
  assert.equal(await ask('GET /package.json?x=1'), 'HTTP/1.1 200 OK');
});
