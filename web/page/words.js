/** How a game stands, in words. What holds comes from the rules. */
import { sentence } from './dom.js';

/** @typedef {import('../engine/rules.d.ts').Color} Color */
/** @typedef {import('../engine/rules.d.ts').Status} Status */

export const NAMES = { white: 'White', black: 'Black' };
/** @param {Color} color @returns {Color} */
export const other = (color) => (color === 'white' ? 'black' : 'white');

/** The players of a game. @param {Record<string, string>} tags @returns {Record<Color, string>} */
export const namesOf = ({ White = '?', Black = '?' }) => ({ white: White === '?' ? 'White' : White, black: Black === '?' ? 'Black' : Black });

/** A result that is not broken at its hyphen. @param {string} result */
export const resultText = (result) => result.replace('1/2-1/2', '½–½').replace('-', '\u2011');

/** How a game has ended, with the article of the Laws. @param {Status} status */
export const ending = (status) => (status.kind === 'playing' ? '' : `${status.text} (article ${status.article}).`);

const RULES = { threefold: 'threefold repetition', fifty: 'fifty-move rule' };

/** @param {import('../engine/rules.d.ts').Claim} claim */
export function claimText({ by, article, san }) {
  return `Claim a draw${san ? ` with ${san}` : ''}: ${RULES[by]} (article ${article})`;
}

/** Marks of the first glyphs. */
const MARKS = ['', '!', '?', '!!', '??', '!?', '?!'];
/** The last of the glyphs that are marks of a move. */
export const LAST_MARK = MARKS.length - 1;
/** Signs of other glyphs that are common. @type {Record<number, string>} */
const SIGNS = { 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀', 32: '⟳', 36: '↑', 40: '→', 44: '=/∞', 132: '⇆', 146: 'N' };

/** The marks that a review gives, by glyph: the classes of their colours. @type {Record<number, string>} */
const KINDS = { 2: 'bad', 4: 'blunder', 6: 'dubious' };

/** The kind of a marked move; `undefined` if it has no such mark. @param {{ glyphs?: number[] }} node */
export const kindOf = ({ glyphs = [] }) => glyphs.map((glyph) => KINDS[glyph]).find(Boolean);

/** How many moves a review has marked. @param {number} count */
export const mistakesInWords = (count) =>
  count === 0 ? 'no mistakes' : count === 1 ? '1 mistake or inaccuracy' : `${count} mistakes or inaccuracies`;

/** @param {string} sign */
const glyphOf = (sign) => MARKS.indexOf(sign);

/**
 * The glyphs of a move after a review. The sign of the review before goes. The signs of people stay, and
 * then the review adds none.
 * @param {number[] | undefined} glyphs
 * @param {string | undefined} before  the sign of the review before
 * @param {string | undefined} now
 */
export function reviewedGlyphs(glyphs = [], before, now) {
  const kept = glyphs.filter((glyph) => before === undefined || glyph !== glyphOf(before));
  const isFree = !kept.some((glyph) => glyph <= LAST_MARK);
  return now !== undefined && isFree ? [glyphOf(now), ...kept] : kept;
}
/** @param {number} glyph */
export const glyphText = (glyph) => MARKS[glyph] ?? SIGNS[glyph] ?? `$${glyph}`;

/**
 * What is said of a judged move, after the move itself.
 * @param {import('../engine/rules.d.ts').ReviewMove} move
 * @param {{ isSecret?: boolean }} [options]  whether the better move is not to be given away
 */
export function opinion({ isBest, mark, reason }, { isSecret = false } = {}) {
  if (isBest) return 'is the best move.';
  if (reason) return isSecret && reason.missed ? reason.fact : reason.text;
  return mark ? `is ${/^[aeiou]/.test(mark.name) ? 'an' : 'a'} ${mark.name}.` : '';
}

/** Expected scores up to which a win, and a draw, is out of reach. */
const OUT_OF_REACH = { win: 0.7, draw: 0.2 };

/**
 * What is said of a move that gives the goal of an ending away, if no reply proves a reason: what the engine
 * sees now, with the reply.
 * @param {import('./review.js').Judged} judged
 * @param {import('./live.js').Match['practice']} practice
 */
export function goalLost({ color, reason, expected, reply }, practice) {
  if (!practice || (reason && !reason.missed) || !reply) return '';
  const own = color === 'white' ? expected : 1 - expected;
  if (own > OUT_OF_REACH[practice.goal]) return '';
  const now = practice.goal === 'win' ? 'Tabiya sees no win any more' : `Tabiya sees a win for ${NAMES[other(color)]}`;
  return `${now}: ${sentence(reply.line)}`;
}

/** A judged move with its mark. @param {import('../engine/rules.d.ts').ReviewMove} move */
export const marked = ({ text, mark }) => `${text}${mark?.sign ?? ''}`;

/** Commands of programs within comments, such as evaluations, clock times and arrows. */
const COMMANDS = /\[%\w+ [^\][]*\]/g;

/** A comment without what is found in it. @param {RegExp} found @param {string} comment */
export const without = (found, comment) => comment.replace(found, ' ').replace(/ +/g, ' ').trim();

/** A comment without commands. @param {string} comment */
export const plain = (comment) => without(COMMANDS, comment);

/**
 * Comments with another text; their commands stay.
 * @param {string[]} comments
 * @param {string} text
 */
export function withText(comments, text) {
  const commands = comments.flatMap((comment) => comment.match(COMMANDS) ?? []);
  return [[...commands, text.trim()].filter(Boolean).join(' ')].filter(Boolean);
}

/**
 * The last move, how the game stands, and what is written about the move.
 * @param {import('../engine/rules.d.ts').Place} place
 * @param {import('../engine/rules.d.ts').GameNode[]} nodes
 */
export function placeInWords({ node, lastMove, status, turn }, nodes) {
  const { number = '', comments = [] } = nodes.find(({ id }) => id === node) ?? {};
  const move = lastMove ? `${number} ${lastMove.san}.` : 'Start.';
  return [move, ending(status) || `${NAMES[turn]} to move.`, ...comments.map(plain)].filter(Boolean).join(' ');
}

const PIECES = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };
/** @typedef {keyof typeof PIECES} Letter */

