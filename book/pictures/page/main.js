/**
 * Brings the pictures of a page of the book to life. Without this script each figure shows the picture
 * that the chapter holds, and so does paper.
 *
 * A figure names its picture and may bring a position: `<figure data-picture="attacks" data-fen="...">`.
 * With `data-keep` the drawing stays above it.
 * What a picture shows is computed in WebAssembly; the modules here only draw.
 */
import { h } from './dom.js';

const nearby = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      nearby.unobserve(target);
      void bringToLife(/** @type {HTMLElement} */ (target));
    }
  },
  { rootMargin: '400px' },
);

/** @param {HTMLElement} figure */
async function bringToLife(figure) {
  const stage = h('div', { class: 'picture' });
  try {
    const { live } = await import(`./${figure.dataset.picture}.js`);
    await live(stage, figure.dataset.fen);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    figure.append(h('p', { class: 'picture-error' }, `The interactive figure cannot be loaded: ${reason}`));
    return;
  }
  figure.append(stage);
  figure.classList.add('is-living');
}

for (const figure of document.querySelectorAll('figure[data-picture]')) nearby.observe(figure);
