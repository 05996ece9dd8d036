import assert from "node:assert/strict";
import { limitRuns } from "../../src/domain/run_queue.ts";
import { LEGACY_VERSIONS } from "../../src/mcp/protocol_version.ts";
import { passingRun } from "../support/canned_events.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { HangingRunner } from "../support/hanging_runner.ts";
import { InProcessServer } from "../support/in_process_server.ts";

const call = (args: object = {}) => ({ name: "execute_tests", arguments: args });

for (const version of LEGACY_VERSIONS) {
  Deno.test(`serveMcp() negotiates ${version}`, async () => {
    const server = new InProcessServer({ runner: fakeRunner([]) });
    const { result } = await server.initialize(version);
    assert.equal(result.protocolVersion, version);
    assert.deepEqual(result.serverInfo, { name: "pytest-mcp", title: "pytest", version: "1.2.3" });
    assert.deepEqual(Object.keys(result.capabilities).sort(), [
      "completions",
      "prompts",
      "resources",
      "tools",
    ]);
    assert.deepEqual((await server.request("ping")).result, {});
    await server.close();
  });
}

Deno.test("serveMcp() offers its newest version to a newer client", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  assert.equal((await server.initialize("2031-01-01")).result.protocolVersion, "2025-11-25");
  await server.close();
});

Deno.test("serveMcp() refuses a version that is too old, and serves the next try", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  const { error } = await server.initialize("2024-10-07");
  assert.equal(error?.code, -32600);
  assert.equal(error?.data.requested, "2024-10-07");
  assert.equal((await server.initialize("2024-11-05")).result.protocolVersion, "2024-11-05");
  await server.close();
});

Deno.test("serveMcp() tells of its client once, when the first answer is out", async () => {
  const told: string[] = [];
  const server = new InProcessServer({
    runner: fakeRunner([]),
    onClient: () => told.push("client"),
  });
  told.push("started");
  await server.initialize();
  told.push("answered");
  await server.request("ping");
  await server.close();
  assert.equal(told.filter((word) => word === "client").length, 1);
  assert.equal(told[0], "started");
});

Deno.test("serveMcp() serves 2026-07-28 without initialize", async () => {
  const server = new InProcessServer({ runner: fakeRunner(passingRun(2)) });
  const { result } = await server.modern("server/discover");
  assert.deepEqual(result.supportedVersions, ["2026-07-28"]);
  const answer = await server.modern("tools/call", call());
  assert.equal(answer.result.structuredContent.summary.passed, 2);
  await server.close();
});

Deno.test("serveMcp() answers tools/call with the same object as text and as structure", async () => {
  const server = new InProcessServer({ runner: fakeRunner(passingRun(3)) });
  await server.initialize();
  const { result } = await server.request("tools/call", call());
  assert.equal(result.content.length, 1);
  assert.equal(result.content[0].text, JSON.stringify(result.structuredContent));
  assert.deepEqual(Object.keys(result).sort(), ["content", "structuredContent"]);
  assert.equal(result.structuredContent.exit_code, 0);
  await server.close();
});

Deno.test("serveMcp() names the known tools when a tool is unknown", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const { error } = await server.request("tools/call", { name: "run_tests", arguments: {} });
  assert.equal(error?.code, -32602);
  assert.match(error?.message ?? "", /"run_tests".*execute_tests, discover_tests/);
  assert.deepEqual(error?.data.known_tools, ["execute_tests", "discover_tests"]);
  await server.close();
});

Deno.test("serveMcp() names the known methods when a method is unknown, in both eras", async () => {
  const legacy = new InProcessServer({ runner: fakeRunner([]) });
  await legacy.initialize();
  for (const method of ["nothing/here", "resources/subscribe", "server/discover"]) {
    const { error } = await legacy.request(method);
    assert.equal(error?.code, -32601);
    assert.ok(error?.message.includes(JSON.stringify(method)), error?.message);
    assert.ok(error?.data.known_methods.includes("ping"));
  }
  await legacy.close();
  const modern = new InProcessServer({ runner: fakeRunner([]) });
  await modern.modern("tools/list");
  for (const method of ["nothing/here", "ping"]) {
    const { error } = await modern.modern(method);
    assert.equal(error?.code, -32601);
    assert.ok(error?.data.known_methods.includes("server/discover"));
  }
  await modern.close();
});

Deno.test("serveMcp() blames the client for parameters that break the protocol's schema", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const calls = [
    ["prompts/get", { name: 5 }],
    ["resources/read", {}],
    ["completion/complete", { ref: 1 }],
    ["tools/call", { name: "execute_tests", arguments: [] }],
    ["tools/call", {}],
  ] as const;
  for (const [method, params] of calls) {
    const { error } = await server.request(method, params);
    assert.equal(error?.code, -32602, method);
    assert.equal(typeof error?.data.detail, "string");
    assert.ok(error?.message.includes(method), error?.message);
  }
  await server.close();
});

