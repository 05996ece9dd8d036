import assert from "node:assert/strict";
import { splitMessage } from "../../src/domain/explanation.ts";

/** [message, headline, what else is said] */
const MESSAGES: [string, string, string[]][] = [
  ["", "", []],
  ["one line", "one line", []],
  ["\x1b[31mred\x1b[0m\r\nand \x1b[1mbold\x1b[0m \r\n", "red\nand bold", []],
  ["bad:\n  a:\n    - one\n   odd", "bad:\n  a:\n    - one\n   odd", []],
  ["bad:\n  a:\n    - one\n   odd\nend", "bad:", ["  a:", "    - one", "   odd", "end"]],
  ["'a' != 'b'\n  - one\n- a\n? ^\n\n+ b\n? ^\n", "'a' != 'b'", ["  - one", "- a", "+ b"]],
  ["two\nlines", "two\nlines", []],
  [
    "expected call not found.\nExpected: send(1)\n  Actual: send(2)",
    "expected call not found.\nExpected: send(1)\n  Actual: send(2)",
    [],
  ],
  ["five\nlines\nare\ntoo\nmany", "five", ["lines", "are", "too", "many"]],
  [`long\n${"x".repeat(300)}`, "long", ["x".repeat(300)]],
  [
    "<html>\n<body>\n<p>\nno\nbasket\n</p>\nassert 500 == 200\n +  where 500 = <Response [500]>.status_code",
    "<html>\nassert 500 == 200",
    ["<body>", "<p>", "no", "basket", "</p>", "+  where 500 = <Response [500]>.status_code"],
  ],
  [
    "bad code:\na\nb\nc\nd\nassert x\ny = 1",
    "bad code:",
    ["a", "b", "c", "d", "assert x", "y = 1"],
  ],
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
    "assert A(b=1) == A(b=2)\n  Drill down into differing attribute b:\n    b: [1] != [2]\n" +
    "    Use -v to get more diff\n    Omitting 3 identical items, use -vv to show",
    "assert A(b=1) == A(b=2)",
    ["Drill down into differing attribute b:", "  b: [1] != [2]", "  Omitting 3 identical items"],
  ],
  [
    "assert False\n +  where False = all(<generator object test.<locals>.<genexpr> at 0x7fbca2043dd0>)",
    "assert False",
    ["+  where False = all(<generator object test.<locals>.<genexpr>>)"],
  ],
  [
    "assert 'a…' == 'b…'\n  - a\n  + b\n  ? ^...\n  ...Full output truncated (2 lines hidden), use '-vv' to show",
    "assert 'a…' == 'b…'",
    ["- a", "+ b", "… 2 more lines at verbosity 2"],
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

/** [what differs, the lines of a diff, as they are shown] */
const INVISIBLE: [string, string[], string[]][] = [
  ["a space", ["- f the text", "+ f the text ", "?          +"], [
    '- "f the text"',
    '+ "f the text "',
  ]],
  ["a carriage return", ["- a", "+ a\r", "?  +", "  b"], ['- "a"', '+ "a\\r"', "  b"]],
  ["a colour", ["- a", "+ \x1b[31ma\x1b[0m", "? +++++ ++++"], [
    '- "a"',
    '+ "\\u001b[31ma\\u001b[0m"',
  ]],
  ["the end of a line", ["- a", "+ a", "?  +", "  b"], ["- a", "+ a", "?  +", "  b"]],
  ["the end of a line, taken away", ["- a", "?  -", "+ a"], ["- a", "?  -", "+ a"]],
  ["a space that does not break", ["- a b", "+ a\u00a0b", "?  ^"], ['- "a b"', '+ "a\\u00a0b"']],
  ["a character without width", ["- a\u200bb", "?  -", "+ ab"], ['- "a\\u200bb"', '+ "ab"']],
  ["one beyond the first plane", ["- a\u{e0041}", "+ a"], ['- "a\\u{e0041}"', '+ "a"']],
  ["a tab", ["-     y", "+ \ty"], ['- "    y"', '+ "\\ty"']],
  ["only the place", ["+ a ", "  b", "- a "], ["+ a", "  b", "- a"]],
];

Deno.test("splitMessage() shows a difference that cannot be seen", () => {
  for (const [what, lines, shown] of INVISIBLE) {
    const ofUnittest = splitMessage(["'x…' != 'x…'", ...lines].join("\n"));
    assert.deepEqual(ofUnittest.rest, shown, what);
    const indented = lines.map((line) => `  ${line}`);
    const ofPytest = splitMessage(["assert 'x…' == 'x…'", "  ", ...indented].join("\n"));
    assert.deepEqual(ofPytest.rest, shown, what);
  }
});

Deno.test("splitMessage() does not repeat an invisible difference that the assertion shows", () => {
  const message = "assert 'abc ' == 'abc'\n  \n  - abc\n  + abc \n  ?    +";
  assert.deepEqual(splitMessage(message).rest, []);
});

Deno.test("splitMessage() answers a hostile message in time", () => {
  const hostile = [
    "<".repeat(50_000),
    "<a>".repeat(20_000),
    "<a at 0x".repeat(20_000),
    " +  where a = ".repeat(20_000),
  ];
  for (const message of hostile) assert.ok(splitMessage(`x\n${message}`).rest.length > 0);
});
