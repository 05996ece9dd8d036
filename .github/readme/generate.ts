/**
 * `deno task docs`: writes what is generated into the README, and its picture.
 *
 * @module
 */
import { environment } from "../../tests/support/environments.ts";
import { exchange } from "./exchange.ts";
import { renderPicture } from "./picture.ts";
import { renderSections } from "./sections.ts";

/** The README. */
export const README: URL = new URL("../../README.md", import.meta.url);
/** Its picture. */
export const PICTURE: URL = new URL("exchange.svg", import.meta.url);

/** The README with every generated section made anew; a marker that nothing is known for is an error. */
export function fillSections(readme: string, sections: Readonly<Record<string, string>>): string {
  return readme.replace(
    /(<!-- generated: (\w+) -->\n)[^]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      const text = sections[name];
      if (text === undefined) throw new Error(`README.md asks for a section '${name}'`);
      return `${start}\n${text}\n\n${end}`;
    },
  );
}

/** The picture as it should be. */
export async function drawPicture(): Promise<string> {
  const { python } = await environment("pytest9");
  return await format(renderPicture(await exchange("execute_tests", {}, python)), "svg");
}

/** `deno fmt` on one file: generated text has to pass it, too. */
export async function format(text: string, extension: string): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", extension, "-"],
    cwd: new URL("../../", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout, success } = await process.output();
  if (!success) throw new Error("deno fmt failed");
  return new TextDecoder().decode(stdout);
}

if (import.meta.main) {
  const readme = fillSections(await Deno.readTextFile(README), renderSections());
  await Deno.writeTextFile(README, await format(readme, "md"));
  await Deno.writeTextFile(PICTURE, await drawPicture());
}
