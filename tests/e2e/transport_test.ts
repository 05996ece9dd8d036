/**
 * What no well-behaved client does: the real process answers, lives, and stays small.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { e2eProject } from "../support/e2e_project.ts";
import { RawServer } from "../support/raw_server.ts";

const MEGABYTE = 1024 * 1024;

/** A server in an empty project; nothing here starts pytest. */
async function withServer(run: (server: RawServer) => Promise<void>): Promise<void> {
  await using project = await e2eProject({ environment: null });
  const server = new RawServer({ root: project.root });
  await run(server);
  const { code, stderr } = await server.close();
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
}

Deno.test("the server answers a raw JSON-RPC script, line by line", async () => {
  await withServer(async (server) => {
    const { result } = await server.initialize("2025-06-18");
    assert.equal(result.protocolVersion, "2025-06-18");
    assert.deepEqual((await server.request("ping")).result, {});
    assert.equal((await server.request("tools/list")).result.tools.length, 2);
    assert.equal((await server.request("nothing")).error?.code, -32601);
    assert.equal((await server.call("nothing")).error?.code, -32602);
    assert.ok(server.messages.every((message) => "id" in message));
  });
});

Deno.test("the server answers lines that are not JSON, JSON-RPC or UTF-8, and goes on", async () => {
  await withServer(async (server) => {
    await server.raw('nope\n{"jsonrpc":"2.0","id":"open","method":"ping"\n{"id":3}\n5\n\n');
    await server.raw(new Uint8Array([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    const broken = await server.next(({ id }) => id === "open");
    assert.equal(broken.error?.code, -32700);
    const noVersion = await server.next(({ id }) => id === 3);
    assert.equal(noVersion.error?.code, -32600);
    await server.initialize();
    const codes = server.messages.map(({ error }) => error?.code);
    assert.deepEqual(codes, [-32700, -32700, -32600, -32600, -32700, undefined]);
    for (const { error } of server.messages) {
      if (error !== undefined) assert.equal(typeof error.data.detail, "string");
    }
  });
});

Deno.test("the server answers a batch in 2025-03-26 and refuses one elsewhere", async () => {
  const batch = [
    { jsonrpc: "2.0", id: "a", method: "ping" },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: "b", method: "tools/list" },
  ];
  await withServer(async (server) => {
    await server.initialize("2025-03-26");
    await server.line(batch);
    const answer: unknown = await server.next((message) => Array.isArray(message));
    assert.ok(Array.isArray(answer));
    assert.deepEqual(answer.map(({ id }) => id).sort(), ["a", "b"]);
  });
  await withServer(async (server) => {
    await server.initialize("2025-06-18");
    await server.line(batch);
    const { error } = await server.next((message) => message.error !== undefined);
    assert.equal(error?.code, -32600);
    assert.match(error?.message ?? "", /batch/);
  });
});

Deno.test("the server acknowledges a subscription of 2026-07-28, and ends it with the connection", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  await using project = await e2eProject({ environment: null });
  const server = new RawServer({ root: project.root });
  const notifications = { toolsListChanged: true };
  const { id, answer } = server.send("subscriptions/listen", { _meta, notifications });
  const { method, params } = await server.next((message) => message.method !== undefined);
  assert.equal(method, "notifications/subscriptions/acknowledged");
  assert.equal(params._meta["io.modelcontextprotocol/subscriptionId"], id);
  assert.equal((await server.close()).code, 0);
  assert.equal((await answer).result.resultType, "complete");
});

Deno.test("the server answers what is nested too deeply for JSON.stringify(), and goes on", async () => {
  await withServer(async (server) => {
    await server.initialize();
    for (const key of ["1", "toJSON"]) {
      const deep = `${`{"${key}":`.repeat(100_000)}1${"}".repeat(100_000)}`;
      const calls = [
        [-32600, `{"id":"${key}0","a":${deep}}`],
        [-32602, toolCall(`${key}1`, `"name":"execute_tests","arguments":{"x":${deep}}`)],
        [-32602, toolCall(`${key}2`, `"name":"execute_tests","arguments":{"node_ids":${deep}}`)],
        [-32602, toolCall(`${key}3`, `"name":${deep}`)],
      ] as const;
      for (const [at, [code, line]] of calls.entries()) {
        await server.raw(`${line}\n`);
        const { error } = await server.next(({ id }) => id === `${key}${at}`);
        assert.equal(error?.code, code, error?.message);
      }
    }
    assert.deepEqual((await server.request("ping")).result, {});
  });
});

function toolCall(id: string, params: string): string {
  return `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{${params}}}`;
}

Deno.test("the server refuses a batch of far too many entries with one answer", async () => {
  await withServer(async (server) => {
    await server.initialize("2025-03-26");
    for (const [entries, message] of [[100_000, /100001 entries/], [1e6, /values/]] as const) {
      await server.raw(`[${"0,".repeat(entries)}0]\n`);
      const { error } = await server.next(({ error }) => message.test(error?.message ?? ""));
      assert.equal(error?.code, -32600);
    }
    assert.deepEqual((await server.request("ping")).result, {});
  });
});

Deno.test("the server answers a long line of tiny values, and does not grow by what they would take", async () => {
  await withServer(async (server) => {
    await server.initialize();
    const before = await server.residentBytes();
    for (const value of ["{},", "[],", "1.5,"]) {
      const values = `[${value.repeat(10 * MEGABYTE / value.length)}0]`;
      await server.raw(
        `${toolCall(value, `"name":"execute_tests","arguments":{"x":${values}}`)}\n`,
      );
      const { error } = await server.next(({ id }) => id === value);
      assert.equal(error?.code, -32600);
    }
    // As values, the first of them take a gigabyte; as text, each a few times its size until that is collected.
    assert.ok(await server.residentBytes() - before < 256 * MEGABYTE);
  });
});

Deno.test("the server answers a line of 10 MB", async () => {
  await withServer(async (server) => {
    await server.initialize();
    const before = await server.residentBytes();
    const { error } = await server.call("execute_tests", { keywords: "x ".repeat(5 * MEGABYTE) });
    assert.equal(error?.code, -32602);
    assert.ok(JSON.stringify(error).length < 50_000);
    assert.ok(await server.residentBytes() - before < 128 * MEGABYTE);
    assert.deepEqual((await server.request("ping")).result, {});
  });
});

Deno.test("the server refuses a line beyond its limit by its id, though that comes last", async () => {
  await withServer(async (server) => {
    await server.initialize();
    const before = await server.residentBytes();
    await server.raw('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"');
    for (let sent = 0; sent < 30; sent++) await server.raw("x".repeat(MEGABYTE));
    await server.raw('"},"id":"late"}\n');
    const { error } = await server.next(({ id }) => id === "late");
    assert.equal(error?.code, -32600);
    assert.match(error?.message ?? "", /longer than/);
    assert.deepEqual((await server.request("ping")).result, {});
    assert.ok(await server.residentBytes() - before < 64 * MEGABYTE);
  });
});

Deno.test("the server gives up on a line without end, and holds nothing of it", async () => {
  await withServer(async (server) => {
    await server.initialize();
    const before = await server.residentBytes();
    const piece = new TextEncoder().encode("y".repeat(MEGABYTE));
    for (let sent = 0; sent < 200; sent++) await server.raw(piece);
    const { error } = await server.next((message) => message.error !== undefined);
    assert.equal(error?.code, -32600);
    assert.ok(await server.residentBytes() - before < 64 * MEGABYTE);
    await server.raw("\n");
    assert.deepEqual((await server.request("ping")).result, {});
  });
});

Deno.test("the server answers a flood of 10,000 requests, each once", async () => {
  await withServer(async (server) => {
    await server.initialize();
    const before = await server.residentBytes();
    const answers = Array.from(
      { length: 10_000 },
      (_, at) =>
        server.request(["ping", "tools/list", "nothing", "prompts/list"][at % 4] ?? "ping"),
    );
    const ids = (await Promise.all(answers)).map(({ id }) => id);
    assert.equal(new Set(ids).size, 10_000);
    assert.ok(await server.residentBytes() - before < 128 * MEGABYTE);
  });
});

Deno.test("the server stays small while a client does not read", async () => {
  await using project = await e2eProject({ environment: null });
  const server = new RawServer({ root: project.root, readOutput: false });
  await server.readFor(async () => {
    await server.initialize();
  });
  const before = await server.residentBytes();
  const request = `{"jsonrpc":"2.0","id":%,"method":"tools/list"}\n`;
  let blocked = false;
  let sent = 0;
  // Each answer is many times its request: the server must stop to read long before the end.
  for (; sent < 200 && !blocked; sent++) {
    const lines = Array.from({ length: 500 }, (_, at) => request.replace("%", `"${sent}-${at}"`));
    const written = server.raw(lines.join("")).then(() => "written");
    const waited = new Promise<string>((resolve) => setTimeout(() => resolve("blocked"), 1_000));
    blocked = await Promise.race([written, waited]) === "blocked";
  }
  assert.ok(blocked);
  assert.ok(await server.residentBytes() - before < 64 * MEGABYTE);
  await server.readFor(async () => {
    await server.next(({ id }) => id === `${sent - 1}-499`);
  });
  assert.equal((await server.close()).code, 0);
});

Deno.test("what a dependency logs goes to stderr: stdout belongs to the protocol", async () => {
  await using project = await e2eProject({ environment: null });
  const script = fileURLToPath(new URL("../support/noisy_server.ts", import.meta.url));
  const command = [Deno.execPath(), "run", "--quiet", script] as const;
  const server = new RawServer({ root: project.root, command });
  await server.initialize();
  assert.equal((await server.call("execute_tests")).result.structuredContent.exit_code, 0);
  const { code, stderr } = await server.close(); // a line of stdout that is not JSON fails it
  assert.equal(code, 0);
  assert.equal(stderr, "noise of console.log\nnoise of process.stdout\n");
});

Deno.test("a second server beside the first does no harm", async () => {
  await using project = await e2eProject({ environment: null });
  const servers = [1, 2].map(() => new RawServer({ root: project.root }));
  for (const server of servers) await server.initialize();
  for (const server of servers) assert.deepEqual((await server.request("ping")).result, {});
  for (const server of servers) assert.equal((await server.close()).code, 0);
  assert.deepEqual([...Deno.readDirSync(project.root)], []);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test({
    name: `the server exits with 0 on ${signal}`,
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await using project = await e2eProject({ environment: null });
      const server = new RawServer({ root: project.root });
      await server.initialize();
      server.kill(signal);
      await server.gone;
      assert.equal((await server.close()).code, 0);
    },
  });
}
