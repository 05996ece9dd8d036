import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TARGETS } from "../../.github/release/targets.ts";
import { serveFiles } from "../support/file_server.ts";
import { succeeds } from "../support/succeeds.ts";

const SCRIPTS = fileURLToPath(new URL("../../.github/release/", import.meta.url));

interface Installer {
  readonly command: readonly string[];
  /** the binary's name once installed */
  readonly installed: string;
  /** one pair that the script can be made to see: what the system says, and the file it must ask for */
  readonly machines: readonly (readonly [Record<string, string>, string])[];
}

const SH: Installer = {
  command: ["sh", join(SCRIPTS, "install.sh")],
  installed: "pytest-mcp",
  machines: [
    [{ FAKE_OS: "Linux", FAKE_CPU: "x86_64" }, "pytest-mcp-linux-x86_64"],
    [{ FAKE_OS: "Linux", FAKE_CPU: "aarch64" }, "pytest-mcp-linux-aarch64"],
    [{ FAKE_OS: "Darwin", FAKE_CPU: "x86_64" }, "pytest-mcp-macos-x86_64"],
    [{ FAKE_OS: "Darwin", FAKE_CPU: "arm64" }, "pytest-mcp-macos-aarch64"],
    [{ FAKE_OS: "Darwin", FAKE_CPU: "x86_64", FAKE_TRANSLATED: "1" }, "pytest-mcp-macos-aarch64"],
  ],
};

const POWERSHELL: Installer = {
  command: ["pwsh", "-NoProfile", "-File", join(SCRIPTS, "install.ps1")],
  installed: "pytest-mcp.exe",
  machines: [
    [{ PROCESSOR_ARCHITECTURE: "AMD64" }, "pytest-mcp-windows-x86_64.exe"],
    [{ PROCESSOR_ARCHITECTURE: "ARM64" }, "pytest-mcp-windows-aarch64.exe"],
  ],
};

/** Programs that answer as another machine would. */
const FAKES: Record<string, string> = {
  uname: 'case $1 in -s) echo "$FAKE_OS" ;; *) echo "$FAKE_CPU" ;; esac',
  sysctl: 'echo "${FAKE_TRANSLATED:-0}"',
  ldd: 'echo "${FAKE_LIBC:-glibc}"',
};

function sums(files: Record<string, string>): string {
  return Object.entries(files).map(([name, content]) =>
    `${createHash("sha256").update(content).digest("hex")}  ${name}\n`
  ).join("");
}

