/**
 * What an agent reads about a project: our answer, and those of pytest.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { runProject } from "../support/run_project.ts";
import type { TokenSituation } from "./token_situations.ts";

/** Interpreters with a plain pytest, and with pytest-json-report. */
export interface Pythons {
  readonly plain: string;
  readonly withJsonReport: string;
}

/** The texts; null where pytest would never end. */
export interface Answers {
  readonly ours: string;
  readonly pytest: string | null;
  readonly short: string | null;
  readonly jsonReport: string | null;
}

/** Writes the project into a directory of its own, which is gone afterwards. */
export async function withProject<T>(
  { files }: TokenSituation,
  use: (root: string) => Promise<T>,
): Promise<T> {
  const root = await Deno.makeTempDir({ prefix: "pytest-mcp-tokens-" });
  try {
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), content);
    }
    return await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Our answer as a model sees it: the result, or the message of the error. */
export async function ourAnswer(
  { params }: TokenSituation,
  { root, python }: { root: string; python: string },
): Promise<string> {
  const { outcome } = await runProject({ root, python, params: params ?? {} });
  return outcome.ok ? JSON.stringify(outcome.result) : outcome.failure.message;
}

/** What pytest prints with these arguments. */
export async function pytestAnswer(root: string, python: string, args: string[]): Promise<string> {
  const command = new Deno.Command(python, {
    args: ["-m", "pytest", "-p", "no:cacheprovider", ...args],
    cwd: root,
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    stdin: "null",
  });
  const { stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}

/** `-q --tb=short --no-header`: what somebody who minds tokens types. */
export const SHORT_ARGS = ["-q", "--tb=short", "--no-header"];

/** All answers to one situation. */
export async function answersTo(situation: TokenSituation, pythons: Pythons): Promise<Answers> {
  return await withProject(situation, async (root) => {
    const ours = await ourAnswer(situation, { root, python: pythons.plain });
    if (situation.endless) return { ours, pytest: null, short: null, jsonReport: null };
    const report = join(root, "report.json");
    await pytestAnswer(root, pythons.withJsonReport, [
      "-p",
      "no:randomly",
      "--json-report",
      `--json-report-file=${report}`,
    ]);
    return {
      ours,
      pytest: await pytestAnswer(root, pythons.plain, []),
      short: await pytestAnswer(root, pythons.plain, SHORT_ARGS),
      jsonReport: await Deno.readTextFile(report),
    };
  });
}
