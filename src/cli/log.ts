/** How much goes to the log, from all to nearly nothing. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One method a level; `fields` become keys of the line. */
export type Log = Readonly<
  Record<LogLevel, (message: string, fields?: Readonly<Record<string, unknown>>) => void>
>;

/** A log of one JSON object a line; `write` gets each whole line. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const at =
    (own: LogLevel) => (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return;
      const time = new Date().toISOString();
      write(`${JSON.stringify({ time, level: own, message, ...fields })}\n`);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
