/** The package's entry `tabiya/rules`: the laws of chess, without the engine. */
import { loadRules as loadModule } from '#host';
import { chess960Start as start960, initSync, referee as askReferee } from '../generated/tabiya_rules.js';
import { TabiyaError } from './errors.js';

export { TabiyaError };

/** @type {Promise<void> | undefined} */
let loading;
let isLoaded = false;

/**
 * Loads the rules. Later calls need not load again.
 * @param {import('./rules.d.ts').LoadOptions} [options]
 */
export function loadRules({ wasm, onProgress } = {}) {
  loading ??= loadModule(wasm, onProgress).then((module) => {
    initSync({ module });
    isLoaded = true;
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

function checkLoaded() {
  if (!isLoaded) throw new TabiyaError('load', 'the rules are not loaded yet: await loadRules() first');
}

/** @param {number} number */
export function chess960Start(number) {
  checkLoaded();
  const fen = Number.isInteger(number) ? start960(number) : undefined;
  if (fen === undefined) throw new TabiyaError('input', `${number} is not the number of a start position: they are 0 to 959`);
  return fen;
}

/** @param {import('./rules.d.ts').RefereeRequest} [request] */
export function referee(request = {}) {
  checkLoaded();
  return JSON.parse(askReferee(JSON.stringify(request)));
}
