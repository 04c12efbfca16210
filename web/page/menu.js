/** The menu of the page: theme, sounds, letter keys and help. */
import { $ } from './dom.js';
import { hasLetters } from './keys.js';
import * as sounds from './sounds.js';
import { choose } from './store.js';

export function setUpMenu() {
  const menu = $('#menu');
  const button = $('#menu-button');
  const open = (/** @type {boolean} */ isOpen) => {
    menu.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.onclick = () => open(menu.hidden);
  // Before the listener of the item: a dialog that it opens gives the focus back to the button.
  const leave = () => {
    const isByKeyboard = menu.querySelector(':focus-visible') !== null;
    open(false);
    if (isByKeyboard) button.focus();
  };
  menu.addEventListener('click', leave, { capture: true });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!(/** @type {Element} */ (target).closest('#menu, #menu-button'))) open(false);
  });
  $('nav').addEventListener('keydown', (/** @type {KeyboardEvent} */ { key }) => {
    if (key !== 'Escape' || menu.hidden) return;
    open(false);
    button.focus();
  });

  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const show = () => {
    for (const [id, isOn] of /** @type {const} */ ([['#theme', dataset.theme === 'dark'], ['#sounds', sounds.isOn()], ['#letters', hasLetters()]])) {
      $(id).setAttribute('aria-checked', String(isOn));
    }
  };
  $('#theme').onclick = () => {
    dataset.theme = dataset.theme === 'dark' ? 'light' : 'dark';
    // Whoever chooses the theme of the system follows it again.
    choose({ theme: (dataset.theme === 'dark') === system.matches ? undefined : dataset.theme });
    show();
  };
  system.addEventListener('change', show);
  $('#sounds').onclick = () => {
    sounds.toggle();
    show();
  };
  $('#letters').onclick = () => {
    choose({ letters: !hasLetters() });
    show();
  };
  show();
  $('#help').onclick = () => $('#help-dialog').showModal();
}
