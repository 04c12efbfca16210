/** A score for the side to move: centipawns, or moves to mate (negative if it is mated). */
export type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };

/** A line of thought. */
export interface Info {
  depth: number;
  /** Rank of the line, from 1. */
  multipv: number;
  score: Score;
  /** If the score is only a bound. `search` leaves such lines out, and `parseInfo` has them. */
  bound?: 'lowerbound' | 'upperbound';
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
  /**
   * Start position; by default the standard one. Castling rights of Chess960 need the option
   * `UCI_Chess960`.
   */
  fen?: string;
  /** Moves from there, in coordinates (`e2e4`) or SAN (`Nf3`). A null move, such as `--`, passes; in check it is refused. */
  moves?: readonly string[];
  /** The only moves to consider, in coordinates or SAN. */
  searchMoves?: readonly string[];
  /**
   * Limits as after UCI's `go`, such as `depth 12` or `infinite`. Default: `movetime 1000`. By the
   * clock, the side to move needs its time: `wtime` or `btime`.
   */
  go?: string;
  /** Stops the search, which then has its answer. One that still waits resolves at once, with no `best` and no lines. */
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

/** Bytes of WebAssembly, which contains the network. */
export interface Progress {
  loaded: number;
  total: number;
}

export interface EngineOptions {
  /** Address of `tabiya.js`, if it is not found by itself. Only in browsers. */
  worker?: string | URL;
  /** Address of `tabiya.wasm`, if it is not found by itself. */
  wasm?: string | URL;
  /** Called while the engine loads. A second engine shares what the first one loaded. */
  onProgress?: (progress: Progress) => void;
}

/**
 * - `input`: the call is wrong, such as an illegal move;
 * - `load`: a file or worker could not be loaded;
 * - `unsupported`: the host lacks something that the engine needs;
 * - `closed`: the engine was closed;
 * - `failed`: the engine failed, for example because memory was refused. It starts again by itself.
 */
export type ErrorCode = 'input' | 'load' | 'unsupported' | 'closed' | 'failed';

/** What the calls of this package throw or reject with. The message is one sentence. */
export class TabiyaError extends Error {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown });
  readonly name: 'TabiyaError';
  readonly code: ErrorCode;
}

/**
 * An engine in a worker. Calls run one after another, and reject with a `TabiyaError`.
 *
 * To create one never throws: whatever prevents it rejects `ready` and every call.
 */
export class Engine {
  constructor(options?: EngineOptions);
  /** Resolves when the engine is loaded. Calls do not need it: they wait. */
  readonly ready: Promise<void>;
  /** Sends a line of UCI. For what `search` and `setOptions` do not offer. `quit` is `close()`. */
  send(line: string): void;
  /**
   * Calls `listener` with each line that the engine prints. Returns a function that ends this. An
   * error of the listener is one of the program, as in a listener of the page, and the others get
   * the line.
   */
  listen(listener: (line: string) => void): () => void;
  /** Sets UCI options for the searches that follow. */
  setOptions(options: Record<string, string | number | boolean>): Promise<void>;
  /** Searches a position. Waits for earlier searches. */
  search(search?: Search, onInfo?: (info: Info) => void): Promise<Answer>;
  /**
   * Stops the running search, which then has its answer. A search that still waits, such as for the
   * engine to load, is not stopped: use its `signal`, by which it resolves with no `best` and no lines.
   */
  stop(): void;
  /** Ends the engine. A search that runs or waits is rejected. */
  close(): void;
}

/** Reads an `info` line; `undefined` if it has no main line. */
export function parseInfo(line: string): Info | undefined;
/** A line of UCI from its first command on: as UCI asks, words before it do not count. */
export function fromCommand(line: string): string;
/** Whether a search with these words after `go` ends only by `stop`, or by `ponderhit` first. */
export function isEndless(go: string): boolean;

/** Why the engine cannot run here, as a sentence; `undefined` if it can. */
export function support(): string | undefined;
