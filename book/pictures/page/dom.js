/** Elements of a page. */

/**
 * An element with attributes, listeners (`onclick`) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]  `undefined`, `null` and `false` leave one out
 * @param {(Node | string | undefined | null | false)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  fill(element, ...children);
  return element;
}

/**
 * Replaces what is in an element.
 * @param {Element} element
 * @param {(Node | string | undefined | null | false)[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== undefined && child !== null && child !== false));
}

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [attributes] */
export const button = (text, onclick, attributes = {}) => h('button', { type: 'button', onclick, ...attributes }, text);

let labels = 0;

/**
 * A labelled choice.
 * @param {string} label
 * @param {[string, string][]} options  value and text
 * @param {(value: string) => void} onchange
 * @param {string} [chosen]
 */
export function choice(label, options, onchange, chosen) {
  const select = h('select', { onchange: () => onchange(select.value) });
  for (const [value, text] of options) select.append(h('option', { value, selected: value === chosen }, text));
  return h('label', { class: 'choice' }, `${label} `, select);
}

/**
 * A line in which the reader pastes a position. What `read` throws is shown below it.
 * @param {string} fen
 * @param {(fen: string) => void} read
 */
export function positionForm(fen, read) {
  const id = `picture-fen-${++labels}`;
  const input = h('input', { id, value: fen, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off' });
  const error = h('p', { class: 'picture-error', role: 'alert' });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      error.textContent = '';
      read(input.value);
    } catch (reason) {
      error.textContent = sentence(reason);
    }
  };
  const form = h('form', { class: 'fen', onsubmit: submit });
  form.append(h('label', { for: id }, 'Position (FEN)'), input, h('button', { type: 'submit' }, 'Show'), error);
  return form;
}

/** What went wrong, as a sentence. @param {unknown} reason */
export function sentence(reason) {
  const text = reason instanceof Error ? reason.message : String(reason);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

/** Whole numbers with commas. @param {number} number */
export const count = (number) => number.toLocaleString('en-US');

/**
 * Words in their singular or plural form: `3 squares`.
 * @param {number} number @param {string} one @param {string} [many]
 */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;