Deno.test("serveMcp() returns parameter errors with the first field and all of them", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const { error } = await server.request("tools/call", call({ verbosity: 9, maxfail: 0 }));
  assert.equal(error?.code, -32602);
  assert.equal(error?.data.field, "verbosity");
  assert.equal(error?.data.received_value, 9);
  assert.deepEqual(
    error?.data.validation_errors.map((issue: { field: string }) => issue.field),
    ["verbosity", "maxfail"],
  );
  await server.close();
});

Deno.test("serveMcp() answers -32603 to a bug of its own, and shows the stack only when asked", async () => {
  for (const showStacks of [false, true]) {
    const server = new InProcessServer({
      runner: fakeRunner(() => {
        throw new TypeError("boom");
      }),
      showStacks,
    });
    await server.initialize();
    const { error } = await server.request("tools/call", call());
    assert.equal(error?.code, -32603);
    assert.equal(error?.data.detail, "TypeError: boom");
    assert.equal("stack" in (error?.data ?? {}), showStacks);
    assert.match(server.logged.join(), /boom.*fake_runner/);
    await server.close();
  }
});

Deno.test("serveMcp() answers out of order when a later call ends first", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({ runner });
  await server.initialize();
  const order: string[] = [];
  const slow = server.request("tools/call", call()).then(() => order.push("slow"));
  await runner.begun(1);
  await server.request("ping").then(() => order.push("ping"));
  const quick = server.request("tools/call", call()).then(() => order.push("quick"));
  await runner.begun(2);
  runner.runs[1]?.finish(passingRun(1));
  await quick;
  runner.runs[0]?.finish(passingRun(1));
  await slow;
  assert.deepEqual(order, ["ping", "quick", "slow"]);
  await server.close();
});

Deno.test("serveMcp() ends a cancelled run without an answer, and frees its slot", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({
    runner: limitRuns(runner, { maxConcurrent: 1, maxWaiting: 5 }),
  });
  await server.initialize();
  let answered = false;
  const cancelled = server.send("tools/call", call({ keywords: "first" }));
  void cancelled.answer.then(() => (answered = true));
  await runner.begun(1);
  const next = server.request("tools/call", call({ keywords: "second" }));
  await server.notify("notifications/cancelled", { requestId: cancelled.id, reason: "test" });
  await runner.begun(2);
  runner.runs[1]?.finish(passingRun(1));
  assert.equal((await next).result.structuredContent.exit_code, 0);
  assert.equal(runner.cancelled.length, 1);
  await server.request("ping");
  assert.equal(answered, false);
  await server.close();
});

Deno.test("serveMcp() cancels a run that waits in line, which then never begins", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({
    runner: limitRuns(runner, { maxConcurrent: 1, maxWaiting: 5 }),
  });
  await server.initialize();
  const first = server.request("tools/call", call());
  await runner.begun(1);
  const queued = server.send("tools/call", call({ keywords: "queued" }));
  await server.notify("notifications/cancelled", { requestId: queued.id });
  const third = server.request("tools/call", call({ keywords: "third" }));
  runner.runs[0]?.finish(passingRun(1));
  await first;
  await runner.begun(2);
  runner.runs[1]?.finish(passingRun(1));
  await third;
  assert.equal(runner.runs.length, 2);
  assert.match(runner.runs[1]?.request.args.join(" ") ?? "", /third/);
  await server.close();
});

Deno.test("serveMcp() tells a call that finds the queue full to come again", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({
    runner: limitRuns(runner, { maxConcurrent: 1, maxWaiting: 0 }),
  });
  await server.initialize();
  const first = server.request("tools/call", call());
  await runner.begun(1);
  const { error } = await server.request("tools/call", call());
  assert.equal(error?.code, -32000);
  assert.equal(error?.data.error_type, "busy");
  runner.runs[0]?.finish(passingRun(1));
  await first;
  await server.close();
});

Deno.test("serveMcp() ends running calls when the client closes its end, and answers them", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({ runner });
  await server.initialize();
  const running = server.request("tools/call", call());
  await runner.begun(1);
  await server.close();
  assert.equal(runner.cancelled.length, 1);
  const { error } = await running;
  assert.equal(error?.code, -32000);
  assert.equal(error?.data.error_type, "cancelled");
});

Deno.test("serveMcp() ends running calls when its signal aborts", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({ runner });
  await server.initialize();
  const running = server.request("tools/call", call());
  await runner.begun(1);
  await server.stop();
  assert.equal(runner.cancelled.length, 1);
  assert.equal((await running).error?.data.error_type, "cancelled");
});

