#!/usr/bin/env node
/** UCI on standard input and output: `npx tabiya`. Ends with `quit`, or with the input and its searches. */
import { createInterface } from 'node:readline';
import { Engine, fromCommand, isEndless } from 'tabiya';

const engine = new Engine();
/** The searches that still owe a `bestmove`: whether each only ends by `stop`. @type {boolean[]} */
const searches = [];
/** `isready` of the peer that still owe a `readyok`. */
let questions = 0;
let hasEnded = false;

/** @param {boolean} stops */
function end(stops) {
  if (hasEnded) return;
  hasEnded = true;
  if (stops) engine.send('stop');
  leaveIfDone();
}

function leaveIfDone() {
  // The answer to `isready` comes after everything that was printed before.
  if (hasEnded && searches.length === 0) engine.send('isready');
}

engine.listen((line) => {
  // The callback runs when the lines before have been written.
  if (line === 'readyok' && hasEnded && questions === 0) process.stdout.write('', () => process.exit(0));
  else process.stdout.write(`${line}\n`);
  if (line === 'readyok') questions -= 1;
  if (line.startsWith('bestmove')) {
    searches.shift();
    leaveIfDone();
  }
});
engine.ready.catch((error) => {
  process.stderr.write(`tabiya: ${error.message}\n`);
  process.exit(1);
});
process.stdout.on('error', () => process.exit(0));

const input = createInterface({ input: process.stdin, terminal: false });
input.on('line', (line) => {
  const [word, ...words] = fromCommand(line).trim().split(/\s+/);
  if (word === 'quit' || hasEnded) return end(true);
  if (word === 'go' && words[0] !== 'perft') searches.push(isEndless(words.join(' ')));
  if (word === 'stop') searches.fill(false);
  if (word === 'isready') questions += 1;
  engine.send(line);
});
input.on('close', () => end(searches.includes(true)));
