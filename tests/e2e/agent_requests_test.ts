/**
 * What an agent can ask beyond running tests, each with a real client, a real server and a real pytest.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { join } from "node:path";
import { type ExecuteResult, executeResultSchema } from "../../src/domain/execute_result.ts";
import { type E2eProject, e2eProject } from "../support/e2e_project.ts";
import type { PytestEnvironmentName } from "../support/environments.ts";
import { git, NEEDS_GIT } from "../support/git_repository.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";

type Arguments = Record<string, unknown>;

/** One question, and what the answer must show. */
interface Row {
  readonly asks: string;
  readonly arguments: Arguments;
  readonly seen: (result: ExecuteResult) => void;
}

const LOANS = "tests/test_loans.py";
const counts = ({ summary }: ExecuteResult) => [summary.total, summary.failed, summary.errors];

/** In this order: the cache remembers what failed before. */
const ROWS: readonly Row[] = [
  {
    asks: "parallel",
    arguments: { parallel: 2, verbosity: 1 },
    seen(result) {
      assert.deepEqual(counts(result), [9, 1, 0]);
      assert.match(result.text_output ?? "", /2 workers/);
    },
  },
  {
    asks: "last_failed",
    arguments: { last_failed: true },
    seen(result) {
      assert.deepEqual(counts(result), [1, 1, 0]);
      assert.deepEqual(result.selection, { selected: 1, total: 1, notes: [] });
    },
  },
  {
    asks: "failed_first",
    arguments: { failed_first: true, failfast: true },
    seen: (result) => assert.deepEqual([...counts(result), result.summary.not_run], [1, 1, 0, 8]),
  },
  {
    asks: "related_to",
    arguments: { related_to: ["src/library/catalog.py"] },
    seen(result) {
      assert.deepEqual(counts(result), [2, 0, 0]);
      const { files, selected, total, notes } = result.selection ?? { notes: [] };
      assert.deepEqual(files, [{
        path: "tests/test_catalog.py",
        because: "test_find_ignores_case → src/library/catalog.py:find",
        distance: 1,
      }]);
      assert.deepEqual([selected, total], [2, 6]);
      assert.match(notes.join(), /statically.*run all tests before you finish/);
    },
  },
  {
    asks: "changed, in lines",
    arguments: { changed: true },
    seen(result) {
      assert.deepEqual(counts(result), [1, 0, 0]);
      assert.deepEqual(result.selection?.files?.map(({ path, because }) => [path, because]), [[
        "tests/test_catalog.py",
        "test_shelves_are_in_order → src/library/catalog.py:shelve → src/library/catalog.py:sort_key",
      ]]);
    },
  },
  {
    asks: "repeat",
    arguments: { path: "tests", keywords: "odd or initials", repeat: 3 },
    seen(result) {
      assert.deepEqual(counts(result), [2, 1, 0]);
      assert.deepEqual(result.repeat, {
        runs: 3,
        flaky: 0,
        tests: [{
          node_id: `${LOANS}::test_odd_days_round_up`,
          passed: 0,
          failed: 3,
          flaky: false,
          messages: [{ message: "AssertionError: assert 0 == 1", count: 3 }],
        }],
      });
    },
  },
  {
    asks: "coverage",
    arguments: {
      path: LOANS,
      coverage: { paths: ["src/library/loans.py"], branch: true, fail_under: 90 },
      keywords: "not odd",
    },
    seen(result) {
      assert.deepEqual(result.coverage, {
        percent: 73.33,
        statements: 9,
        missing: 2,
        branches: 6,
        missing_branches: 2,
        fail_under: 90,
        reached: false,
        complete_files: 0,
        files: [{ path: "src/library/loans.py", percent: 73.33, missing: "6, 10" }],
      });
    },
  },
  {
    asks: "coverage of changed lines",
    arguments: { path: LOANS, coverage: { paths: ["src"], changed_only: true } },
    seen: ({ coverage }) =>
      assert.deepEqual([coverage?.statements, coverage?.files], [1, [{
        path: "src/library/catalog.py",
        percent: 0,
        missing: "10",
      }]]),
  },
  {
    asks: "durations",
    arguments: { path: "tests/test_members.py", durations: 1 },
    seen({ durations }) {
      assert.deepEqual(durations?.map(({ node_id }) => node_id), [
        "tests/test_members.py::test_card_number",
      ]);
      assert.ok((durations?.[0]?.call ?? 0) >= 0.05);
    },
  },
  ...[1, 2, 3].map((index): Row => ({
    asks: `shard ${index} of 3`,
    arguments: { shard: { index, total: 3 } },
    seen({ selection, summary }) {
      assert.equal(selection?.total, 9);
      assert.equal(selection?.selected, summary.total);
      assert.deepEqual(selection?.notes, ["this shard has 1 of 3 files"]);
    },
  })),
];

