import assert from "node:assert/strict";
import { type DiscoverResult, discoverResultSchema } from "../../src/domain/discover_result.ts";
import type { ItemGroup, PytestEvent } from "../../src/domain/pytest_event.ts";
import { exception, session } from "../support/run_events.ts";
import { assertSnapshot } from "../support/snapshot.ts";
import { type Call, discover } from "../support/use_case_context.ts";

function item(id: string, more: Partial<ItemGroup> = {}): ItemGroup {
  const [file = "", ...names] = id.split("::");
  return {
    id,
    file,
    line: 1,
    module: file.replace(/\.py$/, "").replaceAll("/", "."),
    class: names.slice(0, -1).join(".") || null,
    function: names.at(-1) ?? null,
    markers: [],
    params: null,
    ...more,
  };
}

function collection(items: ItemGroup[], ...more: PytestEvent[]): PytestEvent[] {
  return session([{ event: "items", items }, ...more]);
}

async function page(events: PytestEvent[], call: Call = {}): Promise<DiscoverResult> {
  const outcome = await discover(events, call);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  discoverResultSchema.parse(outcome.result);
  return outcome.result;
}

async function pages(events: PytestEvent[], call: Call): Promise<DiscoverResult[]> {
  const found: DiscoverResult[] = [];
  let cursor: string | null = null;
  do {
    const params: Record<string, unknown> = cursor === null ? {} : { cursor };
    const next = await page(events, { ...call, params: { ...call.params, ...params } });
    found.push(next);
    cursor = next.next_cursor;
  } while (cursor !== null);
  return found;
}

async function refusal(events: PytestEvent[], params: Record<string, unknown>): Promise<string> {
  const outcome = await discover(events, { params });
  assert.ok(!outcome.ok && outcome.failure.kind === "invalid_parameters", JSON.stringify(outcome));
  assert.equal(outcome.failure.issues[0]?.field, "cursor");
  return outcome.failure.message;
}

const EVERY_KIND = [
  item("tests/test_user.py::TestUserAuth::test_login", { line: 42 }),
  item("tests/test_user.py::TestUserAuth::test_p", { line: 50, params: ["a::b", "[", "é x"] }),
  item("tests/test_user.py::TestOuter::TestInner::test_deep", { line: 60 }),
  item("tests/test_user.py::test_x", { line: 5 }),
  item("src/geometry.py::geometry.area", { class: null, function: null, line: 3 }),
  item("data.yml::row 1", { module: null, class: null, function: null, line: null }),
];
const BROKEN: PytestEvent = {
  event: "collection_error",
  id: "tests/test_new.py",
  file: "tests/test_new.py",
  error: exception("ImportError: no", ["tests/test_new.py:3 <module>: import cart"]),
  text: "",
};

Deno.test("discoverTests() answers both views exactly as the snapshot has them", async () => {
  const events = collection(EVERY_KIND, BROKEN);
  const parts = [];
  for (const view of ["tests", "tree"]) {
    const found = await page(events, { params: { view } });
    parts.push(
      `##### ${view} (${JSON.stringify(found).length} characters)\n${
        JSON.stringify(found, null, 2)
      }\n`,
    );
  }
  await assertSnapshot(
    new URL("./snapshots/discover_tests.txt", import.meta.url),
    parts.join("\n"),
  );
});

Deno.test("discoverTests() succeeds where some files cannot be collected, and where there is nothing", async () => {
  const broken = await page(
    session([{ event: "items", items: EVERY_KIND }, BROKEN], { exitCode: 2 }),
  );
  assert.equal(broken.count, 8);
  assert.equal(broken.collection_errors[0]?.file, "tests/test_new.py");
  const nothing = await page(session([], { exitCode: 5 }));
  assert.deepEqual(nothing, {
    tests: [],
    count: 0,
    collection_errors: [],
    files: {},
    tree: null,
    next_cursor: null,
  });
});

Deno.test("discoverTests() pages through all tests once, in order, whatever the limit", async () => {
  const events = collection(EVERY_KIND);
  const whole = (await page(events)).tests;
  for (const limit of [1, 2, 3, 5, 8]) {
    const found = await pages(events, { params: { limit } });
    assert.deepEqual(found.flatMap(({ tests }) => tests), whole);
    assert.ok(found.every(({ tests, count }) => tests.length <= limit && count === 8));
    assert.ok(found.slice(1).every(({ files }) => Object.keys(files).length === 0));
  }
});

Deno.test("discoverTests() pages through a tree by functions", async () => {
  const found = await pages(collection(EVERY_KIND), { params: { view: "tree", limit: 2 } });
  const functions = found.map(({ tree }) =>
    Object.values(tree ?? {}).flatMap((classes) =>
      Object.values(classes).flatMap((functions) => Object.keys(functions))
    )
  );
  assert.deepEqual(functions, [
    ["test_login", "test_p"],
    ["test_deep", "test_x"],
    ["geometry.area", "row 1"],
  ]);
});

