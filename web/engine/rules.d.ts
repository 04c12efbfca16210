/** The laws of chess, without the engine. */

/** Bytes of WebAssembly. */
export interface Progress {
  loaded: number;
  total: number;
}

export interface LoadOptions {
  /** Address of `rules.wasm`, if it is not found by itself. */
  wasm?: string | URL;
  onProgress?: (progress: Progress) => void;
}

/** Loads the rules. Everything else in this module needs that first. Later calls return at once. */
export function loadRules(options?: LoadOptions): Promise<void>;

export type ErrorCode = 'input' | 'load' | 'unsupported' | 'closed' | 'failed';

/** What the calls of this package throw or reject with. The message is one sentence. */
export class TabiyaError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  readonly name: 'TabiyaError';
  readonly code: ErrorCode;
}

/** The start position of Chess960 with this number, from 0 to 959, as a FEN. */
export function chess960Start(number: number): string;

/** What is wrong with a position, the worst first. The text need not be playable, or a FEN. */
export function examine(fen: string, options?: { chess960?: boolean }): Defect[];

/** `fatal`: cannot be played; `repair`: is corrected when it is read; `warn`: cannot arise in a game. */
export interface Defect {
  severity: 'fatal' | 'repair' | 'warn';
  text: string;
}

/** Answers a question about the rules. */
export function referee(request?: RefereeRequest): RefereeAnswer;

/** A question to the referee. All fields are optional. */
export interface RefereeRequest {
  id?: unknown;
  /** Start position; by default the standard one. */
  fen?: string;
  /** Moves from there, in coordinates or SAN. */
  moves?: readonly string[];
  chess960?: boolean;
  /** Texts to read as moves in the last position. */
  san?: readonly string[];
  /** PGN text to read, independent of the other fields. */
  pgn?: string;
}

/**
 * The answer. What it says of the last position is there only if it is `ok`: the position can be
 * played and all moves are legal.
 */
export type RefereeAnswer = RefereePosition | RefereeRefusal;

interface RefereeCommon {
  /** The id of the request, if it has one. */
  id?: unknown;
  pgn_games?: number;
  pgn_moves?: string;
  pgn_plies?: number;
  pgn_complete?: boolean;
  pgn_result?: string;
  pgn_result_tag?: string;
  pgn_header?: Record<string, string>;
  pgn_errors?: number;
  pgn_faults?: string[];
}

/** About the FEN. */
interface RefereeSetup {
  parse_ok: boolean;
  valid: boolean;
  class: 'fatal' | 'repair' | 'warn' | null;
  errors: string[];
  fen_deviations: string[];
}

/** An answer that is not `ok`. What it says of the FEN is absent if a field of the request has the wrong type. */
export interface RefereeRefusal extends RefereeCommon, Partial<RefereeSetup> {
  ok: false;
  error: string;
}

/** An answer that is `ok`. */
export interface RefereePosition extends RefereeCommon, RefereeSetup {
  ok: true;
  error?: undefined;
  fen: string;
  turn: 'w' | 'b';
  castling: string;
  legal_ep: string | null;
  halfmove: number;
  fullmove: number;
  legal_moves: string[];
  /** SAN by coordinates. */
  san: Record<string, string>;
  san_last: string | null;
  in_check: boolean;
  n_checkers: number;
  checkmate: boolean;
  stalemate: boolean;
  repetitions: number;
  claim_threefold_now: boolean;
  claim_fifty_now: boolean;
  claim_threefold_with: Record<string, boolean>;
  claim_fifty_with: Record<string, boolean>;
  auto_draw: 'stalemate' | 'insufficient' | 'dead' | 'fivefold' | 'seventyfive' | null;
  insufficient_material: boolean;
  dead: boolean;
  white_can_win: boolean;
  black_can_win: boolean;
  helpmate: { white?: string[]; black?: string[] };
  opening: string | null;
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  over_at?: number;
  san_accept?: Record<string, string | null>;
  san_reject?: string[];
  san_errors?: Record<string, string>;
}

/** The type of `referee`. */
export type Referee = typeof referee;

export type Color = 'white' | 'black';

/** A game, and the best line of each of its positions. */
export interface ReviewRequest {
  fen?: string;
  chess960?: boolean;
  /** In coordinates or SAN. A null move, such as `--`, passes. */
  moves?: readonly string[];
  /**
   * What `engine.search` says of each position, that of the start first: `lines[0]` of its answer, or
   * null where the game is over. There may be fewer than positions; the rest is not judged.
   */
  lines: readonly (ReviewLine | null | undefined)[];
}

