/**
 * The laws in words: how games end and what a player may claim, with the articles of the FIDE Laws
 * of Chess (2023). What holds in a position comes from the referee.
 */

/** @typedef {import('../engine/rules.d.ts').RefereeAnswer} Answer */
/** @typedef {'white' | 'black'} Color */
/** @typedef {{ result: string, reason: string }} End */

export const NAMES = { white: 'White', black: 'Black' };
/** @param {Color} color @returns {Color} */
export const other = (color) => (color === 'white' ? 'black' : 'white');
/** @param {Answer} answer @returns {Color} */
export const turnOf = (answer) => (answer.turn === 'w' ? 'white' : 'black');

const DRAWS = {
  stalemate: 'Draw by stalemate (article 5.2.1).',
  insufficient: 'Draw: the position is dead, since no series of legal moves leads to mate (article 5.2.2).',
  dead: 'Draw: the position is dead, since no series of legal moves leads to mate (article 5.2.2).',
  fivefold: 'Draw: the position has occurred five times (article 9.6.1).',
  seventyfive: 'Draw: 75 moves by each player without a pawn move or capture (article 9.6.2).',
};

/**
 * How the game has ended on the board; `undefined` if it goes on.
 * @param {Answer} answer
 * @returns {End | undefined}
 */
export function endOnBoard(answer) {
  if (answer.checkmate) {
    return { result: answer.result, reason: `${NAMES[other(turnOf(answer))]} wins by checkmate (article 5.1.1).` };
  }
  return answer.auto_draw ? draw(DRAWS[answer.auto_draw]) : undefined;
}

/** @param {string} reason @returns {End} */
const draw = (reason) => ({ result: '1/2-1/2', reason });

/** @param {Color} loser @param {string} how */
const loss = (loser, how) => ({
  result: loser === 'white' ? '0-1' : '1-0',
  reason: `${NAMES[other(loser)]} wins: ${how}`,
});

/** @param {Answer} answer @param {Color} color */
const canWin = (answer, color) => (color === 'white' ? answer.white_can_win : answer.black_can_win);

/** @returns {End} */
export const agreed = () => draw('Draw by agreement (article 5.2.3).');

/** @param {Answer} answer @param {Color} loser @returns {End} */
export function resigned(answer, loser) {
  if (canWin(answer, other(loser))) return loss(loser, `${NAMES[loser]} resigns (article 5.1.2).`);
  return draw(`Draw: ${NAMES[loser]} resigns, but ${NAMES[other(loser)]} cannot mate by any legal moves (article 5.1.2).`);
}

/** @param {Answer} answer @param {Color} loser @returns {End} */
export function flagged(answer, loser) {
  if (canWin(answer, other(loser))) return loss(loser, `${NAMES[loser]}'s flag has fallen (article 6.9).`);
  return draw(`Draw: ${NAMES[loser]}'s flag has fallen, but ${NAMES[other(loser)]} cannot mate by any legal moves (article 6.9).`);
}

/**
 * The draw claims that are right for the side to move.
 * @param {Answer} answer
 * @returns {{ label: string, end: End }[]}
 */
export function claims(answer) {
  if (endOnBoard(answer)) return [];
  const rules = [
    { name: 'threefold repetition', now: answer.claim_threefold_now, with: answer.claim_threefold_with, article: '9.2' },
    { name: 'fifty-move rule', now: answer.claim_fifty_now, with: answer.claim_fifty_with, article: '9.3' },
  ];
  return rules.flatMap(({ name, now, with: moves, article }) => {
    const claim = (/** @type {string} */ words, /** @type {string} */ clause) => ({
      label: `Claim a draw${words}: ${name} (article ${article}.${clause})`,
      end: draw(`Draw by claim${words}: ${name} (article ${article}.${clause}).`),
    });
    if (now) return [claim('', '2')];
    const intended = Object.keys(moves).filter((move) => moves[move]);
    return intended.slice(0, 3).map((move) => claim(` with ${answer.san[move]}`, '1'));
  });
}
