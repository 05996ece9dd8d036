import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { makePackage } from "../../.github/release/jsr.ts";
import { listComponents, renderSbom } from "../../.github/release/sbom.ts";
import { serverJson } from "../../.github/release/server_json.ts";
import denoJson from "../../deno.json" with { type: "json" };

Deno.test("the bill of materials names every package of the program with its hash", async () => {
  const components = await listComponents();
  // Whatever is added here is shipped to every user: it has to be wanted.
  assert.deepEqual(components.map(({ name }) => name), [
    "@modelcontextprotocol/core",
    "@modelcontextprotocol/server",
    "zod",
  ]);
  const sbom = z.object({
    bomFormat: z.literal("CycloneDX"),
    specVersion: z.literal("1.6"),
    version: z.int().min(1),
    metadata: z.object({
      component: z.object({ name: z.literal("pytest-mcp"), version: z.string() }),
    }),
    components: z.array(z.object({
      type: z.literal("library"),
      name: z.string(),
      version: z.string().regex(/^\d+\.\d+\.\d+$/),
      purl: z.string().regex(/^pkg:npm\/(?:%40[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/),
      hashes: z.tuple([
        z.object({ alg: z.literal("SHA-512"), content: z.string().regex(/^[0-9a-f]{128}$/) }),
      ]),
    })),
  }).parse(JSON.parse(renderSbom(components)));
  assert.equal(sbom.metadata.component.version, denoJson.version);
  assert.equal(sbom.components.length, components.length);
});

/**
 * What the registry's schema of 2025-12-11 asks of a server without packages, and what the registry asks
 * beyond it: no unknown keys, our own metadata in one place only.
 */
const serverSchema = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255).regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  websiteUrl: z.url(),
  _meta: z.strictObject({
    "io.modelcontextprotocol.registry/publisher-provided": z.record(z.string(), z.string()),
  }),
});

Deno.test("server.json is what the MCP registry takes", () => {
  const { name, version, repository } = serverSchema.parse(serverJson());
  assert.equal(version, denoJson.version);
  // the registry grants io.github.OWNER to whoever owns that account
  assert.equal(name.split("/")[0], `io.github.${new URL(repository.url).pathname.split("/")[1]}`);
});

Deno.test("deno publish takes the package, which holds all that it needs and starts", async () => {
  const directory = await Deno.realPath(await Deno.makeTempDir());
  try {
    assert.equal(await makePackage(directory), null);
    const deno = async (...args: string[]) => {
      const { success, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
        args,
        cwd: directory,
        env: { NO_COLOR: "1" },
      }).output();
      const said = new TextDecoder().decode(stderr) + new TextDecoder().decode(stdout);
      assert.ok(success, said);
      return said;
    };
    const said = await deno("publish", "--dry-run");
    const files = [...said.matchAll(/file:\/\/\S*\/(\S+) \(/g)].map(([, name]) => name);
    assert.deepEqual(
      files.toSorted(),
      [...Deno.readDirSync(directory)].map(({ name }) => name).sort(),
    );
    const belongs = /^(deno\.json|README\.md|LICENSE|CHANGELOG\.md|\w+(-\w+)?\.js)$/;
    assert.deepEqual(files.filter((name = "") => !belongs.test(name)), []);
    const readme = await Deno.readTextFile(join(directory, "README.md"));
    assert.doesNotMatch(readme, /\]\((?!https:|#)/);
    const sources = `https://github.com/pytest-mcp/pytest-mcp/raw/v${denoJson.version}/`;
    assert.ok(readme.includes(`](${sources}.github/readme/exchange.svg)`));
    // Neither a package of npm nor anything else is loaded from elsewhere.
    assert.equal(
      await deno("run", "--no-config", "--no-remote", "--no-npm", "main.js", "--version"),
      `pytest-mcp ${denoJson.version}\n`,
    );
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