/** A line of the engine. Its `Info` is one. */
export interface ReviewLine {
  /** For the side to move. */
  score: { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
  /** In coordinates or SAN. */
  pv: readonly string[];
}

/** The moves of a game judged, as `tabiya analyse` does. */
export interface Review {
  positions: ReviewPosition[];
  moves: ReviewMove[];
  white: ReviewPlayer;
  black: ReviewPlayer;
}

export interface ReviewPosition {
  /** White's expected score, 0 to 1. */
  expected: number;
  /** White's score in pawns, such as `+0.35`, or `#3` for mate in three moves. */
  text: string;
  /** The best move and its line. */
  best?: { uci: string; san: string; line: string; moves: string[] };
}

export interface ReviewMove {
  /** Number of moves before and with this one. */
  ply: number;
  color: Color;
  /** Such as `12... Qxc4`. */
  text: string;
  isBest: boolean;
  /** Whether it is as good as the best move: it is that, or loses at most 0.04 points. */
  isGood: boolean;
  /** Expected score that the move loses. */
  loss: number;
  /** In percent. */
  accuracy: number;
  /** Present if the move loses 0.1 points or more. */
  mark?: { name: 'inaccuracy' | 'mistake' | 'blunder'; sign: '?!' | '?' | '??' };
  /** Why a marked move is bad, if a line proves it. */
  reason?: {
    /** Such as `Loses the knight: 12... Qxc4.` */
    text: string;
    /** The text without the line: `Loses the knight.` */
    fact: string;
    /** Whether the line begins instead of the move; else it follows it. */
    missed: boolean;
    moves: string[];
  };
}

export interface ReviewPlayer {
  moves: number;
  /** Mean, in percent; absent without a move. */
  accuracy?: number;
  /** Mean loss in centipawns; absent without a move. */
  loss?: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** All of this in words. */
  text: string;
}

/** Judges the moves of a game by the engine's lines: marks, accuracy, better moves and reasons. */
export function review(request: ReviewRequest): Review;

/** The levels of `UCI_Elo`. */
export interface Levels {
  lowest: number;
  highest: number;
  /** The weakest first. */
  named: { name: string; elo: number }[];
}

/** The levels of strength that have a name. */
export function levels(): Levels;

/** An ending to practise against the engine. */
export interface Ending {
  theme: string;
  name: string;
  fen: string;
  /** The learner's side. */
  side: Color;
  goal: 'win' | 'draw';
  /** One sentence. */
  idea: string;
}

/** Endings to practise, those of a theme together. */
export function endings(): Ending[];
export type Piece = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/** How a game stands. `article` is one of the FIDE Laws of Chess of 2023, `text` a sentence. */
export type Status =
  | { kind: 'playing' }
  | { kind: 'won'; winner: Color; by: 'checkmate' | 'resignation' | 'time'; article: string; text: string }
  | {
      kind: 'drawn';
      by:
        | 'stalemate'
        | 'insufficient'
        | 'dead'
        | 'agreement'
        | 'threefold'
        | 'fifty'
        | 'fivefold'
        | 'seventyfive'
        | 'time'
        | 'resignation';
      article: string;
      text: string;
    };

/** A draw that the side to move may claim: now, or by announcing the move `with`. */
export interface Claim {
  by: 'threefold' | 'fifty';
  article: string;
  /** In coordinates. */
  with?: string;
  san?: string;
}

/** A legal move. */
export interface MoveInfo {
  /** In coordinates, as UCI writes it. */
  uci: string;
  san: string;
  from: string;
  /** In Chess960, castling goes to the square of the rook. */
  to: string;
  piece: Piece;
  captured?: Piece;
  promotion?: Piece;
  castles?: true;
}

/** A move of a line. */
export interface LineMove {
  uci: string;
  san: string;
  /** Such as `12.`; empty for Black's moves after the first. */
  number: string;
  /** The position after the move. */
  fen: string;
}

/** The place in a game that is looked at. */
export interface Place {
  /** Number of the last move; 0 at the start of the game. */
  node: number;
  /** Number of the move before; null at the start. */
  parent: number | null;
  /** Number of moves up to here. */
  ply: number;
  fen: string;
  turn: Color;
  check: boolean;
  fullmove: number;
  /** Moves of both sides since the last capture or pawn move. */
  halfmove: number;
  /** How often the position has occurred, this time included. */
  repetitions: number;
  status: Status;
  claims: Claim[];
  /** Who has offered a draw that is not answered yet. */
  offer: Color | null;
  moves: MoveInfo[];
  lastMove: MoveInfo | null;
  /** ECO code and name. */
  opening: string | null;
  canUndo: boolean;
  canRedo: boolean;
}

/** A move of the tree, with what is written about it. The first has no move: the start. */
export interface GameNode {
  id: number;
  parent?: number;
  ply: number;
  uci?: string;
  san?: string;
  /** Such as `12.` or `12...`. */
  number?: string;
  /** Comments before the move, if a variation starts with it. */
  before?: string[];
  comments?: string[];
  /** Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`. */
  glyphs?: number[];
  /** White's expected score, 0 to 1, by an evaluation in the comments, such as `[%eval 0.35]`. */
  expected?: number;
  /** Variations that could not be read, as text. They are saved again. */
  unread?: string[];
  /** Comments after the variation that starts with this move. */
  after?: string[];
  /** The moves that follow; the first is the main one. */
  children: number[];
}

export interface GameOptions {
  /** Start position; by default the standard one. */
  fen?: string;
  /** Castling by the rules of Chess960. Without this, the FEN decides. */
  chess960?: boolean;
  /** A PGN text or file, of which the first game is taken, at its end. The other options then do not count. */
  pgn?: string | Uint8Array;
}

/**
 * A game with variations, and a place in it. Every call is about that place. What is wrong throws a
 * `TabiyaError`.
 */
export class Game {
  constructor(options?: GameOptions);
  /**
   * The games of a PGN text, or of the bytes of a file, with what is wrong in each and the line on
   * which it starts, each at its start. If not all moves could be read, `complete` is false, and a
   * comment has the text from there on. Positions in FEN or EPD are games without moves; `chess960`
   * is for them. With `limit`, no more than that many games are read: a text that anyone may have
   * written can have a million, and each move takes some 600 bytes of the 4 GB of WebAssembly.
   */
  static readAll(
    text: string | Uint8Array,
    options?: { chess960?: boolean; limit?: number },
  ): { game: Game; faults: string[]; complete: boolean; line: number }[];

