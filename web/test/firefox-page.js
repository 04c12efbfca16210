/**
 * The page in Firefox: `node --experimental-websocket firefox-page.js FIREFOX ADDRESS [FOLDER]`. Prints what is
 * wrong, a line each; with a folder it saves screenshots there.
 */
import { join } from 'node:path';
import { openFirefox } from './firefox.js';

const GAME = '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0';
const [program, address, folder] = process.argv.slice(2);
const firefox = await openFirefox(program);
const click = (/** @type {string} */ selector) => firefox.evaluate(`document.querySelector('${selector}').click()`);
const status = "document.querySelector('#status').textContent";

/** What to do, and what is true after it. @type {[string, () => Promise<unknown>, string][]} */
const STEPS = [
  ['a game comes by a link', async () => {}, 'document.querySelectorAll("#moves [data-node]").length === 7'],
  ['three lines are shown', () => click('[data-go=previous]').then(() => click('#lines-on')), 'document.querySelectorAll("#lines li").length === 3'],
  ['the game is reviewed', () => click('#lines-on').then(() => click('#tab-review')).then(() => click('#review')), `/Reviewed/.test(${status})`],
  ['a mistake has an arrow', () => click('#mistake-before'), 'document.querySelectorAll("#board svg.cg-shapes line").length === 1'],
  ['the engine plays', () => click('#new').then(() => click('#new-dialog .main')).then(() => firefox.evaluate("(document.querySelector('#move').value = 'e4', document.querySelector('#move').form.requestSubmit())")), `/^Tabiya plays/.test(${status})`],
];

try {
  for (const [size, width, height] of /** @type {const} */ ([['desktop', 1280, 720], ['phone', 390, 844]])) {
    await firefox.resize(width, height);
    await firefox.navigate('about:blank');
    await firefox.navigate(`${address}#pgn=${encodeURIComponent(GAME)}`);
    if (!(await firefox.waitFor("document.body.hasAttribute('data-ready')"))) console.log(`${size}: the page is not ready`);
    for (const [name, act, holds] of STEPS) {
      await act();
      if (!(await firefox.waitFor(holds))) console.log(`${size}: not so: ${name}. ${await firefox.evaluate(status)}`);
      const [wide, room] = await firefox.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');
      if (wide > room) console.log(`${size}: ${name}: the page is ${wide} wide, and has ${room}`);
      if (folder) await firefox.screenshot(join(folder, `firefox-${name.replaceAll(' ', '-')}-${size}.png`));
    }
  }
  for (const message of firefox.messages) console.log(`console: ${message}`);
} finally {
  await firefox.close();
}
