/**
 * `deno task compile [NAME…]`: the binaries of a release, into dist/. Names are those of the files; without
 * any, all six are built.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileArguments, TARGETS } from "./targets.ts";

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
  for (const target of TARGETS) {
    if (names.length > 0 && !names.includes(target.file)) continue;
    const output = join(ROOT, "dist", target.file);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: compileArguments(target, output),
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
