import assert from "node:assert/strict";
import fc from "fast-check";
import { setJsonValue } from "../../src/cli/jsonc_edit.ts";
import { parseJsonTree } from "../../src/cli/jsonc_tree.ts";

function edited(text: string, path: string[], value: unknown): string {
  const result = setJsonValue(text, path, value);
  assert.ok(result.ok, result.ok ? "" : result.message);
  return result.text;
}

Deno.test("setJsonValue() writes a whole file when there is none", () => {
  assert.equal(edited("", ["a", "b"], 1), '{\n  "a": {\n    "b": 1\n  }\n}\n');
});

Deno.test("setJsonValue() keeps comments, layout and trailing commas when it adds a property", () => {
  const before = `// settings
{
    "theme": "dark", // mine, really
    /* servers */
    "servers": {
        "other": { "command": "x" }, // keep, me
    },
}
`;
  assert.equal(
    edited(before, ["servers", "pytest"], { command: "p" }),
    `// settings
{
    "theme": "dark", // mine, really
    /* servers */
    "servers": {
        "other": { "command": "x" }, // keep, me
        "pytest": {
            "command": "p"
        },
    },
}
`,
  );
});

Deno.test("setJsonValue() leaves a comment with the property that it follows", () => {
  assert.equal(
    edited('{\n  "a": 1 // one, two\n}\n', ["b"], 2),
    '{\n  "a": 1, // one, two\n  "b": 2\n}\n',
  );
});

Deno.test("setJsonValue() fills an empty object and keeps what is commented out in it", () => {
  assert.equal(edited("{}", ["a"], 1), '{\n  "a": 1\n}');
  assert.equal(
    edited('{\n\t"s": {\n\t\t// "old": 1\n\t}\n}\n', ["s", "new"], 2),
    '{\n\t"s": {\n\t\t// "old": 1\n\t\t"new": 2\n\t}\n}\n',
  );
});

Deno.test("setJsonValue() replaces exactly one value", () => {
  assert.equal(
    edited('{\n  "a": [1,\n 2], // x\n  "b": "…\\"}"\n}', ["a"], ["z"]),
    '{\n  "a": [\n    "z"\n  ], // x\n  "b": "…\\"}"\n}',
  );
});

Deno.test("setJsonValue() refuses what it cannot read, and says where", () => {
  assert.deepEqual(setJsonValue('{\n"a": }', ["b"], 1), {
    ok: false,
    message: "not valid JSON: unexpected '}' in line 2",
  });
  assert.deepEqual(setJsonValue('{"a": 1', ["b"], 1), {
    ok: false,
    message: "not valid JSON: unexpected the end in line 1",
  });
  assert.deepEqual(setJsonValue('{"a": [1]}', ["a", "b"], 1), {
    ok: false,
    message: "a is not an object",
  });
  assert.deepEqual(setJsonValue("[]", ["a"], 1), { ok: false, message: "it is not an object" });
});

Deno.test("setJsonValue() changes one path of any object, in any layout, and nothing else", () => {
  const key = fc.constantFrom("a", "b", "pytest", 'q"uote', "ü, }");
  const object = fc.dictionary(key, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue())));
  const layout = fc.constantFrom<string | number>(0, 2, "\t", 4);
  fc.assert(
    fc.property(
      object,
      fc.array(key, { minLength: 1, maxLength: 3 }),
      layout,
      (data, path, unit) => {
        const before = JSON.stringify(data, null, unit);
        const result = setJsonValue(before, path, { new: [1] });
        if (!result.ok) return;
        const after = parseJsonTree(result.text).value;
        assert.deepEqual(after, JSON.parse(result.text));
        assert.deepEqual(withPath(JSON.parse(before), path), after);
      },
    ),
    { numRuns: 500 },
  );
});

function withPath(data: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return { new: [1] };
  const own: Record<string, unknown> = { ...Object(data) };
  return { ...own, [key]: withPath(Object.hasOwn(own, key) ? own[key] : {}, rest) };
}