/** Runs an installer against these files, on a machine that is as `machine` says. */
async function install(
  { command: [program = "", ...args] }: Installer,
  machine: Record<string, string>,
  files: Record<string, string>,
) {
  await using server = serveFiles(files);
  const directory = await Deno.makeTempDir();
  try {
    const fakes = join(directory, "fakes");
    await Deno.mkdir(fakes);
    for (const [name, body] of Object.entries(FAKES)) {
      await Deno.writeTextFile(join(fakes, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const target = join(directory, "bin dir");
    const output = await new Deno.Command(program, {
      args,
      env: {
        ...machine,
        PATH: `${fakes}${delimiter}${Deno.env.get("PATH")}`,
        PYTEST_MCP_BASE_URL: server.url,
        PYTEST_MCP_INSTALL_DIR: target,
      },
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    await Deno.mkdir(target, { recursive: true }); // a script that gives up early makes none
    const left = [...Deno.readDirSync(target)].map((entry) => entry.name);
    return {
      code: output.code,
      said: text(output.stdout) + text(output.stderr),
      requested: server.requested,
      installed: Object.fromEntries(
        left.map((name) => [name, Deno.readTextFileSync(join(target, name))]),
      ),
      mode: left.length === 0 ? null : Deno.statSync(join(target, left[0] ?? "")).mode,
    };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const BINARIES = Object.fromEntries(TARGETS.map(({ file }) => [file, `the binary ${file}`]));
const RELEASE = { ...BINARIES, SHA256SUMS: sums(BINARIES) };

const downloaders: string[] = [];
for (const name of ["curl", "wget"]) {
  if (await succeeds(name, ["--version"])) downloaders.push(name);
}
const downloads = downloaders.length > 0;

/** Makes a program of this machine one of those in a directory, where it has it. */
async function linkTool(bin: string, name: string): Promise<void> {
  for (const directory of (Deno.env.get("PATH") ?? "").split(delimiter)) {
    const program = join(directory, name);
    if (await Deno.stat(program).catch(() => null) === null) continue;
    return await Deno.symlink(program, join(bin, name));
  }
}

const shells: [string, Installer, boolean][] = [
  ["install.sh", SH, Deno.build.os !== "windows" && downloads],
  ["install.ps1", POWERSHELL, await succeeds("pwsh", ["-c", "exit"])],
];
for (const [name, installer, available] of shells) {
  const options = { ignore: !available };

  Deno.test(`${name} installs the binary of the machine it runs on`, options, async () => {
    for (const [machine, file] of installer.machines) {
      const { code, said, requested, installed, mode } = await install(installer, machine, RELEASE);
      assert.equal(code, 0, said);
      assert.deepEqual(requested.toSorted(), ["SHA256SUMS", file].toSorted());
      assert.deepEqual(installed, { [installer.installed]: `the binary ${file}` });
      if (name === "install.sh") assert.equal((mode ?? 0) & 0o777, 0o755);
      assert.match(said, /^Installed .*pytest-mcp/);
      assert.match(said, /Add it to PATH .*:[^]*\bbin dir/);
    }
  });

  Deno.test(
    `${name} installs nothing when the checksum differs or is missing`,
    options,
    async () => {
      const [[machine, file] = [{}, ""]] = installer.machines;
      const changed = await install(installer, machine, { ...RELEASE, [file]: "something else" });
      assert.notEqual(changed.code, 0);
      assert.match(changed.said, /its checksum is [0-9a-f]{64} instead\s+of [0-9a-f]{64}/);
      assert.deepEqual(changed.installed, {});
      const unnamed = await install(installer, machine, { ...RELEASE, SHA256SUMS: "" });
      assert.notEqual(unnamed.code, 0);
      assert.match(unnamed.said, /SHA256SUMS does not name/);
      assert.deepEqual(unnamed.installed, {});
    },
  );

  Deno.test(`${name} installs nothing when the release cannot be downloaded`, options, async () => {
    const [[machine] = [{}]] = installer.machines;
    const { code, installed } = await install(installer, machine, {});
    assert.notEqual(code, 0);
    assert.deepEqual(installed, {});
  });
}

Deno.test("install.sh says what to do on a machine without a binary", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ FAKE_OS: "FreeBSD", FAKE_CPU: "amd64" }, /no binary for FreeBSD; .*Deno from JSR/],
    [{ FAKE_OS: "Linux", FAKE_CPU: "riscv64" }, /no binary for a riscv64 processor/],
    [{ FAKE_OS: "Linux", FAKE_CPU: "x86_64", FAKE_LIBC: "musl libc" }, /has musl; .*Deno from JSR/],
  ];
  for (const [machine, message] of cases) {
    const { code, said, installed } = await install(SH, machine, RELEASE);
    assert.equal(code, 1);
    assert.match(said, message);
    assert.deepEqual(installed, {});
  }
});

Deno.test("install.sh says in one sentence what keeps it from installing", {
  ignore: Deno.build.os === "windows" || !downloads,
}, async () => {
  await using server = serveFiles(RELEASE);
  const directory = await Deno.makeTempDir();
  try {
    // the only programs that it finds: none of them makes a checksum
    const bin = join(directory, "bin");
    await Deno.mkdir(bin);
    const tools = ["mkdir", "mktemp", "sed", "rm", "chmod", "mv", "grep", "sh"];
    for (const tool of [...tools, ...downloaders]) await linkTool(bin, tool);
    for (const [name, body] of Object.entries(FAKES)) {
      await Deno.writeTextFile(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const occupied = join(directory, "occupied");
    await Deno.mkdir(join(occupied, "pytest-mcp"), { recursive: true });
    await Deno.writeTextFile(join(directory, "file"), "");
    const run = async (target: string) => {
      const { code, stderr } = await new Deno.Command("/bin/sh", {
        args: [join(SCRIPTS, "install.sh")],
        clearEnv: true,
        env: {
          FAKE_OS: "Linux",
          FAKE_CPU: "x86_64",
          PATH: bin,
          PYTEST_MCP_BASE_URL: server.url,
          PYTEST_MCP_INSTALL_DIR: target,
        },
      }).output();
      const ours = new TextDecoder().decode(stderr).split("\n")
        .filter((line) => line.startsWith("pytest-mcp was not installed: "));
      assert.equal(code, 1);
      assert.equal(ours.length, 1, new TextDecoder().decode(stderr));
      return ours[0] ?? "";
    };
    assert.match(await run(join(directory, "file", "bin")), /file\/bin cannot be written to; name/);
    assert.match(await run(occupied), /occupied\/pytest-mcp is a directory/);
    const target = join(directory, "target");
    assert.match(await run(target), /neither sha256sum nor shasum is here/);
    for (const tool of downloaders) await Deno.remove(join(bin, tool));
    assert.match(await run(target), /neither curl nor wget is here/);
    assert.deepEqual([...Deno.readDirSync(target)], []);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("install.sh asks for the latest release or the version that is named", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const directory = await Deno.makeTempDir();
  try {
    const fakes = { ...FAKES, curl: 'for url; do :; done; echo "$url"; exit 1' };
    for (const [name, body] of Object.entries(fakes)) {
      await Deno.writeTextFile(join(directory, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    }
    const asked = async (env: Record<string, string>) => {
      const { stdout } = await new Deno.Command("sh", {
        args: [join(SCRIPTS, "install.sh")],
        env: {
          FAKE_OS: "Linux",
          FAKE_CPU: "x86_64",
          PATH: `${directory}${delimiter}${Deno.env.get("PATH")}`,
          PYTEST_MCP_INSTALL_DIR: join(directory, "bin"),
          ...env,
        },
      }).output();
      return new TextDecoder().decode(stdout).trim();
    };
    const releases = "https://github.com/pytest-mcp/pytest-mcp/releases";
    assert.equal(await asked({}), `${releases}/latest/download/SHA256SUMS`);
    for (const version of ["1.2.3", "v1.2.3"]) {
      const url = await asked({ PYTEST_MCP_VERSION: version });
      assert.equal(url, `${releases}/download/v1.2.3/SHA256SUMS`);
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("both scripts ask for binaries that the release has, at the same place", async () => {
  const texts = await Promise.all(
    ["install.sh", "install.ps1"].map((name) => Deno.readTextFile(join(SCRIPTS, name))),
  );
  const asked = [...SH.machines, ...POWERSHELL.machines].map(([, file]) => file);
  assert.deepEqual([...new Set(asked)].toSorted(), TARGETS.map(({ file }) => file).toSorted());
  const places = texts.map((text) => /https:\/\/github\.com\/\S+?\/releases/.exec(text)?.[0]);
  assert.equal(new Set(places).size, 1);
});

Deno.test("install.ps1 leaves the preferences of the session alone, as `irm | iex` needs", async () => {
  const script = await Deno.readTextFile(join(SCRIPTS, "install.ps1"));
  const top = script.split("\n").filter((line) => /^\$/.test(line));
  assert.deepEqual(top, []);
});