/**
 * The pieces of a FEN by square.
 * @param {string} fen
 * @returns {Map<string, { color: Color, role: import('../engine/rules.d.ts').Piece }>}
 */
export function pieces(fen) {
  const found = new Map();
  fen.split(' ')[0].split('/').forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      const role = PIECES[/** @type {Letter} */ (letter.toLowerCase())];
      if (role) found.set(`${'abcdefgh'[file]}${8 - row}`, { color: letter === letter.toUpperCase() ? 'white' : 'black', role });
      file += role ? 1 : Number(letter);
    }
  });
  return found;
}

/** The position in words, for a screen reader. @param {string} fen */
export function describe(fen) {
  /** @type {Record<Color, string[]>} */
  const lists = { white: [], black: [] };
  for (const [square, { color, role }] of pieces(fen)) lists[color].push(`${role} ${square}`);
  return `White: ${lists.white.join(', ')}. Black: ${lists.black.join(', ')}.`;
}

const VALUES = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };
const SHOWN = ['queen', 'rook', 'bishop', 'knight', 'pawn'];

/**
 * What each player has captured since the start, and by how many points White is ahead. Promoted pieces
 * count as the pawns that they were.
 * @param {string} start
 * @param {string} fen
 */
export function captured(start, fen) {
  const none = () => Object.fromEntries(SHOWN.map((role) => [role, 0]));
  /** @type {Record<Color, Record<string, number>>} */
  const count = { white: none(), black: none() };
  let ahead = 0;
  for (const { color, role } of pieces(start).values()) count[color][role] += 1;
  for (const { color, role } of pieces(fen).values()) {
    count[color][role] -= 1;
    ahead += color === 'white' ? VALUES[role] : -VALUES[role];
  }
  /** @param {Color} color  of the pieces */
  const missing = (color) => {
    const left = count[color];
    const promoted = SHOWN.filter((role) => role !== 'pawn').reduce((sum, role) => sum + Math.max(0, -left[role]), 0);
    left.pawn -= promoted;
    return SHOWN.flatMap((role) => Array(Math.max(0, left[role])).fill(role));
  };
  return { white: missing('black'), black: missing('white'), ahead };
}
