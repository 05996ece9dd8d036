import assert from "node:assert/strict";
import { join } from "node:path";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { environment } from "../support/environments.ts";

const settings = DEFAULT_SETTINGS;
/** Links to files need rights on Windows that few users have. */
const ignore = Deno.build.os === "windows";

async function withProject(use: (root: string, outside: string) => Promise<void>): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    const [root, outside] = [join(base, "root"), join(base, "outside")];
    for (const directory of [root, outside]) {
      await Deno.mkdir(directory);
      await Deno.writeTextFile(join(directory, "pytest.ini"), "[pytest]\n");
    }
    await Deno.writeTextFile(join(root, "test_it.py"), "def test_inside(): pass\n");
    await Deno.writeTextFile(join(outside, "test_it.py"), "def test_outside(): pass\n");
    await use(root, outside);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test({
  name: "parseExecuteParams() refuses a path that has become a link out of the root",
  ignore,
  fn: () =>
    withProject(async (root, outside) => {
      const files = openProjectFiles(root);
      const input = { path: "test_it.py" };
      assert.ok(parseExecuteParams(input, { settings, files }).ok);
      await Deno.remove(join(root, "test_it.py"));
      await Deno.symlink(join(outside, "test_it.py"), join(root, "test_it.py"));
      const refused = parseExecuteParams(input, { settings, files });
      assert.ok(!refused.ok && /symbolic link/.test(refused.failure.message));
    }),
});

// No agent can do this through the server: it takes somebody who can write to the project while a request
// is under way, and who could as well write a test.
Deno.test({
  name: "what remains: pytest follows a link that took the place of a file after the check",
  ignore,
  fn: () =>
    withProject(async (root, outside) => {
      const { python } = await environment("pytest9");
      const files = openProjectFiles(root);
      const params = parseExecuteParams({ path: "test_it.py", verbosity: 1 }, { settings, files });
      assert.ok(params.ok);
      await Deno.remove(join(root, "test_it.py"));
      await Deno.symlink(join(outside, "test_it.py"), join(root, "test_it.py"));
      await using runner = createPytestRunner({ root, python });
      const { signal } = new AbortController();
      const outcome = await executeTests(params.result, { runner, files, settings, signal });
      assert.ok(outcome.ok);
      assert.match(outcome.result.tests[0]?.node_id ?? "", /test_outside/);
    }),
});