Deno.test("discoverTests() pages through 100,000 tests within the budget", async () => {
  const items = Array.from(
    { length: 1_000 },
    (_, n) =>
      item(`tests/unit/test_${n % 100}.py::test_${n}`, {
        params: Array.from({ length: 100 }, (_, p) => `param-${p}`),
      }),
  );
  const events = collection(items);
  const settings = { maxResponseChars: 200_000 };
  const found = await pages(events, { settings });
  const ids = found.flatMap(({ tests }) => tests.map(({ node_id }) => node_id));
  assert.equal(ids.length, 100_000);
  assert.equal(new Set(ids).size, 100_000);
  assert.ok(found.every((one) => JSON.stringify(one).length <= settings.maxResponseChars));
  const trees = await pages(events, { params: { view: "tree" } });
  assert.ok(trees.every((one) => JSON.stringify(one).length <= 10_000));
});

Deno.test("discoverTests() counts by file, and by directory where that is too much", async () => {
  const items = Array.from(
    { length: 300 },
    (_, n) => item(`tests/part_${n % 3}/deep/test_number_${n}.py::test`, { params: ["1", "2"] }),
  );
  const { files, count } = await page(collection([...items, item("test_top.py::test")]));
  assert.deepEqual(files, {
    "tests/part_0/deep/": 200,
    "tests/part_1/deep/": 200,
    "tests/part_2/deep/": 200,
    "test_top.py": 1,
  });
  assert.equal(count, 601);
});

Deno.test("discoverTests() refuses a cursor that is garbled or of another request", async () => {
  const events = collection(EVERY_KIND);
  const { next_cursor } = await page(events, { params: { limit: 2 } });
  assert.ok(next_cursor);
  const beyond = next_cursor.replace(/^2-/, "zz-");
  for (
    const cursor of [
      beyond,
      "x",
      "1-2-3",
      next_cursor.slice(1),
      `${next_cursor}x`,
      next_cursor.toUpperCase(),
    ]
  ) {
    assert.match(await refusal(events, { cursor }), /next_cursor|collection has changed/, cursor);
  }
  assert.match(
    await refusal(events, { cursor: next_cursor, view: "tree" }),
    /the same path, pattern/,
  );
  assert.match(
    await refusal(events, { cursor: next_cursor, keywords: "x" }),
    /the same path, pattern/,
  );
  // How large pages are and how long they may take is free.
  await page(events, { params: { cursor: next_cursor, limit: 5, timeout: 10 } });
});

Deno.test("discoverTests() says that the collection has changed between two pages", async () => {
  const { next_cursor } = await page(collection(EVERY_KIND), { params: { limit: 2 } });
  const changed = collection(EVERY_KIND.slice(1));
  assert.match(
    await refusal(changed, { cursor: next_cursor }),
    /the collection has changed since the page before \(8 tests then, 7 now\).*start again without cursor/,
  );
  // As parameters from a set do, whose order differs from process to process.
  const shuffled = collection(EVERY_KIND.map((one) => ({
    ...one,
    params: one.params?.toReversed() ?? null,
  })));
  assert.match(
    await refusal(shuffled, { cursor: next_cursor }),
    /\(8 tests then, 8 now, others or in another order\)/,
  );
  const tree = await page(collection(EVERY_KIND), { params: { limit: 2, view: "tree" } });
  await page(shuffled, { params: { view: "tree", cursor: tree.next_cursor } });
});

Deno.test("discoverTests() keeps names apart that JavaScript would take for its own", async () => {
  const items = [item("__proto__.py::__proto__"), item("constructor.py::toString")];
  const { tree, files } = await page(collection(items), { params: { view: "tree" } });
  assert.deepEqual(Object.keys(files), ["__proto__.py", "constructor.py"]);
  assert.equal(
    JSON.stringify(tree),
    '{"__proto__.py":{"":{"__proto__":1}},"constructor.py":{"":{"toString":1}}}',
  );
});

Deno.test("discoverTests() keeps many collection errors within a third of the page", async () => {
  const errors = Array.from({ length: 300 }, (_, n): PytestEvent => ({
    event: "collection_error",
    id: `tests/test_${n}.py`,
    file: `tests/test_${n}.py`,
    error: exception("ImportError: no", [`tests/test_${n}.py:3 <module>: import cart`]),
    text: "",
  }));
  const found = await page(collection(EVERY_KIND, ...errors));
  assert.ok(JSON.stringify(found).length <= 10_000);
  assert.equal(found.tests.length, 8);
  assert.match(
    found.collection_errors.at(-1)?.message ?? "",
    /^\d+ more files could not be collected/,
  );
});

/** As projects name their tests. */
const ORDINARY = [
  "test_login_with_wrong_password",
  "test_returns_404_when_missing",
  "test_total_includes_tax",
  "test_rejects_empty_name",
  "test_sort_is_stable",
];

/** 15 tokens (o200k) of such a tree; counting tokens is left to the bench. */
const FIFTEEN_TOKENS = 56;

Deno.test("discoverTests() keeps a tree within 15 tokens a function with ordinary names", async () => {
  const items = ["user", "basket", "payment", "search"].flatMap((topic) => {
    const file = `tests/unit/test_${topic}.py`;
    const groups = ["", "::TestCreation", "::TestPermissions"].map((group) => file + group);
    return groups.flatMap((group, at) =>
      ORDINARY.map((name, index) =>
        item(`${group}::${name}`, {
          line: 100 * at + 12 * index + 7,
          params: index === 0 ? ["a", "b", "c"] : null,
        })
      )
    );
  });
  const { tree } = await page(collection(items), { params: { view: "tree" } });
  const characters = JSON.stringify(tree).length / items.length;
  assert.ok(characters <= FIFTEEN_TOKENS, `${characters} characters a function`);
});
