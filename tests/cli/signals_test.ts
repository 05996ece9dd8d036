import assert from "node:assert/strict";

const SCRIPT = `
import { awaitEnd } from "${new URL("../../src/cli/signals.ts", import.meta.url)}";
const end = awaitEnd();
end.signal.addEventListener("abort", () => console.log("asked"));
console.log("ready");
setInterval(() => {}, 1_000); // what was asked to end, and does not
`;

Deno.test("awaitEnd() ends the program at once when it is asked twice", {
  ignore: Deno.build.os === "windows",
}, async () => {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    const script = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(script, SCRIPT);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", script],
      stdout: "piped",
    }).spawn();
    let said = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (/ready\n$|asked\n$/.test(said)) child.kill(signal);
    }
    assert.equal(said, "ready\nasked\n");
    assert.equal((await child.status).code, code);
    await Deno.remove(script);
  }
});