Deno.test("serveMcp() reports progress that grows, only to who gave a token, and not after the answer", async () => {
  const server = new InProcessServer({ runner: fakeRunner(passingRun(50)) });
  await server.initialize();
  await server.request("tools/call", call());
  assert.equal(server.notifications.length, 0);
  await server.request("tools/call", { ...call(), _meta: { progressToken: "t" } });
  const count = server.notifications.length;
  assert.ok(count > 0);
  for (const { method, params } of server.notifications) {
    assert.equal(method, "notifications/progress");
    assert.equal(params.progressToken, "t");
  }
  await server.request("ping");
  assert.equal(server.notifications.length, count);
  await server.close();
});

Deno.test("serveMcp() answers what came before the end of the input", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const answers = [server.request("tools/list"), server.request("prompts/list")];
  await server.close();
  assert.equal((await Promise.all(answers)).filter(({ result }) => result !== undefined).length, 2);
});

Deno.test("serveMcp() refuses another version in an envelope, in the first request and in later ones", async () => {
  const refusal = {
    code: -32022,
    message: "Unsupported protocol version: 2027-01-01",
    data: { supported: ["2026-07-28"], requested: "2027-01-01" },
  };
  const runner = fakeRunner(passingRun(1));
  const server = new InProcessServer({ runner });
  assert.deepEqual((await server.modern("tools/list", {}, "2027-01-01")).error, refusal);
  assert.equal((await server.modern("tools/list")).error, undefined);
  for (const method of ["tools/list", "tools/call", "server/discover"]) {
    const { error } = await server.modern(method, call(), "2027-01-01");
    assert.deepEqual(error, refusal, method);
  }
  assert.deepEqual(runner.requests, []);
  assert.equal((await server.modern("tools/call", call())).error, undefined);
  await server.close();
});

Deno.test("serveMcp() says what belongs into an envelope, in the first request and in later ones", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  for (let request = 0; request < 2; request++) {
    const { error } = await server.request("tools/list", { _meta });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /io\.modelcontextprotocol\/clientCapabilities/);
    await server.modern("tools/list");
  }
  await server.close();
});

Deno.test("serveMcp() reports no progress of a run that outlasts its cancellation", async () => {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const server = new InProcessServer({
    runner: {
      async *run(_, { signal }) {
        begun.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        yield* passingRun(50);
        cancelled.resolve();
      },
    },
  });
  await server.initialize();
  const { id } = server.send("tools/call", { ...call(), _meta: { progressToken: "t" } });
  await begun.promise;
  await server.notify("notifications/cancelled", { requestId: id });
  await cancelled.promise;
  await server.request("ping");
  assert.deepEqual(server.notifications, []);
  await server.close();
});

Deno.test("serveMcp() answers a request whose cancellation is not valid", async () => {
  const runner = new HangingRunner();
  const server = new InProcessServer({ runner });
  await server.initialize();
  const { id, answer } = server.send("tools/call", call());
  await runner.begun(1);
  await server.notify("notifications/cancelled", { requestId: id, reason: 5 });
  await server.line({ jsonrpc: "2.0", id, method: "ping" });
  assert.equal((await answer).error?.code, -32600); // the id is still in use
  runner.runs[0]?.finish(passingRun(1));
  await server.close();
  assert.equal(runner.cancelled.length, 0);
});

Deno.test("serveMcp() keeps every message under 4,000 characters, however long the names are", async () => {
  const long = "x".repeat(100_000);
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const calls = [
    [long, {}],
    ["tools/call", { name: long }],
    ["tools/call", call({ [long]: 1 })],
    ["tools/list", { cursor: long }],
    ["prompts/get", { name: long }],
    ["prompts/get", { name: "tdd_cycle", arguments: { feature: "f", [long]: "v" } }],
    ["prompts/get", { name: "validate_before_commit", arguments: { [long]: "v" } }],
    ["resources/read", { uri: long }],
    ["completion/complete", {
      ref: { type: "ref/prompt", name: long },
      argument: { name: "path", value: "" },
    }],
  ] as const;
  for (const [method, params] of calls) {
    const { error } = await server.request(method, params);
    assert.ok((error?.message ?? long).length < 4_000, method);
  }
  await server.close();
  const modern = new InProcessServer({ runner: fakeRunner([]) });
  for (const version of [long, "2026-07-28", long]) {
    const { error } = await modern.modern("tools/list", {}, version);
    assert.ok((error?.message ?? "").length < 4_000);
  }
  await modern.close();
});

Deno.test("serveMcp() refuses a cursor that it never gave", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
  for (const method of lists) {
    const { error } = await server.request(method, { cursor: "page 2" });
    assert.equal(error?.code, -32602, method);
    assert.match(error?.message ?? "", /Unknown cursor.*"page 2".*leave cursor out/);
    assert.equal(error?.data.field, "cursor");
  }
  await server.close();
});
