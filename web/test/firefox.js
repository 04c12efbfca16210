/**
 * A Firefox for tests. It is driven by WebDriver BiDi, which every Firefox speaks; Playwright needs one of its
 * own. Node.js 20 needs `--experimental-websocket`.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const FIREFOX = process.env.FIREFOX || '/usr/bin/firefox-esr';
export const noFirefox = !existsSync(FIREFOX) && `no browser: ${FIREFOX}`;

/** Runs a script of this folder, which gets Firefox and an address. Returns what it prints. @param {string} script @param {string} address */
export async function inFirefox(script, address) {
  const program = join(import.meta.dirname, script);
  const { stdout } = await promisify(execFile)(process.execPath, ['--experimental-websocket', program, FIREFOX, address]);
  return stdout;
}

/** @param {string} program */
export async function openFirefox(program) {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const firefox = spawn(program, ['--headless', '--remote-debugging-port', '0', '--profile', profile], { stdio: ['ignore', 'ignore', 'pipe'] });
  /** The address of the protocol, which Firefox prints. @type {string} */
  const address = await new Promise((resolve, reject) => {
    createInterface({ input: firefox.stderr }).on('line', (line) => {
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    firefox.on('error', reject);
    firefox.on('exit', () => reject(new Error('Firefox has ended')));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Firefox does not answer'));
  });
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  /** What pages have written to the console. @type {string[]} */
  const messages = [];
  socket.onmessage = (/** @type {MessageEvent} */ { data }) => {
    const answer = JSON.parse(data);
    if (answer.method === 'log.entryAdded') messages.push(answer.params.text);
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
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await send('browsingContext.create', { type: 'tab' });

  /** The value of an expression, as JSON. @param {string} expression @returns {Promise<any>} */
  async function evaluate(expression) {
    const code = `(async () => JSON.stringify(await (${expression})))()`;
    const answer = await send('script.evaluate', { expression: code, target: { context }, awaitPromise: true });
    if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
    return JSON.parse(answer.result.value ?? 'null');
  }

  return {
    evaluate,
    messages,
    /** @param {number} width @param {number} height */
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    /** @param {string} url */
    navigate: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    /** Whether an expression is true within a minute. @param {string} expression @returns {Promise<boolean>} */
    waitFor: (expression) =>
      evaluate(`new Promise((resolve) => {
        const started = Date.now();
        const look = () => {
          if (${expression}) resolve(true);
          else if (Date.now() - started > 60000) resolve(false);
          else setTimeout(look, 50);
        };
        look();
      })`),
    /** @param {string} path */
    async screenshot(path) {
      const { data } = await send('browsingContext.captureScreenshot', { context });
      writeFileSync(path, Buffer.from(data, 'base64'));
    },
    async close() {
      socket.close();
      firefox.removeAllListeners('exit');
      const ended = new Promise((resolve) => firefox.on('exit', resolve));
      firefox.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
