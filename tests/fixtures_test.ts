import { deepEqual } from "node:assert/strict";
import { expectedRun, projectNames } from "../fixtures/expected_outcomes.ts";
import { runBarePytest } from "./support/bare_pytest.ts";
import { chosenEnvironments, environment } from "./support/environments.ts";

for (const name of chosenEnvironments()) {
  for (const project of projectNames()) {
    Deno.test(`expectedRun() says of ${project} what bare pytest does in ${name}`, async () => {
      const expected = expectedRun(project, name);
      const running = [...expected.tests].find(([, outcome]) => outcome === "running")?.[0];
      const bare = await runBarePytest({
        python: (await environment(name)).python,
        directory: expected.directory,
        killAt: expected.failure === "timeout" ? running : undefined,
      });
      deepEqual(sorted(bare.tests), sorted(expected.tests));
      deepEqual(bare.collectionErrors.toSorted(), expected.collectionErrors.toSorted());
      deepEqual(bare.skippedModules, expected.skippedModules);
      deepEqual(bare.exitCode, expected.exitCode);
    });
  }
}

Deno.test("projectNames() are the directories of fixtures/projects", () => {
  const directories = Deno.readDirSync(new URL("../fixtures/projects", import.meta.url));
  deepEqual(
    projectNames().toSorted(),
    [...directories].map((entry) => entry.name).toSorted(),
  );
});

/** pytest-randomly changes the order. */
function sorted(tests: ReadonlyMap<string, string>): [string, string][] {
  return [...tests].toSorted(([left], [right]) => left < right ? -1 : 1);
}
