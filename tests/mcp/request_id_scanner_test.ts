import assert from "node:assert/strict";
import { readRequestId, RequestIdScanner } from "../../src/mcp/request_id_scanner.ts";

const CASES: readonly [line: string, id: string | number | undefined][] = [
  ['{"jsonrpc":"2.0","id":7,"method":"x",', 7],
  ['{"jsonrpc":"2.0","id":"a\\"b","method":tru', 'a"b'],
  ['{"id": -3 , "method": nope}', -3],
  ['{"method":"x","params":{"id":1},"id":2}', 2],
  ['{"method":"x","params":{"id":1', undefined],
  ['{"method":"id","params":[{"id":1}]', undefined],
  ['{"params":{"a":["}","{"]},"id":"ü"}x', "ü"],
  ['{"id":null,"method":x}', undefined],
  ['{"id":{"id":4},"method":x}', undefined],
  ['{"id":12', undefined],
  ['{"id":1e999,"method":x}', undefined],
  ['[{"id":1}', undefined],
  ["", undefined],
  ["}}}]]]", undefined],
];

for (const [line, id] of CASES) {
  Deno.test(`readRequestId() finds ${JSON.stringify(id)} in ${line || "an empty line"}`, () => {
    assert.equal(readRequestId(line), id);
  });
}

Deno.test("RequestIdScanner finds the id when it comes byte by byte, and last", () => {
  const scanner = new RequestIdScanner();
  const line = new TextEncoder().encode(`{"params":{"x":"${"y".repeat(500)}"},"id":"last"}`);
  for (const byte of line) scanner.push(Uint8Array.of(byte));
  assert.equal(scanner.id, "last");
});
