/**
 * The panels below the moves, one of which is open: lines, review, and what other modules add. README.md
 * tells how to add one.
 */
import { $, create, isForBrowser } from './dom.js';
import { choices, choose } from './store.js';

/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title  on its tab
 * @property {(element: HTMLElement, app: import('./app.js').App) => void} mount  called once; it may call `app.watch`
 */

/** @type {Map<string, { tab: HTMLButtonElement, element: HTMLElement }>} */
const panels = new Map();

/** @param {import('./app.js').App} app @param {Panel} panel */
export function addPanel(app, { id, title, mount }) {
  const tab = create('button', { type: 'button', role: 'tab', id: `tab-${id}`, textContent: title, 'aria-controls': `panel-${id}`, 'aria-selected': false });
  const element = create('div', { id: `panel-${id}`, className: 'panel', role: 'tabpanel', 'aria-labelledby': `tab-${id}`, hidden: true });
  panels.set(id, { tab, element });
  tab.onclick = () => openPanel(id);
  tab.onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (isForBrowser(event)) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const ids = [...panels.keys()];
    const to = ids[(ids.indexOf(id) + step + ids.length) % ids.length];
    openPanel(to);
    panels.get(to)?.tab.focus();
  };
  $('#tabs').append(tab);
  $('#panels').append(element);
  mount(element, app);
  if (panels.size === 1 || choices().panel === id) show(id);
}

/** Shows a panel, now and when the page is loaded again. @param {string} id */
export function openPanel(id) {
  show(id);
  choose({ panel: id });
}

/** @param {string} id */
function show(id) {
  for (const [name, { tab, element }] of panels) {
    tab.setAttribute('aria-selected', String(name === id));
    tab.tabIndex = name === id ? 0 : -1;
    element.hidden = name !== id;
  }
}
