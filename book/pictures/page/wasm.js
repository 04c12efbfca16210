/** The module of the pictures, loaded once. */
import init, * as pictures from './tabiya_pictures.js';

/** @type {Promise<typeof pictures> | undefined} */
let loading;

/** @returns {Promise<typeof pictures>} */
export function load() {
  loading ??= init({ module_or_path: new URL('./tabiya_pictures_bg.wasm', import.meta.url) }).then(() => pictures);
  loading.catch(() => (loading = undefined));
  return loading;
}
