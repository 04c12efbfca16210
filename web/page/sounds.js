/** Sounds of moves, made here and not loaded. They are off until the user wants them. */
import { choices, choose } from './store.js';

/** Hertz and seconds of each. */
const TONES = { move: [180, 0.06], capture: [120, 0.1], check: [520, 0.14], end: [330, 0.4] };

/** @typedef {keyof typeof TONES} Sound */

/** @type {AudioContext | undefined} */
let audio;

export const isOn = () => choices().sounds === true;

export function toggle() {
  choose({ sounds: !isOn() });
  play('move');
}

/** @param {Sound} sound */
export function play(sound) {
  if (!isOn() || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume();
  const [hertz, seconds] = TONES[sound];
  const [tone, gain] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(hertz, now);
  tone.frequency.exponentialRampToValueAtTime(hertz / 2, now + seconds);
  gain.gain.setValueAtTime(0.25, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + seconds);
}

/**
 * What is heard of a move.
 * @param {import('../engine/rules.d.ts').MoveInfo} move
 * @param {import('../engine/rules.d.ts').Place} place  after it
 * @returns {Sound}
 */
export function soundOf(move, place) {
  if (place.status.kind !== 'playing') return 'end';
  if (place.check) return 'check';
  return move.captured ? 'capture' : 'move';
}
