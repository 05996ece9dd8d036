import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listComponents } from "../../.github/release/sbom.ts";
import denoJson from "../../deno.json" with { type: "json" };
import { environment } from "../support/environments.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Whatever else turns up in the program was not meant to be there. */
const ALLOWED = ["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"];

Deno.test("the program holds no package but those that were chosen", async () => {
  const components = await listComponents();
  assert.deepEqual(components.map(({ name }) => name), ALLOWED);
  for (const { sha512 } of components) assert.match(sha512, /^[0-9a-f]{128}$/);
});

Deno.test("the program loads nothing but its own files and those packages", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: ROOT,
  }).output();
  const info: { modules: { specifier: string }[] } = JSON.parse(new TextDecoder().decode(stdout));
  const own = new URL("../../", import.meta.url).href;
  const strange = info.modules.map(({ specifier }) => specifier).filter((specifier) =>
    !specifier.startsWith(`${own}src/`) && !/^(node|npm):/.test(specifier) &&
    ![`${own}main.ts`, `${own}deno.json`].includes(specifier)
  );
  assert.deepEqual(strange, []);
});

Deno.test("every package is pinned to one exact version, by a lock file that nothing changes", async () => {
  for (const [name, specifier] of Object.entries(denoJson.imports)) {
    assert.match(specifier, /^npm:\/?(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+(\/[\w/]*)?$/, name);
  }
  assert.deepEqual(denoJson.lock, { frozen: true });
  const lock = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.lock")));
  for (const [name, entry] of Object.entries(lock.npm)) {
    assert.match(JSON.stringify(entry), /"integrity":"sha512-/, name);
  }
});

Deno.test("every Python package of the tests is pinned to one exact version", () => {
  const directory = join(ROOT, "fixtures/environments");
  for (const { name } of Deno.readDirSync(directory)) {
    const lines = Deno.readTextFileSync(join(directory, name)).split("\n")
      .map((line) => line.replace(/#.*/, "").trim()).filter((line) => line !== "");
    assert.ok(lines.length > 0, name);
    for (const line of lines) assert.match(line, /^[\w.-]+==[\w.]+( ?;.*)?$/, `${name}: ${line}`);
  }
});

Deno.test("our Python files import the standard library, pytest and each other, and nothing else", async () => {
  const script = `import ast, pathlib, sys
for path in pathlib.Path(sys.argv[1]).glob("*.py"):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \\
            [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            print(name.partition(".")[0])
`;
  const { python } = await environment("lint");
  const { stdout } = await new Deno.Command(python, {
    args: ["-c", script, join(ROOT, "src/pytest")],
  }).output();
  const used = new Set(new TextDecoder().decode(stdout).split(/\s+/).filter(Boolean));
  const { stdout: listed } = await new Deno.Command(python, {
    args: ["-c", "import sys; print(*sys.stdlib_module_names)"],
  }).output();
  const standard = new Set(new TextDecoder().decode(listed).trim().split(" "));
  const strange = [...used].filter((name) =>
    !standard.has(name) && !name.startsWith("pytest_mcp_")
  );
  // xdist's and pytest-json-report's own objects are looked at where the project has them.
  assert.deepEqual(strange.sort(), ["_pytest", "pytest"]);
});
