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

/** Answers a question about the rules. */
export function referee(request?: RefereeRequest): RefereeAnswer;

/** A question to the referee. All fields are optional. */
export interface RefereeRequest {
  id?: unknown;
  /** Start position; by default the standard one. */
  fen?: string;
  /** Moves from there, in coordinates or SAN. */
  moves?: string[];
  chess960?: boolean;
  /** Texts to read as moves in the last position. */
  san?: string[];
  /** PGN text to read, independent of the other fields. */
  pgn?: string;
}

/** The answer. Unless `ok`, the fields about the last position are absent. */
export interface RefereeAnswer {
  ok: boolean;
  error?: string;
  id?: unknown;
  parse_ok: boolean;
  valid: boolean;
  class: 'fatal' | 'repair' | 'warn' | null;
  errors: string[];
  fen_departures: string[];
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
  pgn_games?: number;
  pgn_moves?: string;
  pgn_plies?: number;
  pgn_result?: string;
  pgn_result_tag?: string;
  pgn_header?: Record<string, string>;
  pgn_errors?: number;
  pgn_faults?: string[];
}

/** The type of `referee`. */
export type Referee = typeof referee;
