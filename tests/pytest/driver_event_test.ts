import assert from "node:assert/strict";
import { parseDriverEvent } from "../../src/pytest/driver_event.ts";

/** As the Python side writes it. */
const line = (message: string) => `{"event":"usage_error","message":"${message}"}`;

Deno.test("parseDriverEvent() spells out half a surrogate pair: strict readers refuse the answer otherwise", () => {
  const event = parseDriverEvent(line(String.raw`\udc80 \ud83d\ude00 \ud83dx \\udc80 \\\udc80`));
  const message = String.raw`\udc80 ${"\u{1f600}"} \ud83dx \udc80 \\udc80`;
  assert.deepEqual(event, { event: "usage_error", message });
  assert.ok(JSON.stringify(event).isWellFormed());
});
