import assert from "node:assert/strict";

Deno.test("guardConsole() and guardNodeStdout() keep stdout free of whatever a dependency logs", async () => {
  const guard = new URL("../../src/mcp/stdout_guard.ts", import.meta.url).href;
  const script = `
    import { guardConsole, guardNodeStdout } from ${JSON.stringify(guard)};
    guardConsole();
    await guardNodeStdout();
    console.log("log"); console.info("info"); console.debug("debug"); console.dir({ a: 1 });
    console.table([1]); console.group("group"); console.groupEnd(); console.count("count");
    console.time("t"); console.timeLog("t"); console.timeEnd("t"); console.warn("warn");
    console.assert(false, "assert"); console.trace("trace");
    (await import("node:process")).default.stdout.write("node\\n");
    (await import("node:console")).default.log("node console");
  `;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-config", "--allow-read", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), "");
});
