import assert from "node:assert/strict";
import { askPython } from "../../src/pytest/ask_python.ts";
import { readText } from "../../src/pytest/read_text.ts";
import { runProgram } from "../../src/pytest/run_program.ts";
import { e2eProject } from "../support/e2e_project.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

Deno.test("readText() reads text wherever it was cut, and stops one that is too long", async () => {
  const bytes = new TextEncoder().encode("für 7 €");
  for (const size of [1, 2, 100]) {
    let stopped = 0;
    const stop = () => stopped++;
    assert.equal(await readText(chunksOf(bytes, size), stop), "für 7 €");
    assert.equal(await readText(chunksOf(bytes, size), stop, bytes.length), "für 7 €");
    assert.equal(stopped, 0);
    assert.equal(await readText(chunksOf(bytes, size), stop, bytes.length - 1), "");
    assert.equal(stopped, 1);
  }
});

Deno.test("what a program or an interpreter says without end is not kept, and ends it", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using files = await e2eProject({ environment: null });
  const { root } = files;
  const said = await runProgram(["yes"], { root });
  assert.deepEqual(said, { code: 1, stdout: "", stderr: "it said more than can be read" });
  const patience = { patienceMilliseconds: 60_000, modules: [] };
  const reply = await askPython(["sh", "-c", "yes"], {
    root,
    entry: "pytest_mcp_related",
    ...patience,
  });
  assert.deepEqual(reply, { problem: "its answer has no end" });
});
