/** A question before something is lost. */
import { $ } from '../dom.js';

/**
 * @param {string} question
 * @param {string} yes  the word on the button
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes) {
  const dialog = $('#confirm-dialog');
  $('p', dialog).textContent = question;
  $('.main', dialog).textContent = yes;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => (dialog.onclose = () => resolve(dialog.returnValue === 'ok')));
}

/**
 * Whether another game may take the place of the one on the board: asks if one is being played.
 * @param {import('../app.js').App} app
 * @param {string} yes  the word on the button
 */
export async function mayLeave({ live }, yes) {
  return !live.isAtStake || confirmed('Leave this game? It stays in “My games”, where you can go on.', yes);
}
