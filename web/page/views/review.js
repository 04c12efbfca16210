/** The panel of the review: a graph, what it says of each player and move, the way from mistake to mistake. */
import { $, create } from '../dom.js';
import { EVALUATION } from '../review.js';
import { may } from '../state.js';

const WIDTH = 400;
const HEIGHT = 90;
const MARKED = [2, 4, 6];

/** @type {import('../panels.js').Panel} */
export const reviewPanel = {
  id: 'review',
  title: 'Review',
  mount(element, app) {
    element.innerHTML = `
      <div class="row">
        <button type="button" id="review">Review game</button>
        <button type="button" id="mistake-before" aria-label="Mistake before" title="Mistake before (M)">‹ Mistake</button>
        <button type="button" id="mistake-after" aria-label="Next mistake" title="Next mistake (m)">Mistake ›</button>
      </div>
      <div id="graph" role="slider" tabindex="0" aria-label="Moves, by White's expected score" aria-valuemin="0" hidden></div>
      <p id="judgement" aria-live="polite"></p>
      <ul id="players-review" hidden></ul>`;
    const graph = $('#graph');
    $('#review').onclick = () => app.toggleReview();
    const main = () => mainLine(app.nodes);
    $('#mistake-before').onclick = () => jumpToMistake(app, -1);
    $('#mistake-after').onclick = () => jumpToMistake(app, 1);
    graph.onclick = (/** @type {MouseEvent} */ { clientX }) => {
      const { left, width } = graph.getBoundingClientRect();
      const line = main();
      app.goTo(line[Math.round(((clientX - left) / width) * (line.length - 1))].id);
    };
    graph.onkeydown = (/** @type {KeyboardEvent} */ event) => {
      const where = /** @type {const} */ ({ ArrowLeft: 'previous', ArrowRight: 'next', ArrowDown: 'previous', ArrowUp: 'next', Home: 'first', End: 'last' })[event.key];
      if (!where) return;
      event.preventDefault();
      event.stopPropagation();
      app.browse(where);
    };
    let drawn = '';
    app.watch(() => {
      const line = main();
      const isReviewing = app.state === 'reviewing';
      $('#review').disabled = line.length < 2 || !may.review(app.state);
      $('#review').textContent = isReviewing ? 'Stop' : 'Review game';
      $('#review').title = may.review(app.state) ? '' : 'After the game';
      const hasMarks = line.some(({ glyphs = [] }) => glyphs.some((glyph) => MARKED.includes(glyph)));
      for (const id of ['#mistake-before', '#mistake-after']) $(id).disabled = !hasMarks;
      const now = `${app.version} ${app.place.node} ${app.state}`;
      if (now === drawn) return;
      drawn = now;
      const judged = judgedPart(app.review, line);
      drawGraph(graph, line, app.place.ply, judged);
      $('#judgement').replaceChildren(...judgement(app, line, judged));
      const { review, names } = app;
      $('#players-review').hidden = !review;
      const players = review ? /** @type {const} */ (['white', 'black']).map((color) => create('li', {}, create('b', { textContent: names[color] }), `: ${review[color].text}`)) : [];
      $('#players-review').replaceChildren(...players);
    });
  },
};

/**
 * To the marked move before or after the one on the board.
 * @param {import('../app.js').App} app
 * @param {1 | -1} step
 */
export function jumpToMistake(app, step) {
  const marks = mainLine(app.nodes).filter(({ glyphs = [] }) => glyphs.some((glyph) => MARKED.includes(glyph)));
  const { ply } = app.place;
  const to = step > 0 ? marks.find((mark) => mark.ply > ply) : marks.reverse().find((mark) => mark.ply < ply);
  if (to) app.goTo(to.id);
}

/** @param {import('../../engine/rules.d.ts').GameNode[]} nodes */
function mainLine(nodes) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const line = [nodes[0]];
  for (let node = byId.get(nodes[0].children[0]); node; node = byId.get(node.children[0])) line.push(node);
  return line;
}

/**
 * How many of the main moves the review is about: another move ends that.
 * @param {import('../review.js').GameReview | undefined} review
 * @param {import('../../engine/rules.d.ts').GameNode[]} line
 */
