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

/** A request to end, which what runs can listen to. */
export interface EndRequest extends Disposable {
  readonly signal: AbortSignal;
  /** what a shell reports for a program that was ended so; null as long as nobody asked */
  exitCode(): number | null;
}

/** Waits for a request to end until disposed of; asked twice, the program ends at once. */
export function awaitEnd(): EndRequest {
  const stop = new AbortController();
  let code: number | null = null;
  const listening = listenForEnd((signal) => {
    if (code !== null) Deno.exit(code);
    code = signal === "SIGINT" ? 130 : 143;
    stop.abort();
  });
  return {
    signal: stop.signal,
    exitCode: () => code,
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}
