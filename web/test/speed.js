/**
 * Nodes per second, from the start position: `npm run speed -- COMMAND...` compares this package with
 * other UCI engines, such as `target/release/tabiya` or `"node stockfish-19-lite-single.js"`.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const SECONDS = 4;
const ROUNDS = 3;

/**
 * @param {string} command
 * @returns {Promise<number>}
 */
function measure(command) {
  const [program, ...args] = command.split(' ');
  const engine = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  engine.stdin.write(`uci\nposition startpos\ngo movetime ${SECONDS * 1000}\n`);
  return new Promise((resolve) => {
    let text = '';
    engine.stdout.on('data', (data) => {
      text += data;
      if (!text.includes('\nbestmove ')) return;
      engine.kill();
      resolve(Number([...text.matchAll(/ nps (\d+)/g)].at(-1)?.[1]));
    });
  });
}

const own = `node ${join(import.meta.dirname, 'node_worker.js')}`;
/** @type {Map<string, number[]>} */
const speeds = new Map([own, ...process.argv.slice(2)].map((command) => [command, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [command, found] of speeds) found.push(await measure(command));
}
for (const [command, found] of speeds) {
  console.log(`${found.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]} nodes/s  ${command}`);
}
