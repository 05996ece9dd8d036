import { deepEqual, ok } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { differences, listedOutcomes, type Outcomes } from "../support/contract_outcomes.ts";
import { environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";
import { sourcePackages } from "../support/source_packages.ts";

const outcomesSchema = z.record(z.string(), z.enum(["passed", "failed", "skipped", "error"]));

const TO_JSON = fileURLToPath(new URL("../support/junit_outcomes.py", import.meta.url));

async function run(python: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await new Deno.Command(python, {
    args,
    cwd,
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

/** Every test and every module that cannot be collected, as `pytest --junitxml` reports them. */
async function bareOutcomes(python: string, directory: string): Promise<Outcomes> {
  const scratch = await Deno.makeTempDir();
  try {
    const report = join(scratch, "report.xml");
    const flags = ["--continue-on-collection-errors", "-p", "no:cacheprovider"];
    await run(python, ["-m", "pytest", ...flags, `--junitxml=${report}`], directory);
    return outcomesSchema.parse(JSON.parse(await run(python, [TO_JSON, report], directory)));
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

/** The same from our own result. */
async function ourOutcomes(python: string, directory: string): Promise<Outcomes> {
  await using project = openRealProject(directory, python);
  const answer = await project.execute({ verbosity: 1 });
  if (!answer.ok) throw new Error(answer.failure.message);
  const { tests, collection_errors } = answer.result;
  const uncollected = Object.fromEntries(
    collection_errors.map(({ file }) => [file, "error"] as const),
  );
  return { ...listedOutcomes(tests), ...uncollected };
}

for (const { name, directory } of await sourcePackages()) {
  Deno.test(`executeTests() says of every test of ${name} what bare pytest says`, async () => {
    const { python } = await environment("packages");
    const bare = await bareOutcomes(python, directory);
    ok(Object.keys(bare).length > 100);
    deepEqual(differences(await ourOutcomes(python, directory), bare), []);
  });
}
