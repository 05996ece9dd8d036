/**
 * The package of JSR, into the directory that is named: the bundle of the binaries, so that it starts as fast and
 * holds exactly the packages that were tested, and what a person reads.
 *
 * @module
 */
import { join } from "node:path";
import denoJson from "../../deno.json" with { type: "json" };
import { bundle } from "./bundle.ts";

const DOCUMENTS = ["README.md", "LICENSE", "CHANGELOG.md"];

/** Makes the package; returns what went wrong. */
export async function makePackage(directory: string): Promise<string | null> {
  const bundled = await bundle(directory);
  if ("problem" in bundled) return bundled.problem;
  const { name, version, license } = denoJson;
  const settings = { name, version, license, exports: "./main.js" };
  await Deno.writeTextFile(join(directory, "deno.json"), `${JSON.stringify(settings)}\n`);
  for (const document of DOCUMENTS) {
    await Deno.copyFile(new URL(`../../${document}`, import.meta.url), join(directory, document));
  }
  return null;
}

if (import.meta.main) {
  const [directory] = Deno.args;
  const problem = directory === undefined ? "name a directory" : await makePackage(directory);
  if (problem !== null) {
    Deno.stderr.writeSync(new TextEncoder().encode(`The package was not made: ${problem}\n`));
    Deno.exit(1);
  }
}
