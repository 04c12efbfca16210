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
