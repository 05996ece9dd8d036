import assert from "node:assert/strict";
import { findPythons, type PythonHost, type PythonQuery } from "../../src/pytest/find_python.ts";

interface Case {
  readonly name: string;
  readonly platform?: "posix" | "windows";
  readonly query?: Partial<PythonQuery>;
  readonly variables?: Record<string, string>;
  /** files that are there; anything outside the root is unknown */
  readonly files?: readonly string[];
  /** `interpreter (origin)` */
  readonly expected: readonly string[];
}

const PATH = ["python3 (python3 on PATH)", "python (python on PATH)"];

const CASES: readonly Case[] = [
  { name: "takes PATH where the project has no environment", expected: PATH },
  {
    name: "takes --python alone, relative to the root",
    query: { python: "tools/py" },
    variables: { VIRTUAL_ENV: "/env" },
    expected: ["/p/tools/py (--python)"],
  },
  {
    name: "leaves a bare name of --python to PATH",
    query: { python: "python3.12" },
    expected: ["python3.12 (--python)"],
  },
  {
    name: "asks VIRTUAL_ENV, then CONDA_PREFIX, then the project's own",
    variables: { VIRTUAL_ENV: "/env", CONDA_PREFIX: "/conda" },
    files: ["/p/.venv/bin/python", "/p/venv/bin/python"],
    expected: [
      "/env/bin/python (VIRTUAL_ENV)",
      "/conda/bin/python (CONDA_PREFIX)",
      "/p/.venv/bin/python (.venv)",
      "/p/venv/bin/python (venv)",
    ],
  },
  {
    name: "takes PATH last when only variables name an environment",
    variables: { VIRTUAL_ENV: "/env" },
    expected: ["/env/bin/python (VIRTUAL_ENV)", ...PATH],
  },
  {
    name: "takes the environment nearest above the target",
    query: { targets: ["services/a/tests/test_x.py"] },
    files: ["/p/.venv/bin/python", "/p/services/a/.venv/bin/python"],
    expected: ["/p/services/a/.venv/bin/python (services/a/.venv)", "/p/.venv/bin/python (.venv)"],
  },
  {
    name: "takes what is above all targets when there are several",
    query: { targets: ["services/a/tests", "services/b/tests"] },
    files: ["/p/.venv/bin/python", "/p/services/a/.venv/bin/python"],
    expected: ["/p/.venv/bin/python (.venv)"],
  },
  {
    name: "names one interpreter once",
    variables: { VIRTUAL_ENV: "/p/.venv" },
    files: ["/p/.venv/bin/python"],
    expected: ["/p/.venv/bin/python (VIRTUAL_ENV)", ...PATH],
  },
  {
    name: "knows the layout of Windows",
    platform: "windows",
    query: { root: "C:\\p", targets: ["services/a"] },
    variables: { CONDA_PREFIX: "C:\\conda" },
    files: ["C:\\p\\services\\a\\.venv\\Scripts\\python.exe"],
    expected: [
      "C:\\conda\\python.exe (CONDA_PREFIX)",
      "C:\\p\\services\\a\\.venv\\Scripts\\python.exe (services/a/.venv)",
    ],
  },
  {
    name: "asks for py on Windows",
    platform: "windows",
    query: { root: "C:\\p" },
    expected: [...PATH, "py (py on PATH)"],
  },
];

for (const { name, platform = "posix", query, variables = {}, files = [], expected } of CASES) {
  Deno.test(`findPythons() ${name}`, () => {
    const root = query?.root ?? "/p";
    const host: PythonHost = {
      platform,
      variable: (variable) => variables[variable],
      exists: (path) => path.startsWith(root) ? files.includes(path) : "unknown",
    };
    const found = findPythons({ root, targets: [], ...query }, host);
    assert.deepEqual(found.map(({ python, origin }) => `${python} (${origin})`), expected);
  });
}
