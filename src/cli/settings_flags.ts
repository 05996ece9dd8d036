/**
 * From the text of flags to checked values.
 *
 * @module
 */
import { DEFAULT_SETTINGS, MIN_RESPONSE_CHARS, type Settings } from "../domain/settings.ts";
import type { Limits } from "../pytest/limits.ts";
import { type FlagValues, textFlag } from "./flags.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";

/** Everything that `serve` can be told. */
export interface ServeFlags {
  readonly root: string;
  readonly python: string | undefined;
  readonly settings: Settings;
  readonly maxConcurrentRuns: number;
  readonly prewarm: boolean;
  readonly auditLog: string | undefined;
  readonly logLevel: LogLevel;
  readonly sandbox: boolean;
  readonly limits: Limits;
}

/** A value, or the one sentence that says why there is none. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

/** Checks the flags that serve, run and discover share; absent ones take their default. */
export function readServeFlags(values: FlagValues, cores: number): Checked<ServeFlags> {
  const problems: string[] = [];
  const integer = <Fallback>(name: string, fallback: Fallback): number | Fallback => {
    const text = textFlag(values, name);
    if (text === undefined) return fallback;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    problems.push(`--${name} must be an integer of at least 1: current value is '${text}'`);
    return fallback;
  };
  const level = textFlag(values, "log-level") ?? "warn";
  const logLevel = LOG_LEVELS.find((known) => known === level);
  if (logLevel === undefined) {
    problems.push(
      `--log-level must be one of ${LOG_LEVELS.join(", ")}: current value is '${level}'`,
    );
  }
  const maxTimeout = integer("max-timeout", DEFAULT_SETTINGS.maxTimeout);
  const settings: Settings = {
    maxTimeout,
    defaultTimeout: integer("timeout", Math.min(DEFAULT_SETTINGS.defaultTimeout, maxTimeout)),
    maxResponseChars: integer("max-response-chars", DEFAULT_SETTINGS.maxResponseChars),
  };
  if (settings.maxResponseChars < MIN_RESPONSE_CHARS) {
    problems.push(
      `--max-response-chars must be at least ${MIN_RESPONSE_CHARS}, or not even the counts fit: ` +
        `current value is ${settings.maxResponseChars}`,
    );
  }
  if (settings.defaultTimeout > maxTimeout) {
    problems.push(
      `--timeout must not exceed --max-timeout: ${settings.defaultTimeout} is more than ${maxTimeout}`,
    );
  }
  const limits: Limits = {
    memoryMegabytes: integer("max-memory", undefined),
    processes: integer("max-processes", undefined),
    cpuSeconds: integer("max-cpu-seconds", undefined),
  };
  const maxConcurrentRuns = integer("max-concurrent-runs", cores);
  if (problems.length > 0 || logLevel === undefined) {
    return { ok: false, message: problems.join("; ") };
  }
  return {
    ok: true,
    value: {
      root: textFlag(values, "root") ?? ".",
      python: textFlag(values, "python"),
      settings,
      maxConcurrentRuns,
      prewarm: values["no-prewarm"] !== true,
      auditLog: textFlag(values, "audit-log"),
      logLevel,
      sandbox: values["sandbox"] === true,
      limits,
    },
  };
}
