import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildOnce, contentKey, readText, runStep, writeToStderr } from "./build_once.ts";
import { cacheDirectory } from "./cache_directory.ts";
import { environment } from "./environments.ts";

/** A project that we did not write, unpacked in the cache. */
export interface SourcePackage {
  /** as `flask-3.1.3` */
  readonly name: string;
  readonly directory: string;
}

/** The source distributions of fixtures/packages.txt, downloaded and unpacked on first use. */
export async function sourcePackages(): Promise<SourcePackage[]> {
  const listFile = fileURLToPath(new URL("../../fixtures/packages.txt", import.meta.url));
  const { python } = await environment("packages");
  const list = await readText(listFile);
  const directory = join(cacheDirectory(), "packages", contentKey(list));
  const say = (line: string) => writeToStderr(`packages: ${line}`);
  await buildOnce(directory, async () => {
    say(`downloading to ${directory}`);
    const pip = [python, "-m", "pip", "download", "--no-deps", "--no-input"] as const;
    await runStep([...pip, "--no-binary", ":all:", "-d", directory, "-r", listFile], say);
    for (const entry of [...Deno.readDirSync(directory)]) {
      await runStep([python, "-m", "tarfile", "-e", join(directory, entry.name), directory], say);
    }
  });
  return [...list.matchAll(/^(\w+)==(\S+)/gm)].map(([, project, version]) => {
    const name = `${project}-${version}`;
    return { name, directory: join(directory, name) };
  });
}
