/** Keys, as players know them from other pages. The dialog of `?` lists them. */
import { $, FIELDS, isForBrowser } from './dom.js';
import { may } from './state.js';
import { choices } from './store.js';
import { openNotes } from './views/notes.js';
import { jumpToMistake } from './views/review.js';

/** What does not keep the focus after a click of the mouse, so that space plays the best move. */
const PASSING = '.browse button, #tabs button, #lines-on, #threat, #go-on';

/**
 * Whether keys of one letter act. Whoever speaks to the computer may press them without meaning to
 * (WCAG 2.1.4).
 */
export const hasLetters = () => choices().letters !== false;

/** @param {import('./app.js').App} app */
export function setUpKeys(app) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => app.browse('previous'),
    ArrowRight: () => app.browse('next'),
    ArrowUp: () => app.sibling(-1),
    ArrowDown: () => app.sibling(1),
    Home: () => app.browse('first'),
    End: () => app.browse('last'),
    f: () => app.flip(),
    l: () => may.lines(app.state) && app.setLines(!app.analysis.wantsLines),
    x: () => may.lines(app.state) && app.toggleThreat(),
    m: () => jumpToMistake(app, 1),
    M: () => jumpToMistake(app, -1),
    L: () => app.learn(),
    s: () => app.showAnswer(),
    n: () => app.nextMistake(),
    t: () => may.accept(app.state) && app.takeBack(),
    g: () => app.accept(),
    c: () => may.edit(app.state) && openNotes(),
    ' ': () => {
      const best = app.analysis.lines?.lines[0]?.uci;
      if (best && may.edit(app.state)) app.play(best);
    },
    '?': () => $('#help-dialog').showModal(),
  };
  document.addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (isForBrowser(event) || $('dialog[open]')) return;
    // After a move was entered, its field is empty, and arrows have nothing to do there.
    const isEmpty = target instanceof HTMLInputElement && target.id === 'move' && target.value === '' && event.key.length > 1;
    if (target.closest(FIELDS) && !isEmpty) return;
    // On a button, space presses it.
    if (event.key === ' ' && target.closest('button, a, summary, input')) return;
    const act = keys[event.key];
    if (!act || (event.key.length === 1 && event.key !== '?' && !hasLetters())) return;
    event.preventDefault();
    act();
  });
  document.addEventListener('click', ({ detail, target }) => {
    // A keyboard's click has no detail, and its focus stays.
    const clicked = /** @type {Element} */ (target).closest(PASSING);
    if (detail > 0 && clicked instanceof HTMLElement) clicked.blur();
  });
}
