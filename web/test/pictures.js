/**
 * What the interactive figures of the book must do, as functions that run inside a page. They use no
 * other name of this file, because a browser gets only their text. Each returns what is wrong.
 */

/** @typedef {{ name: string, path: string, picture: string, check: () => Promise<string[]> }} Check */

/** @type {Check[]} */
export const CHECKS = [
  {
    name: 'the attacks of a square follow a click',
    path: 'chapters/moves.html',
    picture: 'attacks',
    check: async () => {
      const figure = /** @type {HTMLElement} */ (document.querySelector('figure[data-picture=attacks]'));
      /** @type {HTMLElement} */ (figure.querySelector('[data-square=g1]')).click();
      const text = figure.querySelector('.picture-text')?.textContent ?? '';
      const wrong = /white king on g1 attacks 5 squares/.test(text) ? [] : [text];
      /** @type {HTMLElement} */ (figure.querySelector('[data-square=f6]')).click();
      const empty = figure.querySelector('.picture-text')?.textContent ?? '';
      if (!/rook on f6 would attack/.test(empty)) wrong.push(empty);
      return wrong;
    },
  },
  {
    name: 'a search goes to a cutoff, and the order of moves changes its nodes and not its score',
    path: 'chapters/negamax.html',
    picture: 'tree',
    check: async () => {
      const figure = /** @type {HTMLElement} */ (document.querySelector('figure[data-picture=tree]'));
      const press = (/** @type {string} */ text) => [...figure.querySelectorAll('button')].find((button) => button.textContent === text)?.click();
      const wrong = [];
      press('Next cutoff');
      const text = figure.querySelector('.picture-text')?.textContent ?? '';
      if (!/not below beta .*other moves? (is|are) not searched/.test(text)) wrong.push(text);
      if (!figure.querySelector('.tree .branch.cut') || !figure.querySelector('.tree .branch.current')) wrong.push('boxes are missing');
      const boxes = [...(/** @type {Element} */ (figure.querySelector('.tree .node:last-child')).querySelectorAll('.branch'))];
      for (const box of boxes) if (!box.getAttribute('title')?.startsWith(`${box.textContent?.split(' ')[0]}:`)) wrong.push(`a box without a move: ${box.outerHTML}`);
      press('Count the nodes, with step 3');
      const rows = [...figure.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent ?? ''));
      const [negamax, alphaBeta, unordered, ordered] = rows.map(([, nodes, score]) => ({ nodes: Number(nodes.replaceAll(',', '')), score }));
      if (!(alphaBeta.nodes < negamax.nodes && alphaBeta.score === negamax.score)) wrong.push(JSON.stringify(rows));
      if (!(ordered.nodes < unordered.nodes && ordered.score === unordered.score)) wrong.push(JSON.stringify(rows));
      return wrong;
    },
  },
  {
    name: 'two move orders meet in one entry, and the second search takes few nodes',
    path: 'chapters/transposition.html',
    picture: 'table',
    check: async () => {
      const figure = /** @type {HTMLElement} */ (document.querySelector('figure[data-picture=table]'));
      const press = (/** @type {RegExp} */ text) => [...figure.querySelectorAll('button')].find((button) => text.test(button.textContent ?? ''))?.click();
      const said = (/** @type {string} */ part) => figure.querySelector(part)?.textContent ?? '';
      const wrong = [];
      if (!/Both orders end in the same key/.test(said('.picture-text'))) wrong.push(said('.picture-text'));
      press(/^Search/);
      const [, first, second] = /took ([\d,]+) nodes, and the second ([\d,]+)/.exec(said('.found')) ?? [];
      const [before, after] = [first, second].map((text) => Number(text?.replaceAll(',', '')));
      if (!(after < before / 5)) wrong.push(said('.found'));
      for (const bound of ['lower', 'upper']) if (!said('.found').includes(bound)) wrong.push(`no ${bound} bound`);
      const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (figure.querySelectorAll('.orders input'));
      inputs[1].value = 'e4 e9';
      press(/^Play both/);
      const errors = [...figure.querySelectorAll('.picture-error')].map((error) => error.textContent).join('');
      if (!/^The second order: .*\.$/.test(errors)) wrong.push(errors);
      return wrong;
    },
  },
  {
    name: 'a move of the network names the inputs that change, and pieces have a worth',
    path: 'chapters/network.html',
    picture: 'network',
    check: async () => {
      const figure = /** @type {HTMLElement} */ (document.querySelector('figure[data-picture=network]'));
      const square = (/** @type {string} */ name) => /** @type {HTMLElement} */ (figure.querySelector(`[data-square=${name}]`));
      const wrong = [];
      if (figure.querySelectorAll('.on-square').length < 20) wrong.push('pieces without worth');
      square('b1').click();
      square('c3').click();
      const text = figure.querySelector('.picture-text')?.textContent ?? '';
      for (const part of [/Nc3 was played/, /White’s accumulator: \d+ inputs? added/, /\+ \d+ white knight c3/, /− \d+ white knight b1/]) {
        if (!part.test(text)) wrong.push(`${part}: ${text}`);
      }
      return wrong;
    },
  },
  {
    name: 'an arbiter knows a threefold, an intended claim and a dead position with their articles',
    path: 'chapters/hashing.html',
    picture: 'arbiter',
    check: async () => {
      const figure = /** @type {HTMLElement} */ (document.querySelector('figure[data-picture=arbiter]'));
      const press = (/** @type {RegExp} */ text) => [...figure.querySelectorAll('button')].find((button) => text.test(button.textContent ?? ''))?.click();
      const square = (/** @type {string} */ name) => /** @type {HTMLElement} */ (figure.querySelector(`[data-square=${name}]`));
      const said = () => figure.querySelector('.picture-text')?.textContent ?? '';
      const wrong = [];
      press(/^Threefold/);
      press(/^Announce Ng8/);
      if (!/threefold[\s\S]*Article 9\.2/i.test(said())) wrong.push(`announced: ${said()}`);
      press(/^Threefold/);
      square('f6').click();
      square('g8').click();
      press(/^Claim a draw \(threefold/);
      if (!/Article 9\.2/.test(said())) wrong.push(`claimed: ${said()}`);
      press(/^Dead in one/);
      square('e3').click();
      square('d3').click();
      if (!/Article 5\.2\.2/.test(said())) wrong.push(`dead: ${said()}`);
      const pasted = /** @type {HTMLInputElement} */ (figure.querySelector('.fen input')).value;
      if (!pasted.startsWith('8/8/4k3/8/8/3rK3/')) wrong.push(`another position in the form: ${pasted}`);
      press(/^Take back/);
      if (!/White to move/.test(said())) wrong.push(`taken back: ${said()}`);
      press(/^Claim a draw now/);
      const errors = figure.querySelector('.picture-text .picture-error')?.textContent ?? '';
      if (!errors) wrong.push('a claim without reason is not refused');
      return wrong;
    },
  },
];
