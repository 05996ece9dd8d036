import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import plugin from "../src/layers_lint_plugin.ts";

/** The messages for `source` as the content of `file`. */
function lint(file: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, file, source).map((diagnostic) => diagnostic.message);
}

/** Every way in which one module can refer to another. */
const FORMS: Readonly<Record<string, (specifier: string) => string>> = {
  "import": (specifier) => `import { a } from "${specifier}";`,
  "import for its effects": (specifier) => `import "${specifier}";`,
  "import type": (specifier) => `import type { A } from "${specifier}";`,
  "inline type import": (specifier) => `import { type A } from "${specifier}";`,
  "export from": (specifier) => `export { a } from "${specifier}";`,
  "export type from": (specifier) => `export type { A } from "${specifier}";`,
  "export * from": (specifier) => `export * from "${specifier}";`,
  "export * as": (specifier) => `export * as a from "${specifier}";`,
  "import()": (specifier) => `const a = await import("${specifier}");`,
  "import() of a template": (specifier) => `const a = await import(\`${specifier}\`);`,
  "import type expression": (specifier) => `type A = import("${specifier}").A;`,
  "typeof import": (specifier) => `type A = typeof import("${specifier}");`,
  "import = require": (specifier) => `import a = require("${specifier}");`,
};

const FORBIDDEN: readonly [file: string, specifier: string][] = [
  ["src/domain/a.ts", "node:path"],
  ["src/domain/a.ts", "fast-check"],
  ["src/domain/a.ts", "npm:zod@4"],
  ["src/domain/a.ts", "@modelcontextprotocol/server"],
  ["src/domain/a.ts", "../pytest/b.ts"],
  ["src/domain/a.ts", "../mcp/b.ts"],
  ["src/domain/deep/a.ts", "../../cli/b.ts"],
  ["src/domain/a.ts", "../../main.ts"],
  ["src/domain/a.ts", "../../deno.json"],
  ["src/domain/a.ts", new URL("../src/mcp/b.ts", import.meta.url).href],
  ["src/domain/a.ts", "./%2e%2e/mcp/b.ts"],
  ["src/pytest/a.ts", "node:module"],
  ["src/pytest/a.ts", "@modelcontextprotocol/server"],
  ["src/pytest/a.ts", "../mcp/b.ts"],
  ["src/pytest/a.ts", "../cli/b.ts"],
  ["src/pytest/a.ts", "../../tests/b.ts"],
  ["src/mcp/a.ts", "../pytest/b.ts"],
  ["src/mcp/a.ts", "../cli/b.ts"],
  ["src/mcp/a.ts", "node:child_process"],
  ["src/mcp/a.ts", "node:cluster"],
  ["src/mcp/a.ts", "node:module"],
  ["src/mcp/a.ts", "@modelcontextprotocol/client"],
  ["src/cli/a.ts", "@modelcontextprotocol/server"],
  ["src/cli/a.ts", "npm:@modelcontextprotocol/server@2.4.0"],
  ["src/cli/a.ts", "node:child_process"],
  ["src/cli/a.ts", "../../main.ts"],
  ["main.ts", "@modelcontextprotocol/server/stdio"],
  ["main.ts", "./tests/b.ts"],
  ["src/new_folder/a.ts", "../domain/b.ts"],
];

const ALLOWED: readonly [file: string, specifier: string][] = [
  ["src/domain/a.ts", "zod"],
  ["src/domain/a.ts", "./b.ts"],
  ["src/domain/deep/a.ts", "../b.ts"],
  ["src/pytest/a.ts", "node:path"],
  ["src/pytest/a.ts", "../domain/b.ts"],
  ["src/mcp/a.ts", "@modelcontextprotocol/server"],
  ["src/mcp/a.ts", "@modelcontextprotocol/server/stdio"],
  ["src/mcp/a.ts", "../domain/b.ts"],
  ["src/mcp/a.ts", "../../deno.json"],
  ["src/cli/a.ts", "../domain/b.ts"],
  ["src/cli/a.ts", "../pytest/b.ts"],
  ["src/cli/a.ts", "../mcp/b.ts"],
  ["src/cli/a.ts", "node:util"],
  ["main.ts", "./src/cli/b.ts"],
  ["main.ts", "./src/mcp/b.ts"],
  ["tests/mcp/a_test.ts", "@modelcontextprotocol/client"],
  ["tests/pytest/a_test.ts", "../../src/mcp/b.ts"],
];

