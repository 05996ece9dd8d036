import assert from "node:assert/strict";
import { createLog } from "../../src/cli/log.ts";

Deno.test("createLog() writes one JSON object a line and leaves out lower levels", () => {
  const lines: string[] = [];
  const log = createLog("warn", (line) => lines.push(line));
  log.debug("no");
  log.info("no");
  log.warn("two\nlines", { run: 7 });
  log.error("last");
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.indexOf("\n") === line.length - 1));
  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  assert.match(time, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(rest, { level: "warn", message: "two\nlines", run: 7 });
});
