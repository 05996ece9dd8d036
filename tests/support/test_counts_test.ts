import { deepEqual } from "node:assert/strict";
import { join } from "node:path";
import { countTests } from "./test_counts.ts";

const MODULE = `
  Deno.test("passes", () => {});
  Deno.test("says <failure> & <skipped/>", () => {});
  Deno.test("fails", () => { throw new Error("<testcase >"); });
  Deno.test("has steps", async (t) => { await t.step("one", () => {}); });
  Deno.test.ignore("ignored", () => {});
`;

Deno.test("countTests() counts what a real run of deno test reports", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(directory, "a_test.js"), MODULE);
    await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-config", "--junit-path=junit.xml"],
      cwd: directory,
      stdout: "null",
      stderr: "null",
    }).output();
    const junit = await Deno.readTextFile(join(directory, "junit.xml"));
    deepEqual(countTests(junit), { passed: 4, failed: 1, skipped: 1 });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
