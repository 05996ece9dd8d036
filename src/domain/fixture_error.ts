/** Fixtures that every project has: an agent who misses one of its own does not look for it here. */
const PYTEST_FIXTURES = new Set(
  ("_session_faker cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace " +
    "monkeypatch pytestconfig record_property record_testsuite_property record_xml_attribute recwarn " +
    "subtests testrun_uid tmp_path tmp_path_factory tmpdir tmpdir_factory worker_id").split(" "),
);

/**
 * pytest's account of a fixture that does not exist: a line for the test and for each fixture on the way, last the
 * one that asks for it, then what there is; null if the text is something else.
 */
export function leanFixtureError(text: string): string | null {
  const available = /^> +available fixtures: (.*)$/m.exec(text)?.[1];
  const blocks = [...text.matchAll(/^file (.+), line (\d+)\n((?: {2}.*\n)+)/gm)];
  if (blocks.length === 0 || available === undefined) return null;
  const own = available.split(", ").filter((name) => !PYTEST_FIXTURES.has(name));
  return [
    ...blocks.map(([, file, line, source = ""]) => `${file}:${line}: ${definition(source)}`),
    `available fixtures besides pytest's own: ${own.length === 0 ? "none" : own.join(", ")}`,
  ].join("\n");
}

function definition(source: string): string {
  return (source.split("\n").find((candidate) => /\bdef /.test(candidate)) ?? source).trim();
}
