/** Files of those who call a test, as they stand in a stack dump. */
const MACHINERY =
  /[\\/](_pytest|pluggy|pytest|xdist|execnet)[\\/]|<frozen |<pytest_mcp|pytest_mcp_/;

/** How every thread begins. */
const BOOTSTRAP = /threading\.py", line \d+ in (run|_bootstrap|_bootstrap_inner)$/;

/** Where libraries live; their own names say enough. */
const LIBRARY = /^.*[\\/](?:site-packages|dist-packages|python3\.\d+)[\\/]/;

/** The stacks of a hanging process without the frames that only call the test; nearest call first. */
export function tidyStacks(text: string): string {
  const threads = text.split(/^(?=(?:Current thread|Thread|asyncio task) )/m);
  return threads.map(tidyThread).filter((thread) => thread !== "").join("\n");
}

function tidyThread(thread: string): string {
  const [title = "", ...frames] = thread.trimEnd().split("\n");
  if (frames.length === 0) return title.trim();
  const machinery = frames.findIndex((frame) => MACHINERY.test(frame));
  const own = machinery < 0 ? frames : frames.slice(0, machinery);
  // A thread that is only pytest's, such as xdist's reader, says nothing about the test.
  if (own.length === 0) return "";
  const name = title.replace(/ 0x[0-9a-f]+/, "").replace(" (most recent call first)", "");
  const lines = own.filter((frame) => !BOOTSTRAP.test(frame)).map((frame) =>
    frame.trim().replace(/^File "(.*)", line (\d+) in /, "$1:$2 ").replace(LIBRARY, "")
  );
  const rest = frames.length - own.length;
  return [
    name,
    ...countRepeats(lines).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … ${rest} frames of pytest`] : []),
  ]
    .join("\n");
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
