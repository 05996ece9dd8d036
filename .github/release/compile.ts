/**
 * `deno task compile [NAME…]`: the binaries of a release, into dist/. Names are those of the files; without
 * any, all six are built.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { compileArguments, type Target, TARGETS } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Builds each target in turn; the exit code is 1 when one fails. */
async function compile(names: readonly string[]): Promise<number> {
  const known = TARGETS.map((target) => target.file);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    say(`There is no ${unknown}: the binaries are ${known.join(", ")}`);
    return 2;
  }
  await Deno.mkdir(join(ROOT, "dist"), { recursive: true });
  const directory = await Deno.makeTempDir({ dir: join(ROOT, "dist"), prefix: "bundle-" });
  try {
    const bundled = await bundle(directory);
    if ("problem" in bundled) {
      say(`The program was not bundled: ${bundled.problem}`);
      return 1;
    }
    const chosen = TARGETS.filter(({ file }) => names.length === 0 || names.includes(file));
    return await compileAll(chosen, bundled.entry);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function compileAll(targets: readonly Target[], entry: string): Promise<number> {
  for (const target of targets) {
    const output = join(ROOT, "dist", target.file);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: compileArguments(target, { entry, output }),
      cwd: ROOT,
    }).spawn().status;
    if (!success) {
      say(
        `${target.file} was not built. Its base comes from dl.deno.land; where that cannot be reached, ` +
          `DENORT_BIN may name a copy.`,
      );
      return 1;
    }
    const { size } = await Deno.stat(output);
    say(`dist/${target.file}  ${(size / 1e6).toFixed(1)} MB`);
  }
  return 0;
}

if (import.meta.main) Deno.exit(await compile(Deno.args));
