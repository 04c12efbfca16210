/** The network: what each piece is worth to it now, and which inputs a move changes. */
import { Board, pieceName } from './board.js';
import { button, counted, fill, h, positionForm } from './dom.js';
import { Mover } from './moves.js';
import { load } from './wasm.js';

const FEN = 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5';
/** Three megabytes, which no other picture needs. */
const NETWORK = new URL('./tabiya.net', import.meta.url);

/** @type {Promise<Uint8Array> | undefined} */
let fetching;

function fetchNetwork() {
  fetching ??= fetch(NETWORK).then(async (response) => {
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
    return new Uint8Array(await response.arrayBuffer());
  });
  fetching.catch(() => (fetching = undefined));
  return fetching;
}

/** @param {HTMLElement} stage @param {string} [fen] */
export async function live(stage, fen = FEN) {
  const [{ NetworkPicture }, network] = await Promise.all([load(), fetchNetwork()]);
  const picture = new NetworkPicture(network, fen);
  let start = fen;
  let state = JSON.parse(picture.state());

  const mover = new Mover(
    () => state.moves,
    (uci) => {
      picture.play(uci);
      draw();
    },
    draw,
  );
  const board = new Board('Pieces and their worth.', (square) => mover.select(square));
  const said = h('div', { class: 'picture-text', 'aria-live': 'polite' });

  function draw() {
    state = JSON.parse(picture.state());
    const worth = Object.entries(state.worth).map(([square, value]) => [square, pawns(value)]);
    const { marks, notes } = mover.marks(state.changes);
    for (const [square, text] of worth) notes[square] = [notes[square], `worth ${text}`].filter(Boolean).join(', ');
    board.draw({ pieces: state.board.pieces, texts: Object.fromEntries(worth), marks, notes });
    fill(
      said,
      h('p', {}, h('strong', {}, `The network gives ${pawns(state.evaluation)} for White.`), ` ${capital(state.board.turn)} is to move.`),
      mover.promotions(),
      h('p', {}, `${counted(state.inputs[0], 'input')} of each accumulator are 1: one for each piece, one for each that is attacked, and one for each square of a motif.`),
      ...(state.changes ? changed(state.changes) : [h('p', {}, 'Click a piece and then where it goes.')]),
    );
  }

  /** @param {string} text */
  function show(text) {
    picture.show(text);
    start = text;
    mover.reset();
    draw();
  }

  stage.append(
    h('div', { class: 'side-by-side' }, board.element, said),
    h('p', { class: 'legend' }, 'The number on a piece: how many pawns the evaluation drops, for its owner, if the piece is taken off the board.'),
    h('div', { class: 'controls' }, button('Back to the position below', () => show(start))),
    positionForm(fen, show),
  );
  draw();
}

/** @param {any} changes */
function changed({ san, evaluation_before: before, sides }) {
  /** @type {HTMLElement[]} */
  const parts = [h('p', {}, `${san} was played; before it the network gave ${pawns(before)}.`)];
  for (const { side, refreshed, added, removed } of sides) {
    const what = refreshed
      ? 'the king now stands where all inputs have other numbers, so the engine takes up the sum that it last had there and updates it.'
      : `${counted(added.length, 'input')} added, ${removed.length} removed:`;
    parts.push(h('p', {}, h('em', {}, `${capital(side)}’s accumulator: `), what));
    if (!refreshed) parts.push(h('ul', { class: 'inputs' }, ...added.map(input('+')), ...removed.map(input('−'))));
  }
  return parts;
}

/** @param {string} sign */
const input = (sign) => (/** @type {any} */ { index, piece, square, state }) =>
  h('li', {}, `${sign} `, h('code', {}, String(index)), ` ${piece ? `${pieceName(piece)} ` : ''}${square}${state ? `, ${state}` : ''}`);

/** Centipawns in pawns. @param {any} value */
const pawns = (value) => `${value < 0 ? '−' : value > 0 ? '+' : ''}${(Math.abs(value) / 100).toFixed(2)}`;

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