  /** All about the place. The getters below are parts of it. */
  readonly place: Place;
  readonly fen: string;
  readonly turn: Color;
  readonly status: Status;
  readonly claims: Claim[];
  /** Whether the game has ended here. Moves are possible all the same, for analysis. */
  readonly isOver: boolean;
  readonly chess960: boolean;
  /** The result of the whole game. */
  readonly result: Result;
  /** The tags of PGN, in its order. */
  readonly tags: Record<string, string>;

  /** The legal moves. */
  moves(): MoveInfo[];
  /** Plays a move in coordinates or SAN. Another move than the one that follows is a variation. */
  move(text: string): MoveInfo;
  /**
   * Plays a move that might have followed: the result stays as it is. A `move` at the end of a game
   * goes on with it, which takes back its result.
   */
  consider(text: string): MoveInfo;
  /** Writes moves from here in SAN with numbers, up to the first that is not legal. */
  write(moves: readonly string[]): string;
  /** The moves of a line from here with their positions, up to the first that is not legal. */
  line(moves: readonly string[]): LineMove[];
  /** The position if the side to move passed, to find threats. `undefined` in check. */
  passed(): string | undefined;
  /**
   * Start and moves up to here, for `engine.search({ ...game.searchPosition(), go })`. In Chess960, set
   * the option `UCI_Chess960` first.
   */
  searchPosition(): { fen: string; moves: string[] };

  /** All moves, the start first, each move before those that follow it. */
  nodes(): GameNode[];
  /** Goes to a move by its number. */
  go(node: number): void;
  /** These go along the main moves and return whether there was somewhere to go. */
  back(moves?: number): boolean;
  forward(moves?: number): boolean;
  toStart(): boolean;
  toEnd(): boolean;

  /** Moves a variation one place up, before the one above it or the main moves. */
  promote(node: number): void;
  /** Deletes a move and all that follows it. */
  remove(node: number): void;
  /** Replaces comments and glyphs of a move, or of the start of the game. */
  annotate(node: number, notes: { comments?: readonly string[]; glyphs?: readonly number[] }): void;
  /** The same for many moves in one change, which one `undo` takes back. */
  annotateAll(all: readonly { node: number; comments?: readonly string[]; glyphs?: readonly number[] }[]): void;
  /** Undoes the last change: a move that was added, an act, a promotion, a removal, notes. */
  undo(): boolean;
  redo(): boolean;

  /**
   * Claims a draw for the side to move, now or by announcing a move. A claim that is refused counts
   * as an offer, or accepts the opponent's if no move is announced; an announced move is played
   * (FIDE 9.1.2.3, 9.5.3). `refused` says why. The time that the opponent gets for it, two minutes
   * or, in rapid and blitz, one (9.5.3, A.3, B.3), is for the caller's clocks.
   */
  claim(move?: string): { refused?: string };
  offerDraw(color: Color): void;
  acceptDraw(color: Color): void;
  declineDraw(color: Color): void;
  /** The player resigns: a loss, or a draw if the opponent cannot mate (FIDE 5.1.2) or nobody can (FIDE 5.2.2). */
  resign(color: Color): void;
  /** This player's time is up: a loss, or a draw if the opponent cannot mate (FIDE 6.9) or nobody can (FIDE 5.2.2). */
  flag(color: Color): void;

  setTag(name: string, value: string): void;
  /** The game as PGN, with comments, glyphs and variations. */
  pgn(): string;
  /**
   * Releases the memory at once; after that, the game must not be used. Without this, it is released
   * with the object.
   */
  free(): void;
}
