import assert from "node:assert/strict";
import { splitMessage } from "../../src/domain/explanation.ts";

/** [message, headline, what else is said] */
const MESSAGES: [string, string, string[]][] = [
  ["", "", []],
  ["one line", "one line", []],
  ["two\nlines", "two", ["lines"]],
  ["must be a child\nassert 41 < 18", "must be a child\nassert 41 < 18", []],
  [
    "assert 10 == 20\n +  where 10 = total()\n +    where total = <shop.Basket object at 0x7fbca2043dd0>.total",
    "assert 10 == 20",
    ["+  where 10 = <shop.Basket object>.total()"],
  ],
  [
    "assert 84 == 71\n +  where 84 = <function double at 0x7f14e044db20>(42)\n" +
    " +    where <function double at 0x7f14e044db20> = helper.double",
    "assert 84 == 71",
    ["+  where 84 = helper.double(42)"],
  ],
  [
    "assert 500 == 401\n +  where 500 = <Response [500]>.status_code\n" +
    " +    where <Response [500]> = post('/login')\n +      where post = <Client>.post",
    "assert 500 == 401",
    [
      "+  where 500 = <Response [500]>.status_code",
      "+    where <Response [500]> = <Client>.post('/login')",
    ],
  ],
  [
    "assert f() == g()\n +  where 1 = f()\n +  and   2 = g()",
    "assert f() == g()",
    ["+  where 1 = f()", "+  and   2 = g()"],
  ],
  [
    "assert <object object at 0x7f0001> is <object object at 0x7f0002>",
    "assert <object object at 0x7f0001> is <object object at 0x7f0002>",
    [],
  ],
  ["assert <A object at 0x7f0001> is None", "assert <A object> is None", []],
  ["assert 'Ada' == 'Bob'\n  \n  - Bob\n  + Ada", "assert 'Ada' == 'Bob'", []],
  [
    "assert 'a\\nAda' == 'a\\nBob'\n    a\n  - Bob\n  ? ^^^\n  + Ada\n  ? ^^^",
    "assert 'a\\nAda' == 'a\\nBob'",
    ["  a", "- Bob", "+ Ada"],
  ],
  [
    "assert [1] == [2]\n  Use -v to get more diff\n  Omitting 3 identical items, use -vv to show",
    "assert [1] == [2]",
    ["Omitting 3 identical items"],
  ],
  [
    "assert a == b\n  ...Full output truncated (12 lines hidden), use '-vv' to show",
    "assert a == b",
    ["… 12 more lines at verbosity 2"],
  ],
  [
    "assert a == b\n  ...Full output truncated, use '-vv' to show",
    "assert a == b",
    ["… more at verbosity 2"],
  ],
];

Deno.test("splitMessage() keeps what a message says and drops what it says twice", () => {
  for (const [message, headline, rest] of MESSAGES) {
    assert.deepEqual(splitMessage(message), { headline, rest });
  }
});

Deno.test("splitMessage() answers a hostile message in time", () => {
  const hostile = ["<".repeat(50_000), "<a at 0x".repeat(20_000), " +  where a = ".repeat(20_000)];
  for (const message of hostile) assert.ok(splitMessage(`x\n${message}`).rest.length > 0);
});
