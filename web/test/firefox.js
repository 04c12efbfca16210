/**
 * The interactive figures of the book in Firefox: `node --experimental-websocket firefox.js FIREFOX ADDRESS
 * [FOLDER]`. Prints what is wrong, a line each; with a folder it saves screenshots there.
 *
 * Firefox is driven by WebDriver BiDi, which every Firefox speaks; Playwright needs one of its own.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHECKS } from './pictures.js';

const [program, address, folder] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'pictures-'));
const firefox = spawn(program, ['--headless', '--remote-debugging-port', '0', '--profile', profile], { stdio: ['ignore', 'ignore', 'pipe'] });

/** The address of the protocol, which Firefox prints. @returns {Promise<string>} */
function listening() {
  return new Promise((resolve, reject) => {
    createInterface({ input: firefox.stderr }).on('line', (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    firefox.on('error', reject);
    firefox.on('exit', () => reject(new Error('Firefox has ended')));
  });
}

const socket = new WebSocket(`${await listening()}/session`);
await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = () => reject(new Error('Firefox does not answer'));
});
/** @type {Map<number, (answer: any) => void>} */
const waiting = new Map();
socket.onmessage = (/** @type {MessageEvent} */ { data }) => {
  const answer = JSON.parse(data);
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
};
let commands = 0;

/** @param {string} method @param {object} params @returns {Promise<any>} */
async function send(method, params) {
  const id = ++commands;
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
  });
  if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
  return answer.result;
}

await send('session.new', { capabilities: {} });
const { context } = await send('browsingContext.create', { type: 'tab' });

/** The value of an expression, as JSON. @param {string} expression */
async function evaluate(expression) {
  const code = `(async () => JSON.stringify(await (${expression})))()`;
  const answer = await send('script.evaluate', { expression: code, target: { context }, awaitPromise: true });
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
  return JSON.parse(answer.result.value ?? 'null');
}

try {
  for (const [size, width, height] of /** @type {const} */ ([['desktop', 1200, 900], ['phone', 390, 844]])) {
    await send('browsingContext.setViewport', { context, viewport: { width, height } });
    for (const { name, path, picture, check } of CHECKS) {
      await send('browsingContext.navigate', { context, url: address + path, wait: 'complete' });
      const selector = `figure[data-picture=${picture}]`;
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView()`);
      const living = await evaluate(`new Promise((resolve) => {
        const started = Date.now();
        const look = () => {
          const figure = document.querySelector(${JSON.stringify(selector)});
          if (figure.matches('.is-living')) resolve('');
          else if (Date.now() - started > 60000) resolve(figure.innerText || 'it is not alive');
          else setTimeout(look, 50);
        };
        look();
      })`);
      const wrong = living ? [living] : await evaluate(`(${check})()`);
      const wide = await evaluate('document.documentElement.scrollWidth');
      if (wide > width) wrong.push(`the page is ${wide} wide`);
      for (const what of wrong) console.log(`${size}: ${name}: ${what}`);
      if (folder) {
        await evaluate(`document.querySelector('${selector} .picture').scrollIntoView()`);
        const { data } = await send('browsingContext.captureScreenshot', { context });
        writeFileSync(join(folder, `firefox-${picture}-${size}.png`), Buffer.from(data, 'base64'));
      }
    }
  }
} finally {
  socket.close();
  firefox.removeAllListeners('exit');
  const ended = new Promise((resolve) => firefox.on('exit', resolve));
  firefox.kill();
  await ended;
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
