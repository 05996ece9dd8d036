/**
 * Our Python files in every Python that this machine has, from 3.8 on: a pytest of our environments, which is
 * Python alone, is lent to each.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { expectedRun } from "../../fixtures/expected_outcomes.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { cacheDirectory } from "../support/cache_directory.ts";
import { differences, expectedOutcomes, listedOutcomes } from "../support/contract_outcomes.ts";
import { environment, isPossible, type PytestEnvironmentName } from "../support/environments.ts";
import { otherPythons } from "../support/other_pythons.ts";

/** Where an environment keeps its packages. */
async function packagesOf(name: PytestEnvironmentName): Promise<string> {
  const lib = join(dirname(dirname((await environment(name)).python)), "lib");
  const [python] = [...Deno.readDirSync(lib)].filter((entry) => entry.name.startsWith("python3."));
  return join(lib, python?.name ?? "", "site-packages");
}

for (const { executable, minor } of Deno.build.os === "windows" ? [] : await otherPythons()) {
  // 6.2 needs nothing beside itself in old Pythons, and does not know the new ones.
  const name = minor < 11 ? "pytest62" : "pytest9";

  const ignore = !await isPossible(name);

  for (const prewarm of [false, true]) {
    const how = prewarm ? "warm" : "cold";
    Deno.test(`a run in Python 3.${minor}, ${how}, tells every outcome and finds related tests`, {
      ignore,
    }, async () => {
      const expected = expectedRun("mixed", name);
      const environment = {
        PYTHONPATH: await packagesOf(name),
        // another Python's files beside the packages would make the environment another one
        PYTHONPYCACHEPREFIX: join(cacheDirectory(), "pycache"),
      };
      const { directory: root } = expected;
      let warm = false;
      await using runner = createPytestRunner({
        root,
        python: executable,
        environment,
        prewarm,
        overhear: ({ event }) => warm ||= event === "accepted",
      });
      runner.prepare();
      const { signal } = new AbortController();
      const settings = { ...DEFAULT_SETTINGS, maxResponseChars: 1_000_000 };
      const context = { runner, files: openProjectFiles(root), settings, signal };
      const ask = async (input: Record<string, unknown>) => {
        const params = parseExecuteParams({ verbosity: 1, ...input }, context);
        assert.ok(params.ok, JSON.stringify(params));
        const outcome = await executeTests(params.result, context);
        assert.ok(outcome.ok, JSON.stringify(outcome));
        return outcome.result;
      };
      const { tests, durations } = await ask({ durations: 3, time_budget: 100 });
      assert.deepEqual(differences(listedOutcomes(tests), expectedOutcomes(expected)), []);
      assert.equal(durations?.length, 3);
      assert.equal(warm, prewarm);
      const { selection } = await ask({ related_to: ["test_mixed.py"] });
      assert.deepEqual(selection?.files?.map(({ path }) => path), ["test_mixed.py"]);
    });
  }
}
