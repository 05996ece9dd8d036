import { deepEqual, equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { environment } from "../support/environments.ts";
import { CONTENDERS } from "./contenders.ts";
import { ROWS } from "./rows.ts";

const BENCH = fileURLToPath(new URL("./bench.ts", import.meta.url));

async function bench(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", BENCH, ...args],
    stderr: "null",
  }).output();
  return { code, text: new TextDecoder().decode(stdout) };
}

const resultSchema = z.object({
  rows: z.array(z.object({
    name: z.string(),
    lanes: z.array(z.object({ name: z.string(), values: z.array(z.number().positive()) })),
  })),
});

Deno.test("bench --json measures every lane of a row as often as it was asked to", async () => {
  await environment("pytest9");
  const { text } = await bench("--json", "--rows=1", "--contenders=warm,cold", "--rounds=2");
  const { rows } = resultSchema.parse(JSON.parse(text));
  deepEqual(rows.map(({ name }) => name), ["1"]);
  deepEqual(
    rows[0]?.lanes.map(({ name, values }) => [name, values.length]),
    [["bare", 2], ["warm", 2], ["cold", 2]],
  );
});

Deno.test("bench names what it knows when a row is unknown, and exits with 2", async () => {
  const { code, text } = await bench("--rows=nine");
  equal(code, 2);
  match(text, /There is no "nine": known are 1, 100, /);
});

Deno.test("bench --help names every row and contender", async () => {
  const { text } = await bench("--help");
  for (const name of [...ROWS.map((row) => row.name), ...CONTENDERS]) match(text, RegExp(name));
});
