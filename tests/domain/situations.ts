/**
 * The situations that an agent meets, as what a run says. Each has its full response in `snapshots/`.
 *
 * @module
 */
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { exception, frame, session, test } from "../support/run_events.ts";

/** A call and the run behind it. */
export interface Situation {
  readonly params?: Record<string, unknown>;
  readonly maxResponseChars?: number;
  readonly events: readonly PytestEvent[];
}

/** `count` passing tests. */
export function passing(count: number): PytestEvent[] {
  return Array.from({ length: count }, (_, n) => test(`tests/test_a.py::test_${n}`)).flat();
}

function login({ locals }: { locals: boolean }): PytestEvent[] {
  const values = (...pairs: [string, string][]) => locals ? { locals: pairs } : {};
  return test("tests/test_user.py::TestAuth::test_login", {
    error: exception(
      "AssertionError: assert 500 == 401\n +  where 500 = <Response [500]>.status_code",
      [
        frame(
          "tests/test_user.py:42 test_login: check(client.post('/login', data=form), 401)",
          values(["form", "{'user': 'ada', 'password': 'wrong'}"]),
        ),
        frame(
          "tests/helpers.py:7 check: assert response.status_code == status",
          values(["response", "<Response [500]>"], ["status", "401"]),
        ),
      ],
    ),
    sections: [[
      "Captured log call",
      Array.from({ length: 8 }, (_, n) => `ERROR app:views.py:${n} step ${n}`).join("\n"),
    ]],
  });
}

const LOGIN = login({ locals: false });

const LIBRARY = test("tests/test_api.py::test_fetch", {
  error: exception(
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='api', port=80): Max retries exceeded",
    [
      "tests/test_api.py:12 test_fetch: fetch('/users')",
      "app/client.py:30 fetch: return session.get(BASE + path)",
      ...Array.from(
        { length: 9 },
        (_, n) => `lib requests/sessions.py:${600 + n} send${n}: return`,
      ),
      "lib requests/adapters.py:519 send: raise ConnectionError(e, request=request)",
    ],
    {
      context: exception("urllib3.exceptions.NewConnectionError: Connection refused", [
        "lib urllib3/connection.py:186 _new_conn: raise NewConnectionError",
      ]),
    },
  ),
});

const FIXTURE = Array.from({ length: 200 }, (_, n) =>
  test(`tests/test_many.py::test_m[${n}]`, {
    when: "setup",
    error: exception(`KeyError: 'row ${n % 9}'`, [
      "tests/conftest.py:9 database: return load(config)",
      "app/config.py:4 load: return config['url']",
    ]),
  })).flat();

const BROKEN: PytestEvent[] = [
  {
    event: "collection_error",
    id: "tests/test_new.py",
    file: "tests/test_new.py",
    error: exception("ModuleNotFoundError: No module named 'bookshop.cart'", [
      "lib importlib/__init__.py:90 import_module: return _bootstrap._gcd_import(name)",
      "tests/test_new.py:3 <module>: from bookshop.cart import Cart",
    ]),
    text: "E   ModuleNotFoundError",
  },
  {
    event: "collection_error",
    id: "tests/test_typo.py",
    file: "tests/test_typo.py",
    error: exception("SyntaxError: expected ':' (test_typo.py, line 4)", [], {
      syntax: { path: "tests/test_typo.py", line: 4, text: "def test_x()" },
    }),
    text: "E   SyntaxError",
  },
];

const MIXED = [
  ...test("tests/test_a.py::test_passes"),
  ...LOGIN,
  ...test("tests/test_a.py::test_later", {
    when: "setup",
    outcome: "skipped",
    reason: "needs a database",
  }),
  ...test("tests/test_a.py::test_known", { outcome: "skipped", xfail: true, reason: "issue 12" }),
  ...test("tests/test_a.py::test_cleanup", {
    when: "teardown",
    error: exception("OSError: busy", ["tests/conftest.py:20 workspace: shutil.rmtree(path)"]),
  }),
  ...FIXTURE.slice(0, 9),
];

const TERMINAL =
  "=== test session starts ===\ncollected 6 items\n\ntests/test_a.py .sxE\n=== 1 failed ===\n";

const JSON_REPORT: PytestEvent = {
  event: "json_report",
  report: { exitcode: 0, summary: { passed: 2 }, collectors: [], tests: [{ outcome: "passed" }] },
};

/** Name → situation. */
export const SITUATIONS: Readonly<Record<string, Situation>> = {
  "156 tests pass": { events: session(passing(156)) },
  "no test is collected": { events: session([], { exitCode: 5 }) },
  "1 of 10 fails": { events: session([...passing(9), ...LOGIN]) },
  "1 of 10 fails, verbosity -1": {
    params: { verbosity: -1 },
    events: session([...passing(9), ...LOGIN]),
  },
  "1 of 10 fails, verbosity -2": {
    params: { verbosity: -2 },
    events: session([...passing(9), ...LOGIN]),
  },
  "1 of 10 fails, with all that was captured and local variables": {
    params: { show_capture: true, show_locals: true },
    events: session([...passing(9), ...login({ locals: true })]),
  },
  "a library raises": { events: session([...passing(3), ...LIBRARY]) },
  "200 failures of one fixture": { events: session([...passing(2), ...FIXTURE]) },
  "two files cannot be collected": { events: session([...BROKEN, ...passing(2)]) },
  "stopped at the first failure of 500": {
    params: { failfast: true },
    events: session([...passing(3), ...LOGIN], { total: 500 }),
  },
  "every kind of outcome, verbosity 1": {
    params: { verbosity: 1 },
    events: session(MIXED, { stdout: TERMINAL }),
  },
  "every kind of outcome, verbosity 2 in colour": {
    params: { verbosity: 2, color: true, show_capture: false },
    events: session(MIXED.slice(0, 5), { stdout: `\x1b[31m${TERMINAL}\x1b[0m` }),
  },
  "with pytest-json-report's report": {
    params: { include_json_report: true },
    events: session([...passing(2), JSON_REPORT]),
  },
  "too much for one response": {
    params: { verbosity: 1 },
    maxResponseChars: 1_500,
    events: session([...passing(50), ...LOGIN, ...LIBRARY, ...FIXTURE.slice(0, 30)], {
      stdout: TERMINAL.repeat(50),
    }),
  },
};
