/** The board editor. What is wrong with a position is said as the referee names it. */
import { Chessground } from '@lichess-org/chessground';
import { Game, examine } from '../../engine/rules.js';
import { $, create, sentence } from '../dom.js';
import { pieces } from '../words.js';
import { mayLeave } from './confirm.js';
import { askNew } from './new.js';

const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'];
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';

/** @param {import('../app.js').App} app */
export function setUpEditor(app) {
  const dialog = $('#editor-dialog');
  const form = $('form', dialog);
  /** @type {import('@lichess-org/chessground/api').Api} */
  let ground;
  /** What a click puts on a square: a piece, nothing, or `move`. */
  let tool = 'move';
  let orientation = app.orientation;
  /** Whether it is open, and what changes is the user's work. */
  let isOpen = false;

  const tools = ['move', ...['white', 'black'].flatMap((color) => ROLES.map((role) => `${color} ${role}`)), 'remove'];
  $('#tools').replaceChildren(
    ...tools.map((name) => {
      const isPiece = name.includes(' ');
      const button = create('button', { type: 'button', className: 'cg-wrap', 'data-tool': name, 'aria-label': name, 'aria-pressed': name === tool, title: name });
      button.append(isPiece ? create('piece', { className: name }) : name === 'move' ? '✥' : '✕');
      button.onclick = () => {
        tool = name;
        for (const each of $('#tools').children) each.setAttribute('aria-pressed', String(each === button));
        ground.set({ draggable: { enabled: tool === 'move' }, selectable: { enabled: tool === 'move' } });
      };
      return button;
    }),
  );

  /** The FEN of the board and the fields. */
  const fen = () => {
    const rights = ['K', 'Q', 'k', 'q'].filter((right) => form[`castle-${right}`].checked).join('');
    // In Chess960, the right of an inner rook is the letter of its file, for which there is no box.
    const [, , inner = ''] = form.fen.value.trim().split(/\s+/);
    const castling = rights + inner.replace(/[^A-Ha-h]/g, '') || '-';
    return `${ground.getFen()} ${form.turn.value} ${castling} - 0 1`;
  };
  /** @param {string} text @param {boolean} [isTyped] */
  const check = (text, isTyped = false) => {
    if (!isTyped) form.fen.value = text;
    const defects = examine(text);
    const isFatal = defects.some(({ severity }) => severity === 'fatal');
    $('#defects').replaceChildren(
      ...(defects.length > 0 ? defects : [{ severity: 'good', text: 'The position can be played' }]).map(({ severity, text: defect }) =>
        create('li', { className: severity, textContent: sentence(severity === 'repair' ? `${defect}: this is corrected` : defect) }),
      ),
    );
    for (const button of dialog.querySelectorAll('[data-use]')) button.disabled = isFatal;
    keep();
  };
  const keep = () => isOpen && app.setDraft({ fen: form.fen.value, orientation });
  const changed = () => check(fen());
  /** @param {string} text @param {boolean} [isTyped] */
  const load = (text, isTyped) => {
    const [, turn = 'w', castling = '-'] = text.trim().split(/\s+/);
    if (pieces(text).size > 0 || text === EMPTY) ground.set({ fen: text.trim().split(/\s+/)[0] });
    form.turn.value = turn.toLowerCase() === 'b' ? 'b' : 'w';
    for (const right of ['K', 'Q', 'k', 'q']) form[`castle-${right}`].checked = castling.includes(right);
    check(text, isTyped);
  };
  const leave = () => {
    isOpen = false;
    if (app.draft) app.setDraft();
  };
  /** Resolves with whether the position is on the board. */
  const use = async () => {
    if (!(await mayLeave(app, 'Open'))) return false;
    const [{ game }] = Game.readAll(form.fen.value, { limit: 1 });
    leave();
    dialog.close();
    app.open(game);
    return true;
  };

  /** @param {import('../store.js').Draft} shown */
  const show = (shown) => {
    dialog.showModal();
    orientation = shown.orientation;
    ground ??= Chessground($('#editor-board'), {
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      drawable: { enabled: false },
      animation: { enabled: false },
      draggable: { deleteOnDropOff: true },
      events: { change: changed },
    });
    ground.set({ orientation });
    load(shown.fen);
    isOpen = true;
  };
  $('#edit').onclick = () => show({ fen: app.tree.place.fen, orientation: app.orientation });
  // What was being set up when the page was left.
  app.watch(() => app.draft && !dialog.open && show(app.draft));
  dialog.oncancel = dialog.onclose = leave;
  // A tool comes before chessground, which would move or select.
  for (const type of ['mousedown', 'touchstart']) {
    $('#editor-board').addEventListener(type, (/** @type {Event} */ event) => tool !== 'move' && event.stopPropagation(), { capture: true, passive: true });
  }
  $('#editor-board').addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const square = tool === 'move' ? undefined : squareAt(event, orientation);
    if (!square) return;
    const [color, role] = tool.split(' ');
    const now = ground.state.pieces.get(/** @type {any} */ (square));
    // A second click on the same piece takes it away.
    const isGone = tool === 'remove' || (now?.color === color && now?.role === role);
    ground.setPieces(new Map([[/** @type {any} */ (square), isGone ? undefined : /** @type {any} */ ({ color, role })]]));
    changed();
  });
  form.fen.oninput = () => load(form.fen.value, true);
  for (const field of form.querySelectorAll('select, [type=checkbox]')) field.onchange = changed;
  $('#editor-start').onclick = () => load(START);
  $('#editor-empty').onclick = () => load(EMPTY);
  $('#editor-flip').onclick = () => {
    orientation = orientation === 'white' ? 'black' : 'white';
    ground.set({ orientation });
    keep();
  };
  form.onsubmit = (/** @type {Event} */ event) => event.preventDefault();
  $('[data-use=analyse]', dialog).onclick = use;
  $('[data-use=play]', dialog).onclick = async () => {
    if (await use()) await askNew(app, { fromHere: true });
  };
  $('[value=cancel]', dialog).onclick = () => {
    leave();
    dialog.close();
  };
}

/** @param {MouseEvent} event @param {'white' | 'black'} orientation */
function squareAt({ clientX, clientY }, orientation) {
  const { left, top, width, height } = $('#editor-board cg-board').getBoundingClientRect();
  const [column, row] = [Math.floor(((clientX - left) / width) * 8), Math.floor(((clientY - top) / height) * 8)];
  if (column < 0 || column > 7 || row < 0 || row > 7) return undefined;
  return orientation === 'white' ? `${'abcdefgh'[column]}${8 - row}` : `${'hgfedcba'[column]}${row + 1}`;
}
