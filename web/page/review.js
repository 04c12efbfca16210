/**
 * The analysis of a whole game: each position is searched, moves that lose much are marked, and a
 * graph shows the expected score. The marks are the same as in `tabiya analyse`.
 */

/** Nodes for each position. */
const NODES = 100_000;
/** Marks by the loss of expected score. @type {['??' | '?' | '?!', number][]} */
const MARKS = [['??', 0.3], ['?', 0.2], ['?!', 0.1]];

/**
 * @typedef {object} Judgement
 * @property {number} expected  White's expected score, from 0 to 1
 * @property {string} text  White's score in pawns, or `#3`
 * @property {string} [best]  the best move
 * @property {'??' | '?' | '?!'} [mark]  of the move that led here
 */

/**
 * The score of a line as White sees it.
 * @param {import('../engine/index.d.ts').Info} info
 * @param {boolean} isWhite  whether White is to move
 * @returns {{ expected: number, text: string }}
 */
export function whiteScore({ score, wdl }, isWhite) {
  const sign = isWhite ? 1 : -1;
  if (score.mate !== undefined) {
    const mate = sign * score.mate;
    return { expected: mate > 0 || (score.mate === 0 && !isWhite) ? 1 : 0, text: mate > 0 ? `#${mate}` : `#-${Math.abs(mate)}` };
  }
  const pawns = (sign * score.cp) / 100;
  const [win, drawn] = wdl ?? [500, 0];
  const expected = (win + drawn / 2) / 1000;
  return { expected: isWhite ? expected : 1 - expected, text: `${pawns > 0 ? '+' : ''}${pawns.toFixed(2)}` };
}

/**
 * @param {import('./game.js').Game} game
 * @param {import('../engine/index.js').Engine} engine
 * @param {AbortSignal} signal
 * @param {(review: Judgement[]) => void} onProgress
 */
export async function reviewGame(game, engine, signal, onProgress) {
  /** @type {Judgement[]} */
  const review = [];
  const moves = [...game.moves];
  for (let ply = 0; ply <= moves.length; ply += 1) {
    const position = game.positions[ply];
    const isWhite = position.turn === 'w';
    /** @type {Judgement} */
    let judgement;
    if (position.checkmate) {
      judgement = { expected: isWhite ? 0 : 1, text: isWhite ? '#-0' : '#0' };
    } else if (position.auto_draw || position.legal_moves.length === 0) {
      judgement = { expected: 0.5, text: '0.00' };
    } else {
      const search = { fen: game.fen, moves: moves.slice(0, ply), go: `nodes ${NODES}`, signal };
      const { best, lines } = await engine.search(search);
      if (signal.aborted || !lines[0]) return undefined;
      judgement = { ...whiteScore(lines[0], isWhite), best };
    }
    const before = review[ply - 1];
    if (before && before.best !== moves[ply - 1]) {
      // The move was made by the player who is not to move now.
      const lost = (before.expected - judgement.expected) * (isWhite ? -1 : 1);
      judgement.mark = MARKS.find(([, least]) => lost >= least)?.[0];
    }
    review.push(judgement);
    onProgress(review);
  }
  return review;
}

const WIDTH = 400;
const HEIGHT = 90;

/**
 * Draws the graph as SVG. White's expected score is the light area.
 * @param {Judgement[]} review
 * @param {number} plies  number of moves of the game
 * @param {number} current
 */
export function drawGraph(review, plies, current) {
  const x = (/** @type {number} */ ply) => ((ply / Math.max(1, plies)) * WIDTH).toFixed(1);
  const y = (/** @type {Judgement} */ { expected }) => ((1 - expected) * (HEIGHT - 4) + 2).toFixed(1);
  const points = review.map((judgement, ply) => `${x(ply)},${y(judgement)}`);
  const marks = review.map(({ mark, ...judgement }, ply) =>
    mark ? `<circle class="${{ '?!': 'dubious', '?': 'bad', '??': 'blunder' }[mark]}" cx="${x(ply)}" cy="${y(judgement)}" r="3"/>` : '',
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="White's expected score after each move">
    <rect class="black" width="${WIDTH}" height="${HEIGHT}"/>
    <polygon class="white" points="0,${HEIGHT} ${points.join(' ')} ${x(review.length - 1)},${HEIGHT}"/>
    <line class="half" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/>
    <line class="now" x1="${x(current)}" x2="${x(current)}" y1="0" y2="${HEIGHT}"/>
    ${marks.join('')}
  </svg>`;
}
