/** What the person who starts the server decides, and no agent can change. */
export interface Settings {
  /** seconds, when a request names none */
  readonly defaultTimeout: number;
  /** seconds, the most that a request may ask for */
  readonly maxTimeout: number;
  /** characters of a result's JSON text */
  readonly maxResponseChars: number;
}

/** The defaults of the command line: room for a slow suite, and a result that every host shows whole. */
export const DEFAULT_SETTINGS: Settings = {
  defaultTimeout: 300,
  maxTimeout: 3600,
  maxResponseChars: 10_000,
};

/** Below this not even the counts and the account of what is missing fit. */
export const MIN_RESPONSE_CHARS = 1_000;
