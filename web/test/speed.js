/**
 * Nodes per second of processor time over ten positions: `npm run speed -- COMMAND...` compares this package with other
 * UCI engines, such as `target/release/tabiya` or `"node stockfish-19-lite-single.js"`. The engines
 * search each position in turn, and processor time is counted, so that other programs disturb little.
 * Needs Linux, which counts it in `/proc`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODES = 300_000;
const ROUNDS = 3;

/** From the opening to endgames; Kiwipete is the second. */
const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',
  'rnbq1rk1/pp2ppbp/3p1np1/2p5/2PPP3/2N2N2/PP2BPPP/R1BQK2R w KQ - 0 7',
  'r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9',
  '2rq1rk1/pb1nbppp/1p2pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 4 12',
  'r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10',
  '8/5pk1/1p2p1p1/p2pP2p/P2P1P1P/1PK3P1/8/4n2B w - - 0 40',
  '4r1k1/1p3ppp/p1p5/8/3P4/1P4P1/P4P1P/2R3K1 w - - 0 25',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
];

/** A UCI engine that runs. */
class Process {
  /** @param {string} command */
  constructor(command) {
    const [program, ...args] = command.split(' ');
    this.engine = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.text = '';
    this.engine.stdout.on('data', (data) => {
      this.text += data;
      if (this.text.includes('\nbestmove ')) this.done?.();
    });
    this.engine.stdin.write('uci\n');
  }

  /**
   * @param {string} fen
   * @returns {Promise<number>}  nodes per second
   */
  async measure(fen) {
    this.text = '';
    const answer = new Promise((resolve) => (this.done = () => resolve(undefined)));
    const before = this.ticks();
    this.engine.stdin.write(`ucinewgame\nposition fen ${fen}\ngo nodes ${NODES}\n`);
    await answer;
    const seconds = (this.ticks() - before) / 100;
    return Math.round(Number([...this.text.matchAll(/ nodes (\d+)/g)].at(-1)?.[1]) / seconds);
  }

  /** Processor time of all threads, in hundredths of a second. */
  ticks() {
    const fields = readFileSync(`/proc/${this.engine.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  }
}

const own = `node ${join(import.meta.dirname, 'node_worker.js')}`;
const engines = [own, ...process.argv.slice(2)].map((command) => ({ command, process: new Process(command) }));
const median = (/** @type {number[]} */ numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// The first search also compiles the code.
for (const { process } of engines) await process.measure(POSITIONS[0]);
/** Speeds by engine, position and round. */
const speeds = engines.map(() => POSITIONS.map(() => /** @type {number[]} */ ([])));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [place, fen] of POSITIONS.entries()) {
    for (const [index, { process }] of engines.entries()) speeds[index][place].push(await process.measure(fen));
  }
}
const medians = speeds.map((positions) => positions.map(median));
for (const [place, fen] of POSITIONS.entries()) {
  const [own, ...others] = medians.map((speed) => speed[place]);
  const ratios = others.map((other) => (own / other).toFixed(2));
  console.log(`${[own, ...others].map((speed) => String(speed).padStart(9)).join(' ')}  ratio ${ratios.join(' ')}  ${fen}`);
}
for (const [index, { command, process }] of engines.entries()) {
  const mean = Math.exp(medians[index].reduce((sum, speed) => sum + Math.log(speed), 0) / POSITIONS.length);
  console.log(`${Math.round(mean)} nodes/s (geometric mean)  ${command}`);
  process.engine.kill();
}
