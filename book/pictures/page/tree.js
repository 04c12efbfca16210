/** An alpha-beta search, one step at a time. */
import { Board } from './board.js';
import { button, choice, count, h, positionForm } from './dom.js';
import { load } from './wasm.js';

const FEN = 'r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5';
const PROGRAMS = /** @type {[string, string][]} */ ([
  ['step04', 'step 4: alpha-beta'],
  ['step06-unordered', 'step 6 without move ordering'],
  ['step06', 'step 6: captures first'],
]);
const DEPTHS = /** @type {[string, string][]} */ (['1', '2', '3', '4'].map((depth) => [depth, depth]));
const LEGEND = /** @type {[string, string][]} */ ([
  ['waiting', 'not searched yet'],
  ['current', 'being searched'],
  ['done', 'searched'],
  ['done best', 'the best so far'],
  ['cut', 'cut off'],
]);
const KINDS = { root: 'root', inner: '', leaf: 'leaf', quiescence: 'quiescence' };

/** @param {HTMLElement} stage @param {string} [start] */
export async function live(stage, start = FEN) {
  const { TreePicture } = await load();
  let fen = start;
  let program = 'step04';
  let depth = '2';
  let picture = new TreePicture(fen, program, Number(depth));
  let step = 0;

  const board = new Board('The position of the present node.');
  const text = h('p', { class: 'picture-text', 'aria-live': 'polite' });
  const rows = h('div', { class: 'tree' });
  const counts = h('div', {});
  const slider = h('input', { type: 'range', min: '0', 'aria-label': 'Step of the search', oninput: () => go(Number(slider.value)) });
  const place = h('span', { class: 'place' });
  const limit = h('p', { class: 'limit', role: 'status' });

  function draw() {
    const { steps, nodes, stopped, cut_short: isShort } = JSON.parse(picture.result());
    const now = JSON.parse(picture.at(step));
    step = now.step;
    slider.max = String(steps - 1);
    slider.value = String(step);
    place.textContent = `step ${count(step + 1)} of ${count(steps)}, node ${count(now.nodes)}`;
    const search = stopped
      ? `The search was stopped after ${count(nodes)} nodes, because it takes too long for a page.`
      : `The search took ${count(nodes)} nodes.`;
    limit.textContent = stopped || isShort ? `${search} The steps show its beginning.` : '';
    text.textContent = now.text;
    const [from, to] = now.last_move ?? [];
    board.draw({ pieces: now.board.pieces, marks: from ? { [from]: ['moved'], [to]: ['moved'] } : {} });
    // Touch screens and keyboards show no titles, so the last boxes name all their moves.
    const named = now.rows.map((/** @type {any} */ node) => node.moves.length > 0).lastIndexOf(true);
    rows.replaceChildren(...now.rows.map((/** @type {any} */ node, /** @type {number} */ ply) => row(node, ply, ply === named)));
  }

  function search() {
    const shown = new TreePicture(fen, program, Number(depth));
    picture.free();
    picture = shown;
    step = 0;
    counts.replaceChildren();
    draw();
  }

  /** @param {number} to */
  function go(to) {
    step = Math.max(0, to);
    draw();
  }

  /** @param {boolean} forwards */
  function toCutoff(forwards) {
    const found = picture.cutoff(step, forwards);
    if (found === undefined) text.textContent = `There is no ${forwards ? 'later' : 'earlier'} cutoff above the quiescence search.`;
    else go(found);
  }

  stage.append(
    h('div', { class: 'side-by-side' }, board.element, h('div', {}, text, rows)),
    h('p', { class: 'legend' }, ...LEGEND.map(([state, text]) => h('span', {}, h('span', { class: `branch ${state}` }), ` ${text}`))),
    h('div', { class: 'controls' }, slider, place),
    limit,
    h(
      'div',
      { class: 'controls' },
      button('Start', () => go(0)),
      button('Back', () => go(step - 1)),
      button('Step', () => go(step + 1)),
      button('Previous cutoff', () => toCutoff(false)),
      button('Next cutoff', () => toCutoff(true)),
      button('End', () => go(2 ** 31)),
    ),
    h(
      'div',
      { class: 'controls' },
      choice('Program:', PROGRAMS, (chosen) => ((program = chosen), search()), program),
      choice('Depth:', DEPTHS, (chosen) => ((depth = chosen), search()), depth),
      button('Count the nodes, with step 3', () => counts.replaceChildren(table(JSON.parse(picture.counts()), depth))),
    ),
    counts,
    positionForm(fen, (pasted) => {
      const before = fen;
      fen = pasted;
      try {
        search();
      } catch (error) {
        fen = before;
        throw error;
      }
    }),
  );
  draw();
}

/**
 * A node of the path: its window, and a box for each of its moves.
 * @param {any} node @param {number} ply @param {boolean} isNamed  whether all boxes name their moves
 */
function row(node, ply, isNamed) {
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (node.kind)];
  const title = [`${node.turn} to move`, node.kind === 'quiescence' ? kind : `depth ${node.depth}`, node.kind === 'root' && 'root'];
  return h(
    'div',
    { class: 'node', style: `margin-left: ${Math.min(ply, 6) * 6}px` },
    h('p', {}, `${title.filter(Boolean).join(', ')}: `, h('span', { class: 'window' }, `α ${node.alpha}  β ${node.beta}`)),
    h('p', { class: 'branches' }, ...node.moves.map((/** @type {any} */ move) => branch(move, isNamed))),
  );
}

const SAID = { done: 'searched', current: 'the present one', waiting: 'not searched yet', cut: 'cut off' };

/** @param {any} move @param {boolean} isNamed */
function branch({ san, state, score, best }, isNamed) {
  const said = SAID[/** @type {keyof typeof SAID} */ (state)];
  const label = `${san}: ${score === undefined ? said : `scores ${score}`}${best ? ', the best so far' : ''}`;
  const shown = isNamed || state === 'current' || best ? [san, score].filter(Boolean).join(' ') : '';
  return h('span', { class: `branch ${state}${best ? ' best' : ''}`, title: label, role: 'img', 'aria-label': label }, shown);
}

/** @param {any[]} results @param {string} depth */
function table(results, depth) {
  const cells = results.map(({ name, nodes, score, stopped }) =>
    h('tr', {}, h('td', {}, name), h('td', {}, stopped ? `stopped at ${count(nodes)}` : count(nodes)), h('td', {}, stopped ? '' : score)),
  );
  const head = h('tr', {}, h('th', {}, `Depth ${depth}`), h('th', {}, 'Nodes'), h('th', {}, 'Score'));
  return h('table', {}, h('thead', {}, head), h('tbody', {}, ...cells));
}
