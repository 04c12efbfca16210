/** The one game that versions before 27 November 2026 kept, in `localStorage`. */
import { Game } from '../engine/rules.js';
import { OLD_GAME, forget, recall } from './store.js';

/** Puts it among the kept games. @param {import('./store.js').Games} games */
export async function migrate(games) {
  const saved = recall(OLD_GAME);
  if (!saved) return;
  try {
    const { side, level = 1350, orientation = 'white', game: old, times } = JSON.parse(saved);
    const game = new Game({ fen: old.fen, chess960: old.chess960 || undefined });
    for (const [name, value] of Object.entries(old.tags ?? {})) {
      try {
        game.setTag(name, String(value));
      } catch {
        // It follows from the game.
      }
    }
    for (const move of old.moves) game.move(move);
    const path = old.moves.map(() => 0);
    const isMatch = side === 'white' || side === 'black';
    const { white, black } = isMatch && side === 'white' ? { white: 'You', black: 'Tabiya' } : { white: 'Tabiya', black: 'You' };
    if (isMatch) {
      game.setTag('White', white);
      game.setTag('Black', black);
    }
    const isKept = await games.put({
      id: 'before-2026-11-27',
      pgn: game.pgn(),
      title: isMatch ? `${white} – ${black}` : 'An earlier game',
      updated: Date.now(),
      path,
      livePath: path,
      match: isMatch && !old.agreedEnd ? { side, level, clock: '' } : undefined,
      times: old.agreedEnd ? undefined : times,
      orientation,
    });
    game.free();
    // Another visit tries again.
    if (!isKept) return;
  } catch {
    // It cannot be read, and was not readable before.
  }
  forget(OLD_GAME);
}
