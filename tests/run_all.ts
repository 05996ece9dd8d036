/**
 * `deno task test`: builds the Python environments, runs the tests and ends with their counts.
 * Arguments go to `deno test`.
 *
 * @module
 */
import { join } from "node:path";
import { findBasePython, SetupError } from "./support/base_python.ts";
import {
  environment,
  possibleEnvironments,
  type PytestEnvironmentName,
} from "./support/environments.ts";
import { sourcePackages } from "./support/source_packages.ts";
import { countTests } from "./support/test_counts.ts";

const PRELOAD = "--preload=tests/support/seed_properties.ts";

async function buildEnvironments(names: readonly PytestEnvironmentName[]): Promise<void> {
  for (const name of [...names, "lint", "packages"] as const) {
    await environment(name);
  }
  await sourcePackages();
}

async function runTests(
  args: readonly string[],
  names: readonly PytestEnvironmentName[],
): Promise<number> {
  const directory = await Deno.makeTempDir({ prefix: "pytest-mcp-" });
  const junitPath = join(directory, "junit.xml");
  try {
    // pytest shortens its explanations except where these are set: everywhere the same answer.
    const { CI: _ci, BUILD_NUMBER: _build, ...env } = Deno.env.toObject();
    const { code } = await new Deno.Command(Deno.execPath(), {
      clearEnv: true,
      env: { ...env, PYTEST_MCP_TEST_ENVIRONMENTS: names.join() },
      // Looking for processes that were left behind means reading /proc, which needs all permissions.
      args: ["test", "--allow-all", "--parallel", PRELOAD, `--junit-path=${junitPath}`, ...args],
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    const junit = await Deno.readTextFile(junitPath).catch(() => "");
    const { passed, failed, skipped } = countTests(junit);
    // A type error, or coverage that is too low, fails the run without failing a test.
    say(
      `${passed} passed, ${code === 0 ? failed : Math.max(failed, 1)} failed, ${skipped} skipped`,
    );
    return code;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

try {
  await findBasePython();
  const names = await possibleEnvironments();
  await buildEnvironments(names);
  Deno.exitCode = await runTests(Deno.args, names);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  Deno.exitCode = 1;
}
