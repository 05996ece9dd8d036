import assert from "node:assert/strict";
import { executeInputJsonSchema, parseExecuteParams } from "../../src/domain/execute_params.ts";
import type { InvalidParameters } from "../../src/domain/run_failure.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { memoryFiles } from "../support/memory_files.ts";

const files = memoryFiles({
  "tests": "directory",
  "tests/test_a.py": "file",
  "tests/test_b.py": "file",
  "setup.cfg": "file",
});
const settings = DEFAULT_SETTINGS;

function refusal(input: unknown): InvalidParameters {
  const outcome = parseExecuteParams(input, { settings, files });
  assert.ok(!outcome.ok && outcome.failure.kind === "invalid_parameters", JSON.stringify(outcome));
  return outcome.failure;
}

Deno.test("parseExecuteParams() fills every default when nothing is given", () => {
  const expected = {
    timeout: 300,
    verbosity: 0,
    failfast: false,
    color: false,
    traceback: "lean",
    show_locals: false,
    include_json_report: false,
    changed: false,
    last_failed: false,
    failed_first: false,
    targets: [],
  };
  for (const input of [{}, undefined]) {
    assert.deepEqual(parseExecuteParams(input, { settings, files }), {
      ok: true,
      result: expected,
    });
  }
});

Deno.test("parseExecuteParams() spells node ids from the root, once each, and names their files", () => {
  const node_ids = [
    "./tests/test_a.py::test_x[a::b]",
    "/code/project/tests/test_a.py::test_x[a::b]",
    "tests/test_a.py::test_y",
    "tests//test_b.py",
  ];
  const outcome = parseExecuteParams({ node_ids }, { settings, files });
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.result.node_ids, [
    "tests/test_a.py::test_x[a::b]",
    "tests/test_a.py::test_y",
    "tests/test_b.py",
  ]);
  assert.deepEqual(outcome.result.targets, ["tests/test_a.py", "tests/test_b.py"]);
});

Deno.test("parseExecuteParams() does not read an expression of more than 100,000 characters", () => {
  for (const name of ["markers", "keywords"]) {
    const { issues } = refusal({ [name]: "x ".repeat(50_001) });
    assert.deepEqual(issues.map(({ field, type }) => [field, type]), [[name, "too_big"]]);
    assert.match(issues[0]?.message ?? "", /^must be a string of 0 to 100000 characters, received/);
  }
});

Deno.test("parseExecuteParams() takes null for a parameter that is not given", () => {
  const options = { settings, files };
  const names = Object.keys(executeInputJsonSchema(settings).properties ?? {});
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  assert.deepEqual(parseExecuteParams(nulls, options), parseExecuteParams({}, options));
  assert.deepEqual(
    parseExecuteParams({ coverage: { paths: null, branch: true } }, options),
    parseExecuteParams({ coverage: { branch: true } }, options),
  );
  assert.equal(refusal({ nothing: null }).issues[0]?.type, "unknown_parameter");
});

Deno.test("parseExecuteParams() reports everything that is wrong at once", () => {
  const failure = refusal({
    verbosity: 9,
    marker: "x",
    markers: "a and and",
    node_ids: ["tests/test_a.py", "b.py", "..", 3],
    path: "x",
    failfast: true,
    maxfail: 0,
    timeout: "1",
  });
  assert.deepEqual(failure.issues.map((issue) => [issue.field, issue.type]), [
    ["node_ids.3", "invalid_type"],
    ["markers", "invalid_expression"],
    ["timeout", "invalid_type"],
    ["verbosity", "too_big"],
    ["maxfail", "too_small"],
    ["marker", "unknown_parameter"],
    ["node_ids", "conflict"],
    ["failfast", "conflict"],
    ["path", "path_not_found"],
    ["node_ids.1", "path_not_found"],
    ["node_ids.2", "invalid_path"],
  ]);
  for (const { field, message } of failure.issues) {
    assert.ok(failure.message.includes(`${field}: ${message}`), message);
  }
  assert.ok(failure.message.length < 4_000);
});

