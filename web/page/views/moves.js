/** The moves of the game, and the buttons that walk through it and change it. */
import { $, disable, hide, say } from '../dom.js';
import { MoveList } from '../movelist.js';
import { may } from '../state.js';
import { placeInWords } from '../words.js';

/** @param {import('../app.js').App} app */
export function showMoves(app) {
  const list = new MoveList($('#moves'), (node) => app.goTo(node));
  for (const where of /** @type {const} */ (['first', 'previous', 'next', 'last'])) $(`[data-go=${where}]`).onclick = () => app.browse(where);
  $('#flip').onclick = () => app.flip();
  $('#promote').onclick = () => app.edit('promote');
  $('#remove').onclick = () => app.edit('remove');
  $('#undo').onclick = () => app.undo();
  $('#redo').onclick = () => app.redo();

  // What is typed elsewhere is saved when the list is pressed: the moves must stay until they are clicked.
  let isPressed = false;
  $('#moves').addEventListener('pointerdown', () => (isPressed = true));
  for (const end of ['pointerup', 'pointercancel']) {
    window.addEventListener(end, () => {
      if (!isPressed) return;
      isPressed = false;
      // After the click.
      window.setTimeout(() => app.show());
    });
  }

  let drawn = -1;
  let [version, node] = [app.tree.version, app.tree.place.node];
  app.watch(() => {
    const { state } = app;
    const { place } = app.tree;
    // A move that is made is told by the status, a position that is looked at here.
    if (version === app.tree.version && node !== place.node) say($('#place'), placeInWords(place, app.tree.nodes));
    [version, node] = [app.tree.version, place.node];
    if (drawn !== app.tree.version && !isPressed) {
      drawn = app.tree.version;
      list.draw(app.tree.nodes, app.tree.game.result);
    }
    list.mark(place.node);
    say($('#opening'), place.opening ?? '');
    hide($('.edit'), !may.edit(state));
    const parent = app.tree.node(place.parent);
    disable($('#promote'), !parent || parent.children[0] === place.node);
    disable($('#remove'), place.node === 0);
    disable($('#undo'), !place.canUndo);
    disable($('#redo'), !place.canRedo);
  });
}
