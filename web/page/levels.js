/** The engine's levels, as the rules name them. */
import { levels } from '../engine/rules.js';

/** Between two levels, in Elo. */
const STEP = 100;

/** What the user chooses from, the weakest first: the value is the Elo, 0 for full strength. */
export function levelChoices() {
  const { lowest, highest, named } = levels();
  const names = new Map(named.map(({ name, elo }) => [elo, name]));
  for (let elo = lowest; elo <= highest; elo += STEP) if (!names.has(elo)) names.set(elo, '');
  const sorted = [...names].sort(([one], [two]) => one - two);
  return [...sorted.map(([value, name]) => ({ value, text: `Elo ${value}${name ? `, ${name}` : ''}` })), { value: 0, text: 'Full strength' }];
}

/** The level in the middle of those with a name. */
export function defaultLevel() {
  const { named } = levels();
  return named[Math.floor(named.length / 2)].elo;
}
