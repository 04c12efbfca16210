/** Opening games and positions: a text, a file, a drop or a paste anywhere. */
import { Game } from '../../engine/rules.js';
import { $, FIELDS, create, sentence } from '../dom.js';
import { mayLeave } from './confirm.js';

/** Games of a file that are listed at once; the field above the list finds the others. */
const LISTED = 200;
/** Bytes of the largest file that is read. */
const LARGEST = 64 << 20;

/** @typedef {ReturnType<typeof Game.readAll>[number]} Read */

/** @param {import('../app.js').App} app */
export function setUpOpen(app) {
  const dialog = $('#open-dialog');
  const form = $('form', dialog);
  const fail = (/** @type {string[]} */ faults) =>
    $('.error', form).replaceChildren(...faults.slice(0, 5).map((fault) => create('span', { textContent: sentence(fault) })));
  /** The text whose faults the user has seen. */
  let seen = '';
  const reset = () => {
    seen = '';
    fail([]);
    $('.main', form).textContent = 'Open';
  };
  /** The games of the list. @type {Read[]} */
  let listed = [];
  /** The games of a file with many take much memory. */
  const dropChoice = () => {
    for (const { game } of listed) game.free();
    listed = [];
    $('#choice').hidden = true;
    form.filter.oninput = null;
    $('#found').replaceChildren();
  };
  dialog.onclose = () => {
    dropChoice();
    // It is about what was opened.
    form.chess960.checked = false;
  };
  const ask = () => {
    reset();
    dropChoice();
    if (!dialog.open) dialog.showModal();
  };
  /** @param {string | Uint8Array} text */
  const read = (text) => {
    if (text.length === 0 || (typeof text === 'string' && text.trim() === '')) return fail(['The text is empty.']);
    try {
      const chess960 = form.chess960.checked || undefined;
      take(Game.readAll(text, { chess960 }), text);
    } catch (error) {
      const isFull = error instanceof WebAssembly.RuntimeError;
      fail([isFull ? 'The games of this text do not fit into the memory of the page: open a part of it' : /** @type {Error} */ (error).message]);
    }
  };
  /** @param {Read[]} found @param {string | Uint8Array} text */
  const take = (found, text) => {
    const games = found.filter((read) => !isNoGame(read));
    if (games.length === 0) return fail(['No game or position was found in this text.', ...found.flatMap(({ faults }) => faults)]);
    if (games.length > 1) return choose(games);
    const [{ game, faults }] = games;
    const key = typeof text === 'string' ? text : 'file';
    if (faults.length > 0 && seen !== key) {
      seen = key;
      fail(faults);
      const count = game.nodes().length - 1;
      $('.main', form).textContent = `Open what is readable (${count} ${count === 1 ? 'move' : 'moves'})`;
      return undefined;
    }
    return open(games[0]);
  };
  /** @param {Read} read */
  const open = async ({ game, faults }) => {
    try {
      if (!(await mayLeave(app, 'Open'))) return;
      app.open(game, faults.length > 0 ? sentence(faults[0]) : '');
      listed = listed.filter((read) => read.game !== game);
      dialog.close();
    } catch (error) {
      fail([/** @type {Error} */ (error).message]);
    }
  };
  /** @param {Read[]} games */
  const choose = (games) => {
    dropChoice();
    listed = games;
    const titles = games.map((read, index) => ({ read, name: title(read, index) }));
    const list = () => {
      const wanted = form.filter.value.trim().toLowerCase();
      const named = titles.filter(({ name }) => name.toLowerCase().includes(wanted));
      $('#found').replaceChildren(
        ...named.slice(0, LISTED).map(({ read, name }) => create('li', {}, create('button', { type: 'button', textContent: name, onclick: () => open(read) }))),
      );
      $('#count').textContent = `${named.length} of ${games.length} games${named.length > LISTED ? `; the first ${LISTED} are listed` : ''}.`;
    };
    form.filter.value = '';
    form.filter.oninput = list;
    $('#choice').hidden = false;
    list();
    form.filter.focus();
  };
  /** What the text field shows is not what is read: a file may have any encoding. @type {Uint8Array | undefined} */
  let bytes;
  /** @param {File} file */
  const readFile = async (file) => {
    ask();
    if (file.size > LARGEST) return fail([`${file.name} has more than ${LARGEST >> 20} MB.`]);
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return fail([`${file.name} cannot be read.`]);
    }
    // It was cancelled.
    if (!dialog.open) return undefined;
    form.text.value = bytes.length < 1e5 ? new TextDecoder().decode(bytes) : '';
    return read(bytes);
  };

  $('#open').onclick = () => {
    bytes = undefined;
    ask();
    form.text.focus();
  };
  $('[value=cancel]', form).onclick = () => dialog.close();
  form.text.oninput = () => {
    bytes = undefined;
    reset();
  };
  form.file.onchange = () => {
    const [file] = form.file.files;
    if (file) void readFile(file);
    form.file.value = '';
  };
  form.onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    // In the field above the list, Enter opens the first game of it.
    if (document.activeElement === form.filter) $('#found button')?.click();
    else read(bytes ?? form.text.value);
  };
  /**
   * Whether a dragged text is for the field below it, where the browser puts it.
   * @param {DragEvent} event
   */
  const isForField = ({ target, dataTransfer }) =>
    !dataTransfer?.types.includes('Files') && target instanceof Element && target.closest(FIELDS) !== null;
  document.ondragover = (event) => {
    if (!isForField(event)) event.preventDefault();
  };
  document.ondrop = (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    const text = event.dataTransfer?.getData('text/plain');
    if (file) void readFile(file);
    else if (text) paste(text);
  };
  document.onpaste = (event) => {
    const target = /** @type {Element} */ (event.target);
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // The field of a move keeps the focus after each move. What has blanks or slashes is more than a move.
    const isMove = target.id === 'move' && !/[\s/]/.test(text.trim());
    if (isMove || (target.id !== 'move' && target.closest(`${FIELDS}, dialog`))) return;
    // The dialog takes the focus, and the browser would paste there once more.
    event.preventDefault();
    const [file] = event.clipboardData?.files ?? [];
    if (file) void readFile(file);
    else paste(text);
  };
  /** @param {string} text */
  const paste = (text) => {
    if (text.trim() === '') return;
    ask();
    bytes = undefined;
    form.text.value = text;
    read(text);
  };
}

/** Nothing but text that is not chess, which is kept as a comment. @param {Pick<Read, 'game' | 'faults'>} read */
export function isNoGame({ game, faults }) {
  const { FEN, White, Black, Event } = game.tags;
  const isNamed = [White, Black, Event].some((tag) => tag !== undefined && tag !== '?');
  return game.nodes().length === 1 && !FEN && !isNamed && faults.length > 0;
}

/** @param {Read} read @param {number} index */
function title({ game, faults }, index) {
  const { White = '?', Black = '?', Event = '?', Date: date = '', Round = '?', FEN } = game.tags;
  const [first] = game.nodes()[0].comments ?? [];
  const names = White === '?' && Black === '?' ? (FEN ? `Position ${FEN.split(' ')[0]} ${first ?? ''}` : 'Game') : `${White} – ${Black}, ${game.result}`;
  const event = [Event, Round, date].filter((tag) => tag && !/^[?.-]+$/.test(tag)).join(', ');
  return `${index + 1}. ${names}${event ? ` · ${event}` : ''}${faults.length > 0 ? ' · has faults' : ''}`;
}
