import assert from "node:assert/strict";
import { join } from "node:path";
import { PYTHON_SOURCES } from "../../src/pytest/python_sources.ts";
import { environment } from "../support/environments.ts";

/** Lays the modules out as one platform has them: its process tree under the common name, not the other's. */
async function layOut(platform: "posix" | "windows"): Promise<string> {
  const directory = await Deno.makeTempDir({ prefix: "pytest-mcp-python-" });
  for (const [name, source] of Object.entries(PYTHON_SOURCES)) {
    const [common, other] = name.split(/_(?=posix$|windows$)/);
    if (other !== undefined && other !== platform) continue;
    await Deno.writeTextFile(join(directory, `${common}.py`), source);
  }
  return directory;
}

async function check(platform: "posix" | "windows", args: string[]): Promise<void> {
  const { python } = await environment("lint");
  const directory = await layOut(platform);
  try {
    const files = [...Deno.readDirSync(directory)].map((entry) => entry.name);
    const { code, stdout, stderr } = await new Deno.Command(python, {
      args: [...args, ...files.sort()],
      cwd: directory,
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("the Python files pass mypy --strict on POSIX", () =>
  check("posix", ["-m", "mypy", "--strict", "--platform", "linux"]));

Deno.test("the Python files pass mypy --strict on Windows", () =>
  check("windows", ["-m", "mypy", "--strict", "--platform", "win32"]));

const VERMIN = [
  "-c",
  "from vermin.main import main; main()",
  "-q",
  "--no-tips",
  "--violations",
  "-t=3.8-",
];

Deno.test("the Python files need no Python newer than 3.8", async () => {
  await check("posix", VERMIN);
  await check("windows", VERMIN);
});
