/** The entry `tabiya/rules` under node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Game, TabiyaError, chess960Start, endings, examine, levels, loadRules, referee, review } from 'tabiya/rules';

test('before loading, every call says what to do', () => {
  for (const call of [() => referee(), () => chess960Start(518), () => new Game(), () => Game.readAll(''), () => review({ lines: [] }), levels, endings]) {
    assert.throws(call, (error) => error instanceof TabiyaError && /^the rules are not loaded yet: /.test(error.message));
  }
});

test('rules that the host cannot start reject with a sentence, and a page need not start them in one call', async () => {
  const { Instance, instantiate } = WebAssembly;
  // A page of Chrome before 115 refuses this for modules of more than 4 KB.
  WebAssembly.Instance = new Proxy(Instance, {
    construct() {
      throw new RangeError('WebAssembly.Instance is disallowed on the main thread');
    },
  });
  WebAssembly.instantiate = /** @type {any} */ (() => Promise.reject(new RangeError('Out of memory')));
  try {
    await assert.rejects(loadRules(), (error) => error instanceof TabiyaError && error.code === 'load' && error.message === 'the rules cannot be started: Out of memory');
    WebAssembly.instantiate = instantiate;
    await loadRules();
  } finally {
    Object.assign(WebAssembly, { Instance, instantiate });
  }
});

test('the start positions of Chess960 have numbers from 0 to 959', async () => {
  await loadRules();
  assert.match(chess960Start(518), /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR w /);
  for (const number of [-1, 960, 1.5, NaN, 2 ** 32 + 5, '5']) assert.throws(() => chess960Start(/** @type {number} */ (number)), /they are 0 to 959$/);
});

