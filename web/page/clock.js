/** A chess clock: time for each player, and an increment for each completed move (article 6.3). */
import { other } from './words.js';

const TICK = 100;

export class Clock {
  /** @type {import('./words.js').Color | undefined} */
  #running;
  #since = 0;
  #timer = 0;

  /**
   * @param {{ white: number, black: number, increment: number }} times  in milliseconds
   * @param {{ onTick: () => void, onFlag: (loser: import('./words.js').Color) => void }} listeners
   */
  constructor(times, listeners) {
    this.times = { ...times };
    this.listeners = listeners;
  }

  /** @param {import('./words.js').Color} color */
  left(color) {
    const spent = this.#running === color ? performance.now() - this.#since : 0;
    return Math.max(0, this.times[color] - spent);
  }

  get running() {
    return this.#running;
  }

  /** @param {import('./words.js').Color} color */
  start(color) {
    this.stop();
    this.#running = color;
    this.#since = performance.now();
    this.#timer = window.setInterval(() => this.#tick(), TICK);
  }

  stop() {
    if (this.#running) this.times[this.#running] = this.left(this.#running);
    this.#running = undefined;
    window.clearInterval(this.#timer);
  }

  /** Looks whether the time is over, which a tab that stood still has not noticed. Returns whether it is. */
  check() {
    if (!this.#running || this.left(this.#running) > 0) return false;
    this.#tick();
    return true;
  }

  /**
   * The player has moved: adds the increment and starts the other clock.
   * @param {import('./words.js').Color} mover
   */
  press(mover) {
    this.stop();
    this.times[mover] += this.times.increment;
    this.start(other(mover));
  }

  /**
   * His move was taken back: it is no completed one. No flag falls by that.
   * @param {import('./words.js').Color} mover
   */
  takeBack(mover) {
    this.stop();
    const { [mover]: left, increment } = this.times;
    this.times[mover] = Math.max(left - increment, Math.min(left, increment));
  }

  #tick() {
    const running = /** @type {import('./words.js').Color} */ (this.#running);
    this.listeners.onTick();
    if (this.left(running) > 0) return;
    this.stop();
    this.listeners.onFlag(running);
  }
}

/** @param {number} milliseconds */
export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (milliseconds < 10_000) return (Math.ceil(milliseconds / 100) / 10).toFixed(1);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
