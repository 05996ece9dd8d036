import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import {
  chosenEnvironments,
  environment,
  type PytestEnvironmentName,
} from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

const FINE = "def test_one(): pass\ndef test_two(): pass\n";

for (const name of chosenEnvironments()) {
  // An older pytest takes an interrupt while a file is imported for an error of that file, and goes on.
  const goesOn = name === "pytest62" || name === "pytest74";

  Deno.test(`a file that hangs is not taken for the end of a complete collection, with ${name}`, async () => {
    const message = await failureOf("import time\ntime.sleep(1000)\n", name, { timeout: 6 });
    assert.equal(/^No test was run: collection was not over\.$/m.test(message), !goesOn);
    assert.match(
      message,
      /^It was still collecting: .*\nIts stack:\n[^]*test_b\.py:2 <module>/m,
    );
  });

  Deno.test(`an interrupted collection is not taken for a complete one, with ${name}`, {
    ignore: goesOn,
  }, async () => {
    assert.match(
      await failureOf("raise KeyboardInterrupt\n", name),
      /^test_b\.py:1 <module>: raise KeyboardInterrupt\nNo test was run: collection was not over\.$/m,
    );
  });
}

async function failureOf(
  source: string,
  name: PytestEnvironmentName,
  params: { timeout?: number } = {},
): Promise<string> {
  const { python } = await environment(name);
  await using files = await e2eProject({
    files: { "pytest.ini": "[pytest]\n", "test_a.py": FINE, "test_b.py": source },
    environment: null,
  });
  await using project = openRealProject(files.root, python);
  const outcome = await project.execute(params);
  assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
  return outcome.failure.message;
}
