/** The panel of what is written about the move on the board: a sign such as `?!`, and a comment. */
import { $, create, disable, say } from '../dom.js';
import { openPanel } from '../panels.js';
import { may } from '../state.js';
import { LAST_MARK, glyphText, plain } from '../words.js';

/** The signs by glyph; 0 is none. */
const SIGNS = [
  [0, 'No sign'],
  [3, 'Brilliant move'],
  [1, 'Good move'],
  [5, 'Interesting move'],
  [6, 'Dubious move'],
  [2, 'Mistake'],
  [4, 'Blunder'],
];

/** Opens the panel to write. */
export function openNotes() {
  openPanel('notes');
  $('#comment').focus();
}

/** @type {import('../panels.js').Panel} */
export const notesPanel = {
  id: 'notes',
  title: 'Notes',
  mount(element, app) {
    element.innerHTML = `
      <p id="noted"></p>
      <div id="signs" role="group" aria-label="Sign of the move"></div>
      <label for="comment">Comment</label>
      <textarea id="comment" rows="2"></textarea>`;
    const [signs, comment] = [$('#signs'), $('#comment')];
    signs.append(
      ...SIGNS.map(([glyph, title]) =>
        create('button', { type: 'button', 'data-glyph': glyph, title, ...(glyph ? { 'aria-label': title, textContent: glyphText(Number(glyph)) } : { textContent: 'none' }) }),
      ),
    );
    signs.onclick = (/** @type {MouseEvent} */ { target }) => {
      const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest('[data-glyph]'));
      if (button) app.annotate(app.tree.place.node, { glyph: Number(button.dataset.glyph) });
    };
    /** The move that the field is about, and its text in the game. */
    let about = { game: '', node: 0, text: '' };
    const save = () => {
      const { game, node, text } = about;
      const written = comment.value.trim();
      if (written === text || game !== app.keeping.id) return;
      about = { game, node, text: written };
      app.annotate(node, { text: written });
    };
    comment.onchange = save;
    // The tab may be closed while the user writes.
    window.addEventListener('pagehide', save);
    document.addEventListener('visibilitychange', save);
    comment.addEventListener('keydown', (/** @type {KeyboardEvent} */ { key }) => key === 'Escape' && comment.blur());

    let drawn = '';
    app.watch(() => {
      const now = `${app.keeping.id} ${app.tree.version} ${app.tree.place.node} ${app.state}`;
      if (now === drawn) return;
      drawn = now;
      const { node } = app.tree.place;
      const { number, san, glyphs = [], comments = [] } = app.tree.node(node) ?? {};
      const mayWrite = may.edit(app.state);
      say($('#noted'), !mayWrite ? 'You can write notes when no game, review or lesson is running.' : san ? `About ${number} ${san}` : 'About the start of the game');
      for (const button of signs.children) {
        const glyph = Number(/** @type {HTMLElement} */ (button).dataset.glyph);
        const isSet = glyph === 0 ? !glyphs.some((one) => one <= LAST_MARK) : glyphs.includes(glyph);
        button.setAttribute('aria-pressed', String(isSet && san !== undefined));
        disable(/** @type {HTMLButtonElement} */ (button), !mayWrite || !san);
      }
      comment.disabled = !mayWrite;
      const text = comments.map(plain).filter(Boolean).join(' ');
      const isHere = about.game === app.keeping.id && about.node === node;
      const isWritten = comment.value.trim() !== about.text;
      // What is being written stays, or is saved when another move is looked at: the board may be used
      // without leaving the field.
      if (isWritten && isHere && about.text === text) return;
      if (isWritten && about.game === app.keeping.id && !isHere) {
        const [left, written] = [about.node, comment.value];
        queueMicrotask(() => app.annotate(left, { text: written }));
      }
      about = { game: app.keeping.id, node, text };
      comment.value = text;
    });
  },
};
