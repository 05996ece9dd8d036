import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { unifiedDiff } from "../../src/cli/unified_diff.ts";
import { NEEDS_GIT } from "../support/git_repository.ts";

Deno.test("unifiedDiff() is empty when nothing changes", () => {
  assert.equal(unifiedDiff("a.json", "x\n", "x\n"), "");
});

Deno.test("unifiedDiff() shows a new file as one hunk", () => {
  assert.equal(
    unifiedDiff(".cursor/mcp.json", null, "{\n}\n"),
    "--- /dev/null\n+++ b/.cursor/mcp.json\n@@ -0,0 +1,2 @@\n+{\n+}\n",
  );
});

Deno.test("unifiedDiff() shows three lines around each change and joins near ones", () => {
  const before = Array.from({ length: 20 }, (_, line) => `${line}\n`).join("");
  const after = before.replace("5\n", "five\n").replace("9\n", "").replace(/19\n$/, "19");
  assert.equal(
    unifiedDiff("f", before, after),
    "--- a/f\n+++ b/f\n@@ -3,11 +3,10 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n-9\n 10\n 11\n 12\n" +
      "@@ -17,4 +16,4 @@\n 16\n 17\n 18\n-19\n+19\n\\ No newline at end of file\n",
  );
});

Deno.test(
  "unifiedDiff() makes patches that git apply turns into the new text",
  NEEDS_GIT,
  async () => {
    const directory = await Deno.makeTempDir();
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 30 })
      .map((lines) => lines.join(""));
    try {
      await fc.assert(
        fc.asyncProperty(fc.option(text), text, fc.boolean(), async (before, after, newline) => {
          const wanted = newline ? after : after.trimEnd();
          const patch = unifiedDiff("sub/f", before, wanted);
          if (patch === "" || wanted === "") return;
          const root = await Deno.makeTempDir({ dir: directory });
          await Deno.mkdir(join(root, "sub"));
          if (before !== null) await Deno.writeTextFile(join(root, "sub/f"), before);
          await Deno.writeTextFile(join(root, "patch"), patch);
          const git = await new Deno.Command("git", {
            args: ["apply", "--whitespace=nowarn", "patch"],
            cwd: root,
            env: { GIT_CEILING_DIRECTORIES: directory },
          }).output();
          assert.equal(new TextDecoder().decode(git.stderr), "");
          assert.equal(await Deno.readTextFile(join(root, "sub/f")), wanted);
        }),
        { numRuns: 40 },
      );
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  },
);
