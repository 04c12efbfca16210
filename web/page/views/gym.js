/** The panel of endings to practise: the engine defends, and the referee says what has become of the goal. */
import { mayLeave } from '../dialogs/confirm.js';
import { endings, referee } from '../../engine/rules.js';
import { $, create, say } from '../dom.js';
import { choices, choose } from '../store.js';
import { NAMES, ending as endText, other } from '../words.js';

/** @typedef {import('../../engine/rules.d.ts').Ending} Ending */

/** @type {import('../panels.js').Panel} */
export const gymPanel = {
  id: 'gym',
  title: 'Gym',
  mount(element, app) {
    element.innerHTML = `
      <div class="row">
        <select id="ending" aria-label="Ending"></select>
        <button type="button" id="practise">Start</button>
        <button type="button" id="practise-next">Next</button>
      </div>
      <label class="switch"><input type="checkbox" id="gym-coach"> Coach: says when a move gives the goal away</label>
      <p id="goal"></p>
      <details id="idea"><summary>Idea</summary><p></p></details>
      <p id="verdict" role="status"></p>`;
    const list = endings();
    const select = $('#ending');
    for (const theme of new Set(list.map((ending) => ending.theme))) {
      const options = list.flatMap(({ name, ...about }, value) => (about.theme === theme ? [create('option', { value, textContent: name })] : []));
      select.append(create('optgroup', { label: theme }, ...options));
    }
    const chosen = () => list[Number(select.value)];
    const begin = async () => {
      const isPractice = app.live.match?.practice !== undefined;
      if (!isPractice && !(await mayLeave(app, 'Practise'))) return;
      app.practise(chosen(), $('#gym-coach').checked);
    };
    const describe = () => {
      const { side, goal, idea } = chosen();
      say($('#goal'), `You have ${NAMES[side]} and ${goal === 'win' ? 'are to win' : 'are to draw'}. Tabiya plays at full strength.`);
      say($('#idea p'), idea);
      const isRunning = app.live.match?.practice?.name === chosen().name;
      say($('#practise'), isRunning ? 'Try again' : 'Start');
      say($('#verdict'), isRunning ? verdict(app) : '');
    };
    const last = list.findIndex(({ name }) => name === choices().ending);
    if (last >= 0) select.value = String(last);
    select.onchange = () => {
      $('#idea').open = false;
      choose({ ending: chosen().name });
      describe();
    };
    $('#gym-coach').checked = choices().gymCoach === true;
    $('#gym-coach').onchange = () => choose({ gymCoach: $('#gym-coach').checked });
    $('#practise').onclick = () => void begin();
    $('#practise-next').onclick = () => {
      select.value = String((Number(select.value) + 1) % list.length);
      select.onchange();
      void begin();
    };
    let drawn = '';
    app.watch(() => {
      const { match } = app.live;
      const { id } = app.keeping;
      const { version } = app.tree;
      const now = `${id} ${version} ${app.state}`;
      if (now === drawn) return;
      // A kept game may be opened again.
      const index = list.findIndex(({ name }) => name === match?.practice?.name);
      if (index >= 0 && !drawn.startsWith(id)) select.value = String(index);
      drawn = now;
      describe();
    });
  },
};

/**
 * What has become of the goal, by the laws of chess.
 * @param {import('../app.js').App} app
 */
function verdict(app) {
  const { match, status } = app.live;
  if (!match?.practice) return '';
  const { goal } = match.practice;
  const color = app.live.userColor;
  const isWon = status.kind === 'won' && status.winner === color;
  if (status.kind !== 'playing') {
    const isReached = goal === 'win' ? isWon : isWon || status.kind === 'drawn';
    return `${endText(status)} ${isReached ? 'The goal is reached.' : `You were to ${goal}: try again.`}`;
  }
  const answer = referee(app.live.position);
  if (!answer.ok) return '';
  const can = { white: answer.white_can_win, black: answer.black_can_win };
  if (goal === 'win' && !can[color]) return `${NAMES[color]} can no longer win: no series of legal moves leads to mate. Try again.`;
  if (goal === 'draw' && !can[other(color)]) return `${NAMES[other(color)]} can no longer win: the draw is safe.`;
  return '';
}
