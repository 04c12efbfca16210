/** The errors of the package. */

/**
 * What `Engine`, `Game` and the functions of the package throw or reject with. The message is one
 * sentence. `code` says whose turn it is: `input` (the call), `load` (a file could not be loaded),
 * `unsupported` (this host lacks something), `closed` (the engine was closed), `failed` (the engine
 * failed, such as for lack of memory, and starts again).
 */
export class TabiyaError extends Error {
  /**
   * @param {import('./index.d.ts').ErrorCode} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = 'TabiyaError';
    this.code = code;
  }

  /**
   * Each entry of the package has this class in its own file, and `import` and `require` have
   * different files: an error of one is an instance for all.
   * @param {any} value
   */
  static [Symbol.hasInstance](value) {
    if (this !== TabiyaError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return value instanceof Error && value.name === 'TabiyaError';
  }
}

/** @param {unknown} error */
export const reason = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Refuses a text that would become several lines.
 * @param {string} what
 * @param {unknown} text
 * @returns {string}
 */
export function oneLine(what, text) {
  if (typeof text !== 'string') throw new TabiyaError('input', `${what} must be a text, not ${describe(text)}`);
  if (/[\r\n]/.test(text)) throw new TabiyaError('input', `${what} must not have a line break`);
  return text;
}

/**
 * @param {string} what
 * @param {unknown} list
 * @returns {string[]}
 */
export function lines(what, list) {
  if (!Array.isArray(list)) throw new TabiyaError('input', `${what} must be a list of texts, not ${describe(list)}`);
  return list.map((text, index) => oneLine(`${what}[${index}]`, text));
}

/** @param {unknown} value */
const describe = (value) => (value === null ? 'null' : typeof value);
