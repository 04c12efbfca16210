/** The games that this browser keeps. */
import { $, create, sentence } from '../dom.js';
import { resultText } from '../words.js';

/** @param {import('../app.js').App} app */
export function setUpGames(app) {
  const dialog = $('#games-dialog');
  const list = $('ul', dialog);
  const draw = async () => {
    const [games, inTabs] = await Promise.all([app.keeping.games.list(), app.keeping.games.inTabs()]);
    $('#no-games').hidden = games.length > 0;
    $('#no-games').textContent = app.keeping.games.isKept ? 'No games yet.' : 'This browser keeps no games.';
    list.replaceChildren(
      ...games.map((kept) => {
        const isOpen = kept.id === app.keeping.id;
        const where = isOpen ? ' · on the board' : inTabs.has(kept.id) ? ' · open in another tab' : '';
        const date = new Date(kept.updated).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
        const result = /\[Result "(.*?)"\]/.exec(kept.pgn)?.[1] ?? '*';
        const text = `${kept.title}${result === '*' ? '' : `, ${resultText(result)}`}`;
        const open = create('button', { type: 'button', className: 'name', disabled: isOpen }, text, create('small', { textContent: `${date}${where}` }));
        open.onclick = async () => {
          dialog.close();
          try {
            await app.restore(kept);
          } catch (error) {
            app.note = sentence(/** @type {Error} */ (error).message);
            app.show();
          }
        };
        const remove = create('button', { type: 'button', textContent: 'Delete', 'aria-label': `Delete ${text}`, disabled: isOpen });
        remove.onclick = async () => {
          // The second click deletes.
          if (remove.textContent === 'Delete') {
            remove.textContent = 'Really?';
            remove.setAttribute('aria-label', `Really delete ${text}?`);
            return;
          }
          // A tab that has opened it by now would keep it again.
          if (!(await app.keeping.games.inTabs()).has(kept.id)) await app.keeping.games.remove(kept.id);
          await draw();
          $('.main', dialog).focus();
        };
        return create('li', {}, open, remove);
      }),
    );
  };
  $('#games').onclick = async () => {
    await draw();
    dialog.showModal();
  };
}
