/** The page in Firefox: `FIREFOX` names the program. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { address, isolated } from './browser.js';

const FIREFOX = process.env.FIREFOX || '/usr/bin/firefox-esr';
const skip = !existsSync(FIREFOX) && `no browser: ${FIREFOX}`;

before(() => new Promise((resolve) => isolated.listen(0, 'localhost', () => resolve(null))));
after(() => {
  isolated.close();
  isolated.closeAllConnections();
});

test('the page works in Firefox', { skip, timeout: 300_000 }, async () => {
  const program = join(import.meta.dirname, 'firefox-page.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--experimental-websocket', program, FIREFOX, address(isolated)]);
  assert.equal(stdout, '');
});
