/** What a model reads once, before any tool: the loop. Hosts cut at 2 KB; 1,200 characters are the contract's limit. */
export const INSTRUCTIONS =
  `Runs this project's tests with its own pytest. Prefer these tools to a shell: \
the results are complete, structured and short.

The loop:
1. discover_tests (view "tree" costs least) shows which tests exist and where. It imports the test modules.
2. execute_tests on few tests: node_ids or path, with failfast: true. Run narrow while you work; changed: true runs \
what uncommitted changes can affect.
3. Read tests[]: failures come first, one entry a root cause; same_cause.node_ids selects all tests that share it. \
message and traceback hold what you need to fix the first cause.
4. Fix the code, run the same node_ids again.
5. When they pass, run wide: execute_tests without node_ids. summary and exit_code decide: 0 all passed, 1 some failed, \
5 none matched. not_run > 0 means the run stopped early.

Errors say what to do next: -32602 means change the parameters (unknown tests come with the nearest known ids); \
-32000 means the run did not finish (timeout, crash, broken conftest or environment); its data holds what finished \
before. truncated says what was left out and how to get it. Nothing is remembered between calls.`;
