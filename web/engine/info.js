/** Reads the lines that the engine prints during a search. */

const BOUNDS = /** @type {const} */ (['lowerbound', 'upperbound']);

/**
 * @param {string} line
 * @returns {import('./index.d.ts').Info | undefined}  `undefined` if the line has no main line
 */
export function parseInfo(line) {
  const [head, pv] = line.split(' pv ');
  if (!head.startsWith('info ') || pv === undefined) return undefined;
  const words = head.split(' ');
  const number = (/** @type {string} */ name, otherwise = 0) => {
    const index = words.indexOf(name);
    return index < 0 ? otherwise : Number(words[index + 1]);
  };
  const wdl = words.indexOf('wdl');
  return {
    depth: number('depth'),
    multipv: number('multipv', 1),
    score: words.includes('mate') ? { mate: number('mate') } : { cp: number('cp') },
    bound: BOUNDS.find((name) => words.includes(name)),
    wdl: wdl < 0 ? undefined : words.slice(wdl + 1, wdl + 4).map(Number),
    nodes: number('nodes'),
    nps: number('nps'),
    time: number('time'),
    pv: pv.split(' '),
  };
}