/** [parameters, field, message]: each says what is allowed and what was received. */
const REFUSALS: [Record<string, unknown>, string, string][] = [
  [{ node_ids: [] }, "node_ids", "must be an array of 1 to 10000 strings, received an array of 0"],
  [{ node_ids: "x" }, "node_ids", 'must be an array of 1 to 10000 strings, received "x"'],
  [{ node_ids: [""] }, "node_ids.0", 'must be a string of 1 to 4096 characters, received ""'],
  [
    { node_ids: Array(10_001).fill("tests") },
    "node_ids",
    "must be an array of 1 to 10000 strings, received an array of 10001",
  ],
  [{ path: "" }, "path", "must not be empty; the root itself is '.', received \"\""],
  [
    { pattern: "a b" },
    "pattern",
    'must hold only letters, digits and _ * ? . [ ] -, received "a b"',
  ],
  [{ pattern: "" }, "pattern", 'must hold only letters, digits and _ * ? . [ ] -, received ""'],
  [
    { markers: "slow and" },
    "markers",
    "cannot be read at position 9: expected 'not', '(' or a name, got the end, received \"slow and\"",
  ],
  [
    { keywords: "a &" },
    "keywords",
    'cannot be read at position 3: unexpected character "&", received "a &"',
  ],
  [{ verbosity: 0.5 }, "verbosity", "must be an integer from -2 to 2, received 0.5"],
  [{ verbosity: "1" }, "verbosity", 'must be an integer from -2 to 2, received "1"'],
  [{ verbosity: -3 }, "verbosity", "must be an integer from -2 to 2, received -3"],
  [{ maxfail: 0 }, "maxfail", "must be an integer of at least 1, received 0"],
  [{ timeout: 3601 }, "timeout", "must be an integer from 1 to 3600, received 3601"],
  [{ timeout: 0 }, "timeout", "must be an integer from 1 to 3600, received 0"],
  [{ node_ids: [null] }, "node_ids.0", "must be a string of 1 to 4096 characters, received null"],
  [
    { shard: { index: null, total: 2 } },
    "shard.index",
    "must be an integer from 1 to 1000, received nothing",
  ],
  [{ color: 1 }, "color", "must be true or false, received 1"],
  [
    { traceback: "line" },
    "traceback",
    'must be one of "lean", "short", "long", "native", received "line"',
  ],
  [
    { node_ids: ["tests"], path: "tests" },
    "node_ids",
    "cannot be given together with path; leave one of them out",
  ],
  [
    { failfast: true, maxfail: 2 },
    "failfast",
    "cannot be given together with maxfail; leave one of them out",
  ],
  [{ parallel: 65 }, "parallel", 'must be "auto" or an integer from 1 to 64, received 65'],
  [{ parallel: "many" }, "parallel", 'must be "auto" or an integer from 1 to 64, received "many"'],
  [{ repeat: 1 }, "repeat", "must be an integer from 2 to 100, received 1"],
  [{ time_budget: 0 }, "time_budget", "must be an integer from 1 to 3600, received 0"],
  [
    { time_budget: 300 },
    "time_budget",
    "must be less than timeout, which is 300: a run that ends in a timeout leaves no place to go on " +
    "from, received 300",
  ],
  ...([
    ["time_budget", 50],
    ["resume_after", "1-1-1-1"],
    ["shard", { index: 1, total: 2 }],
  ] as const).map(([part, value]): [Record<string, unknown>, string, string] => [
    { coverage: { fail_under: 80 }, [part]: value },
    "coverage.fail_under",
    `cannot be given together with ${part}: a part of the tests covers a part of the lines; ` +
    "leave one of them out, received 80",
  ]),
  [{ durations: 101 }, "durations", "must be an integer from 1 to 100, received 101"],
  [
    { shard: { index: 3, total: 2 } },
    "shard.index",
    "must be at most total, which is 2, received 3",
  ],
  [{ shard: { index: 1 } }, "shard.total", "must be an integer from 1 to 1000, received nothing"],
  [{ shard: "1/2" }, "shard", 'must be an object with index, total, received "1/2"'],
  [
    { shard: { index: 1, total: 2, seed: 3 } },
    "shard.seed",
    "unknown parameter (known: index, total)",
  ],
  [
    { coverage: { fail_under: 101 } },
    "coverage.fail_under",
    "must be a number from 0 to 100, received 101",
  ],
  [
    { coverage: { path: "tests" } },
    "coverage.path",
    "unknown parameter, did you mean 'paths'? (known: paths, branch, fail_under, changed_only)",
  ],
  [
    { coverage: { paths: ["../x"] } },
    "coverage.paths.0",
    "must not hold '..'; name it from the root, received \"../x\"",
  ],
  [
    { coverage: { paths: ["tests", "setup.cfg"] } },
    "coverage.paths.1",
    'must be a directory or a .py file, received "setup.cfg"',
  ],
  [
    { related_to: ["gone.py"] },
    "related_to.0",
    "Path not found: paths are relative to /code/project; discover_tests shows where tests are, " +
    'received "gone.py"',
  ],
  [
    { related_to: [] },
    "related_to",
    "must be an array of 1 to 1000 strings, received an array of 0",
  ],
  [
    { resume_after: "xyz" },
    "resume_after",
    "must be the resume_after of a run with the same node_ids, path, pattern, markers, keywords, " +
    'related_to, changed and shard, received "xyz"; start again without resume_after',
  ],
  ...([
    [{ related_to: ["tests"] }, { node_ids: ["tests"] }],
    [{ changed: true }, { node_ids: ["tests"] }],
    [{ last_failed: true }, { failed_first: true }],
    [{ last_failed: true }, { node_ids: ["tests"] }],
    [{ last_failed: true }, { related_to: ["tests"] }],
    [{ last_failed: true }, { changed: true }],
    [{ last_failed: true }, { shard: { index: 1, total: 2 } }],
    [{ last_failed: true }, { repeat: 2 }],
    [{ last_failed: true }, { time_budget: 2 }],
    [{ failed_first: true }, { time_budget: 2 }],
    [{ last_failed: true }, { resume_after: "1-1-1-1" }],
    [{ failed_first: true }, { resume_after: "1-1-1-1" }],
    [{ parallel: 2 }, { time_budget: 2 }],
    [{ repeat: 2 }, { time_budget: 2 }],
    [{ repeat: 2 }, { coverage: {} }],
    [{ repeat: 2 }, { include_json_report: true }],
  ] as const).map((
    [first, second],
  ): [Record<string, unknown>, string, string] => [
    { ...first, ...second },
    Object.keys(first)[0] ?? "",
    `cannot be given together with ${Object.keys(second)[0]}; leave one of them out`,
  ]),
];

