/** Fixtures that every project has: an agent who misses one of its own does not look for it here. */
const PYTEST_FIXTURES = new Set(
  ("_session_faker cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace " +
    "monkeypatch pytestconfig record_property record_testsuite_property record_xml_attribute recwarn " +
    "subtests testrun_uid tmp_path tmp_path_factory tmpdir tmpdir_factory worker_id").split(" "),
);

/** pytest's account of a fixture that does not exist, in two lines; null if the text is something else. */
export function leanFixtureError(text: string): string | null {
  const where = /^file (.+), line (\d+)\n((?: {2}.*\n)+)/.exec(text);
  const available = /^> +available fixtures: (.*)$/m.exec(text)?.[1];
  if (where === null || available === undefined) return null;
  const [, file, line, source = ""] = where;
  const definition = source.split("\n").find((candidate) => /\bdef /.test(candidate)) ?? source;
  const own = available.split(", ").filter((name) => !PYTEST_FIXTURES.has(name));
  return `${file}:${line}: ${definition.trim()}\n` +
    `available fixtures besides pytest's own: ${own.length === 0 ? "none" : own.join(", ")}`;
}