for (const [form, write] of Object.entries(FORMS)) {
  Deno.test(`layers/imports fires for every forbidden module when it comes by ${form}`, () => {
    for (const [file, specifier] of FORBIDDEN) {
      const messages = lint(file, write(specifier));
      equal(messages.length, 1, `${file}: ${write(specifier)}`);
      match(messages[0] ?? "", /may not import|is not a layer/);
    }
  });

  Deno.test(`layers/imports is silent for every allowed module when it comes by ${form}`, () => {
    for (const [file, specifier] of ALLOWED) {
      deepEqual(lint(file, write(specifier)), [], `${file}: ${write(specifier)}`);
    }
  });
}

Deno.test("layers/imports fires when a dynamic import does not say what it imports", () => {
  equal(lint("src/cli/a.ts", "await import(name);").length, 1);
  equal(lint("src/cli/a.ts", "await import(`./${name}.ts`);").length, 1);
  deepEqual(lint("tests/a.ts", "await import(name);"), []);
});

Deno.test("layers/imports fires when a module comes by anything but an import", () => {
  for (const layer of ["domain", "pytest", "mcp", "cli"]) {
    const file = `src/${layer}/a.ts`;
    equal(lint(file, 'process.getBuiltinModule("node:child_process");').length, 1, file);
    equal(lint(file, '/// <reference types="npm:@modelcontextprotocol/server" />').length, 1, file);
    deepEqual(lint(file, "// <reference is a word"), []);
  }
});

Deno.test("layers cannot be switched off in a file", async () => {
  for (const folder of ["domain", "pytest", "mcp", "cli"]) {
    const directory = new URL(`../src/${folder}/`, import.meta.url);
    for (const { name } of Deno.readDirSync(directory)) {
      if (!name.endsWith(".ts")) continue;
      const text = await Deno.readTextFile(new URL(name, directory));
      doesNotMatch(text, /deno-lint-ignore-file|deno-lint-ignore.*layers\//, `${folder}/${name}`);
    }
  }
});

Deno.test("layers/deno fires at every mention of Deno in the domain", () => {
  const mentions = [
    "Deno.cwd();",
    "globalThis.Deno.cwd();",
    'globalThis["Deno"].cwd();',
    "globalThis[`Deno`].cwd();",
    'const { "Deno": deno } = globalThis;',
    'Reflect.get(globalThis, "Deno");',
    'self["Deno"].cwd();',
    "const { cwd } = Deno;",
    "let child: Deno.ChildProcess;",
    "function f(a: typeof Deno): void {}",
  ];
  for (const source of mentions) equal(lint("src/domain/a.ts", source).length, 1, source);
  deepEqual(lint("src/domain/a.ts", 'const name = "Deno"; // Deno'), []);
});

Deno.test("layers/deno fires when a process is started outside src/pytest", () => {
  const starts = [
    'new Deno.Command("python");',
    'new Deno["Command"]("python");',
    'new globalThis.Deno.Command("python");',
    'new globalThis["Deno"].Command("python");',
    'new globalThis[`Deno`].Command("python");',
    "const { Command } = Deno;",
    "const alias = Deno;",
    "Deno[name]();",
    "let command: Deno.Command;",
    'Deno.spawn("python");',
  ];
  for (const source of starts) {
    for (const file of ["src/mcp/a.ts", "src/cli/a.ts", "main.ts"]) {
      equal(lint(file, source).length, 1, `${file}: ${source}`);
    }
    deepEqual(lint("src/pytest/a.ts", source), [], source);
    deepEqual(lint("tests/a_test.ts", source), [], source);
  }
});

Deno.test("layers/deno is silent when the rest of Deno is used outside the domain", () => {
  for (const file of ["src/mcp/a.ts", "src/cli/a.ts", "main.ts"]) {
    deepEqual(lint(file, "Deno.exit(0); globalThis.Deno.args; let e: Deno.errors.NotFound;"), []);
  }
});
