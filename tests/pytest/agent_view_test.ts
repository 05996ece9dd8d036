import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { withProject } from "../bench/token_answers.ts";
import { TOKEN_SITUATIONS } from "../bench/token_situations.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";

const FAILING = fileURLToPath(new URL("../../fixtures/projects/failing", import.meta.url));
const MIXED = fileURLToPath(new URL("../../fixtures/projects/mixed", import.meta.url));

async function run(root: string, python: string, params = {}): Promise<ExecuteResult> {
  const { outcome } = await runProject({ root, python, params });
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result;
}

for (const name of chosenEnvironments()) {
  Deno.test(`executeTests() says all that is needed to correct 1 of 10, with ${name}`, async () => {
    const { python } = await environment(name);
    const situation = TOKEN_SITUATIONS.find(({ name }) => name === "1 of 10 fails");
    assert.ok(situation);
    const { summary, tests } = await withProject(situation, (root) => run(root, python));
    assert.equal(summary.passed, 9);
    assert.equal(tests.length, 1);
    const told = `${tests[0]?.node_id}\n${tests[0]?.message}\n${tests[0]?.traceback}`;
    for (
      const fact of [
        "tests/test_basket.py::test_two_copies",
        "tests/test_basket.py:19 test_two_copies: check_total(basket, 20)",
        "tests/test_basket.py:6 check_total: assert basket.total() == expected",
        "AssertionError: assert 10 == 20",
        "where 10 = <shop.basket.Basket object>.total()",
      ]
    ) assert.ok(told.includes(fact), `${fact} is not in\n${told}`);
  });

  Deno.test(`the selectors of a cause run exactly its tests, with ${name}`, async () => {
    const { python } = await environment(name);
    const { tests } = await run(FAILING, python);
    const causes = tests.flatMap(({ same_cause }) => same_cause ?? []);
    assert.deepEqual(causes.map(({ count }) => count), [4]);
    for (const { count, node_ids } of causes) {
      const again = await run(FAILING, python, { node_ids });
      assert.equal(again.summary.total, count);
      assert.equal(again.tests.length, 1);
      assert.equal(again.tests[0]?.same_cause?.count, count);
    }
  });

  Deno.test(`executeTests() explains every kind of failure, with ${name}`, async () => {
    const { python } = await environment(name);
    const { tests } = await run(MIXED, python);
    const told = new Map(tests.map((test) => [test.node_id.split("::")[1], test]));
    assert.deepEqual(
      [...told].map(([name, { outcome, message, traceback }]) => ({
        [name ?? ""]: `${outcome}: ${message} | ${traceback?.split("\n").slice(0, 2).join(" / ")}`,
      })).sort((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1),
      [
        {
          test_fails:
            "failed: AssertionError: assert False | test_mixed.py:11 test_fails: assert False",
        },
        {
          test_fails_and_teardown_error:
            "failed: AssertionError: assert False | test_mixed.py:66 test_fails_and_teardown_error: assert False" +
            " / and at teardown RuntimeError: cannot tear down",
        },
        {
          test_fails_with_another_exception:
            "failed: KeyError: 'x' | test_mixed.py:44 test_fails_with_another_exception: raise KeyError(\"x\")",
        },
        {
          test_setup_error: "error: ValueError: cannot set up | at setup: / " +
            'conftest.py:6 broken_setup: raise ValueError("cannot set up")',
        },
        {
          test_teardown_error: "error: RuntimeError: cannot tear down | at teardown: / " +
            'conftest.py:12 broken_teardown: raise RuntimeError("cannot tear down")',
        },
        {
          test_unknown_fixture: "error: fixture 'no_such_fixture' not found | at setup: / " +
            "test_mixed.py:74: def test_unknown_fixture(no_such_fixture):",
        },
        {
          test_xpasses_strictly: "failed: [XPASS(strict)] was a bug | [XPASS(strict)] was a bug",
        },
      ],
    );
  });
}
