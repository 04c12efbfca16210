/** Above and below the board: names, captured pieces and clocks. */
import { clockText } from '../clock.js';
import { $, create, say } from '../dom.js';
import { NAMES, captured, namesOf, other } from '../words.js';

/** @param {import('../app.js').App} app */
export function showPlayers(app) {
  let drawn = '';
  app.watch(() => {
    const { orientation } = app;
    const { clock } = app.live;
    const { game, place } = app.tree;
    const names = namesOf(game.tags);
    for (const [selector, color] of /** @type {const} */ ([['#bottom', orientation], ['#top', other(orientation)]])) {
      const player = $(selector);
      say($('.name', player), names[color]);
      const time = $('.clock', player);
      time.hidden = !clock;
      if (!clock) continue;
      const left = clock.left(color);
      say(time, clockText(left));
      time.setAttribute('aria-label', `${NAMES[color]}'s time`);
      time.classList.toggle('running', clock.running === color);
      time.classList.toggle('short', left < 20_000);
    }
    // What is captured counts from the start of the game.
    const now = `${app.keeping.id} ${place.fen} ${orientation}`;
    if (now === drawn) return;
    drawn = now;
    const taken = captured(game.searchPosition().fen, place.fen);
    for (const [selector, color] of /** @type {const} */ ([['#bottom', orientation], ['#top', other(orientation)]])) {
      const ahead = color === 'white' ? taken.ahead : -taken.ahead;
      const list = taken[color];
      const icons = list.map((role, index) => create('piece', { className: `taken ${role} ${other(color)}${role === list[index - 1] ? ' again' : ''}` }));
      const element = $(`${selector} .captured`);
      element.replaceChildren(...icons, ...(ahead > 0 ? [`+${ahead}`] : []));
      element.setAttribute('aria-label', list.length > 0 ? `Captured: ${list.join(', ')}${ahead > 0 ? `; ${ahead} points ahead` : ''}` : 'Captured: nothing');
    }
  });
}
