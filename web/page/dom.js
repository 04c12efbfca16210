/** Short names for the document. Text is always set as text, so that no name in a PGN becomes HTML. */

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export const $ = (selector, root = document) => root.querySelector(selector);

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

/** @param {string} text */
export function sentence(text) {
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
}
