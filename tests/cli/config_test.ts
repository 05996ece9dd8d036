import assert from "node:assert/strict";
import { buildEntry, type EntryOptions } from "../../src/cli/config.ts";
import { renderConfig } from "../../src/cli/config_text.ts";
import { CLIENT_NAMES, type ClientName, CLIENTS } from "../../src/cli/clients.ts";
import { fitsCmd } from "../../src/cli/launch.ts";
import { mergeConfig } from "../../src/cli/merge_config.ts";
import { type Form, FORMS, MEMORY_FLAG, permissionFlags } from "../../src/cli/permissions.ts";

const ROOT = "/home/me/shop";

function options(form: Form, extra: Partial<EntryOptions> = {}): EntryOptions {
  return {
    root: ROOT,
    program: {
      form,
      platform: "posix",
      version: "1.2.3",
      executable: form === "binary" ? "/opt/pytest-mcp" : "/opt/deno",
      entry: "/src/pytest-mcp/main.ts",
    },
    ...extra,
  };
}

/** What a client would read: the printed text, parsed by the rules of its format. */
function read(name: ClientName, form: Form, extra: Partial<EntryOptions> = {}): Parsed {
  const client = CLIENTS[name];
  const text = renderConfig(client, buildEntry(client, options(form, extra)));
  switch (client.format) {
    case "json":
      return JSON.parse(text);
    case "toml":
      return parseToml(text);
    case "yaml":
      return parseYaml(text);
  }
}

type Parsed = { [key: string]: Parsed | string | number | boolean | string[] };

