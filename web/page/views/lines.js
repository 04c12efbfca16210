/** The panel of the engine's lines. A move of a line shows its position, a click goes there. */
import { Chessground } from '@lichess-org/chessground';
import { $, create, disable, hide, say } from '../dom.js';
import { loading } from '../sentences.js';
import { isThinking, may } from '../state.js';

/** Moves of each line that are shown. */
const LENGTH = 12;

/** @type {import('../panels.js').Panel} */
export const linesPanel = {
  id: 'lines',
  title: 'Lines',
  mount(element, app) {
    element.innerHTML = `
      <div class="row">
        <label class="switch" title="Engine lines (l)"><input type="checkbox" id="lines-on"> Engine lines</label>
        <button type="button" id="threat" aria-pressed="false" title="Threat (x)">Threat</button>
        <button type="button" id="go-on" title="Search without a limit, until the position changes or lines are off">Go deeper</button>
      </div>
      <p id="depth"></p>
      <ol id="lines" aria-label="Best lines"></ol>`;
    const preview = createPreview();
    const list = $('#lines');
    list.tabIndex = -1;
    /** @type {typeof app.analysis.lines} */
    let drawn;
    // New lines come several times a second. A move that is pressed stays until it is released, or there
    // would be no click.
    let isPressed = false;
    list.onpointerdown = () => (isPressed = true);
    for (const end of ['pointerup', 'pointercancel']) {
      window.addEventListener(end, () => {
        // The click comes after this event.
        if (isPressed) setTimeout(() => ((isPressed = false), drawLines()), 50);
      });
    }
    $('#lines-on').onchange = () => app.setLines($('#lines-on').checked);
    $('#threat').onclick = () => app.toggleThreat();
    $('#go-on').onclick = () => app.goOn();
    const at = (/** @type {Event} */ { target }) => {
      const button = /** @type {Element} */ (target).closest('button');
      if (!button || !drawn) return undefined;
      const [rank, index] = [button.dataset.rank, button.dataset.index].map(Number);
      return { button, moves: drawn.lines[rank]?.moves.slice(0, index + 1) ?? [] };
    };
    const show = (/** @type {Event} */ event) => {
      const found = at(event);
      if (found?.moves.length) preview.show(found.button, found.moves, app.orientation);
      else preview.hide();
    };
    list.onmouseover = show;
    list.addEventListener('focusin', show);
    list.addEventListener('focusout', preview.hide);
    list.onmouseleave = preview.hide;
    list.onclick = (/** @type {Event} */ event) => {
      const found = at(event);
      if (!found) return;
      if (may.edit(app.state)) {
        // After a click of the mouse, space plays the best move; a keyboard stays at the line.
        if (!found.button.matches(':focus-visible')) found.button.blur();
        preview.hide();
        app.follow(found.moves.map(({ uci }) => uci));
      } else {
        show(event);
      }
    };
    function drawLines() {
      const { lines } = app.analysis;
      if (drawn === lines || (isPressed && lines)) return;
      drawn = lines;
      const { activeElement } = document;
      const hadFocus = list.contains(activeElement);
      const { rank = 0, index = 0 } = hadFocus ? /** @type {HTMLElement} */ (activeElement).dataset : {};
      list.replaceChildren(
        ...(lines?.lines ?? []).map(({ score, moves }, rank) =>
          create(
            'li',
            {},
            create('b', { textContent: score }),
            ...moves.slice(0, LENGTH).map(({ san, number }, index) =>
              create('button', { type: 'button', 'data-rank': rank, 'data-index': index }, ...(number ? [create('small', { textContent: number })] : []), san),
            ),
          ),
        ),
      );
      // The focus stays where it was; while there are no lines, it waits at the list.
      if (hadFocus) ($(`[data-rank="${rank}"][data-index="${index}"]`, list) ?? $('button', list) ?? list).focus({ preventScroll: true });
      else if (!list.matches(':hover')) preview.hide();
    }
    app.watch(() => {
      const { state } = app;
      const { lines, wantsLines } = app.analysis;
      $('#lines-on').checked = wantsLines;
      disable($('#lines-on'), !may.lines(state));
      disable($('#threat'), !may.lines(state));
      $('#threat').setAttribute('aria-pressed', String(app.analysis.wantsThreat));
      hide($('#go-on'), !wantsLines || !may.lines(state) || app.analysis.isEndless || app.tree.place.moves.length === 0);
      const none = isThinking(state) ? 'Lines come when you are to move.' : 'No lines at the moment.';
      const idle = !may.lines(state) ? none : wantsLines ? (app.tree.place.moves.length === 0 ? 'There is no move here.' : loading(app) || 'Thinking…') : 'Off';
      say($('#depth'), lines ? lines.depth : idle);
      drawLines();
    });
  },
};

/** A small board beside the line. */
function createPreview() {
  const element = $('#preview');
  /** @type {import('@lichess-org/chessground/api').Api | undefined} */
  let ground;
  return {
    /** @param {HTMLElement} button @param {import('../../engine/rules.d.ts').LineMove[]} moves @param {'white' | 'black'} orientation */
    show(button, moves, orientation) {
      const { fen, uci } = moves[moves.length - 1];
      element.hidden = false;
      const [at, size] = [button.getBoundingClientRect(), element.offsetWidth];
      const below = at.bottom + 6 + size <= window.innerHeight;
      element.style.left = `${Math.max(4, Math.min(at.left, window.innerWidth - size - 4))}px`;
      element.style.top = `${below ? at.bottom + 6 : Math.max(4, at.top - size - 6)}px`;
      const config = { fen, orientation, lastMove: /** @type {any} */ ([uci.slice(0, 2), uci.slice(2, 4)]), viewOnly: true, coordinates: false, animation: { enabled: false } };
      if (ground) ground.set(config);
      else ground = Chessground(element.firstElementChild, config);
    },
    hide() {
      element.hidden = true;
    },
  };
}
