/** A score for the side to move: centipawns, or moves to mate (negative if it is mated). */
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

/** A line of thought. */
export interface Info {
  depth: number;
  /** Rank of the line, from 1. */
  multipv: number;
  score: Score;
  /** `lowerbound` or `upperbound`, if the score is only a bound. */
  bound?: string;
  /** Chances to win, draw and lose in permille, with the option `UCI_ShowWDL`. */
  wdl?: number[];
  nodes: number;
  nps: number;
  /** Milliseconds. */
  time: number;
  /** Moves in coordinates. */
  pv: string[];
}

export interface Search {
  /** Start position; by default the standard one. */
  fen?: string;
  /** Moves from there in coordinates. */
  moves?: string[];
  /** Words after `go`, such as `depth 12` or `infinite`. Default: `movetime 1000`. */
  go?: string;
  /** Stops the search. */
  signal?: AbortSignal;
}

export interface Answer {
  /** The best move in coordinates; `undefined` if there is none. */
  best?: string;
  /** The expected reply. */
  ponder?: string;
  /** The last line of each rank. */
  lines: Info[];
}

/** An engine in a worker. Searches run one after another. */
export class Engine {
  /** `worker` is the address of `tabiya.js`, or a worker that runs it. */
  constructor(options?: { worker?: string | URL | Worker });
  readonly worker: Worker;
  /** Sends a line of UCI. */
  send(line: string): void;
  /** Calls `listener` with each line that the engine prints. Returns a function that ends this. */
  listen(listener: (line: string) => void): () => void;
  /** Sets options for the searches that follow. */
  setOptions(options: Record<string, string | number | boolean>): Promise<void>;
  /** Searches a position. Waits for earlier searches. */
  search(search: Search, onInfo?: (info: Info) => void): Promise<Answer>;
  /** Stops the running search, which then has its answer. */
  stop(): void;
  /** Ends the engine. */
  close(): void;
}

/** A question about the rules. All fields are optional. */
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

export type Referee = (request?: RefereeRequest) => RefereeAnswer;

/** Loads the rules from the address of `tabiya.wasm`. */
export function loadReferee(wasm?: string | URL): Promise<Referee>;

/**
 * The start position of Chess960 with this number, from 0 to 959, as a FEN. The rules must be loaded.
 */
export function chess960Start(number: number): string | undefined;

/** Reads an `info` line; `undefined` if it has no main line. */
export function parseInfo(line: string): Info | undefined;

/** Why the engine cannot run here, as a sentence; `undefined` if it can. */
export function support(): string | undefined;
