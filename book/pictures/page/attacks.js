/** The look-up of a piece's attacks: mask, occupancy, product and index. */
import { Board, pieceName } from './board.js';
import { button, choice, count, counted, h, positionForm } from './dom.js';
import { load } from './wasm.js';

const FEN = 'r5k1/pp3ppp/3n4/8/3R1p2/2P5/PP1N1PPP/6K1 w - - 0 1';
const KINDS = /** @type {[string, string][]} */ ([
  ['', 'what stands there'],
  ['r', 'rook'],
  ['b', 'bishop'],
  ['q', 'queen'],
  ['n', 'knight'],
  ['k', 'king'],
]);

/** @param {HTMLElement} stage @param {string} [fen] */
export async function live(stage, fen = FEN) {
  const { AttackPicture } = await load();
  let picture = new AttackPicture(fen);
  let from = 'd4';
  let kind = '';
  let isChanging = false;

  const board = new Board('Squares of a look-up.', (square) => {
    if (isChanging) picture.toggle(square);
    else from = square;
    draw();
  });
  const said = h('div', { class: 'picture-text', 'aria-live': 'polite' });

  function draw() {
    const { pieces } = JSON.parse(picture.board());
    const look = JSON.parse(picture.look(from, kind));
    /** @type {Record<string, string[]>} */
    const marks = {};
    /** @type {Record<string, string[]>} */
    const notes = {};
    const mark = (/** @type {string[]} */ squares, /** @type {string} */ name, /** @type {string} */ note) => {
      for (const square of squares) {
        (marks[square] ??= []).push(name);
        (notes[square] ??= []).push(note);
      }
    };
    mark([from], 'chosen', 'chosen');
    for (const { mask, relevant } of look.lookups) {
      mark(mask, 'mask', 'in the mask');
      mark(relevant, 'relevant', 'occupied, and it matters');
    }
    mark(look.attacks, 'attacked', 'attacked');
    const words = Object.entries(notes).map(([square, list]) => [square, list.join(', ')]);
    board.draw({ pieces, marks, notes: Object.fromEntries(words) });
    said.replaceChildren(...explain(look, from, pieces[from] === look.piece));
  }

  const modes = /** @type {[string, string][]} */ ([
    ['look', 'looks from it'],
    ['change', 'fills or empties it'],
  ]);
  stage.append(
    h('div', { class: 'side-by-side' }, board.element, said),
    h('p', { class: 'legend' }, legend('mask', 'in the mask'), legend('mask relevant', 'in the mask and occupied'), legend('attacked', 'attacked')),
    h(
      'div',
      { class: 'controls' },
      choice('A click on a square', modes, (mode) => (isChanging = mode === 'change')),
      choice('Piece:', KINDS, (chosen) => {
        kind = chosen;
        draw();
      }),
      button('Empty board', () => show('k7/8/8/8/8/8/8/7K w - - 0 1')),
    ),
    positionForm(fen, show),
  );

  /** @param {string} text */
  function show(text) {
    const shown = new AttackPicture(text);
    picture.free();
    picture = shown;
    draw();
  }
  draw();
}

/** @param {string} mark @param {string} text */
const legend = (mark, text) => h('span', {}, h('span', { class: `key ${mark}` }), ` ${text}`);

/** @param {any} look @param {string} from @param {boolean} stands whether that piece is on the board */
function explain(look, from, stands) {
  const title = h('p', {}, h('strong', {}, `A ${pieceName(look.piece)} on ${from} ${stands ? 'attacks' : 'would attack'} ${counted(look.attacks.length, 'square')}.`));
  if (!look.lookups.length) {
    return [title, h('p', {}, 'Nothing can block it: a table with 64 entries holds the answer, and there is no magic.')];
  }
  const parts = look.lookups.flatMap((/** @type {any} */ found) => {
    const name = look.lookups.length > 1 ? [h('p', {}, h('em', {}, `As a ${found.kind}:`))] : [];
    return [...name, steps(found)];
  });
  return [title, ...parts];
}

/** @param {any} found */
function steps(found) {
  const product = binary(found.product);
  return h(
    'ol',
    { class: 'steps' },
    h('li', {}, `The mask has ${counted(found.mask.length, 'square')}. `, hex(found.mask_bits)),
    h('li', {}, `Occupied, and in the mask: ${found.relevant.join(' ') || 'nothing'}. `, hex(found.relevant_bits)),
    h('li', {}, 'Times the magic number ', hex(found.factor), ' gives ', hex(found.product), ', in bits:', bits(product, found.width)),
    h('li', {}, `Shifted right by ${found.shift}, the top ${found.width} bits are the index `, h('strong', {}, count(found.index)), ` of ${count(2 ** found.width)}.`),
    h('li', {}, `Entry ${count(found.offset)} + ${count(found.index)} of the table holds the attacks: `, hex(found.attacks_bits)),
  );
}

/** @param {string} word */
const hex = (word) => h('code', {}, `0x${word.toUpperCase()}`);

/** The 64 digits of a word that is written in hexadecimal. @param {string} word */
const binary = (word) => [...word].map((digit) => parseInt(digit, 16).toString(2).padStart(4, '0')).join('');

/** The digits in groups of eight, the first of them marked. @param {string} digits @param {number} marked */
function bits(digits, marked) {
  const groups = digits.match(/.{8}/g) ?? [];
  const group = (/** @type {string} */ text, /** @type {number} */ at) => {
    const index = Math.max(0, Math.min(8, marked - 8 * at));
    return h('span', {}, index > 0 && h('b', {}, text.slice(0, index)), text.slice(index));
  };
  return h('code', { class: 'bits' }, ...groups.map(group));
}
