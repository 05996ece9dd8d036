import assert from "node:assert/strict";
import { type Flag, parseFlags, twoColumns } from "../../src/cli/flags.ts";

const FLAGS: Flag[] = [
  { name: "root", value: "DIR", help: "the project" },
  { name: "failfast", short: "x", help: "stop early" },
  { name: "node-ids", value: "ID", multiple: true, help: "tests" },
];

async function problem(...args: string[]): Promise<string> {
  const parsed = await parseFlags(args, FLAGS);
  assert.equal(parsed.ok, false, `accepted: ${args.join(" ")}`);
  return parsed.ok ? "" : parsed.message;
}

Deno.test("parseFlags() reads values, short names, repeats and positionals", async () => {
  assert.deepEqual(
    await parseFlags(
      ["--root=a", "-x", "--node-ids", "b", "--node-ids=c", "d", "--", "--e"],
      FLAGS,
    ),
    {
      ok: true,
      values: { root: "a", failfast: true, "node-ids": ["b", "c"] },
      positionals: ["d", "--e"],
    },
  );
});

Deno.test("parseFlags() answers in one sentence when a flag is unknown, lacks or refuses a value", async () => {
  assert.equal(await problem("--rooot", "a"), "Unknown option '--rooot'");
  assert.equal(await problem("-z"), "Unknown option '-z'");
  assert.equal(await problem("--root"), "Option '--root <value>' argument missing");
  assert.equal(await problem("--failfast=1"), "Option '-x, --failfast' does not take an argument");
  assert.equal(
    await problem("--root", "--failfast"),
    "Option '--root' needs a value; write '--root=-…' for one with a dash",
  );
});

Deno.test("twoColumns() wraps the right column below itself", () => {
  assert.equal(
    twoColumns([["--a", "one two three four five six"], ["--long", "x"]], 30),
    "  --a     one two three four\n          five six\n  --long  x",
  );
});
