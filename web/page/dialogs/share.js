/** The dialog that shows the game as text, file and address. */
import { $, create } from '../dom.js';
import { addressOf } from '../hash.js';

/** @param {import('../app.js').App} app */
export function setUpShare(app) {
  const dialog = $('#share-dialog');
  $('#share').onclick = async () => {
    $('#fen').value = app.tree.place.fen;
    $('#pgn').value = app.tree.game.pgn();
    $('#link').value = '';
    dialog.showModal();
    await showAddress();
  };
  const showAddress = async () => {
    const isOfGame = $('#link-game').checked;
    const pgn = isOfGame && app.tree.nodes.length > 1 ? app.tree.game.pgn() : undefined;
    const path = await addressOf(pgn === undefined ? { fen: app.tree.place.fen } : { pgn });
    // A game takes longer to write than a position, which may have been chosen meanwhile.
    if (isOfGame === $('#link-game').checked) $('#link').value = new URL(path, location.href.split('#')[0]).href;
  };
  $('#link-game').onchange = $('#link-position').onchange = showAddress;
  for (const button of dialog.querySelectorAll('[data-copy]')) {
    const word = button.textContent;
    let timer = 0;
    button.onclick = async () => {
      const field = $(`#${button.dataset.copy}`);
      let isCopied = true;
      try {
        await navigator.clipboard.writeText(field.value);
      } catch {
        field.select();
        isCopied = document.execCommand('copy');
      }
      button.textContent = isCopied ? 'Copied' : 'Not copied';
      window.clearTimeout(timer);
      timer = window.setTimeout(() => (button.textContent = word), 1500);
    };
  }
  $('#download').onclick = () => {
    const href = URL.createObjectURL(new Blob([$('#pgn').value], { type: 'application/x-chess-pgn' }));
    create('a', { href, download: 'tabiya.pgn' }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };
}
