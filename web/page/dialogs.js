/** The dialogs: a new game, opening a text, and saving. */
import { readText } from './pgn.js';
import { $, create } from './view.js';

const LEVELS = [1000, 1200, 1350, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2400, 2600];

/**
 * @typedef {object} Choice
 * @property {'white' | 'black' | 'both'} side
 * @property {number} level  Elo; 0 for full strength
 * @property {string} clock  minutes, `+`, seconds; empty without a clock
 * @property {boolean} chess960
 * @property {boolean} fromHere
 */

/** @param {(choice: Choice) => void} onStart */
export function setUpNew(onStart) {
  const form = $('#new-dialog form');
  const options = [...LEVELS.map((elo) => [elo, `Elo ${elo}`]), [0, 'Full strength']];
  form.level.replaceChildren(...options.map(([value, textContent]) => create('option', { value, textContent })));
  form.level.value = '1350';
  $('#new').onclick = () => $('#new-dialog').showModal();
  form['from-here'].onchange = () => (form.chess960.disabled = form['from-here'].checked);
  $('#new-dialog').onclose = () => {
    if ($('#new-dialog').returnValue !== 'ok') return;
    const side = form.side.value === 'random' ? ['white', 'black'][Math.floor(Math.random() * 2)] : form.side.value;
    onStart({
      side,
      level: Number(form.level.value),
      clock: form.clock.value,
      chess960: form.chess960.checked,
      fromHere: form['from-here'].checked,
    });
  };
}

/**
 * @param {import('../engine/rules.d.ts').Referee} referee
 * @param {(game: import('./game.js').Game, note: string) => void} onOpen
 */
export function setUpOpen(referee, onOpen) {
  const dialog = $('#open-dialog');
  const form = dialog.querySelector('form');
  const error = form.querySelector('.error');
  const submit = form.querySelector('.main');
  /** The text whose errors the user has seen. */
  let seen = '';
  const reset = () => {
    seen = '';
    error.replaceChildren();
    submit.textContent = 'Open';
  };
  $('#open').onclick = () => {
    reset();
    dialog.showModal();
  };
  form.querySelector('[value=cancel]').onclick = () => dialog.close();
  form.text.oninput = reset;
  form.file.onchange = async () => {
    const [file] = form.file.files;
    if (!file) return;
    reset();
    form.text.value = await file.text();
    form.file.value = '';
  };
  form.onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const { game, faults, count } = readText(referee, form.text.value, form.chess960.checked);
    if (game && (faults.length === 0 || seen === form.text.value)) {
      dialog.close();
      onOpen(game, count > 1 ? `The first of ${count} games.` : '');
      return;
    }
    seen = form.text.value;
    error.replaceChildren(...faults.slice(0, 5).map((fault) => create('span', { textContent: sentence(fault) })));
    if (game) submit.textContent = `Open what is readable (${game.moves.length} moves)`;
  };
}

/** @param {string} text */
function sentence(text) {
  const capital = text[0].toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** @param {() => { fen: string, pgn: string }} texts */
export function setUpSave(texts) {
  $('#save').onclick = () => {
    const { fen, pgn } = texts();
    $('#fen').value = fen;
    $('#pgn').value = pgn;
    $('#save-dialog').showModal();
  };
  $('#copy').onclick = async () => {
    try {
      await navigator.clipboard.writeText($('#pgn').value);
    } catch {
      $('#pgn').select();
      document.execCommand('copy');
    }
    $('#copy').textContent = 'Copied';
    setTimeout(() => ($('#copy').textContent = 'Copy PGN'), 1500);
  };
  $('#download').onclick = () => {
    const href = URL.createObjectURL(new Blob([$('#pgn').value], { type: 'application/x-chess-pgn' }));
    create('a', { href, download: 'tabiya.pgn' }).click();
    URL.revokeObjectURL(href);
  };
}
