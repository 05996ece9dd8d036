/** Fixtures that every project has: an agent who misses one of its own does not look for it here. */
const PYTEST_FIXTURES = new Set(
  ("_asyncio_loop_factory _session_faker cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace " +
    "monkeypatch pytestconfig record_property record_testsuite_property record_xml_attribute recwarn " +
    "subtests testrun_uid tmp_path tmp_path_factory tmpdir tmpdir_factory worker_id").split(" "),
);

/** One for each scope, of pytest-asyncio. */
const RUNNER = /^_\w+_scoped_runner$/;

/** A fixture that does not exist. */
export interface FixtureError {
  /** a line for the test and for each fixture on the way, last the one that asks for it */
  readonly definitions: readonly string[];
  /** what there is */
  readonly available: string;
}

/** Reads pytest's account of a fixture that does not exist; null if the text is something else. */
export function leanFixtureError(text: string): FixtureError | null {
  const available = /^> +available fixtures: (.*)$/m.exec(text)?.[1];
  const blocks = [...text.matchAll(/^file (.+), line (\d+)\n((?: {2}.*\n)+)/gm)];
  if (blocks.length === 0 || available === undefined) return null;
  const own = available.split(", ")
    .filter((name) => !PYTEST_FIXTURES.has(name) && !RUNNER.test(name));
  return {
    definitions: blocks.map(([, file, line, source = ""]) =>
      `${file}:${line}: ${definition(source)}`
    ),
    available: `available fixtures besides pytest's own: ${
      own.length === 0 ? "none" : own.join(", ")
    }`,
  };
}

function definition(source: string): string {
  return (source.split("\n").find((candidate) => /\bdef /.test(candidate)) ?? source).trim();
}