test('the referee answers questions', async () => {
  await loadRules();
  /** The fields depend on the question. @param {import('tabiya/rules').RefereeRequest} request @returns {any} */
  const ask = (request) => referee(request);
  assert.equal(ask({}).legal_moves.length, 20);
  const mate = ask({ moves: ['f3', 'e5', 'g4', 'Qh4'] });
  assert.deepEqual([mate.checkmate, mate.result, mate.san_last], [true, '0-1', 'Qh4#']);
  const repeated = ask({ moves: 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ') });
  assert.equal(repeated.claim_threefold_with.f6g8, true);
  assert.equal(ask({ moves: ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5'] }).opening, 'C60 Ruy Lopez');
  assert.equal(ask({ fen: '8/8/8/8/8/8/8/K1k5 w - - 0 1' }).auto_draw, 'insufficient');
  assert.match(ask({ fen: 'nonsense' }).error, /./);
  assert.match(ask({ moves: ['e5'] }).error, /^move 1: /);
  assert.match(ask({ pgn: '1. e4 e5 2. Ke3 *' }).pgn_faults[0], /^game 1, line 1: /);
});

/** The moves of a PGN on one line. @param {Game} game */
const movetext = (game) => game.pgn().split('\n\n')[1].split(/\s+/).filter(Boolean).join(' ');

/** @param {() => unknown} call @param {RegExp} message */
const refuses = (call, message) =>
  assert.throws(call, (error) => error instanceof TabiyaError && error.code === 'input' && message.test(error.message));

test('a game is played to mate and knows how it stands', () => {
  const game = new Game();
  assert.deepEqual([game.turn, game.moves().length, game.status], ['white', 20, { kind: 'playing' }]);
  for (const move of ['f3', 'e7e5', 'g4']) game.move(move);
  const mate = game.move('Qh4');
  assert.deepEqual(mate, { uci: 'd8h4', san: 'Qh4#', from: 'd8', to: 'h4', piece: 'queen' });
  assert.deepEqual(game.status, {
    kind: 'won',
    winner: 'black',
    by: 'checkmate',
    article: '5.1.1',
    text: 'Black wins by checkmate',
  });
  assert.deepEqual([game.result, game.isOver, game.moves()], ['0-1', true, []]);
  assert.equal(movetext(game), '1. f3 e5 2. g4 Qh4# 0-1');
});

test('a move that is considered after the end leaves the result, and one that is played takes it back', () => {
  const game = new Game();
  game.move('e4');
  game.resign('black');
  refuses(() => game.consider('e4'), /^e4 is not a legal move here$/);
  assert.equal(game.consider('e5').san, 'e5');
  assert.deepEqual([movetext(game), game.isOver], ['1. e4 e5 1-0', false]);
  game.undo();
  assert.deepEqual([movetext(game), game.isOver], ['1. e4 1-0', true]);
  game.move('c5');
  assert.equal(movetext(game), '1. e4 c5 *');
});

test('a move says what it captures, promotes and castles', () => {
  const game = new Game({ fen: 'r3k3/1P6/8/3pP3/8/8/8/4K2R w Kq d6 0 1' });
  const find = (/** @type {string} */ san) => game.moves().find((move) => move.san === san);
  assert.deepEqual(find('bxa8=Q+'), { uci: 'b7a8q', san: 'bxa8=Q+', from: 'b7', to: 'a8', piece: 'pawn', captured: 'rook', promotion: 'queen' });
  assert.deepEqual(find('exd6'), { uci: 'e5d6', san: 'exd6', from: 'e5', to: 'd6', piece: 'pawn', captured: 'pawn' });
  assert.deepEqual(find('O-O'), { uci: 'e1g1', san: 'O-O', from: 'e1', to: 'g1', piece: 'king', castles: true });
});

test('variations are added, promoted, removed and undone', () => {
  const game = new Game({ pgn: '1. e4 e5 2. Nf3 Nc6 {text} *' });
  assert.equal(game.place.ply, 4);
  game.toStart();
  game.forward();
  game.move('c5');
  assert.equal(movetext(game), '1. e4 e5 (1... c5) 2. Nf3 Nc6 {text} *');
  const { node } = game.place;
  game.annotate(node, { comments: ['Sicilian'], glyphs: [1] });
  game.promote(node);
  assert.equal(movetext(game), '1. e4 c5 $1 {Sicilian} (1... e5 2. Nf3 Nc6 {text}) *');
  const nodes = game.nodes();
  assert.deepEqual(nodes.find(({ id }) => id === node), {
    id: node,
    parent: 1,
    ply: 2,
    uci: 'c7c5',
    san: 'c5',
    number: '1...',
    comments: ['Sicilian'],
    glyphs: [1],
    children: [],
  });
  game.remove(node);
  assert.deepEqual([movetext(game), game.place.ply], ['1. e4 e5 2. Nf3 Nc6 {text} *', 1]);
  for (let round = 0; round < 4; round += 1) assert.equal(game.undo(), true);
  assert.deepEqual([game.undo(), movetext(game)], [false, '1. e4 e5 2. Nf3 Nc6 {text} *']);
  assert.equal(game.redo(), true);
  assert.equal(movetext(game), '1. e4 e5 (1... c5) 2. Nf3 Nc6 {text} *');
});

test('claims are offered, with the moves to announce, and made', () => {
  const game = new Game();
  for (const move of 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1'.split(' ')) game.move(move);
  assert.deepEqual(game.claims, [{ by: 'threefold', article: '9.2.1', with: 'f6g8', san: 'Ng8' }]);
  assert.deepEqual(game.claim('Ng8'), {});
  assert.deepEqual([game.status.kind, game.result], ['drawn', '1/2-1/2']);
  refuses(() => game.resign('white'), /^the game is over: drawn by a claim/);
});

test('a refused claim says why, and is an offer', () => {
  const game = new Game();
  for (const move of ['e4', 'e5']) game.move(move);
  assert.match(String(game.claim('Nf3').refused), /^occurrences of the position: 1 of 3; /);
  assert.deepEqual([game.place.lastMove?.san, game.place.offer], ['Nf3', 'white']);
  game.acceptDraw('black');
  assert.equal(game.status.kind === 'drawn' && game.status.by, 'agreement');
});

test('the tags are found once for each change', () => {
  const game = new Game();
  assert.equal(game.tags, game.tags);
  game.setTag('White', 'A');
  assert.equal(game.tags.White, 'A');
  game.resign('white');
  assert.equal(game.tags.Termination, 'normal');
  game.undo();
  assert.equal(game.tags.Termination, undefined);
});

test('a wrong call is refused with one sentence and changes nothing', () => {
  const game = new Game();
  game.move('e4');
  const before = game.pgn();
  refuses(() => game.move('Ke2'), /^Ke2 is not a legal move here$/);
  refuses(() => game.move('e5\n'), /must not have a line break$/);
  refuses(() => game.go(99), /^the game has no move with the number 99$/);
  refuses(() => game.go(-1), /^-1 is not the number of a move$/);
  refuses(() => game.go(2 ** 32), /is not the number of a move$/);
  refuses(() => game.remove(0), /^the start of the game is not a move$/);
  refuses(() => game.resign(/** @type {any} */ ('red')), /^'red' is neither 'white' nor 'black'$/);
  refuses(() => game.acceptDraw('black'), /has not offered a draw$/);
  refuses(() => game.setTag('Event', 'a\nb'), /must not have a line break$/);
  refuses(() => game.setTag('FEN', 'x'), /follows from the game$/);
  refuses(() => game.annotate(1, { glyphs: [256] }), /^a glyph is a number from 0 to 255$/);
  refuses(() => game.write(/** @type {any} */ ('e5')), /^this needs a list of texts$/);
  refuses(() => new Game({ fen: 'garbage' }), /^bad FEN: /);
  refuses(() => new Game({ pgn: '' }), /^the PGN has no game$/);
  refuses(() => new Game({ pgn: /** @type {any} */ (5) }), /^a PGN is a text or a Uint8Array$/);
  assert.equal(game.pgn(), before);
});

test('an act that has no such name is refused', async () => {
  const { RulesGame, initSync } = await import('../generated/tabiya_rules.js');
  initSync({ module: readFileSync(new URL('../dist/rules.wasm', import.meta.url)) });
  const game = new RulesGame();
  for (const move of ['e4', 'e5']) game.play(move);
  assert.throws(() => game.act('ofer', 'white'), /^Error: 'ofer' is not an act of a player$/);
  assert.equal(JSON.parse(game.place()).offer, null);
  game.act('offer', 'white');
  assert.equal(JSON.parse(game.place()).offer, 'white');
});

test('a call with a value of another type is refused with one sentence', () => {
  const any = (/** @type {any} */ value) => value;
  refuses(() => examine(any(5)), /^a position is a text$/);
  refuses(() => examine(any(undefined)), /^a position is a text$/);
  for (const request of [null, 'x', () => 1]) refuses(() => referee(any(request)), /^a question to the referee is an object$/);
  refuses(() => referee({ id: 10n }), /BigInt/);
  refuses(() => new Game().annotate(0, any({ glyphs: 'abc' })), /^this needs a list of glyphs$/);
  refuses(() => new Game().annotateAll(any(null)), /^this needs a list of notes$/);
  refuses(() => new Game().annotateAll(any([null])), /./);
  assert.equal(new Game(any(null)).fen, new Game().fen);
  assert.equal(Game.readAll('1. e4 *', any(null)).length, 1);
  for (const score of [undefined, {}, { cp: 1.5 }, { cp: 2 ** 40 }, { mate: '3' }]) {
    refuses(() => review({ lines: [null, any({ score, pv: [] })] }), /^lines\[1\]\.score must have a whole number as cp or mate$/);
  }
  refuses(() => review({ lines: [any({ score: { cp: 1 } })] }), /^lines\[0\]\.pv must be a list of texts, not undefined$/);
  refuses(() => review(any({ fen: 5, lines: [] })), /^fen must be a text, not number$/);
  refuses(() => review(any({ moves: 'e4', lines: [] })), /^moves must be a list of texts, not string$/);
});

test('of a text with a million games, the first is read at once', () => {
  const text = `1. e4 {a} *\n${'\n*\n'.repeat(1 << 20)}`;
  const began = performance.now();
  const found = Game.readAll(text, { limit: 1 });
  assert.deepEqual(found.map(({ game, faults }) => [movetext(game), faults]), [['1. e4 {a} *', []]]);
  assert.equal(Game.readAll(text, { limit: 3 }).length, 3);
  assert(performance.now() - began < 5000, `${performance.now() - began} ms`);
});

test('of a million positions that cannot be played, no more are read than a limit bears', () => {
  const began = performance.now();
  refuses(() => Game.readAll('8/8/8/8/8/8/8/8\n'.repeat(1e5), { limit: 1 }), /^line 1: /);
  assert(performance.now() - began < 2000, `${performance.now() - began} ms`);
});

test('a board that goes on for half a million lines is read at once', () => {
  const began = performance.now();
  refuses(() => Game.readAll('/'.repeat(1e6) + '\na'.repeat(5e5), { limit: 1 }), /^line 1: bad FEN/);
  assert(performance.now() - began < 5000, `${performance.now() - began} ms`);
});

test('what is wrong with a text quotes no more of it than can be read', () => {
  const long = 'x'.repeat(1e5);
  const fen = '4k3/8/8/8/8/8/8/4K3 w - - 0 1';
  const faults = [`${fen} ${long}`, `[Result "${long}"]\n\n*`, `[Variant "${long}"]\n\n*`].map((text) => Game.readAll(text)[0].faults[0]);
  assert.match(faults[0], /^line 1: 'x+…x+' after the position was ignored$/);
  for (const fault of faults) assert(fault.length < 300, fault);
  refuses(() => Game.readAll(fen.replace('w', long)), /^line 1: bad FEN: the side to move is 'w' or 'b', not 'x{50,200}…x{50,200}'$/);
});

test('the notes of many moves are one change', () => {
  const game = new Game({ pgn: '1. e4 {a} e5 (1... c5 2. x) 2. Nf3 *' });
  const before = movetext(game);
  const [, first, second] = game.nodes().map(({ id }) => id);
  game.annotateAll([{ node: first, comments: ['[%eval 0.3]', 'b'] }, { node: second, glyphs: [2] }]);
  const after = '1. e4 {[%eval 0.3] b} 1... e5 $2 (1... c5 2. x) 2. Nf3 *';
  assert.equal(movetext(game), after);
  assert(game.undo());
  assert.equal(movetext(game), before);
  assert(!game.place.canUndo);
  assert(game.redo());
  assert.equal(movetext(game), after);
  refuses(() => game.annotateAll([{ node: first }, { node: 99 }]), /^the game has no move with the number 99$/);
  refuses(() => game.annotateAll([{ node: first, glyphs: [-1] }]), /^a glyph is a number from 0 to 255$/);
  assert.equal(movetext(game), after);
});

test('the games of a file are read with their faults, also from Latin-1', () => {
  const text = '[White "Müller"]\n\n1. e4 e5 1-0\n\n[White "B"]\n\n1. e4 e5 2. Ke3 *\n';
  const games = Game.readAll(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  assert.deepEqual(games.map(({ game }) => game.tags.White), ['Müller', 'B']);
  assert.deepEqual(games.map(({ line }) => line), [1, 5]);
  assert.deepEqual(games.map(({ complete }) => complete), [true, false]);
  assert.deepEqual(games[0].faults, []);
  assert.match(games[1].faults[0], /^game 2, line 7: Ke3 is not a legal move here/);
});

test('a line of an engine is written in SAN', () => {
  const game = new Game();
  game.move('e4');
  assert.equal(game.write(['e7e5', 'g1f3', 'b8c6', 'a1a8']), '1... e5 2. Nf3 Nc6');
  assert.deepEqual(game.searchPosition().moves, ['e2e4']);
});

test('Chess960 follows from the FEN, and castles to the rook', () => {
  const game = new Game({ fen: chess960Start(0) });
  assert.equal(game.chess960, true);
  assert.match(game.pgn(), /\[Variant "Chess960"\]/);
  const castling = new Game({ fen: 'rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1' });
  assert.equal(castling.move('O-O').to, 'h1');
});

test('a move in a game of 2,000 plies takes a few milliseconds', () => {
  const game = new Game();
  const cycle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  const began = performance.now();
  for (let ply = 0; ply < 2000; ply += 1) {
    game.move(cycle[ply % 4]);
    assert(game.place.ply === ply + 1);
  }
  const each = (performance.now() - began) / 2000;
  assert(each < 20, `${each} ms for each move`);
});

test('positions in FEN and EPD are read as games, with the line of what is wrong', () => {
  const epd = 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n8/8/8/8/8/k7/p7/K7 w - - bm a1b1;\n';
  const games = Game.readAll(epd);
  assert.deepEqual(games.map(({ line, game }) => [line, game.turn]), [[1, 'white'], [2, 'white']]);
  assert.deepEqual(games[1].game.nodes()[0].comments, ['bm a1b1;']);
  refuses(() => Game.readAll('"4k3/8/8/8/8/8/8/8 w - - 0 1"'), /^line 1: illegal position: White has no king$/);
  assert.equal(Game.readAll(`4k3/8/8/8/8/8/8/8 w - -\n${epd}`)[0].faults[0], 'line 1: illegal position: White has no king');
});

test('the defects of a position are named', () => {
  assert.deepEqual(examine('8/8/8/8/8/8/8/K7 w - - 0 1')[0], { severity: 'fatal', text: 'Black has no king' });
  assert.deepEqual(examine('4k3/8/8/8/8/8/8/4K3 w K - 0 1'), [{ severity: 'repair', text: 'a castling right lacks its king or rook' }]);
});

test('a line has its positions, and a pass shows what is threatened', () => {
  const game = new Game();
  game.move('e4');
  const line = game.line(['e7e5', 'g1f3', 'a1a8']);
  assert.deepEqual(line.map(({ number, san }) => number + san), ['1...e5', '2.Nf3']);
  assert.match(line[1].fen, /5N2\/PPPP1PPP\/RNBQKB1R b KQkq - 1 2$/);
  assert.match(String(game.passed()), / w KQkq - 1 2$/);
  assert.equal(new Game({ fen: '4k3/4R3/8/8/8/8/8/4K3 b - - 0 1' }).passed(), undefined);
});

test('a review marks a blunder, names the better move and gives the reason', () => {
  const request = {
    fen: '6k1/1b3ppp/8/8/3N4/8/5PPP/3R2K1 w - - 0 12',
    moves: ['Nc6'],
    lines: [
      { score: { cp: 300 }, pv: ['d4b5', 'g7g6'], depth: 9 },
      { score: { cp: 100 }, pv: ['b7c6'], depth: 9 },
    ],
  };
  const { moves, positions, white } = review(request);
  assert.equal(moves[0].mark?.sign, '??');
  assert.equal(moves[0].reason?.text, 'Loses the knight: 12... Bxc6.');
  assert.equal(moves[0].reason?.fact, 'Loses the knight.');
  assert.equal(moves[0].isGood, false);
  assert.equal(positions[0].best?.line, '12. Nb5 g6');
  assert.equal(white.blunders, 1);
  // Only the positions with a line are judged.
  assert.equal(review({ ...request, lines: request.lines.slice(0, 1) }).moves.length, 0);
  const wrong = /** @type {any} */ ([null, {}, { lines: [{}] }, { lines: [], moves: 'e4' }, { lines: [], moves: ['e5'] }, { lines: [], fen: 'x' }]);
  for (const request of wrong) assert.throws(() => review(request), { name: 'TabiyaError', code: 'input' }, JSON.stringify(request));
});

test('an evaluation in a comment has the expected score that a review has', () => {
  const ending = '4k3/4p3/8/8/8/8/4PP2/4K3 w - - 0 1';
  for (const [fen, moves] of /** @type {[string | undefined, string[]][]} */ ([[undefined, ['e4', 'e5']], [ending, ['e4', 'e5']]])) {
    const scores = [0, 1, 2];
    const lines = scores.map((pawns, ply) => ({ score: { cp: (ply % 2 === 0 ? 100 : -100) * pawns }, pv: [] }));
    const { positions } = review({ fen, moves, lines });
    const game = new Game({ fen });
    for (const move of moves) game.move(move);
    game.annotateAll(scores.map((pawns, node) => ({ node, comments: [`text [%clk 0:10] [%eval ${pawns}.00]`] })));
    assert.deepEqual(game.nodes().map((/** @type {any} */ { expected }) => expected), positions.map(({ expected }) => expected));
    game.annotate(1, { comments: ['[%eval #-3]'] });
    game.annotate(2, { comments: ['none'] });
    assert.deepEqual(game.nodes().slice(1).map((/** @type {any} */ { expected }) => expected), [0, undefined]);
  }
});

test('levels have names, and endings a side and a goal', () => {
  const { lowest, highest, named } = levels();
  assert.deepEqual(named[0], { name: 'beginner', elo: lowest });
  assert(named.every(({ elo }) => elo <= highest));
  assert(endings().length >= 24);
  for (const { fen, side, goal } of endings()) {
    const game = new Game({ fen });
    assert.equal(game.status.kind, 'playing', fen);
    assert(game.turn === side, fen);
    assert(['win', 'draw'].includes(goal));
  }
});
