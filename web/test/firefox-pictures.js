/**
 * The interactive figures of the book in Firefox: `node --experimental-websocket firefox-pictures.js FIREFOX
 * ADDRESS [FOLDER]`. Prints what is wrong, a line each; with a folder it saves screenshots there.
 */
import { join } from 'node:path';
import { openFirefox } from './firefox.js';
import { CHECKS } from './pictures.js';

const [program, address, folder] = process.argv.slice(2);
const firefox = await openFirefox(program);
try {
  for (const [size, width, height] of /** @type {const} */ ([['desktop', 1200, 900], ['phone', 390, 844]])) {
    await firefox.resize(width, height);
    for (const { name, path, picture, check } of CHECKS) {
      await firefox.navigate(address + path);
      const figure = `document.querySelector('figure[data-picture=${picture}]')`;
      await firefox.evaluate(`${figure}.scrollIntoView()`);
      const lives = await firefox.waitFor(`${figure}.matches('.is-living')`);
      const wrong = lives ? await firefox.evaluate(`(${check})()`) : [await firefox.evaluate(`${figure}.innerText || 'it is not alive'`)];
      const wide = await firefox.evaluate('document.documentElement.scrollWidth');
      if (wide > width) wrong.push(`the page is ${wide} wide`);
      for (const what of wrong) console.log(`${size}: ${name}: ${what}`);
      if (folder) {
        await firefox.evaluate(`${figure}.querySelector('.picture').scrollIntoView()`);
        await firefox.screenshot(join(folder, `firefox-${picture}-${size}.png`));
      }
    }
  }
} finally {
  await firefox.close();
}
