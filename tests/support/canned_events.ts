import type { PytestEvent } from "../../src/domain/pytest_event.ts";

/** What a run of `count` passing tests says. */
export function passingRun(count: number): PytestEvent[] {
  const tests = Array.from({ length: count }, (_, at) => `tests/test_x.py::test_${at}`);
  return [
    { event: "process_start", python: "/project/.venv/bin/python", reason: ".venv in the root" },
    {
      event: "session_start",
      pytest: "9.0.0",
      python: "3.12.1",
      executable: "/project/.venv/bin/python",
      rootdir: "/project",
      inifile: null,
      plugins: [],
    },
    { event: "collected", total: count },
    ...tests.flatMap((id): PytestEvent[] => [
      { event: "begin", id },
      { event: "passed", id, duration: 0.001 },
    ]),
    { event: "session_end", exit_status: 0 },
    { event: "exit", exit_code: 0 },
    {
      event: "process_end",
      exit_code: 0,
      signal: null,
      timed_out: false,
      stdout: "",
      stderr: "",
      duration: 0.5,
    },
  ];
}
