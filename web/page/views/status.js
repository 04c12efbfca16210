/** How the game stands, and what the user may do about it. */
import { $, create, disable, hide, renew, say, sentence } from '../dom.js';
import { confirmed } from '../dialogs/confirm.js';
import { progress, sentences } from '../sentences.js';
import { may } from '../state.js';
import { claimText } from '../words.js';

/** Maximum number of claims offered: many moves may allow the same one. */
const CLAIMS = 3;

/** @param {import('../app.js').App} app */
export function showStatus(app) {
  $('#back').onclick = () => app.takeBack();
  $('#hint').onclick = () => app.askHint();
  $('#draw').onclick = async () => {
    if (app.live.match?.side !== 'both' || (await confirmed('Agree a draw?', 'Agree'))) app.offerDraw();
  };
  $('#resign').onclick = async () => {
    if (await confirmed('Resign this game?', 'Resign')) app.resign();
  };
  $('#retry').onclick = () => app.retry();
  $('#entry').onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    enter(app, $('#move').value.trim());
  };
  $('#move').oninput = () => say($('#entry-error'), '');

  let claims = '';
  app.watch(() => {
    const { state } = app;
    const { place } = app.tree;
    const { match } = app.live;
    say($('#status'), sentences(app).trim());
    say($('#progress'), progress(app));
    hide($('#retry'), state !== 'failed');
    const isPlayed = match !== undefined && !app.live.isOver;
    hide($('.actions'), !match || (app.live.isOver && !app.canTakeBack));
    // Where the coach objects, another button does the same.
    hide($('#back'), may.accept(state));
    disable($('#back'), !app.canTakeBack);
    for (const [id, allowed] of /** @type {const} */ ([['#hint', may.hint(state)], ['#draw', may.offer(state)], ['#resign', may.resign(state)]])) {
      hide($(id), !isPlayed);
      disable($(id), !allowed);
    }
    $('#draw').textContent = match?.side === 'both' ? 'Agree a draw' : 'Offer draw';
    const offered = isPlayed && may.claim(state) ? place.claims.slice(0, CLAIMS) : [];
    const now = JSON.stringify(offered);
    if (now === claims) return;
    claims = now;
    renew(
      $('#claims'),
      $('#status'),
      ...offered.map((claim) => create('button', { className: 'main', textContent: claimText(claim), onclick: () => app.claim(claim.with) })),
    );
  });
}

/** @param {import('../app.js').App} app @param {string} text */
function enter(app, text) {
  if (text === '') return;
  try {
    app.play(text);
    $('#move').value = '';
    say($('#entry-error'), '');
  } catch (error) {
    say($('#entry-error'), sentence(/** @type {Error} */ (error).message));
  }
}
