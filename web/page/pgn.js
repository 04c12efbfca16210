/** Games and positions as text: PGN is written here and read by the referee. */
import { Game, number } from './game.js';

const WIDTH = 80;
const NAGS = { '?!': '$6', '?': '$2', '??': '$4' };

/**
 * @param {Game} game
 * @param {{ white: string, black: string, review?: import('./review.js').Judgement[] }} about
 */
export function writePgn(game, { white, black, review = [] }) {
  const result = game.end?.result ?? '*';
  const date = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  const tags = {
    Event: 'Casual game',
    Site: '?',
    Date: date,
    Round: '-',
    White: white,
    Black: black,
    ...game.tags,
    Result: result,
    ...(game.chess960 && { Variant: 'Chess960' }),
    ...(game.fen && { SetUp: '1', FEN: game.positions[0].fen }),
    ...(game.opening && { ECO: game.opening.slice(0, 3), Opening: game.opening.slice(4) }),
  };
  const escape = (/** @type {string} */ value) => value.replace(/["\\]/g, '\\$&');
  const head = Object.entries(tags).map(([name, value]) => `[${name} "${escape(value)}"]`);

  const words = game.moves.flatMap((move, ply) => {
    const position = game.positions[ply];
    const judged = review[ply + 1];
    const isAfterComment = ply === 0 || review[ply] !== undefined;
    const san = `${number(position, isAfterComment)}${position.san[move]}`.split(' ');
    const nag = judged?.mark ? [NAGS[judged.mark]] : [];
    return [...san, ...nag, ...(judged ? ['{', `[%eval`, `${judged.text}]`, '}'] : [])];
  });
  if (game.agreedEnd) words.push(...`{ ${game.agreedEnd.reason} }`.split(' '));
  const lines = [''];
  for (const word of [...words, result]) {
    const last = lines.length - 1;
    if (lines[last].length + word.length + 1 > WIDTH) lines.push(word);
    else lines[last] += lines[last] === '' ? word : ` ${word}`;
  }
  return `${head.join('\n')}\n\n${lines.join('\n')}\n`;
}

/**
 * Reads a PGN or FEN.
 * @param {import('../engine/rules.d.ts').Referee} referee
 * @param {string} text
 * @param {boolean} chess960
 * @returns {{ game?: Game, faults: string[], count: number }}  the first game, if any is readable
 */
export function readText(referee, text, chess960) {
  const trimmed = text.trim();
  if (trimmed === '') return { faults: ['The text is empty.'], count: 0 };
  const isFen = /^[^\s[]+\/\S*(\s|$)/.test(trimmed) && !trimmed.includes('\n');
  return isFen ? readFen(referee, trimmed, chess960) : readPgn(referee, `${trimmed}\n`, chess960);
}

/** @param {import('../engine/rules.d.ts').Referee} referee @param {string} fen @param {boolean} chess960 */
function readFen(referee, fen, chess960) {
  try {
    const game = new Game(referee, { fen, chess960 });
    return { game, faults: game.positions[0].fen_deviations, count: 1 };
  } catch (error) {
    return { faults: [/** @type {Error} */ (error).message], count: 0 };
  }
}

/** @param {import('../engine/rules.d.ts').Referee} referee @param {string} pgn @param {boolean} chess960 */
function readPgn(referee, pgn, chess960) {
  const { pgn_games = 0, pgn_moves = '', pgn_header = {}, pgn_faults = [], pgn_result = '*' } = referee({ pgn });
  if (pgn_games === 0) return { faults: ['No game or position was found in this text.', ...pgn_faults], count: 0 };
  const { FEN, SetUp, Result, Variant = '', ...tags } = pgn_header;
  try {
    const game = new Game(referee, { fen: FEN, chess960: chess960 || /960|fischer/i.test(Variant), tags });
    for (const move of pgn_moves.split(' ').filter(Boolean)) game.play(move);
    if (!game.end && pgn_result !== '*') game.agreedEnd = { result: pgn_result, reason: `The recorded result is ${pgn_result}.` };
    if (game.moves.length === 0 && !FEN && pgn_faults.length > 0) return { faults: pgn_faults, count: pgn_games };
    return { game, faults: pgn_faults, count: pgn_games };
  } catch (error) {
    return { faults: [...pgn_faults, /** @type {Error} */ (error).message], count: pgn_games };
  }
}
