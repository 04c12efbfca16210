/** A game with its arbiter: moves, claims and endings with their articles. */
import { Board } from './board.js';
import { button, counted, fill, h, positionForm, sentence } from './dom.js';
import { Mover, letters } from './moves.js';
import { Game, loadRules } from './rules.js';

const FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const EXAMPLES = /** @type {[string, string, string][]} */ ([
  ['Threefold, to be claimed', FEN, 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'],
  ['Fifty moves, one short', '8/8/4k3/8/8/3RK3/8/8 w - - 99 80', ''],
  ['Dead in one capture', '8/8/4k3/8/8/3rK3/8/8 w - - 0 1', ''],
  ['Dead after h4', '2k5/8/p1p1p1p1/PpPpPpPp/1P1P1P2/7P/8/2K5 w - - 0 1', ''],
]);
const DRAWS = { threefold: 'threefold repetition', fifty: 'the fifty-move rule' };

/** @param {HTMLElement} stage @param {string} [fen] */
export async function live(stage, fen = FEN) {
  await loadRules();
  let game = new Game({ fen });
  /** What a claim was answered. */
  let refused = '';
  const mover = new Mover(() => game.moves(), (uci) => act(() => game.move(uci)), draw);
  const board = new Board('The game.', (square) => mover.select(square));
  const said = h('div', { class: 'picture-text', 'aria-live': 'polite' });
  const acts = h('div', { class: 'controls' });

  /** @param {() => unknown} change */
  function act(change) {
    refused = '';
    try {
      change();
    } catch (error) {
      refused = sentence(error);
    }
    draw();
  }

  function draw() {
    const { place } = game;
    const isOver = place.status.kind !== 'playing';
    board.draw({ pieces: letters(place.fen), ...mover.marks(place.lastMove) });
    fill(
      said,
      h('p', {}, h('strong', {}, place.status.kind === 'playing' ? `${capital(place.turn)} to move.` : sentence(place.status.text))),
      place.status.kind !== 'playing' && h('p', {}, `Article ${place.status.article} of the FIDE Laws of Chess.`),
      h('p', {}, `This position has occurred ${times(place.repetitions)}; ${counted(place.halfmove, 'half-move')} without a capture or pawn move.`),
      refused && h('p', { class: 'picture-error' }, refused),
      mover.promotions(),
      h('p', { class: 'game' }, written(game)),
    );
    fill(
      acts,
      ...place.claims.map(({ by, article, with: announced, san }) =>
        button(
          announced ? `Announce ${san} and claim (${DRAWS[by]}, ${article})` : `Claim a draw (${DRAWS[by]}, ${article})`,
          () => act(() => claim(announced)),
        ),
      ),
      button('Claim a draw now', () => act(() => claim()), { disabled: isOver }),
      button('Take back', () => act(() => game.undo()), { disabled: !place.canUndo }),
    );
  }

  /** @param {string} [announced] */
  function claim(announced) {
    const answer = game.claim(announced);
    if (answer.refused) refused = sentence(answer.refused);
  }

  /** @param {string} text @param {string} [moves] */
  function show(text, moves = '') {
    const shown = new Game({ fen: text });
    for (const move of moves.split(' ').filter(Boolean)) shown.move(move);
    game.free();
    game = shown;
    refused = '';
    mover.reset();
    draw();
  }

  const form = positionForm(fen, (text) => show(text));
  const pasted = /** @type {HTMLInputElement} */ (form.querySelector('input'));
  const examples = EXAMPLES.map(([name, start, moves]) =>
    button(name, () => {
      pasted.value = start;
      show(start, moves);
    }),
  );
  stage.append(
    h('div', { class: 'side-by-side' }, board.element, h('div', {}, said, acts)),
    h('div', { class: 'controls' }, ...examples),
    form,
  );
  draw();
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {number} number */
const times = (number) => ['never', 'once', 'twice'][number] ?? `${number} times`;

/** The moves of the game with their numbers. @param {Game} game */
function written(game) {
  const moves = game.nodes().filter(({ san }) => san);
  return moves.map(({ number, san }, at) => (at === 0 || !number?.endsWith('...') ? `${number} ${san}` : san)).join(' ');
}
