/** What the page shows: pure functions from the state of the game to elements. */
import { clockText } from './clock.js';
import { describe } from './board.js';
import { number } from './game.js';
import { NAMES, claims } from './laws.js';
import { drawGraph } from './review.js';

/** @param {string} selector @returns {any} */
export const $ = (selector) => document.querySelector(selector);

/**
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(string | Node)} children
 */
export function create(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * The moves, as buttons that show their positions.
 * @param {import('./game.js').Game} game
 * @param {number} ply
 * @param {import('./review.js').Judgement[]} review
 * @param {(ply: number) => void} onGo
 */
export function showMoves(game, ply, review, onGo) {
  const children = game.moves.map((move, index) => {
    const position = game.positions[index];
    const { mark = '', text } = review[index + 1] ?? {};
    const kind = { '': '', '?!': 'dubious', '?': 'bad', '??': 'blunder' }[mark];
    const button = create('button', {
      className: kind,
      textContent: position.san[move] + mark,
      title: text ? `White's score: ${text}` : '',
      onclick: () => onGo(index + 1),
    });
    if (index + 1 === ply) button.setAttribute('aria-current', 'true');
    const before = number(position, index === 0).trim();
    return create('span', {}, ...(before ? [create('small', { textContent: before })] : []), button, ' ');
  });
  if (game.end) children.push(create('strong', { textContent: game.end.result.replace('1/2-1/2', '½-½') }));
  $('#moves').replaceChildren(...children);
  const current = $('#moves [aria-current]');
  const list = $('#moves');
  list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

/**
 * @param {import('./laws.js').Answer} position
 * @param {boolean} active  whether the user may claim now
 * @param {(end: import('./laws.js').End) => void} onClaim
 */
export function showClaims(position, active, onClaim) {
  const buttons = active ? claims(position) : [];
  $('#claims').replaceChildren(
    ...buttons.map(({ label, end }) => create('button', { textContent: label, className: 'main', onclick: () => onClaim(end) })),
  );
}

/**
 * The two players, with White below unless the board is turned.
 * @param {'white' | 'black'} orientation
 * @param {{ white: string, black: string }} names
 */
export function showPlayers(orientation, names) {
  const [bottom, top] = orientation === 'white' ? ['white', 'black'] : ['black', 'white'];
  for (const [selector, color] of [['#bottom', bottom], ['#top', top]]) {
    $(`${selector} .name`).textContent = names[/** @type {'white'} */ (color)];
    $(selector).dataset.color = color;
  }
}

/** @param {import('./clock.js').Clock | undefined} clock */
export function showClocks(clock) {
  for (const selector of ['#top', '#bottom']) {
    const color = $(selector).dataset.color;
    const element = $(`${selector} .clock`);
    element.hidden = !clock;
    if (!clock) continue;
    const left = clock.left(color);
    element.textContent = clockText(left);
    element.setAttribute('aria-label', `${NAMES[/** @type {'white'} */ (color)]}'s time`);
    element.classList.toggle('running', clock.running === color);
    element.classList.toggle('short', left < 20_000);
  }
}

/** @param {import('./laws.js').Answer} position */
export function showPieces(position) {
  $('#pieces').textContent = `${position.turn === 'w' ? 'White' : 'Black'} to move. ${describe(position.fen)}`;
}

/**
 * The evaluation bar.
 * @param {{ expected: number, text: string } | undefined} score  as White sees it
 * @param {'white' | 'black'} orientation
 */
export function showBar(score, orientation) {
  const bar = $('#bar');
  bar.classList.toggle('turned', orientation === 'black');
  bar.classList.toggle('unknown', !score);
  bar.querySelector('div').style.height = `${(score?.expected ?? 0.5) * 100}%`;
  bar.querySelector('span').textContent = score ? score.text.replace(/^[+-](?=\d)/, '').replace(/\.(\d)\d$/, '.$1') : '';
  bar.setAttribute('aria-label', score ? `Evaluation for White: ${score.text}` : 'Evaluation: off');
}

/** @param {{ score: string, moves: string }[]} lines @param {string} depth */
export function showLines(lines, depth) {
  $('#lines').replaceChildren(...lines.map(({ score, moves }) => create('li', {}, create('b', { textContent: score }), ` ${moves}`)));
  $('#depth').textContent = depth;
}

/**
 * @param {import('./review.js').Judgement[]} review
 * @param {number} plies
 * @param {number} ply
 * @param {(ply: number) => void} onGo
 */
export function showGraph(review, plies, ply, onGo) {
  const figure = $('#graph');
  figure.hidden = review.length < 2;
  if (figure.hidden) return;
  figure.innerHTML = drawGraph(review, plies, ply);
  figure.onclick = (/** @type {MouseEvent} */ event) => {
    const { left, width } = figure.firstElementChild.getBoundingClientRect();
    onGo(Math.round(((event.clientX - left) / width) * plies));
  };
}
