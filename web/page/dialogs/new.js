/** The dialog of a new game. It remembers what was chosen last. */
import { $, create } from '../dom.js';
import { choices, choose } from '../store.js';
import { confirmed } from './confirm.js';

const LEVELS = [1000, 1200, 1350, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2400, 2600];
const FIELDS = ['side', 'level', 'clock'];

/** @param {import('../app.js').App} app */
export function setUpNew(app) {
  const dialog = $('#new-dialog');
  const form = $('form', dialog);
  const options = [...LEVELS.map((elo) => [elo, `Elo ${elo}`]), [0, 'Full strength']];
  form.level.replaceChildren(...options.map(([value, textContent]) => create('option', { value, textContent })));
  form.level.value = '1350';
  const last = choices();
  for (const field of FIELDS) {
    const known = [...form[field].options].some(({ value }) => value === String(last[field]));
    if (known) form[field].value = String(last[field]);
  }
  form.chess960.checked = last.chess960 === true;
  const adapt = () => {
    form.level.disabled = form.side.value === 'both';
    form.chess960.disabled = form['from-here'].checked;
  };
  form.side.onchange = form['from-here'].onchange = adapt;
  $('#new').onclick = () => askNew(app);
  dialog.onclose = () => {
    if (dialog.returnValue !== 'ok') return;
    const { side, level, clock, chess960 } = form;
    choose({ side: side.value, level: Number(level.value), clock: clock.value, chess960: chess960.checked });
    app.start({
      side: side.value === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side.value,
      level: Number(level.value),
      clock: clock.value,
      chess960: chess960.checked && !form['from-here'].checked,
      fromHere: form['from-here'].checked,
    });
    form['from-here'].checked = false;
  };
  adapt();
}

/** @param {import('../app.js').App} app @param {{ fromHere?: boolean }} [options] */
export async function askNew(app, { fromHere = false } = {}) {
  if (app.isAtStake && !(await confirmed('Leave this game? It stays in “My games”, where you can go on.', 'New game'))) return;
  const dialog = $('#new-dialog');
  const form = $('form', dialog);
  form['from-here'].checked = fromHere;
  form['from-here'].onchange();
  dialog.returnValue = '';
  dialog.showModal();
}
