import assert from "node:assert/strict";
import { fromSchemaError } from "../../src/mcp/from_schema_error.ts";

/** [what zod says, what an agent is told, what was received] */
const COMPLAINTS: [object, string, unknown][] = [
  [
    {
      path: ["params", "arguments"],
      code: "invalid_type",
      message: "Invalid input: expected record, received array",
    },
    "Invalid parameters for tools/call: arguments: must be an object, received array",
    [1],
  ],
  [
    {
      path: ["params", "name"],
      code: "invalid_type",
      message: "Invalid input: expected string, received number",
    },
    "Invalid parameters for tools/call: name: must be a string, received number",
    5,
  ],
];

Deno.test("fromSchemaError() says what must be there in the words of JSON", () => {
  const request = {
    jsonrpc: "2.0" as const,
    id: 1,
    method: "tools/call",
    params: { name: 5, arguments: [1] },
  };
  for (const [issue, message, received] of COMPLAINTS) {
    const failure = fromSchemaError(request, `Invalid request: ${JSON.stringify([issue])}`);
    assert.equal(failure.message, message);
    assert.deepEqual(failure.issues[0]?.received_value, received);
  }
});
