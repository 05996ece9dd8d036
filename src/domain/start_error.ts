/**
 * Why pytest did not start, as a collection error: what it wrote to stderr is all that there is.
 *
 * @module
 */
import type { CollectionError } from "./execute_result.ts";
import type { FailureStyle } from "./failure_text.ts";
import { plainText, relativePath, relativizeLocations } from "./plain_text.ts";

/** What argparse has to say, after its usage. */
const REFUSED = /^.*: error: (.+)$/m;
const SETTINGS = /^ {2}inifile: (?!None$)(.+)$|^(\S.*\.(?:ini|toml|cfg)):/m;
const TRACEBACK = /^Traceback \(most recent call last\):$/m;
/** What was raised, at the end of a text that begins with a traceback. */
const RAISED = /(?<![^])[^]*\n([A-Za-z_][\w.]*)(?:: (.*))?$/m;

/** Reads what pytest refused or what was raised; null if neither is there. */
export function startError(stderr: string, { roots }: FailureStyle): CollectionError | null {
  const said = plainText(stderr).trim();
  // Warnings may come before it.
  const refusal = said.slice(`\n${said}`.lastIndexOf("\nERROR: "));
  if (refusal.startsWith("ERROR: ")) return refused(refusal.slice("ERROR: ".length), roots);
  const start = said.search(TRACEBACK);
  const [traceback, type, message = ""] = (start < 0 ? null : RAISED.exec(said.slice(start))) ?? [];
  if (traceback === undefined || type === undefined) return null;
  return {
    file: "",
    error_type: type,
    message,
    line: null,
    traceback: relativizeLocations(traceback, roots),
  };
}

function refused(words: string, roots: readonly string[]): CollectionError {
  const settings = SETTINGS.exec(words);
  return {
    file: relativePath(settings?.[1] ?? settings?.[2] ?? "", roots),
    error_type: "UsageError",
    message: REFUSED.exec(words)?.[1] ?? words,
    line: null,
    traceback: relativizeLocations(words, roots),
  };
}
