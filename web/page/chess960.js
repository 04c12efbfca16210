/** Start positions of Chess960 by their number (Scharnagl's scheme); 518 is the usual one. */

/** The places of two knights on five free squares. */
const KNIGHTS = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/** @param {number} index  from 0 to 959 */
export function startPosition(index) {
  /** @type {string[]} */
  const rank = new Array(8).fill('');
  const put = (/** @type {string} */ piece, /** @type {number} */ place) => {
    const free = rank.flatMap((taken, file) => (taken ? [] : [file]));
    rank[free[place]] = piece;
  };
  rank[(index % 4) * 2 + 1] = 'B';
  rank[(Math.floor(index / 4) % 4) * 2] = 'B';
  put('Q', Math.floor(index / 16) % 6);
  const [first, second] = KNIGHTS[Math.floor(index / 96)];
  put('N', second);
  put('N', first);
  for (const piece of ['R', 'K', 'R']) put(piece, 0);
  const white = rank.join('');
  return `${white.toLowerCase()}/pppppppp/8/8/8/8/PPPPPPPP/${white} w KQkq - 0 1`;
}
