import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { passingRun } from "../support/canned_events.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { InProcessServer } from "../support/in_process_server.ts";

const FIXTURE = {
  name: "db",
  scope: "module",
  autouse: false,
  file: "tests/conftest.py",
  line: 3,
  visible_in: "",
  doc: "A database.",
};
const MARKER = { name: "slow", description: "takes long" };

const ANSWERS: PytestEvent[] = [
  ...passingRun(0).slice(0, 2),
  { event: "markers", markers: [MARKER] },
  { event: "fixtures", fixtures: [FIXTURE] },
  { event: "exit", exit_code: 0 },
];

Deno.test("listResources() offers environment, markers and fixtures", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const { result } = await server.request("resources/list");
  assert.deepEqual(result.resources.map((resource: { uri: string }) => resource.uri), [
    "pytest://environment",
    "pytest://markers",
    "pytest://fixtures",
  ]);
  const templates = await server.request("resources/templates/list");
  assert.deepEqual(templates.result, { resourceTemplates: [] });
  await server.close();
});

Deno.test("readResource() asks the project's pytest each time", async () => {
  const runner = fakeRunner(ANSWERS);
  const server = new InProcessServer({ runner });
  await server.initialize();
  const read = async (uri: string) => {
    const { result } = await server.request("resources/read", { uri });
    const [content] = result.contents;
    assert.equal(content.uri, uri);
    assert.equal(content.mimeType, "application/json");
    return JSON.parse(content.text);
  };
  assert.deepEqual(await read("pytest://fixtures"), { fixtures: [FIXTURE] });
  assert.deepEqual(await read("pytest://fixtures"), { fixtures: [FIXTURE] });
  assert.deepEqual(await read("pytest://markers"), { markers: [MARKER] });
  assert.deepEqual(await read("pytest://environment"), {
    executable: "/project/.venv/bin/python",
    reason: ".venv in the root",
    pytest: "9.0.0",
    python: "3.12.1",
    rootdir: "/project",
    inifile: null,
    plugins: [],
  });
  assert.deepEqual(runner.requests.map((request) => request.report.inspect), [
    "fixtures",
    "fixtures",
    "markers",
    "markers",
  ]);
  await server.close();
});

Deno.test("readResource() names the known resources when one is unknown", async () => {
  const server = new InProcessServer({ runner: fakeRunner([]) });
  await server.initialize();
  const { error } = await server.request("resources/read", { uri: "pytest://nothing" });
  assert.equal(error?.code, -32602);
  assert.match(error?.message ?? "", /pytest:\/\/nothing.*pytest:\/\/environment/);
  assert.equal(error?.data.known_resources.length, 3);
  assert.equal(error?.data.uri, "pytest://nothing");
  await server.close();
});

Deno.test("readResource() fails as a tool does when pytest cannot answer", async () => {
  const server = new InProcessServer({
    runner: fakeRunner([{
      event: "spawn_failure",
      message: "no Python",
      tried: [],
      fix: "get one",
    }]),
  });
  await server.initialize();
  for (const uri of ["pytest://environment", "pytest://markers", "pytest://fixtures"]) {
    const { error } = await server.request("resources/read", { uri });
    assert.equal(error?.code, -32000);
    assert.equal(error?.data.error_type, "spawn_failure");
  }
  await server.close();
});
