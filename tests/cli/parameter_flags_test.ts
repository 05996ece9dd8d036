import assert from "node:assert/strict";
import { executeInputJsonSchema } from "../../src/domain/execute_params.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { describeFlag, parseFlags } from "../../src/cli/flags.ts";
import { parameterFlags, parametersFromFlags } from "../../src/cli/parameter_flags.ts";

const SCHEMA = executeInputJsonSchema(DEFAULT_SETTINGS);

async function parameters(...args: string[]): Promise<Record<string, unknown>> {
  const parsed = await parseFlags(args, parameterFlags(SCHEMA));
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.message);
  return parametersFromFlags(parsed.values, SCHEMA);
}

Deno.test("parameterFlags() has one flag for each parameter, none of them the command's own", () => {
  const names = parameterFlags(SCHEMA).map((flag) => flag.name.replaceAll("-", "_"));
  assert.deepEqual(names, Object.keys(SCHEMA.properties ?? {}));
  const own = COMMANDS.run.flags.map((flag) => flag.name);
  assert.deepEqual(names.filter((name) => own.includes(name)), []);
});

Deno.test("parametersFromFlags() gives each parameter the type of the schema", async () => {
  assert.deepEqual(
    await parameters(
      "-x",
      "-k",
      "a or b",
      "-v",
      "2",
      "--timeout=60",
      "--node-ids=t.py",
      "--node-ids",
      "u",
    ),
    { failfast: true, keywords: "a or b", verbosity: 2, timeout: 60, node_ids: ["t.py", "u"] },
  );
  assert.deepEqual(await parameters("--traceback", "short", "--verbosity=-1"), {
    traceback: "short",
    verbosity: -1,
  });
  assert.deepEqual(await parameters("-m", "1"), { markers: "1" });
});

Deno.test("parametersFromFlags() counts the letters of -v as pytest does", async () => {
  assert.deepEqual(await parameters("-v"), { verbosity: 1 });
  assert.deepEqual(await parameters("-vv", "-x"), { verbosity: 2, failfast: true });
  assert.deepEqual(await parameters("-v", "2"), { verbosity: 2 });
  assert.deepEqual(await parameters("-v", "--", "-vv"), { verbosity: 1 });
});

Deno.test("parametersFromFlags() takes back what may be false or unset", async () => {
  assert.deepEqual(await parameters("--show-capture"), { show_capture: true });
  assert.deepEqual(await parameters("--no-show-capture"), { show_capture: false });
  const both = await parseFlags(["--show-capture", "--no-show-capture"], parameterFlags(SCHEMA));
  assert.deepEqual(both, {
    ok: false,
    message: "--show-capture and --no-show-capture contradict each other",
  });
  const [help = ""] = parameterFlags(SCHEMA).filter(({ name }) => name === "show-capture")
    .map((flag) => describeFlag(flag)[0]);
  assert.equal(help, "--[no-]show-capture");
});

Deno.test("parametersFromFlags() leaves a wrong value for the schema to reject", async () => {
  assert.deepEqual(await parameters("--maxfail", "many"), { maxfail: "many" });
});

Deno.test("parametersFromFlags() reads lists, objects and unions as JSON", async () => {
  const schema = {
    properties: {
      shard: { type: "object" as const },
      parallel: { anyOf: [{ const: "auto" }, { type: "integer" as const }] },
    },
  };
  const parsed = await parseFlags(
    ["--shard", '{"index":1,"total":2}', "--parallel=auto"],
    parameterFlags(schema),
  );
  assert.ok(parsed.ok);
  assert.deepEqual(parametersFromFlags(parsed.values, schema), {
    shard: { index: 1, total: 2 },
    parallel: "auto",
  });
});