function judgedPart(review, line) {
  if (!review) return undefined;
  const { positions, moves, played } = review;
  const differs = line.slice(1).findIndex(({ uci }, index) => uci !== played[index]);
  const count = differs < 0 ? line.length - 1 : differs;
  return { positions: positions.slice(0, count + 1), moves: moves.slice(0, count) };
}

/**
 * What the review says of the move on the board, and the better line as a button that plays it.
 * @param {import('../app.js').App} app
 * @param {import('../../engine/rules.d.ts').GameNode[]} line
 * @param {ReturnType<typeof judgedPart>} judged
 */
function judgement(app, line, judged) {
  const { node } = app.place;
  const index = line.findIndex(({ id }) => id === node);
  const move = judged?.moves[index - 1];
  if (!judged || !move) return [];
  const best = judged.positions[index - 1].best;
  const { text, mark, reason, isBest } = move;
  const name = mark ? `${text}${mark.sign}` : text;
  const parts = [create('b', { textContent: name }), isBest ? ' is the best move.' : reason ? ` ${reason.text}` : mark ? ` is ${/^[aeiou]/.test(mark.name) ? 'an' : 'a'} ${mark.name}.` : '.'];
  if (isBest || !best) return parts;
  const play = () => {
    app.goTo(line[index - 1].id);
    app.follow(best.moves);
  };
  const button = create('button', { type: 'button', id: 'better', textContent: best.line, title: 'Add this line as a variation', disabled: !may.edit(app.state), onclick: play });
  return [...parts, ' Better: ', button];
}

/** White's expected score of an evaluation in a comment. @param {import('../../engine/rules.d.ts').GameNode} node */
function expected({ comments = [] }) {
  const found = comments.map((comment) => EVALUATION.exec(comment)).find(Boolean);
  if (!found) return undefined;
  if (found[1]) return found[2].startsWith('-') ? 0 : 1;
  return 1 / (1 + 10 ** (-Number(found[2]) / 4));
}

/** @param {HTMLElement} graph @param {import('../../engine/rules.d.ts').GameNode[]} line @param {number} ply @param {ReturnType<typeof judgedPart>} judged */
function drawGraph(graph, line, ply, judged) {
  const scores = line.map((node, index) => judged?.positions[index]?.expected ?? expected(node));
  graph.hidden = scores.filter((score) => score !== undefined).length < 2;
  if (graph.hidden) return;
  scores[0] ??= 0.5;
  const x = (/** @type {number} */ index) => ((index / Math.max(1, line.length - 1)) * WIDTH).toFixed(1);
  const y = (/** @type {number} */ score) => ((1 - score) * (HEIGHT - 4) + 2).toFixed(1);
  const known = scores.flatMap((score, index) => (score === undefined ? [] : [[index, score]]));
  const points = known.map(([index, score]) => `${x(index)},${y(score)}`);
  const circles = line.map(({ glyphs = [] }, index) => {
    const glyph = glyphs.find((number) => MARKED.includes(number));
    const kind = { 2: 'bad', 4: 'blunder', 6: 'dubious' }[/** @type {2} */ (glyph)];
    return kind ? `<circle class="${kind}" cx="${x(index)}" cy="${y(scores[index] ?? 0.5)}" r="3"/>` : '';
  });
  graph.setAttribute('aria-valuemax', String(line.length - 1));
  graph.setAttribute('aria-valuenow', String(Math.min(ply, line.length - 1)));
  graph.setAttribute('aria-valuetext', ply === 0 ? 'Start' : `${line[ply]?.number ?? ''} ${line[ply]?.san ?? ''}`);
  graph.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
    <rect class="black" width="${WIDTH}" height="${HEIGHT}"/>
    <polygon class="white" points="0,${HEIGHT} ${points.join(' ')} ${x(known[known.length - 1][0])},${HEIGHT}"/>
    <line class="half" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/>
    <line class="now" x1="${x(ply)}" x2="${x(ply)}" y1="0" y2="${HEIGHT}"/>
    ${circles.join('')}
  </svg>`;
}
