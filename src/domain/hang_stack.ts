/** Files of those who call a test, as they stand in a stack dump. */
const MACHINERY =
  /[\\/](_pytest|pluggy|pytest|xdist|execnet)[\\/]|[\\/]pytest_rerunfailures\.py"|<frozen |<pytest_mcp|pytest_mcp_/;

/** How every thread begins. */
const BOOTSTRAP = /threading\.py", line \d+ in (run|_bootstrap|_bootstrap_inner)$/;

/** Where libraries live; their own names say enough. */
const LIBRARY = /^.*[\\/](?:site-packages|dist-packages|python3\.\d+)[\\/]/;

/** The stacks of a hanging process without the frames that only call the test; nearest call first. */
export function tidyStacks(text: string): string {
  const threads = text.split(/^(?=(?:Current thread|Thread|asyncio task) )/m).map(tidyThread);
  // Where some thread is at a line of the project, those in which plugins wait for each other say nothing.
  const isProjects = threads.some(({ kind }) => kind === "project");
  const told = isProjects ? threads.filter(({ kind }) => kind !== "plugin") : threads;
  return told.map((thread) => thread.text).filter((thread) => thread !== "").join("\n");
}

interface TidyThread {
  readonly text: string;
  /** whose frames are in it; "plugin": only such as pytest or a plugin has called */
  readonly kind: "project" | "plugin" | "other";
}

function tidyThread(thread: string): TidyThread {
  const [title = "", ...frames] = thread.trimEnd().split("\n");
  if (frames.length === 0) return { text: title.trim(), kind: "other" };
  const machinery = frames.findIndex((frame) => MACHINERY.test(frame));
  const own = machinery < 0 ? frames : frames.slice(0, machinery);
  // A thread that is only pytest's, such as xdist's reader, says nothing about the test.
  if (own.length === 0) return { text: "", kind: "other" };
  const name = title.replace(/ 0x[0-9a-f]+/, "").replace(" (most recent call first)", "");
  const lines = own.filter((frame) => !BOOTSTRAP.test(frame)).map((frame) =>
    frame.trim().replace(/^File "(.*)", line (\d+) in /, "$1:$2 ").replace(LIBRARY, "")
  );
  const rest = frames.length - own.length;
  // "Garbage-collecting" is no frame of anybody.
  const isLibrary = own.every((frame) => !frame.includes('File "') || LIBRARY.test(frame));
  const kind = isLibrary ? rest > 0 ? "plugin" : "other" : "project";
  const told = [
    name,
    ...countRepeats(lines).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … ${rest} frames of pytest`] : []),
  ]
    .join("\n");
  return { text: told, kind };
}

/** Each line once, with how often it comes in a row: a recursion is a hundred of one. */
function countRepeats(lines: readonly string[]): string[] {
  const counted: { line: string; times: number }[] = [];
  for (const line of lines) {
    const last = counted.at(-1);
    if (last?.line === line) last.times++;
    else counted.push({ line, times: 1 });
  }
  return counted.map(({ line, times }) => times === 1 ? line : `${line} (${times} times)`);
}
