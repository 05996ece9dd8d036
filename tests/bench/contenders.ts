/**
 * Who takes part: bare pytest, this server warm and cold, and two Python servers from PyPI.
 *
 * @module
 */
import { delimiter, dirname, join } from "node:path";
import { findBasePython, SetupError } from "../support/base_python.ts";
import { buildEnvironment } from "../support/environments.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";
import type { Server } from "./lane.ts";
import type { ProjectText } from "./projects.ts";

/** The columns of the table, apart from what the others are divided by. */
export const CONTENDERS = ["warm", "cold", "mcp-pytest-runner", "mcp-test-runner"] as const;
export type ContenderName = typeof CONTENDERS[number];

/** Where the tests of a row run. */
export type RowEnvironment = "pytest9" | "packages" | "bench_hypothesis";

/** A server with the Python that runs its tests. */
export interface Contender {
  readonly server: Server;
  readonly python: string;
}

/** What a contender is made for. */
export interface Setting {
  /** a directory of its own: some servers write into the project */
  readonly root: string;
  readonly environment: RowEnvironment;
  /** what to start instead of the checkout */
  readonly command?: readonly [string, ...string[]];
}

/** Long enough for every row: the rivals' own limits are shorter. */
const TIMEOUT = 1_800;

/** Makes a contender ready; throws a SetupError that says why it cannot take part. */
export function contender(name: ContenderName, setting: Setting): Promise<Contender> {
  switch (name) {
    case "warm":
      return ours(name, setting, { flags: [], processes: 3 });
    case "cold":
      return ours(name, setting, { flags: ["--no-prewarm"], processes: 1 });
    case "mcp-pytest-runner":
      return mcpPytestRunner(setting);
    case "mcp-test-runner":
      return mcpTestRunner(setting);
  }
}

/** Writes a project with an environment in `.venv`, as users have it. */
export async function writeProject(
  root: string,
  files: ProjectText,
  python: string,
): Promise<void> {
  await Deno.mkdir(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  await Deno.symlink(dirname(dirname(python)), join(root, ".venv"), { type: "junction" });
}

async function ours(
  name: ContenderName,
  { root, environment, command = serverCommand() }: Setting,
  { flags, processes }: { flags: readonly string[]; processes: number },
): Promise<Contender> {
  const { python } = await buildEnvironment(environment);
  const args = { timeout: TIMEOUT };
  return {
    python,
    server: {
      name,
      program: { command: [...command, ...flags], cwd: root, env: serverEnvironment() },
      tools: { run: ["execute_tests", args], discover: ["discover_tests", args] },
      processes,
    },
  };
}

/** Starts the `pytest` that it finds on PATH: the environment of the row, as if it were activated. */
async function mcpPytestRunner({ root, environment }: Setting): Promise<Contender> {
  const base = await findBasePython({
    candidates: ["python3.13", "python3.12", "python3", "python"],
  });
  if (base.version[1] < 12) {
    throw new SetupError(`it needs Python 3.12, and the newest here is ${base.version.join(".")}`);
  }
  const own = await buildEnvironment("bench_mcp_pytest_runner", { base });
  const { python } = await buildEnvironment(environment);
  return {
    python,
    server: {
      name: "mcp-pytest-runner",
      program: {
        command: [join(dirname(own.python), "mcp-pytest-runner")],
        cwd: root,
        env: activated(python),
      },
      tools: { run: ["execute_tests", { timeout: TIMEOUT }], discover: ["discover_tests", {}] },
      processes: 1,
    },
  };
}

/** Its tests run in its own environment, which has the plugins whose options it passes. */
async function mcpTestRunner({ root, environment }: Setting): Promise<Contender> {
  if (environment === "bench_hypothesis") {
    throw new SetupError("it runs tests only in an environment that has its plugins");
  }
  const { python } = await buildEnvironment("bench_mcp_test_runner");
  return {
    python,
    server: {
      name: "mcp-test-runner",
      program: {
        command: [join(dirname(python), "mcp-test-runner")],
        cwd: root,
        env: { ...activated(python), QA_PROJECT_ROOT: root, QA_TIMEOUT_SECONDS: `${TIMEOUT}` },
      },
      tools: { run: ["run_tests", {}], discover: ["list_tests", {}] },
      processes: 1,
    },
  };
}

function activated(python: string): Record<string, string> {
  const env = serverEnvironment();
  return { ...env, PATH: [dirname(python), env["PATH"] ?? ""].join(delimiter) };
}
