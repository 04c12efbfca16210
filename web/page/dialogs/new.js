/** The dialog of a new game. It remembers what was chosen last. */
import { $, create } from '../dom.js';
import { defaultLevel, levelChoices } from '../levels.js';
import { choices, choose } from '../store.js';
import { mayLeave } from './confirm.js';

const FIELDS = ['side', 'level', 'clock'];

/** @param {import('../app.js').App} app */
export function setUpNew(app) {
  const dialog = $('#new-dialog');
  const form = $('form', dialog);
  form.level.replaceChildren(...levelChoices().map(({ value, text }) => create('option', { value, textContent: text })));
  form.level.value = String(defaultLevel());
  const last = choices();
  for (const field of FIELDS) {
    const known = [...form[field].options].some(({ value }) => value === String(last[field]));
    if (known) form[field].value = String(last[field]);
  }
  form.chess960.checked = last.chess960 === true;
  const adapt = () => {
    form.level.disabled = form.coach.disabled = form.side.value === 'both';
    form.clock.disabled = form.coach.checked && !form.coach.disabled;
    form.chess960.disabled = form['from-here'].checked;
  };
  form.coach.checked = last.coach === true;
  form.side.onchange = form.coach.onchange = form['from-here'].onchange = adapt;
  // Enter in a field starts the game: no other button may be the first that sends the form.
  $('[value=cancel]', form).onclick = () => dialog.close();
  $('#new').onclick = () => askNew(app);
  dialog.onclose = () => {
    if (dialog.returnValue !== 'ok') return;
    const { side, level, clock, coach, chess960 } = form;
    choose({ side: side.value, level: Number(level.value), clock: clock.value, coach: coach.checked, chess960: chess960.checked });
    app.start({
      side: side.value === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side.value,
      level: Number(level.value),
      clock: clock.value,
      coach: coach.checked,
      chess960: chess960.checked && !form['from-here'].checked,
      fromHere: form['from-here'].checked,
    });
    form['from-here'].checked = false;
  };
  adapt();
}

/** @param {import('../app.js').App} app @param {{ fromHere?: boolean }} [options] */
export async function askNew(app, { fromHere = false } = {}) {
  if (!(await mayLeave(app, 'New game'))) return;
  const dialog = $('#new-dialog');
  const form = $('form', dialog);
  form['from-here'].checked = fromHere;
  form['from-here'].onchange();
  dialog.returnValue = '';
  dialog.showModal();
}
