/** The status: who is to move or how the game has ended, and what happened last. */
import { isThinking, may } from './state.js';
import { NAMES, ending, goalLost, marked, opinion } from './words.js';

/** @typedef {import('./app.js').App} App */

/** Why the user cannot move although the game goes on. @type {Partial<Record<import('./state.js').State, string>>} */
export const UNMOVABLE = {
  browsing: 'The board shows another position: go back to the game with » or End.',
  offering: 'Tabiya is considering your offer: wait for the answer.',
  judging: 'The coach is looking at your last move: wait for the answer.',
  objecting: 'Use the buttons above to try another move or to go on.',
  checking: 'Your move is being judged: wait for the answer.',
  solved: 'Go to the next mistake, or leave the mistakes.',
};

export const PLAYED_STAYS = 'The moves that were played cannot be changed.';

/** The user waits for the engine. @type {import('./state.js').State[]} */
const WAITING = ['thinking', 'waiting', 'hinting', 'offering', 'judging', 'reviewing', 'checking'];

/** How much of the engine is loaded, while it is. @param {App} app */
export const loading = ({ progress }) => (progress === undefined ? '' : `Loading the engine: ${Math.round(progress * 100)} %.`);

/** @param {App} app */
export function sentences(app) {
  return isLoading(app) ? `${sentence(app)} Loading the engine.` : sentence(app);
}

/** How far the engine is, which changes too often to be read aloud. @param {App} app */
export function progress(app) {
  if (isLoading(app)) return `${Math.round(Number(app.progress) * 100)} %`;
  return app.state === 'reviewing' ? `${app.study.searched} of ${app.tree.mainLine.length}` : '';
}

/** Whether the user waits for the engine to be loaded. @param {App} app */
const isLoading = ({ state, progress: loaded }) => loaded !== undefined && WAITING.includes(state);

/** @param {App} app */
function sentence(app) {
  const { state, live, note, tree } = app;
  const { match, objection, status } = live;
  const { game, place } = tree;
  const last = live.place.lastMove?.san;
  if (may.leave(state)) return lessonSentences(app);
  if (state === 'objecting' && objection) {
    const said = goalLost(objection, match?.practice) || opinion(objection, { isSecret: true });
    return `${ending(status)} ${marked(objection)} ${said} Try another move, or go on.`;
  }
  if (live.isOver) return `${ending(status)} ${note}`;
  if (state === 'failed') return `The engine cannot play: the game is kept. ${app.failure}`;
  if (isThinking(state)) return `${last ? `You play ${last}. ` : ''}${note} Tabiya is thinking…`;
  if (state === 'judging') return `You play ${last}. The coach is looking at it…`;
  const check = place.check ? ' Check!' : '';
  const where = state === 'browsing' ? ' The board shows another position.' : '';
  if (where && match?.side === 'both') return `${NAMES[live.place.turn]} to move.${where} ${note}`;
  if (!match || match.side === 'both') {
    const isEnd = place.moves.length > 0 && !match && game.result !== '*' && place.node === tree.mainLine.at(-1)?.id;
    const recorded = isEnd ? ` The recorded result is ${game.result.replace(/1\/2/g, '½')}.` : '';
    return `${NAMES[place.turn]} to move.${check}${recorded} ${note}`;
  }
  const asked = state === 'hinting' ? 'Looking for a good move…' : note;
  return `${last ? `Tabiya plays ${last}. ` : ''}Your move.${where}${where ? '' : check} ${asked}`;
}

/** While the user learns from mistakes. @param {App} app */
function lessonSentences({ state, study: { lesson } }) {
  if (!lesson) return '';
  const { color, index, list, mistake, said, shown } = lesson;
  const which = `Mistake ${index + 1} of ${list.length}`;
  if (state === 'checking') return `${which}. Looking at ${shown?.san}…`;
  if (state === 'solved') return `${said} ${marked(mistake.move)} ${opinion(mistake.move)}`;
  return said || `${which}: ${marked(mistake.move)} was played. Find a better move for ${NAMES[color]}.`;
}
