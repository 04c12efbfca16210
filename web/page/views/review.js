/** The panel of the review: a graph, what it says of each player and move, the way from mistake to mistake. */
import { $, create, disable, renew } from '../dom.js';
import { Graph, isMarked, judgedPart, judgement, mistakeFrom, playersReview } from '../judged.js';
import { may } from '../state.js';
import { namesOf } from '../words.js';

/** @type {import('../panels.js').Panel} */
export const reviewPanel = {
  id: 'review',
  title: 'Review',
  mount(element, app) {
    element.innerHTML = `
      <div class="row">
        <button type="button" id="review">Review game</button>
        <button type="button" id="mistake-before" aria-label="Previous mistake" title="Previous mistake (M)">‹ Mistake</button>
        <button type="button" id="mistake-after" aria-label="Next mistake" title="Next mistake (m)">Mistake ›</button>
      </div>
      <div id="graph" hidden></div>
      <p id="judgement" aria-live="polite"></p>
      <ul id="players-review" hidden></ul>`;
    const graph = new Graph($('#graph'), (node) => app.goTo(node), (where) => app.browse(where));
    $('#review').onclick = () => app.toggleReview();
    $('#mistake-before').onclick = () => jumpToMistake(app, -1);
    $('#mistake-after').onclick = () => jumpToMistake(app, 1);
    let drawn = '';
    app.watch(() => {
      const line = app.tree.mainLine;
      const isReviewing = app.state === 'reviewing';
      disable($('#review'), line.length < 2 || !may.review(app.state));
      $('#review').textContent = isReviewing ? 'Stop' : 'Review game';
      $('#review').title = may.review(app.state) ? '' : 'After the game';
      const hasMarks = line.some(isMarked);
      for (const id of ['#mistake-before', '#mistake-after']) disable($(id), !hasMarks);
      const now = `${app.tree.version} ${app.tree.place.node} ${app.state}`;
      if (now === drawn) return;
      drawn = now;
      const judged = judgedPart(app.study.review, line);
      graph.draw(line, app.tree.place, judged);
      const play = (/** @type {number} */ before, /** @type {string[]} */ moves) => {
        app.goTo(before);
        app.follow(moves);
      };
      renew($('#judgement'), $('#status'), ...judgement(line, app.tree.place.node, judged, { canPlay: may.edit(app.state), play }));
      const { review } = app.study;
      const names = namesOf(app.tree.game.tags);
      $('#players-review').hidden = !review;
      renew($('#players-review'), $('#status'), ...(review ? playersReview(review, names, (color) => lesson(app, color)) : []));
    });
  },
};

/**
 * To the marked move before or after the one on the board.
 * @param {import('../app.js').App} app
 * @param {1 | -1} step
 */
export function jumpToMistake(app, step) {
  const to = mistakeFrom(app.tree.mainLine, app.tree.place.ply, step);
  if (to) app.goTo(to.id);
}

/**
 * The way to the mistakes of a player. In a game against the engine, those of the user.
 * @param {import('../app.js').App} app
 * @param {import('../words.js').Color} color
 */
function lesson(app, color) {
  const count = app.study.mistakes(color).length;
  if (count === 0 || !app.live.isUser(color)) return [];
  const textContent = count === 1 ? 'Find the better move' : `Find ${count} better moves`;
  return [' ', create('button', { type: 'button', 'data-learn': color, title: 'Learn from the mistakes (L)', textContent, disabled: !may.learn(app.state), onclick: () => app.learn(color) })];
}
