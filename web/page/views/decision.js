/**
 * What the user decides at once, below the status: whether a move to which the coach objects stands, and
 * how to go on with a mistake.
 */
import { $, create } from '../dom.js';
import { may } from '../state.js';

/** @typedef {{ id: string, text: string, key?: string, isMain?: boolean, act: () => void }} Choice */

/** @param {import('../app.js').App} app */
export function showDecision(app) {
  const row = $('#decision');
  let drawn = '';
  app.watch(() => {
    const choices = choicesOf(app);
    const now = choices.map(({ text }) => text).join();
    if (now === drawn) return;
    drawn = now;
    const focused = row.contains(document.activeElement) ? /** @type {Element} */ (document.activeElement).id : undefined;
    row.hidden = choices.length === 0;
    row.replaceChildren(
      ...choices.map(({ id, text, key, isMain, act }) =>
        create('button', { type: 'button', id, className: isMain ? 'main' : '', textContent: text, title: key ? `Key: ${key}` : '', onclick: act }),
      ),
    );
    // The focus stays at the same choice, or where the next one is told.
    if (focused) ($(`#${focused}`, row) ?? $('#status')).focus();
  });
}

/** @param {import('../app.js').App} app @returns {Choice[]} */
function choicesOf(app) {
  const { state } = app;
  const { lesson } = app.study;
  if (may.accept(state)) {
    return [
      { id: 'another', text: 'Try another move', key: 't', isMain: true, act: () => app.takeBack() },
      { id: 'accept', text: 'Go on', key: 'g', act: () => app.accept() },
    ];
  }
  if (!may.leave(state) || !lesson) return [];
  const isLast = lesson.index + 1 === lesson.list.length;
  return [
    ...(may.show(state) ? [{ id: 'answer', text: 'Show answer', key: 's', act: () => app.showAnswer() }] : []),
    { id: 'next-mistake', text: isLast ? 'Finish' : 'Next mistake', key: 'n', isMain: state === 'solved', act: () => app.nextMistake() },
    { id: 'leave-mistakes', text: 'Leave', act: () => app.stopLearning() },
  ];
}
