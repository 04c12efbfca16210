/** The page in Firefox: `FIREFOX` names the program. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { address, isolated } from './browser.js';
import { inFirefox, noFirefox } from './firefox.js';

before(() => new Promise((resolve) => isolated.listen(0, 'localhost', () => resolve(null))));
after(() => {
  isolated.close();
  isolated.closeAllConnections();
});

test('the page works in Firefox', { skip: noFirefox, timeout: 300_000 }, async () => {
  assert.equal(await inFirefox('firefox-page.js', address(isolated)), '');
});