/** close() of the client leaves a timer behind, with which it would kill a server that stays. */
const OF_THE_CLIENT = { sanitizeOps: false, sanitizeResources: false };

async function connect(root: string, env = {}): Promise<Client> {
  const [command, ...args] = serverCommand();
  const client = new Client({ name: "test", version: "1" });
  const options = { command, args, cwd: root, stderr: "inherit" as const };
  await client.connect(
    new StdioClientTransport({ ...options, env: { ...serverEnvironment(), ...env } }),
  );
  return client;
}

async function execute(client: Client, parameters: Arguments): Promise<ExecuteResult> {
  const answer = await client.callTool({ name: "execute_tests", arguments: parameters });
  return executeResultSchema.parse(answer.structuredContent);
}

/** The library under git, with one changed line. */
async function library(environment: PytestEnvironmentName): Promise<E2eProject> {
  const project = await e2eProject({
    fixture: "library",
    environment,
    files: { ".gitignore": ".venv\n__pycache__\n.pytest_cache\n" },
  });
  await git(project.root, "init", "--quiet");
  await git(project.root, "add", ".");
  await git(project.root, "commit", "--quiet", "--message", "all");
  const file = join(project.root, "src/library/catalog.py");
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, text.replace("return book.lower()", "return book.casefold()"));
  return project;
}

Deno.test("an agent can ask for everything that the README names", {
  ...OF_THE_CLIENT,
  ...NEEDS_GIT,
}, async () => {
  await using project = await library("rich");
  const client = await connect(project.root);
  for (const { asks, arguments: parameters, seen } of ROWS) {
    const result = await execute(client, parameters);
    try {
      seen(result);
    } catch (error) {
      throw new Error(`${asks}: ${JSON.stringify(result)}`, { cause: error });
    }
  }
  await client.close();
});

Deno.test(
  "a suite that takes longer than a client waits is run in parts, each test once",
  OF_THE_CLIENT,
  async () => {
    const slow = "import time, pytest\n@pytest.mark.parametrize('n', range(5))\n" +
      "def test_slow(n):\n    time.sleep(0.4)\n    assert n != 3\n";
    // The rich environment shuffles: the order must be the same in every part all the same.
    await using project = await e2eProject({
      environment: "rich",
      files: { "test_slow.py": slow },
    });
    const client = await connect(project.root);
    const seen: string[] = [];
    let resume: Arguments = {};
    let parts = 0;
    for (let more = true; more; parts++) {
      const result = await execute(client, { time_budget: 1, verbosity: 1, ...resume });
      seen.push(...result.tests.map(({ node_id }) => node_id));
      assert.equal(result.summary.not_run, 5 - seen.length);
      assert.equal(result.exit_code, result.summary.failed > 0 ? 1 : 0);
      const { resume_after } = result;
      more = typeof resume_after === "string";
      resume = { resume_after };
    }
    assert.ok(parts > 1, `${parts} parts`);
    assert.deepEqual(seen.toSorted(), [0, 1, 2, 3, 4].map((n) => `test_slow.py::test_slow[${n}]`));
    await client.close();
  },
);

/** [arguments, what the error says]: a plugin that is not there, a cache that is off. */
const REFUSED: readonly (readonly [Arguments, RegExp])[] = [
  [{ parallel: 2 }, /^parallel needs pytest-xdist, .* -m pip install pytest-xdist, or leave/],
  [{ coverage: {} }, /^coverage needs pytest-cov, .* -m pip install pytest-cov, or leave/],
  [{ last_failed: true }, /^last_failed needs .* settings turn it off \(-p no:cacheprovider/],
  [{ changed: true }, /^changed: Deno may not run git, .* with git in --allow-run .*related_to/],
  [
    { coverage: { changed_only: true } },
    /^coverage\.changed_only: Deno may not run git, .* with git in --allow-run/,
  ],
];

Deno.test({
  name: "what is missing is refused with the way to mend it, and nothing runs",
  ...OF_THE_CLIENT,
  // there, git cannot be taken off PATH without taking Python off it
  ignore: Deno.build.os === "windows",
  async fn() {
    await using project = await e2eProject({
      files: {
        "test_it.py": "def test_it():\n    open('ran', 'w')\n",
        "pytest.ini": "[pytest]\naddopts = -p no:cacheprovider\n",
      },
    });
    const client = await connect(project.root, { PATH: join(project.root, "nothing") });
    for (const [parameters, expected] of REFUSED) {
      await assert.rejects(
        execute(client, parameters),
        (error: { code?: number; message: string; data?: { error_type?: string } }) => {
          assert.equal(error.code, -32602);
          assert.match(error.message, expected);
          assert.match(error.message, /Nothing was run\.$/);
          assert.equal(error.data?.error_type, "usage_error");
          return true;
        },
      );
    }
    await assert.rejects(Deno.stat(join(project.root, "ran")));
    await client.close();
  },
});
