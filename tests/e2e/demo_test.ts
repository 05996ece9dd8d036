import { equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { environment } from "../support/environments.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** `deno task demo`, as a person starts it. */
async function demo(env: Record<string, string>): Promise<{ code: number; stdout: string }> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: CHECKOUT,
    env: { ...env, NO_COLOR: "1" },
    stderr: "null",
  }).output();
  return { code, stdout: new TextDecoder().decode(stdout) };
}

Deno.test("deno task demo shows a failing test and where it comes from", async () => {
  await environment("pytest9"); // what the demo builds when the Python on PATH has no pytest
  const { code, stdout } = await demo({});
  match(stdout, /protocol 2026-07-28/);
  match(stdout, /"passed":6,"failed":1,"skipped":1/);
  match(stdout, /bookshop\/discounts\.py:16 discount_rate: raise UnknownCode/);
  match(stdout, /no discount code 'summer10'; known codes: SPRING5, SUMMER10/);
  equal(code, 0);
});

Deno.test("deno task demo says what is missing when there is no Python", async () => {
  const { code, stdout } = await demo({ PATH: CHECKOUT });
  match(stdout, /^Python 3\.10 or newer is needed and no Python was found on PATH: .*\.\n$/);
  equal(code, 1);
});
