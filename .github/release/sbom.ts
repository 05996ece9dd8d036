/**
 * The software bill of materials of the binary and of the JSR package, as CycloneDX JSON on stdout: every
 * package that main.ts reaches, with its version and the hash that the lock file holds it to.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import denoJson from "../../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const infoSchema = z.object({
  modules: z.array(z.object({ npmPackage: z.string().optional() })),
  /** all of the lock file's, whether main.ts needs them or not */
  npmPackages: z.record(
    z.string(),
    z.object({ name: z.string(), version: z.string(), dependencies: z.array(z.string()) }),
  ),
});
const lockSchema = z.object({ npm: z.record(z.string(), z.object({ integrity: z.string() })) });

/** A package that is part of the program. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** SHA-512, in hexadecimal */
  readonly sha512: string;
}

/** Every package that is reached from main.ts, by name. */
export async function listComponents(): Promise<Component[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: ROOT,
  }).output();
  const { modules, npmPackages } = infoSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
  const lock = lockSchema.parse(JSON.parse(await Deno.readTextFile(`${ROOT}deno.lock`)));
  const reached = new Set(modules.flatMap(({ npmPackage }) => npmPackage ?? []));
  // a set visits what is added to it on the way
  for (const id of reached) {
    for (const needed of npmPackages[id]?.dependencies ?? []) reached.add(needed);
  }
  return [...reached].sort().map((id) => {
    const { name, version } = npmPackages[id] ?? fail(`deno info does not know ${id}`);
    const { integrity } = lock.npm[id] ?? fail(`deno.lock does not know ${id}`);
    if (!integrity.startsWith("sha512-")) fail(`deno.lock has no SHA-512 of ${id}`);
    return { name, version, sha512: toHex(integrity.slice("sha512-".length)) };
  });
}

/** The whole document. */
export function renderSbom(components: readonly Component[]): string {
  const purl = (name: string, version: string) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return JSON.stringify(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: {
        component: {
          type: "application",
          "bom-ref": "pytest-mcp",
          name: "pytest-mcp",
          version: denoJson.version,
          licenses: [{ license: { id: denoJson.license } }],
        },
      },
      components: components.map(({ name, version, sha512 }) => ({
        type: "library",
        "bom-ref": purl(name, version),
        name,
        version,
        purl: purl(name, version),
        hashes: [{ alg: "SHA-512", content: sha512 }],
      })),
    },
    null,
    2,
  );
}

function fail(message: string): never {
  throw new Error(message);
}

function toHex(base64: string): string {
  return Uint8Array.fromBase64(base64).toHex();
}

if (import.meta.main) {
  const text = renderSbom(await listComponents());
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
