/** Every method of console that writes to stdout. */
const WRITES_TO_STDOUT = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "count",
  "group",
  "groupCollapsed",
  "timeLog",
  "timeEnd",
] as const;

/** Sends to stderr whatever a dependency logs: stdout belongs to the protocol. */
export function guardConsole(): void {
  const target = globalThis.console;
  const toStderr = target.error.bind(target);
  for (const method of WRITES_TO_STDOUT) target[method] = toStderr;
}

/** The same for Node's stdout, before the first call: to load it takes as long as the rest of the start. */
export async function guardNodeStdout(): Promise<void> {
  const { default: process } = await import("node:process");
  // A getter, because Node's streams are expensive to make and hardly anybody asks for them.
  Object.defineProperty(process, "stdout", { configurable: true, get: () => process.stderr });
}
