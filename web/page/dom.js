/** Short names for the document. Text is always set as text, so that no name in a PGN becomes HTML. */
import { reason } from '../engine/errors.js';

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export const $ = (selector, root = document) => root.querySelector(selector);

/** Fields in which a key is text. A checkbox or button is none: arrows go on after a click there. */
export const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button])';

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]  those with a dash or `role` are attributes
 * @param {...(string | Node)} children
 * @returns {any}
 */
export function create(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...children);
  return element;
}

/** Sets a text only if it differs: a live region is read aloud each time. @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether a key is one of the browser's or the system's, such as Alt with an arrow. @param {KeyboardEvent} event */
export const isForBrowser = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** Before an element is hidden or disabled, the focus that is in it goes to the status instead of nowhere. @param {HTMLElement} element */
function releaseFocus(element) {
  if (element.contains(document.activeElement)) $('#status').focus({ preventScroll: true });
}

/** @param {HTMLButtonElement} button @param {boolean} isDisabled */
export function disable(button, isDisabled) {
  if (isDisabled) releaseFocus(button);
  button.disabled = isDisabled;
}

/** @param {HTMLElement} element @param {boolean} isHidden */
export function hide(element, isHidden) {
  if (isHidden) releaseFocus(element);
  element.hidden = isHidden;
}

/** Replaces what is in an element. The focus that was in it goes to another. @param {Element} element @param {HTMLElement} other @param {...(string | Node)} children */
export function renew(element, other, ...children) {
  const { activeElement } = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const hadFocus = element.contains(activeElement);
  element.replaceChildren(...children);
  if (hadFocus) other.focus();
}

/** What an error says, without the address of a file, of which the user knows nothing. @param {unknown} error */
export const plainReason = (error) => reason(error).replace(/^.* cannot be loaded: /, '');

/** @param {string} text */
export function sentence(text) {
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}

/** What went wrong with an engine, and not that it starts again. @param {unknown} error */
export const failure = (error) => sentence(plainReason(error).replace(/^the engine failed and starts again: /, 'it failed: '));
