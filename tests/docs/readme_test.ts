import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fillSections, format, README } from "../../.github/readme/generate.ts";
import { renderSections } from "../../.github/readme/sections.ts";
import { copyTree } from "../support/copy_tree.ts";
import { environment } from "../support/environments.ts";
import { NEEDS_GIT } from "../support/git_repository.ts";
import { cliCommand, PROJECTS, runCli } from "../support/run_cli.ts";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const readme = await Deno.readTextFile(README);

/** The fenced blocks of a language. */
function blocks(language: string): string[] {
  return [...readme.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm)]
    .filter(([, name]) => name === language).map(([, , text = ""]) => text);
}

Deno.test("README.md has its sections in the order that a newcomer needs", () => {
  const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(headings, [
    "Install",
    "Your first prompt",
    "Tools",
    "What it costs",
    "Safety",
    "Troubleshooting",
    "How it compares",
    "More",
  ]);
  assert.ok(readme.indexOf("![") < readme.indexOf("## Install"));
});

Deno.test("README.md holds what `deno task docs` generates", async () => {
  assert.equal(await format(fillSections(readme, renderSections()), "md"), readme);
  const used = [...readme.matchAll(/<!-- generated: (\w+) -->/g)].map(([, name]) => name);
  assert.deepEqual(used.toSorted(), Object.keys(renderSections()).toSorted());
});

Deno.test("every configuration in README.md can be parsed", () => {
  assert.ok(blocks("json").length >= 8);
  for (const text of blocks("json")) JSON.parse(text);
});

Deno.test("every relative link of the documents leads somewhere", async () => {
  const documents = [
    "README.md",
    "CHANGELOG.md",
    ".github/CONTRIBUTING.md",
    ".github/ARCHITECTURE.md",
    ".github/SECURITY.md",
  ];
  for (const document of documents) {
    const text = await Deno.readTextFile(join(CHECKOUT, document));
    for (const [, target = ""] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^https?:/.test(target)) continue;
      const path = join(CHECKOUT, dirname(document), target);
      await Deno.stat(path).catch(() => assert.fail(`${document} links to ${target}`));
    }
  }
});

const CHECKOUT_COMMAND =
  "npx --yes deno@2.9.6 task --quiet --config /path/to/pytest-mcp/deno.json start config claude-code --write";

/** Where a command of the README is tried, or why it cannot be here. */
const COMMANDS: Record<string, "sample project" | { readonly elsewhere: string }> = {
  "npx --yes deno@2.9.6 task demo": { elsewhere: "tests/e2e/demo_test.ts" },
  "npx --yes deno@2.9.6 task test": { elsewhere: "this is part of it" },
  "curl -fsSL https://github.com/pytest-mcp/pytest-mcp/releases/latest/download/install.sh | sh": {
    elsewhere: "tests/release/install_test.ts, against a local release",
  },
  "pytest-mcp doctor": "sample project",
  "pytest-mcp config claude-code --write": "sample project",
  [CHECKOUT_COMMAND]: { elsewhere: "below" },
  "pytest-mcp run -k basket": "sample project",
  "pytest-mcp discover tests": "sample project",
};

Deno.test("every shell command of README.md is tried somewhere", () => {
  const commands = blocks("sh").flatMap((text) => text.trim().split("\n"))
    .map((line) => line.replace(/\s+#.*$/, ""));
  assert.deepEqual(commands, Object.keys(COMMANDS));
});

Deno.test("the commands of README.md work as written", {
  // they are written for a POSIX shell, and config --write needs git
  ignore: Deno.build.os === "windows" || NEEDS_GIT.ignore,
}, async () => {
  const { python } = await environment("pytest9");
  const root = await Deno.makeTempDir();
  try {
    const project = join(root, "sample");
    await copyTree(join(PROJECTS, "sample"), project);
    // `pytest-mcp` on PATH, and an interpreter with pytest as a user would have it
    const bin = join(root, "bin");
    await Deno.mkdir(bin);
    const quoted = cliCommand([], { cwd: project }).map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(join(bin, "pytest-mcp"), `#!/bin/sh\nexec ${quoted} "$@"\n`, {
      mode: 0o755,
    });
    await Deno.writeTextFile(join(bin, "python3"), `#!/bin/sh\nexec '${python}' "$@"\n`, {
      mode: 0o755,
    });
    for (const [command, place] of Object.entries(COMMANDS)) {
      if (place !== "sample project") continue;
      const { code, stderr } = await new Deno.Command("sh", {
        args: ["-c", command],
        cwd: project,
        env: {
          PATH: `${bin}:${Deno.env.get("PATH")}`,
          VIRTUAL_ENV: "",
          CONDA_PREFIX: "",
          GIT_CEILING_DIRECTORIES: root,
        },
      }).output();
      // the sample project has a failing test
      assert.equal(
        code,
        command.startsWith("pytest-mcp run") ? 1 : 0,
        new TextDecoder().decode(stderr),
      );
    }
    assert.match(await Deno.readTextFile(join(project, ".mcp.json")), /"mcpServers"/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the command of README.md for a checkout works in any project", NEEDS_GIT, async () => {
  const project = await Deno.makeTempDir();
  try {
    const words = CHECKOUT_COMMAND.replace("/path/to/pytest-mcp/", CHECKOUT).split(" ").slice(3);
    // npx and `deno task` both tell where they were started, and these tests were started elsewhere
    const env = { GIT_CEILING_DIRECTORIES: dirname(project), INIT_CWD: project };
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: words,
      cwd: project,
      env,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const { mcpServers } = JSON.parse(await Deno.readTextFile(join(project, ".mcp.json")));
    assert.equal(mcpServers.pytest.args.at(-1), join(CHECKOUT, "main.ts"));
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});

Deno.test("config says what it may not look at when it is started elsewhere", async () => {
  const root = await Deno.makeTempDir();
  try {
    const { code, stdout, stderr } = await runCli(["config", "claude-code", "--root", root], {
      cwd: CHECKOUT,
    });
    assert.equal(code, 0, stderr);
    assert.ok(JSON.parse(stdout).mcpServers.pytest);
    assert.ok(stderr.includes(`note: Deno may not look into ${root}`), stderr);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("what README.md promises at its beginning stands in its tables", () => {
  const [, tokens = "", plain = "", ratio = ""] =
    /reads ([\d,]+)\stokens; pytest prints ([\d,]+)\..* takes\s([\d.]+) of/s.exec(readme) ?? [];
  const row = readme.split("\n").find((line) => line.startsWith("| 200 failures of one fixture")) ??
    "";
  assert.deepEqual(row.split("|").map((cell) => cell.trim()).slice(2, 4), [`**${tokens}**`, plain]);
  const [first] = readme.split("\n").filter((line) => line.startsWith("| one test "));
  assert.equal(first?.split("|")[3]?.trim().split(" ")[0], ratio);
});
