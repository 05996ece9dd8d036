import { deepEqual, equal } from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { permissionFlags } from "../src/cli/permissions.ts";

/** Flag → its items, of both systems, because a task is the same on all of them. */
function permissionsOfAllSystems(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const platform of ["posix", "windows"] as const) {
    for (const flag of permissionFlags({ platform })) addFlag(all, flag.replaceAll("\\", "/"));
  }
  return all;
}

function addFlag(flags: Map<string, Set<string>>, flag: string): void {
  const [name = "", items] = flag.split("=");
  const known = flags.get(name) ?? new Set();
  for (const item of items?.split(",") ?? []) known.add(item);
  flags.set(name, known);
}

Deno.test("deno task start asks for exactly the permissions of the table", () => {
  const flags = new Map<string, Set<string>>();
  const words = config.tasks.start.command.split(" ");
  for (const word of words) if (/^--(allow-|no-prompt)/.test(word)) addFlag(flags, word);
  const sorted = (map: Map<string, Set<string>>) =>
    [...map].map(([name, items]) => [name, [...items].toSorted()]).toSorted();
  deepEqual(sorted(flags), sorted(permissionsOfAllSystems()));
});

Deno.test(".ci/run calls the README's test command as it is written there", async () => {
  const [readme, script] = await Promise.all(
    ["../README.md", "../.ci/run"].map((path) => Deno.readTextFile(new URL(path, import.meta.url))),
  );
  const command = readme?.match(/^npx --yes deno@\S+ task test\b/m)?.[0];
  equal(script?.trimEnd().split("\n").at(-1), command);
});
