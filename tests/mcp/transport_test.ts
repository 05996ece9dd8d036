import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { StdioTransport } from "../../src/mcp/transport.ts";
import { byteInput, byteOutput } from "../support/byte_streams.ts";

/** A transport between two streams, with the far end's view of it. */
function connect() {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const transport = new StdioTransport({
    input: byteInput(input.readable),
    output: byteOutput(output.writable),
    explainError: (error, method) => ({ ...error, data: { detail: `${method}` } }),
  });
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void received.push(message);
  const writer = input.writable.getWriter();
  const encoder = new TextEncoder();
  const reader = output.readable.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  return {
    transport,
    received,
    raw: (bytes: Uint8Array): Promise<void> => writer.write(bytes),
    line: (value: unknown): Promise<void> =>
      writer.write(
        encoder.encode(`${typeof value === "string" ? value : JSON.stringify(value)}\n`),
      ),
    end: (): Promise<void> => writer.close(),
    async next(): Promise<unknown> {
      while (!rest.includes("\n")) {
        const { done, value } = await reader.read();
        if (done) throw new Error("the output has ended");
        rest += decoder.decode(value, { stream: true });
      }
      const end = rest.indexOf("\n");
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return JSON.parse(line);
    },
    async close(): Promise<void> {
      await transport.close();
      await reader.cancel();
    },
  };
}

const request = (id: RequestId, method = "ping") => ({ jsonrpc: "2.0" as const, id, method });
const result = (id: RequestId) => ({ jsonrpc: "2.0" as const, id, result: {} });

Deno.test("StdioTransport answers a line that is not JSON and reads on", async () => {
  const far = connect();
  await far.transport.start();
  await far.line("nope");
  const answer = await far.next();
  assert.ok(typeof answer === "object" && answer !== null && "error" in answer);
  assert.ok(!("id" in answer));
  await far.line(request(1));
  void far.transport.send(result(1));
  assert.deepEqual(await far.next(), result(1));
  assert.deepEqual(far.received, [request(1)]);
  await far.close();
});

Deno.test("StdioTransport.send() completes an error without data, knowing its method", async () => {
  const far = connect();
  await far.transport.start();
  await far.line(request(1, "nothing"));
  await far.line("sync");
  await far.next();
  void far.transport.send({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } });
  assert.deepEqual(await far.next(), {
    jsonrpc: "2.0",
    id: 1,
    error: { code: -32601, message: "no", data: { detail: "nothing" } },
  });
  await far.close();
});

Deno.test("StdioTransport refuses an id that is in use, and takes it again after its answer", async () => {
  const far = connect();
  await far.transport.start();
  await far.line(request(1));
  await far.line(request(1));
  assert.match(JSON.stringify(await far.next()), /-32600.*no answer yet/);
  void far.transport.send(result(1));
  await far.next();
  await far.line(request(1));
  await far.line("sync");
  await far.next();
  assert.equal(far.received.length, 2);
  await far.close();
});

Deno.test("StdioTransport shows only the start of a long id that is in use", async () => {
  const far = connect();
  await far.transport.start();
  const id = "x".repeat(100_000);
  await far.line(request(id));
  await far.line(request(id));
  const answer = await far.next();
  assert.ok(typeof answer === "object" && answer !== null && "error" in answer);
  assert.ok(JSON.stringify(answer.error).length < 4_000);
  await far.close();
});

Deno.test("StdioTransport refuses an initialize from before the first version", async () => {
  const far = connect();
  await far.transport.start();
  await far.line({ ...request(0, "initialize"), params: { protocolVersion: "2024-10-07" } });
  const supported = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
  assert.deepEqual(await far.next(), {
    jsonrpc: "2.0",
    id: 0,
    error: {
      code: -32600,
      message: "Invalid Request",
      data: {
        detail: "Protocol version 2024-10-07 is not supported: the oldest is 2024-11-05",
        supported,
        requested: "2024-10-07",
      },
    },
  });
  assert.deepEqual(far.received, []);
  await far.close();
});

Deno.test("StdioTransport answers a batch with one array when the version has batches", async () => {
  const far = connect();
  await far.transport.start();
  far.transport.setProtocolVersion("2025-03-26");
  await far.line([request(1), { jsonrpc: "2.0", method: "note" }, 5, request(2)]);
  await far.line("sync");
  await far.next();
  void far.transport.send(result(2));
  void far.transport.send(result(1));
  const answer = await far.next();
  assert.ok(Array.isArray(answer));
  assert.deepEqual(answer.map((entry) => entry.id), [undefined, 2, 1]);
  await far.close();
});

