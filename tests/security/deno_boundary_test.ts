import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoRunFlags, type Form } from "../../src/cli/permissions.ts";
import { environment } from "../support/environments.ts";
import { RawServer } from "../support/raw_server.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = file("../../main.ts");
const PROBE = `--preload=${file("../support/probe_boundary.ts")}`;
/** No permission: what the names in our imports mean, for a form that reads no configuration; nothing is downloaded. */
const IMPORTS = [
  `--import-map=${file("../../deno.json")}`,
  `--lock=${file("../../deno.lock")}`,
  "--frozen",
];

/**
 * What the server needs, and therefore may do. Deno compares paths as they are written, so a link that the
 * project itself has is followed: the first boundary resolves every path of a request before it is used.
 */
const ALLOWED = [
  "read a file of the project",
  "start the interpreter",
  "see VIRTUAL_ENV",
  "read through a link that the project has",
];

async function probe(form: Exclude<Form, "binary">, absolute: boolean): Promise<void> {
  const { python } = await environment("pytest9");
  const base = await Deno.realPath(await Deno.makeTempDir());
  try {
    const [root, outside] = [join(base, "root"), join(base, "outside")];
    await Deno.mkdir(root);
    await Deno.mkdir(outside);
    await Deno.writeTextFile(join(root, "inside.txt"), "inside");
    await Deno.writeTextFile(join(outside, "secret.txt"), "secret");
    await Deno.writeTextFile(join(root, "tool"), "#!/bin/sh\n", { mode: 0o755 });
    await Deno.symlink(outside, join(root, "link_out"), { type: "junction" });
    const flags = denoRunFlags(form, {
      platform: Deno.build.os === "windows" ? "windows" : "posix",
      pythons: [python],
      ...(absolute ? { root } : {}),
    });
    const load = form === "jsr" ? [...IMPORTS, PROBE] : [PROBE];
    const server = new RawServer({
      root: absolute ? base : root,
      command: [Deno.execPath(), "run", ...flags, ...load, MAIN, "serve", "--root", root],
      env: { PYTEST_MCP_SECRET: "secret" },
    });
    const { result: { serverInfo } } = await server.initialize();
    const answer = await server.call("execute_tests", { root, outside, python });
    assert.equal((await server.close()).stderr, "");
    assert.equal(serverInfo.name, "pytest-mcp");
    const results: Record<string, string> = answer.result.structuredContent;
    const wrong = Object.entries(results).filter(([name, result]) =>
      result !== (ALLOWED.includes(name) ? "done" : "denied")
    );
    assert.deepEqual(wrong, []);
    assert.ok(Object.keys(results).length > 20);
    assert.equal(await Deno.readTextFile(join(root, "inside.txt")), "inside");
    assert.deepEqual([...Deno.readDirSync(outside)].map((entry) => entry.name), ["secret.txt"]);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("Deno denies everything but the root and Python under the flags of a checkout", async () => {
  await probe("checkout", false);
});

Deno.test("Deno denies everything but the root and Python under the flags of JSR", async () => {
  await probe("jsr", false);
});

Deno.test("Deno denies everything but a root that is named by its path", async () => {
  await probe("jsr", true);
});
