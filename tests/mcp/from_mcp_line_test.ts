import assert from "node:assert/strict";
import { fromMcpLine, type McpLine } from "../../src/mcp/from_mcp_line.ts";

function parse(text: string, batches = false): McpLine {
  return fromMcpLine({ kind: "text", text }, { batches });
}

function refusal(line: McpLine): { id: unknown; code: number; detail: unknown } {
  assert.equal(line.kind, "refused");
  if (line.kind !== "refused") throw new Error("unreachable");
  const { error } = line.answer;
  const data: unknown = error.data;
  assert.ok(typeof data === "object" && data !== null && "detail" in data);
  return { id: line.answer.id, code: error.code, detail: data.detail };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

Deno.test("fromMcpLine() passes a request on", () => {
  assert.deepEqual(parse(`${PING}\r`), { kind: "message", message: JSON.parse(PING) });
});

Deno.test("fromMcpLine() ignores an empty line", () => {
  assert.deepEqual(parse(" \r"), { kind: "empty" });
});

function withToken(token: string): string {
  return `{"jsonrpc":"2.0","id":6,"method":"ping","params":{"_meta":{"progressToken":${token}}}}`;
}

const REFUSED: readonly [text: string, id: unknown, code: number, detail: RegExp][] = [
  ["{nope", undefined, -32700, /not JSON.*Received: \{nope/],
  ['{"jsonrpc":"2.0","id":3,"method":}', 3, -32700, /not JSON/],
  ['"text"', undefined, -32600, /must be a JSON object/],
  ["null", undefined, -32600, /must be a JSON object/],
  ['{"id":"a","method":"ping"}', "a", -32600, /"jsonrpc" must be "2.0"/],
  ['{"jsonrpc":"1.0","id":4,"method":"ping"}', 4, -32600, /"jsonrpc" must be "2.0"/],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined, -32600, /"id" must be/],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600, /"id" must be/],
  ['{"jsonrpc":"2.0","id":5,"method":6}', 5, -32600, /"method" must be a string/],
  ['{"jsonrpc":"2.0","id":6,"method":"ping","params":[]}', 6, -32600, /"params" must be/],
  ['{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 2 ** 53, -32600, /within ±9007/],
  ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', undefined, -32600, /"id" must be/],
  [withToken("1.5"), 6, -32600, /"progressToken" .* must be a string or an integer/],
  ['{"jsonrpc":"2.0","id":8,"method":"ping","params":{},"extra":1}', 8, -32600, /nothing else/],
  ['{"jsonrpc":"2.0","id":7}', 7, -32600, /a message has/],
  ['{"jsonrpc":"2.0","id":8,"method":"ping","extra":1}', 8, -32600, /nothing else/],
  [`[${PING}]`, undefined, -32600, /2025-03-26/],
];

for (const [text, id, code, detail] of REFUSED) {
  Deno.test(`fromMcpLine() answers ${code} to ${text}`, () => {
    const answer = refusal(parse(text));
    assert.deepEqual([answer.id, answer.code], [id, code]);
    assert.match(String(answer.detail), detail);
  });
}

const NULLS: readonly (readonly [received: string, taken: string])[] = [
  [`"params":null`, `"method":"ping"`],
  [`"params":{"_meta":null,"cursor":null}`, `"params":{}`],
  [`"params":{"_meta":{"progressToken":null,"k":1}}`, `"params":{"_meta":{"k":1}}`],
  [`"params":{"arguments":{"path":null}}`, `"params":{"arguments":{"path":null}}`],
];

for (const [received, taken] of NULLS) {
  Deno.test(`fromMcpLine() takes ${received} for ${taken}`, () => {
    const start = `"jsonrpc":"2.0","id":1,"method":"ping"`;
    const message = JSON.parse(`{${start},${taken}}`);
    assert.deepEqual(parse(`{${start},${received}}`), { kind: "message", message });
  });
}

Deno.test("fromMcpLine() shows only the start of a long line", () => {
  assert.ok(String(refusal(parse("x".repeat(10_000))).detail).length < 400);
});

Deno.test("fromMcpLine() answers a value that is nested very deeply", () => {
  const depth = 200_000;
  const text = `{"jsonrpc":"2.0","id":9,"method":1,"params":${"[".repeat(depth)}${
    "]".repeat(depth)
  }}`;
  assert.equal(refusal(parse(text)).code, -32600);
});

Deno.test("fromMcpLine() splits a batch where the version has batches", () => {
  const line = parse(`[${PING},5]`, true);
  assert.equal(line.kind, "batch");
  if (line.kind !== "batch") return;
  assert.deepEqual(line.entries.map((entry) => entry.kind), ["message", "refused"]);
});

Deno.test("fromMcpLine() refuses an empty batch", () => {
  assert.equal(refusal(parse("[]", true)).detail, "the batch is empty");
});

/** V8 writes other objects without recursion; these two kinds end its stack. */
for (const key of ["1", "toJSON"]) {
  const deep = `${`{"${key}":`.repeat(100_000)}1${"}".repeat(100_000)}`;

  Deno.test(`fromMcpLine() answers an object that is nested very deeply by the key ${key}`, () => {
    const { id, code, detail } = refusal(parse(`{"id":7,"a":${deep}}`));
    assert.deepEqual([id, code], [7, -32600]);
    assert.match(String(detail), /Received: \{"id":7,"a":\{/);
  });

  Deno.test(`fromMcpLine() answers such an object in a batch: key ${key}`, () => {
    const line = parse(`[{"id":7,"a":${deep}}]`, true);
    assert.equal(line.kind, "batch");
    if (line.kind !== "batch") return;
    const [entry] = line.entries;
    assert.ok(entry !== undefined);
    assert.match(String(refusal(entry).detail), /nested too deeply/);
  });
}

Deno.test("fromMcpLine() refuses a batch of more than 1,000 entries with one answer", () => {
  assert.equal(parse(`[${Array(1_000).fill(PING)}]`, true).kind, "batch");
  const { id, code, detail } = refusal(parse(`[${Array(1_001).fill(0)}]`, true));
  assert.deepEqual([id, code], [undefined, -32600]);
  assert.match(String(detail), /1001 entries, and 1000 are allowed/);
});
