import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { binaryPermissions, compileArguments, TARGETS } from "../../.github/release/targets.ts";
import { bundle } from "../../.github/release/bundle.ts";
import denoJson from "../../deno.json" with { type: "json" };
import { standInBase } from "../support/stand_in_base.ts";

/** What the program adds to its base: it is downloaded, read and kept in memory by everybody. */
const MOST_EMBEDDED = 1_500_000;

/** Stands before the settings; in an ELF file it is also the name of the section. */
const MAGIC = /d3n0l4nd(?!d3n0l4nd)/;

const metadataSchema = z.object({
  argv: z.array(z.string()),
  permissions: z.record(z.string(), z.union([z.array(z.string()), z.boolean()]).nullable()),
  log_level: z.string(),
  entrypoint_key: z.string(),
  node_modules: z.null(),
  app_name: z.string(),
  app_version: z.string(),
});
const filesSchema = z.array(z.object({ File: z.object({ n: z.string() }) }));

/** What `deno compile` put into a binary: its settings and the list of its files. */
function readEmbedded(binary: Uint8Array) {
  const text = new TextDecoder("latin1").decode(binary);
  const start = text.search(MAGIC) + "d3n0l4nd".length;
  const length = Number(new DataView(binary.buffer).getBigUint64(start, true));
  const metadata = metadataSchema.parse(JSON.parse(text.slice(start + 8, start + 8 + length)));
  const list = text.indexOf('[{"File":', start + length);
  const files = filesSchema.parse(JSON.parse(text.slice(list, text.indexOf("}]", list) + 2)));
  return { metadata, files: files.map((file) => file.File.n) };
}

/** The flags, as the binary holds them. */
function asHeld(flags: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    flags.filter((flag) => flag.startsWith("--allow-")).map((flag) => {
      const [name = "", list = ""] = flag.slice(2).split("=");
      return [name.replaceAll("-", "_"), list.split(",")];
    }),
  );
}

/** Every file that is evaluated with those named so: what they import, and what that imports. */
async function loadedWith(directory: string, names: RegExp): Promise<Map<string, string>> {
  const loaded = new Map<string, string>();
  const waiting = [...Deno.readDirSync(directory)].map((file) => file.name)
    .filter((name) => names.test(name));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = name.startsWith("node:") ? "" : await Deno.readTextFile(join(directory, name));
    loaded.set(name, text);
    const imports = text.matchAll(/\b(?:from|import) ?"(?:\.\/)?([^"]+)"/g);
    waiting.push(...[...imports].flatMap(([, imported]) => imported ?? []));
  }
  return loaded;
}

Deno.test("bundle() loads nothing of Node, nor the Python sources, before initialize is answered", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const bundled = await bundle(directory);
    assert.ok("entry" in bundled, JSON.stringify(bundled));
    const loaded = await loadedWith(directory, /^(main|serve-\w+)\.js$/);
    assert.ok([...loaded.values()].some((text) => text.includes("notifications/initialized")));
    assert.deepEqual([...loaded.keys()].filter((name) => name.startsWith("node:")), []);
    assert.ok(![...loaded.values()].some((text) => text.includes("pytest_mcp_boot")));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

for (const target of TARGETS) {
  Deno.test(`deno compile embeds the bundle and the permissions of permissions.ts for ${target.triple}`, async () => {
    const directory = await Deno.makeTempDir();
    try {
      const base = join(directory, "base");
      const output = join(directory, target.file);
      await Deno.writeFile(base, standInBase(target.triple));
      const bundled = await bundle(join(directory, "bundle"));
      assert.ok("entry" in bundled, JSON.stringify(bundled));
      const { entry } = bundled;
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: compileArguments(target, { entry, output }),
        env: { DENORT_BIN: base },
      }).output();
      assert.ok(success, new TextDecoder().decode(stderr));
      const binary = await Deno.readFile(output);
      const { metadata, files } = readEmbedded(binary);

      const held = Object.entries(metadata.permissions).filter(([, value]) => value !== null);
      assert.deepEqual(Object.fromEntries(held), {
        ...asHeld(binaryPermissions(target)),
        allow_import: ["0.0.0.0:1"],
        prompt: false,
      });
      const written = [...Deno.readDirSync(join(directory, "bundle"))].map(({ name }) => name);
      assert.deepEqual(files.sort(), written.filter((name) => name.endsWith(".js")).sort());
      assert.equal(metadata.entrypoint_key, "main.js");
      assert.deepEqual(
        [metadata.argv, metadata.log_level, metadata.app_name, metadata.app_version],
        [[], "ERROR", "pytest-mcp", denoJson.version],
      );
      const embedded = binary.length - standInBase(target.triple).length;
      assert.ok(embedded > 300_000 && embedded <= MOST_EMBEDDED, `${embedded} bytes are embedded`);
    } finally {
      await Deno.remove(directory, { recursive: true });
    }
  });
}
