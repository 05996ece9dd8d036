/**
 * The package of JSR, into the directory that is named: the bundle of the binaries, so that it starts as fast and
 * holds exactly the packages that were tested, and what a person reads.
 *
 * @module
 */
import { join } from "node:path";
import denoJson from "../../deno.json" with { type: "json" };
import { bundle } from "./bundle.ts";
import { REPOSITORY } from "./server_json.ts";

const DOCUMENTS = ["README.md", "LICENSE", "CHANGELOG.md"];

/** What a document of the repository refers to is not in the package: its links lead to the release's sources. */
export function linkToSources(text: string): string {
  const at = (kind: string) => `${REPOSITORY}/${kind}/v${denoJson.version}/`;
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g,
    (_, image: string, title: string, path: string) =>
      `${image}[${title}](${at(image === "" ? "blob" : "raw")}${path})`,
  );
}

/** Makes the package; returns what went wrong. */
export async function makePackage(directory: string): Promise<string | null> {
  const bundled = await bundle(directory);
  if ("problem" in bundled) return bundled.problem;
  const { name, version, license } = denoJson;
  const settings = { name, version, license, exports: "./main.js" };
  await Deno.writeTextFile(join(directory, "deno.json"), `${JSON.stringify(settings)}\n`);
  for (const document of DOCUMENTS) {
    const text = await Deno.readTextFile(new URL(`../../${document}`, import.meta.url));
    await Deno.writeTextFile(join(directory, document), linkToSources(text));
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
