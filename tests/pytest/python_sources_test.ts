import assert from "node:assert/strict";
import { renderPythonSources } from "../../src/pytest/generate_python_sources.ts";

Deno.test("python_sources.ts holds the Python files as they are", async () => {
  const written = await Deno.readTextFile(
    new URL("../../src/pytest/python_sources.ts", import.meta.url),
  );
  // `deno fmt` may lay the file out as it likes; what counts is what it exports.
  const { PYTHON_SOURCES } = await import("../../src/pytest/python_sources.ts");
  const rendered = await renderPythonSources();
  for (const [name, text] of Object.entries(PYTHON_SOURCES)) {
    assert(rendered.includes(JSON.stringify(text)), `${name} differs: run deno task generate`);
  }
  const count = (source: string) => source.match(/^ {2}pytest_mcp_\w+:/gm)?.length;
  assert.equal(count(written), count(rendered), "a file is missing: run deno task generate");
});