Deno.test("parseExecuteParams() says what is allowed and what was received", () => {
  for (const [input, field, message] of REFUSALS) {
    const failure = refusal(input);
    const [issue] = failure.issues;
    assert.equal(failure.issues.length, 1, JSON.stringify(failure.issues));
    assert.equal(issue?.field, field);
    assert.equal(issue?.message, message);
    assert.equal(
      failure.message,
      `Invalid parameters for execute_tests: ${field}: ${message}. Nothing was run.`,
    );
  }
});

Deno.test("parseExecuteParams() names the known parameters and the nearest when one is unknown", () => {
  const [issue] = refusal({ fail_fast: true }).issues;
  assert.equal(
    issue?.message,
    "unknown parameter, did you mean 'failfast'? (known: node_ids, path, pattern, markers, keywords, " +
      "timeout, verbosity, failfast, maxfail, show_capture, color, traceback, show_locals, include_json_report, " +
      "related_to, changed, shard, parallel, last_failed, failed_first, time_budget, resume_after, repeat, " +
      "coverage, durations)",
  );
  for (const name of ["__proto__", "constructor", "env", "plugins", "args"]) {
    const [unknown] = refusal(JSON.parse(`{${JSON.stringify(name)}: {"x": 1}}`)).issues;
    assert.equal(unknown?.field, name);
    assert.equal(unknown?.type, "unknown_parameter");
    assert.deepEqual(unknown?.received_value, { x: 1 });
  }
});

Deno.test("parseExecuteParams() refuses what is no object", () => {
  for (const input of [[1], "x", 3, true]) {
    assert.equal(refusal(input).issues[0]?.type, "invalid_type");
  }
});

Deno.test("parseExecuteParams() keeps message and data bounded when the request is huge", () => {
  const failure = refusal({ node_ids: Array(10_000).fill("../" + "x".repeat(4_000)) });
  assert.equal(failure.issues.length, 100);
  assert.ok(failure.message.length < 4_000);
  assert.match(failure.message, /the first 100 problems:[^]*… and \d\d more/);
  const keys = Array.from({ length: 100_000 }, (_, n) => [`key_${n}`, n]);
  assert.equal(refusal(Object.fromEntries(keys)).issues.length, 100);
  const [issue] = refusal({ markers: "&".repeat(1_000_000) }).issues;
  assert.ok(JSON.stringify(issue).length < 10_000);
});

Deno.test("parseExecuteParams() lets failfast=false stand beside maxfail", () => {
  assert.ok(parseExecuteParams({ failfast: false, maxfail: 2 }, { settings, files }).ok);
});

Deno.test("parseExecuteParams() looks at each file once, however many ids name it", () => {
  const counting = memoryFiles({ "tests/test_a.py": "file" });
  const node_ids = Array.from({ length: 10_000 }, (_, n) => `tests/test_a.py::test_x[${n}]`);
  assert.ok(parseExecuteParams({ node_ids }, { settings, files: counting }).ok);
  assert.deepEqual(counting.inspected, ["tests/test_a.py"]);
});

Deno.test("executeInputJsonSchema() is one flat object with the limits of the settings", () => {
  const schema = executeInputJsonSchema({ ...settings, maxTimeout: 100, defaultTimeout: 200 });
  assert.equal(schema.type, "object");
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(
    ["anyOf", "oneOf", "allOf", "required", "$schema"].filter((key) => key in schema),
    [],
  );
  assert.deepEqual(schema.properties?.["timeout"], {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 100,
    description: "Seconds",
  });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    assert.ok(typeof property === "object" && property.description, `${name} has no description`);
  }
});
