/** Two move orders that meet in one entry of the transposition table. */
import { Board } from './board.js';
import { button, choice, count, fill, h, positionForm, sentence } from './dom.js';
import { load } from './wasm.js';

const FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const ORDERS = /** @type {[string, string]} */ (['d4 Nf6 c4 e6', 'c4 e6 d4 Nf6']);
const BOUNDS = {
  exact: 'The score is exact, and counts in every window.',
  lower: 'The score is at least this: it cuts off if beta is not higher.',
  upper: 'The score is at most this: it decides if alpha is not lower.',
};

/** @param {HTMLElement} stage @param {string} [start] */
export async function live(stage, start = FEN) {
  const { TablePicture } = await load();
  let depth = '4';
  let picture = new TablePicture(start, ...ORDERS);

  const board = new Board('The position after the first order.');
  const keys = h('div', { class: 'picture-text', 'aria-live': 'polite' });
  const found = h('div', { class: 'found', 'aria-live': 'polite' });
  const error = h('p', { class: 'picture-error', role: 'alert' });
  const inputs = ORDERS.map((value, at) => h('input', { value, 'aria-label': `${at ? 'Second' : 'First'} order`, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off' }));

  function draw() {
    const { orders, meet } = JSON.parse(picture.orders());
    board.draw({ pieces: orders[0].board.pieces });
    fill(
      keys,
      ...orders.map(line),
      h('p', {}, h('strong', {}, meet ? 'Both orders end in the same key, so they share one entry.' : 'The orders end in different positions, with different keys.')),
    );
    fill(found);
  }

  /** @param {string} text */
  function read(text) {
    const [first, second] = inputs.map((input) => input.value);
    const shown = new TablePicture(text, first, second);
    picture.free();
    picture = shown;
    error.textContent = '';
    draw();
  }

  function search() {
    try {
      error.textContent = '';
      fill(found, ...meeting(JSON.parse(picture.meet(Number(depth)))));
    } catch (reason) {
      error.textContent = sentence(reason);
    }
  }

  // Both buttons read all three fields.
  const position = positionForm(start, read);
  const form = h('form', {
    class: 'fen orders',
    onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      position.requestSubmit();
    },
  });
  form.append(
    h('label', {}, 'First order ', inputs[0]),
    h('label', {}, 'Second order ', inputs[1]),
    h('button', { type: 'submit' }, 'Play both'),
  );
  const depths = /** @type {[string, string][]} */ (['2', '3', '4', '5'].map((text) => [text, text]));
  stage.append(
    h('div', { class: 'side-by-side' }, board.element, keys),
    form,
    position,
    h(
      'div',
      { class: 'controls' },
      choice('Depth:', depths, (chosen) => (depth = chosen), depth),
      button('Search after the first, then after the second', search),
    ),
    error,
    found,
  );
  draw();
}

/** The keys along an order. @param {any} order @param {number} at */
function line({ places }, at) {
  const rows = places.map((/** @type {any} */ { san, key, place }) =>
    h('tr', {}, h('td', {}, san || 'start'), h('td', {}, h('code', {}, key)), h('td', {}, count(place))),
  );
  const last = rows[rows.length - 1];
  last.className = 'meeting';
  const head = h('tr', {}, h('th', {}, `${at ? 'Second' : 'First'} order`), h('th', {}, 'Key'), h('th', {}, 'Place'));
  return h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows));
}

/** @param {any} result */
function meeting({ nodes, stopped, places, entry, children, packed }) {
  const searches = `The first search took ${count(nodes[0])} nodes, and the second ${count(nodes[1])}.`;
  const parts = [h('p', {}, h('strong', {}, searches), stopped && ' One was stopped, because it takes too long for a page.')];
  if (!entry) return [...parts, h('p', {}, 'The first search left no entry for the end of the second order.')];
  parts.push(
    h('p', {}, `What the first search stored for this position: depth ${entry.depth}, score ${entry.score}, best move ${entry.best ?? 'unknown'}. ${BOUNDS[/** @type {keyof typeof BOUNDS} */ (entry.bound)]}`),
  );
  if (packed) parts.push(h('p', {}, `Tabiya packs this entry into one word. In a table of 1 MiB it lies in cluster ${count(packed.cluster)} of ${count(packed.clusters)}, with the signature `, h('code', {}, packed.signature), ':'), word(packed.word));
  parts.push(h('p', {}, `Step 8 has ${count(places)} places. The second search begins in this position, and there it must find a move, so no entry ends it. What saves its work are the entries of the positions one move later, and of those after the best reply. After the first search they are these, each scored for the side to move there:`));
  const rows = children.map((/** @type {any} */ entry) =>
    h('tr', {}, h('td', {}, entry.san), h('td', {}, bounded(entry)), h('td', {}, entry.best ?? ''), h('td', {}, entry.after_best ? bounded(entry.after_best) : '')),
  );
  const head = h('tr', {}, ...['Move', 'Score then', 'Best reply', 'Score after it'].map((title) => h('th', {}, title)));
  parts.push(h('div', { class: 'scrolls', tabindex: '0', role: 'group', 'aria-label': 'Entries after each move' }, h('table', {}, h('thead', {}, head), h('tbody', {}, ...rows))));
  return parts;
}

/** A score and its bound. @param {any} entry */
const bounded = ({ score, bound }) => `${{ exact: '=', lower: '≥', upper: '≤' }[/** @type {keyof typeof BOUNDS} */ (bound)]} ${score} (${bound})`;

/** The fields of a packed entry, from the high bits. @param {string} hexadecimal */
function word(hexadecimal) {
  const digits = [...hexadecimal].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  const fields = /** @type {[string, number][]} */ ([
    ['age', 5],
    ['pv', 1],
    ['bound', 2],
    ['depth', 8],
    ['evaluation', 16],
    ['score', 16],
    ['move', 16],
  ]);
  let at = 0;
  const shown = fields.map(([name, width]) => {
    const bits = digits.slice(at, at + width);
    at += width;
    return h('span', {}, h('code', {}, bits), h('small', {}, name));
  });
  return h('p', { class: 'word' }, ...shown);
}
