/** `<tabiya-board>`, a game to play through, for web pages. The import defines the element. */
import type { Color, Game } from 'tabiya/rules';

/**
 * Attributes: `pgn` (else the text of the element) or `fen`, `chess960`, `orientation`, `ply`,
 * `no-review`, `view-only`. The event `change` comes when another position is on the board.
 */
export class TabiyaBoard extends HTMLElement {
  /** The PGN, of which the first game is shown. */
  get pgn(): string | null;
  set pgn(text: string | null | undefined);
  /** The start position, if there is no PGN. */
  get fen(): string | null;
  set fen(text: string | null | undefined);
  get orientation(): Color;
  set orientation(color: Color | null | undefined);
  /**
   * The game that is shown, with its place; `undefined` while it is not loaded. Another `pgn` or `fen`
   * releases it: read this again after that.
   */
  readonly game: Game | undefined;
  /** Shows what a script has changed in `game`. */
  update(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'tabiya-board': TabiyaBoard;
  }
}