Deno.test("StdioTransport refuses initialize in a batch, as the version with batches says", async () => {
  const far = connect();
  await far.transport.start();
  far.transport.setProtocolVersion("2025-03-26");
  await far.line([request(1, "initialize")]);
  assert.match(JSON.stringify(await far.next()), /^\[.*"id":1,.*-32600.*line of its own/);
  assert.deepEqual(far.received, []);
  await far.close();
});

Deno.test("StdioTransport completes a batch without the answer of a cancelled request", async () => {
  const far = connect();
  await far.transport.start();
  far.transport.setProtocolVersion("2025-03-26");
  await far.line([request(1), request(2)]);
  await far.line("sync");
  await far.next();
  void far.transport.send(result(2));
  await far.line({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 1 },
  });
  assert.deepEqual(await far.next(), [result(2)]);
  await far.close();
});

Deno.test("StdioTransport.ended resolves when the input ends, and answered() with the last answer", async () => {
  const far = connect();
  await far.transport.start();
  await far.line(request(1));
  await far.end();
  await far.transport.ended;
  const order: string[] = [];
  const answered = far.transport.answered().then(() => order.push("answered"));
  order.push("open");
  const sent = far.transport.send(result(1));
  await far.next();
  await Promise.all([sent, answered]);
  assert.deepEqual(order, ["open", "answered"]);
  await far.close();
});

Deno.test("StdioTransport stops reading a client that does not read its answers", async () => {
  const far = connect();
  await far.transport.start();
  const large = { ...result(1), result: { text: "x".repeat(5 * 1024 * 1024) } };
  await far.line(request(1));
  const sent = far.transport.send(large);
  await far.line(request(2));
  const blocked = far.line(request(3));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.ok(far.received.length < 3);
  await far.next();
  await Promise.all([sent, blocked]);
  await far.line("sync");
  await far.next();
  assert.deepEqual(far.received.map((message) => "id" in message && message.id), [1, 2, 3]);
  await far.close();
});

Deno.test("StdioTransport.send() answers when a result cannot be written as JSON", async () => {
  const far = connect();
  await far.transport.start();
  const sent = far.transport.send({ ...result(4), result: { impossible: 1n } });
  assert.match(JSON.stringify(await far.next()), /"id":4,"error":\{"code":-32603/);
  await sent;
  await far.close();
});

Deno.test("StdioTransport.ended resolves when the client is gone", async () => {
  const transport = new StdioTransport({
    input: { read: () => new Promise<null>(() => {}) },
    output: { write: () => Promise.reject(new Error("broken pipe")) },
    explainError: (error) => error,
  });
  await transport.start();
  await assert.rejects(transport.send(result(1)), /broken pipe/);
  await transport.ended;
  await transport.close();
});

Deno.test("StdioTransport answers a line whose handling throws, and reads on", async () => {
  const far = connect();
  await far.transport.start();
  far.transport.onmessage = () => {
    far.transport.onmessage = (message) => void far.received.push(message);
    throw new Error("boom");
  };
  await far.line(request(1));
  assert.match(JSON.stringify(await far.next()), /"id":1,"error":\{"code":-32603,.*boom/);
  await far.line(request(1));
  await far.line("sync");
  await far.next();
  assert.deepEqual(far.received, [request(1)]);
  await far.close();
});

/** A connection whose client has not read the answer to request 1, and has sent more: 2 is open, 3 waits. */
async function connectUnread() {
  const far = connect();
  await far.transport.start();
  await far.line(request(1));
  await far.line(request(2));
  await far.line("sync");
  await far.next();
  const large = { ...result(1), result: { text: "x".repeat(5 * 1024 * 1024) } };
  const sent = far.transport.send(large);
  await far.line({ jsonrpc: "2.0", method: "note" }); // after it there is no more room
  await far.line(request(3));
  return { ...far, sent };
}

Deno.test("StdioTransport.ended resolves when the input ends, though no answer is read", async () => {
  const far = await connectUnread();
  await far.end();
  await far.transport.ended;
  assert.ok(!far.received.some((message) => "id" in message && message.id === 3));
  const answered = far.transport.answered();
  const late = Promise.withResolvers<void>();
  far.transport.onmessage = () => late.resolve();
  await far.next();
  await Promise.all([far.sent, late.promise]);
  for (const id of [2, 3]) {
    await Promise.all([far.transport.send(result(id)), far.next()]);
  }
  await answered;
  await far.close();
});

Deno.test("StdioTransport passes a cancel on at once, though no answer is read", async () => {
  const far = await connectUnread();
  const cancel = (requestId: number) => ({
    jsonrpc: "2.0" as const,
    method: "notifications/cancelled",
    params: { requestId },
  });
  await far.line(cancel(3));
  await far.line(cancel(2));
  await far.end();
  await far.transport.ended;
  const seen = () => far.received.flatMap((message) => "params" in message ? [message] : []);
  assert.deepEqual(seen(), [cancel(2)]);
  await far.next();
  await far.transport.answered();
  assert.deepEqual(seen(), [cancel(2), cancel(3)]);
  assert.deepEqual(far.received.at(-2), request(3));
  await far.close();
});