/** The part of TOML that one table needs. */
function parseToml(text: string): Parsed {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const entry: Parsed = {};
  for (const line of lines) {
    const [, key = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? assert.fail(line);
    entry[key] = JSON.parse(value);
  }
  const path = /^\[([\w.]+)\]$/.exec(head)?.[1]?.split(".") ?? assert.fail(head);
  return path.reduceRight<Parsed>((inner, key) => ({ [key]: inner }), entry);
}

/** The part of YAML that nested mappings of JSON values need. */
function parseYaml(text: string): Parsed {
  const root: Parsed = {};
  const open: Parsed[] = [root];
  for (const line of text.trimEnd().split("\n")) {
    const [, indent = "", key = "", value] = /^( *)(\w+):(?: (.+))?$/.exec(line) ??
      assert.fail(line);
    open.length = indent.length / 2 + 1;
    const parent = open.at(-1) ?? assert.fail(line);
    if (value !== undefined) parent[key] = JSON.parse(value);
    else open.push(parent[key] = {});
  }
  return root;
}

const HERE = [...permissionFlags({ platform: "posix" }), "jsr:@pytest-mcp/server@1.2.3"];
const THERE = [
  ...permissionFlags({ platform: "posix", root: ROOT }),
  "jsr:@pytest-mcp/server@1.2.3",
  "--root",
  ROOT,
];
const JSR = ["run", "--quiet", "--no-config", "--allow-import=jsr.io:443", MEMORY_FLAG];
const ENTER = ["-c", 'cd "$0" && exec "$@"'];

Deno.test("buildEntry() follows each client's documented format", () => {
  assert.deepEqual(read("claude-code", "binary"), {
    mcpServers: { pytest: { type: "stdio", command: "pytest-mcp", args: [] } },
  });
  assert.deepEqual(read("claude-desktop", "jsr"), {
    mcpServers: { pytest: { command: "/opt/deno", args: [...JSR, ...THERE] } },
  });
  assert.deepEqual(read("cursor", "binary"), {
    mcpServers: {
      pytest: {
        type: "stdio",
        command: "sh",
        args: [...ENTER, "${workspaceFolder}", "pytest-mcp"],
      },
    },
  });
  assert.deepEqual(read("vscode", "jsr"), {
    servers: {
      pytest: {
        type: "stdio",
        command: "deno",
        args: [...JSR, ...HERE],
        cwd: "${workspaceFolder}",
      },
    },
  });
  assert.deepEqual(read("codex", "binary"), {
    mcp_servers: {
      pytest: {
        command: "pytest-mcp",
        args: [],
        startup_timeout_sec: 60,
        tool_timeout_sec: 330,
      },
    },
  });
  assert.deepEqual(read("gemini", "jsr"), {
    mcpServers: { pytest: { command: "deno", args: [...JSR, ...HERE] } },
  });
  assert.deepEqual(read("zed", "binary"), {
    context_servers: {
      pytest: { command: "pytest-mcp", args: [], timeout: 330 },
    },
  });
  assert.deepEqual(read("opencode", "jsr"), {
    mcp: {
      pytest: {
        type: "local",
        command: ["deno", ...JSR, ...HERE],
        enabled: true,
        timeout: 330_000,
      },
    },
  });
  assert.deepEqual(read("goose", "binary"), {
    extensions: {
      pytest: {
        enabled: true,
        type: "stdio",
        name: "pytest",
        description: "Run and discover the project's pytest tests",
        cmd: "/opt/pytest-mcp",
        args: [],
        envs: {},
        timeout: 330,
      },
    },
  });
});

Deno.test("buildEntry() names no project where the client starts the server in one", () => {
  for (const name of CLIENT_NAMES) {
    for (const form of FORMS) {
      const names = JSON.stringify(read(name, form)).includes(ROOT);
      assert.equal(names, name === "claude-desktop", `${name} ${form}`);
    }
  }
});

Deno.test("buildEntry() gives every client and form the rights of permissions.ts and no more", () => {
  for (const name of CLIENT_NAMES) {
    for (const form of FORMS) {
      const allowed = JSON.stringify(read(name, form)).match(/--allow-\w+(?==)/g) ?? [];
      const expected = form === "binary"
        ? []
        : form === "jsr"
        ? ["--allow-import", "--allow-read", "--allow-run", "--allow-env"]
        : ["--allow-read", "--allow-run", "--allow-env"];
      assert.deepEqual(allowed, expected, `${name} ${form}`);
    }
  }
});

Deno.test("buildEntry() starts a checkout from its own path", () => {
  const text = JSON.stringify(read("claude-code", "checkout"));
  assert.ok(text.includes('"/opt/deno"') && text.includes('"/src/pytest-mcp/main.ts"]'), text);
  assert.ok(text.includes('"--no-remote"'), text);
});

Deno.test("buildEntry() lets Deno start the interpreters that the project has elsewhere", () => {
  const extra = { python: "/opt/py", environments: ["services/a/.venv/bin/python"] };
  const here = JSON.stringify(read("claude-code", "jsr", extra));
  assert.match(here, /--allow-run=[^"]*,services\/a\/\.venv\/bin\/python,\/opt\/py"/);
  assert.match(here, /"--python","\/opt\/py"\]/);
  const there = JSON.stringify(read("claude-desktop", "jsr", extra));
  assert.match(there, /--allow-run=[^"]*,\/home\/me\/shop\/services\/a\/\.venv\/bin\/python,/);
});

Deno.test("buildEntry() says where a relative --python is when the client starts elsewhere", () => {
  const extra = { python: "env/bin/python" };
  const here = JSON.stringify(read("claude-code", "jsr", extra));
  assert.match(here, /,env\/bin\/python".*"--python","env\/bin\/python"\]/);
  const there = JSON.stringify(read("claude-desktop", "jsr", extra));
  const path = "/home/me/shop/env/bin/python";
  assert.ok(there.includes(`,${path}"`) && there.includes(`"--python","${path}"`), there);
  const cursor = JSON.stringify(read("cursor", "binary", extra));
  assert.ok(cursor.includes('"--python","${workspaceFolder}/env/bin/python"'), cursor);
  const onPath = JSON.stringify(read("claude-desktop", "jsr", { python: "python3.12" }));
  assert.ok(onPath.includes('"--python","python3.12"'), onPath);
});

Deno.test("buildEntry() enters the project with cmd on Windows", () => {
  const program = { ...options("binary").program, platform: "windows" as const };
  const entry = buildEntry(CLIENTS["claude-desktop"], { program, root: "C:\\my shop" });
  assert.deepEqual(entry, {
    command: "cmd",
    args: ["/d", "/c", "cd", "/d", "C:\\my shop", "&&", "/opt/pytest-mcp"],
  });
});

Deno.test("fitsCmd() knows the directories that cmd would read as something else", () => {
  for (const path of ["C:\\shop", "C:\\my shop", "C:\\R & D\\shop", "C:\\Ünï"]) {
    assert.equal(fitsCmd(path), true, path);
  }
  for (const path of ["C:\\R&D", "C:\\100%\\shop", "C:\\a^b", "C:\\a (b) %c%"]) {
    assert.equal(fitsCmd(path), false, path);
  }
});

Deno.test("mergeConfig() updates its own entry and keeps what a person added to it", () => {
  const client = CLIENTS["claude-code"];
  const before = `{
  "mcpServers": {
    // ours
    "pytest": { "type": "stdio", "command": "/old/pytest-mcp", "args": [], "env": { "A": "b" } }
  }
}
`;
  const merged = mergeConfig(client, buildEntry(client, options("binary")), before);
  assert.deepEqual(merged, { ok: true, text: before.replace("/old/pytest-mcp", "pytest-mcp") });
});

Deno.test("mergeConfig() leaves a server of the same name alone when it is not ours", () => {
  const entry = buildEntry(CLIENTS["claude-code"], options("binary"));
  const json = '{"mcpServers": {"pytest": {"command": "other"}}}';
  const refused = {
    ok: false,
    message: "it already defines mcpServers.pytest; change that entry by hand",
  };
  assert.deepEqual(mergeConfig(CLIENTS["claude-code"], entry, json), refused);
  const forms = [
    "[mcp_servers.pytest]\n",
    '[ mcp_servers . "pytest" ]\n',
    "[mcp_servers.pytest.env]\n",
    "mcp_servers = {}\n",
    'mcp_servers.pytest.command = "x"\n',
    '[mcp_servers]\nother = {}\npytest = { command = "x" }\n',
    '[mcp_servers]\nother = { command = "x", args = ["a"] }\npytest = { command = "uvx" }\n',
    '[mcp_servers] # see [docs]\npytest.command = "x"\n',
    '["mcp_servers"."pyt\\u0065st"]\ncommand = "x"\n',
    "[mcp_servers]\nother.args = [\n  ']', # [a]\n]\npytest.command = 'x'\n",
    'text = """\n[other]\n"""\nmcp_servers.pytest.command = "x"\n',
    "[[mcp_servers]]\n",
    // not TOML at all
    "[mcp_servers\n",
    'model = "x\n',
    "model = x\n",
    "model\n",
  ];
  for (const toml of forms) {
    const merged = mergeConfig(CLIENTS.codex, buildEntry(CLIENTS.codex, options("jsr")), toml);
    assert.equal(merged.ok, false, toml);
  }
});

Deno.test("mergeConfig() leaves a server alone whose name only resembles ours", () => {
  const commands = [
    ["uvx", "pytest-mcp-server", "--port", "3"],
    ["uvx", "pytest-mcp"],
    ["/opt/pytest-mcp-other"],
    ["deno", "run", "jsr:@pytest-mcp/server-tools"],
    ["deno", "run", "-A", "main.ts"],
  ];
  for (const [command, ...args] of commands) {
    const before = JSON.stringify({ mcpServers: { pytest: { command, args } } });
    const client = CLIENTS["claude-code"];
    const merged = mergeConfig(client, buildEntry(client, options("binary")), before);
    assert.equal(merged.ok, false, before);
  }
});

Deno.test("mergeConfig() knows the entries that it makes, from any form to any other", () => {
  for (const name of ["claude-code", "cursor", "zed", "opencode"] as const) {
    for (const platform of ["posix", "windows"] as const) {
      for (const from of FORMS) {
        for (const to of FORMS) {
          const client = CLIENTS[name];
          const entry = (form: Form) => {
            const { program, root } = options(form);
            return buildEntry(client, { program: { ...program, platform }, root });
          };
          const merged = mergeConfig(client, entry(to), renderConfig(client, entry(from)));
          assert.ok(merged.ok, `${name} ${platform} ${from} ${to}: ${JSON.stringify(merged)}`);
          assert.deepEqual(JSON.parse(merged.text), JSON.parse(renderConfig(client, entry(to))));
        }
      }
    }
  }
});

Deno.test("mergeConfig() keeps the flags of pytest-mcp that a person added", () => {
  const flags = ["--timeout", "60", "--no-prewarm", "--log-level=debug"];
  for (const name of ["claude-code", "cursor", "opencode"] as const) {
    for (const form of FORMS) {
      const client = CLIENTS[name];
      const entry = buildEntry(client, options(form));
      const list = Array.isArray(entry["command"]) ? "command" : "args";
      const words = entry[list];
      assert.ok(Array.isArray(words));
      const before = renderConfig(client, { ...entry, [list]: [...words, ...flags] });
      const merged = mergeConfig(client, entry, before);
      assert.deepEqual(merged, { ok: true, text: before }, `${name} ${form}`);
    }
  }
});

Deno.test("mergeConfig() refuses to take away a right that a person added", () => {
  const client = CLIENTS["claude-code"];
  const entry = buildEntry(client, options("jsr"));
  const before = renderConfig(client, entry).replace(/(--allow-run=[^"]+)/, "$1,/opt/py");
  assert.deepEqual(mergeConfig(client, entry, before), {
    ok: false,
    message:
      "mcpServers.pytest has --allow-run=/opt/py, which would be lost; change that entry by hand",
  });
});

Deno.test("mergeConfig() keeps the line ends of a file from Windows", () => {
  for (const name of ["claude-code", "codex"] as const) {
    const client = CLIENTS[name];
    const before = client.format === "json" ? '{\r\n  "a": 1\r\n}\r\n' : "a = 1\r\n";
    const entry = buildEntry(client, options("binary"));
    const merged = mergeConfig(client, entry, before);
    assert.ok(merged.ok);
    assert.doesNotMatch(merged.text, /(?<!\r)\n/);
    assert.deepEqual(mergeConfig(client, entry, merged.text), merged);
  }
});

Deno.test("mergeConfig() appends to every kind of valid TOML", () => {
  const before = `# [mcp_servers.pytest]
title = "a \\"b\\" # c" # d
day = 1979-05-27 07:32:00Z
numbers = [ 1, -2.5e3, +inf,
  # between
  [ 'x]' ], ]
point = { x = 1, "y.z" = [ { a = true } ] }
text = """
[mcp_servers.pytest]
\\"""quoted\\"""
"""
raw = \'\'\'
pytest = 1\'\'\'

[mcp_servers]
other.command = "pytest"

[[a.b]]
pytest = 1
[[a.b]]
pytest = 2
[mcp_servers.third]
`;
  const entry = buildEntry(CLIENTS.codex, options("binary"));
  const merged = mergeConfig(CLIENTS.codex, entry, before);
  assert.deepEqual(merged, { ok: true, text: `${before}\n${renderConfig(CLIENTS.codex, entry)}` });
});

Deno.test("mergeConfig() appends a table to a TOML file once", () => {
  const entry = buildEntry(CLIENTS.codex, options("binary"));
  const before = 'model = "x"\n\n[mcp_servers.other]\ncommand = "pytest"';
  const once = mergeConfig(CLIENTS.codex, entry, before);
  assert.ok(once.ok);
  assert.equal(once.text, `${before}\n\n${renderConfig(CLIENTS.codex, entry)}`);
  assert.deepEqual(mergeConfig(CLIENTS.codex, entry, once.text), once);
});
