import assert from "node:assert/strict";
import { drawPicture, PICTURE } from "../../.github/readme/generate.ts";

Deno.test("the picture shows a real exchange as it is today", {
  // the client ends its timers in its own time
  sanitizeOps: false,
  sanitizeResources: false,
}, async () => {
  assert.equal(await drawPicture(), await Deno.readTextFile(PICTURE));
});
