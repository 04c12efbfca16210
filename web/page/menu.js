/** The menu of the page: theme, sounds and keys. */
import { $ } from './dom.js';
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

  const showSounds = () => $('#sounds').setAttribute('aria-checked', String(sounds.isOn()));
  $('#sounds').onclick = () => {
    sounds.toggle();
    showSounds();
  };
  showSounds();
  $('#theme').onclick = () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = theme;
    choose({ theme });
  };
  $('#help').onclick = () => $('#help-dialog').showModal();
}
