/** The board and the evaluation bar beside it. */
import { Board } from '../board.js';
import { $, say } from '../dom.js';
import { judgedPart, judgedPosition } from '../judged.js';
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
  let last = { game: '', node: -1 };
  app.watch(() => {
    const { state } = app;
    const place = shown(app);
    const follows = last.game === app.keeping.id && last.node === place.parent;
    last = { game: app.keeping.id, node: place.node };
    const wrong = refutation(app);
    const judged = reviewed(app);
    const isFree = !app.live.match || app.live.isOver || app.live.match.side === 'both';
    const arrows = [];
    if (app.analysis.lines?.lines[0] && may.lines(state)) arrows.push({ move: app.analysis.lines.lines[0].uci, brush: 'blue' });
    if (judged?.best) arrows.push({ move: judged.best.uci, brush: 'blue' });
    if (app.analysis.threat) arrows.push({ move: app.analysis.threat, brush: 'red' });
    if (wrong) arrows.push({ move: wrong, brush: 'red' });
    if (app.analysis.hint) arrows.push({ move: app.analysis.hint, brush: 'green' });
    board.show({
      ...place,
      orientation: app.orientation,
      movable: may.move(state) && place.moves.length > 0 && (isFree || app.live.isUsersTurn) ? place.turn : undefined,
      premovable: may.premove(state) ? app.live.userColor : undefined,
      follows,
      arrows,
    });
    say($('#pieces'), `${NAMES[place.turn]} to move. ${describe(place.fen)}`);
    showBar(app, app.analysis.lines?.bar ?? judged);
  });
}

/** The place in the game, or the move that is tried in place of a mistake. @param {import('../app.js').App} app */
function shown({ state, study: { lesson }, tree: { place } }) {
  return lesson && may.leave(state) ? lesson.placeOn(place) : place;
}

/** A move that shows what is wrong: the reply to the user's move, or the mistake itself. @param {import('../app.js').App} app */
function refutation({ live, state, study }) {
  if (state === 'solving') return study.lesson?.mistake.node.uci;
  const reason = state === 'objecting' && live.isShown ? live.objection?.reason : undefined;
  return reason && !reason.missed ? reason.moves[0] : undefined;
}

/** What the review says of the position on the board. Lines are newer, and a lesson asks for it. @param {import('../app.js').App} app */
function reviewed({ analysis, state, study, tree: { mainLine, place } }) {
  if (analysis.wantsLines || !study.review || !may.lines(state) || place.moves.length === 0) return undefined;
  return judgedPosition(mainLine, place.node, judgedPart(study.review, mainLine));
}

/** @param {import('../app.js').App} app @param {{ expected: number, text: string } | undefined} score */
function showBar(app, score) {
  const bar = $('#bar');
  bar.classList.toggle('turned', app.orientation === 'black');
  bar.classList.toggle('unknown', !score);
  // White's part, on which the number stands, is lower than the number.
  bar.classList.toggle('low', score !== undefined && score.expected < 0.05);
  bar.firstElementChild.style.height = `${(score?.expected ?? 0.5) * 100}%`;
  say($('span', bar), score ? score.text.replace(/^[+-](?=\d)/, '').replace(/\.(\d)\d$/, '.$1') : '');
  bar.setAttribute('aria-label', score ? `Evaluation for White: ${score.text}` : 'Evaluation: off');
}
