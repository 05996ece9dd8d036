/** What asks a program to end; Windows knows only the first. */
const ENDING: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** Calls `onSignal` for each until disposed of; what comes then ends the program at once. */
export function listenForEnd(onSignal: (signal: Deno.Signal) => void): Disposable {
  const listeners = ENDING.map((signal) => [signal, () => onSignal(signal)] as const);
  for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
    },
  };
}
