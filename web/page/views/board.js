/** The board and the evaluation bar beside it. */
import { Board } from '../board.js';
import { $, say } from '../dom.js';
import { may } from '../state.js';
import { describe, NAMES } from '../words.js';

/** A board before the rules are loaded. */
export function createBoard() {
  const board = new Board($('#board'), $('#promotion'), $('#announcer'), (move) => onMove(move));
  let onMove = (/** @type {string} */ _move) => {};
  return { board, connect: (/** @type {(move: string) => void} */ listener) => (onMove = listener) };
}

/** @param {import('../app.js').App} app @param {ReturnType<typeof createBoard>} created */
export function showBoard(app, { board, connect }) {
  connect((move) => app.play(move));
  app.watch(() => {
    const { state, shown: place } = app;
    const isFree = !app.match || app.isOver || app.match.side === 'both';
    const arrows = [];
    if (app.lines?.lines[0] && may.lines(state)) arrows.push({ move: app.lines.lines[0].uci, brush: 'blue' });
    if (app.threat) arrows.push({ move: app.threat, brush: 'red' });
    if (app.refutation) arrows.push({ move: app.refutation, brush: 'red' });
    if (app.hint) arrows.push({ move: app.hint, brush: 'green' });
    board.show({
      ...place,
      orientation: app.orientation,
      movable: may.move(state) && place.moves.length > 0 && (isFree || app.isUsersTurn) ? place.turn : undefined,
      premovable: may.premove(state) ? app.userColor : undefined,
      arrows,
    });
    say($('#pieces'), `${NAMES[place.turn]} to move. ${describe(place.fen)}`);
    showBar(app);
  });
}

/** @param {import('../app.js').App} app */
function showBar(app) {
  const score = app.lines?.bar;
  const bar = $('#bar');
  bar.classList.toggle('turned', app.orientation === 'black');
  bar.classList.toggle('unknown', !score);
  bar.firstElementChild.style.height = `${(score?.expected ?? 0.5) * 100}%`;
  say($('span', bar), score ? score.text.replace(/^[+-](?=\d)/, '').replace(/\.(\d)\d$/, '.$1') : '');
  bar.setAttribute('aria-label', score ? `Evaluation for White: ${score.text}` : 'Evaluation: off');
}
