import assert from "node:assert/strict";
import { createStyle } from "../../src/cli/style.ts";
import { renderTestTree } from "../../src/cli/test_tree_text.ts";

Deno.test("renderTestTree() draws files, classes and functions with lines and parameters", () => {
  assert.equal(
    renderTestTree({
      "tests/test_user.py": {
        "TestAuth.TestLogin": { test_login: 42, test_p: [50, 7] },
        "": { test_x: 5, "README.md": null },
      },
      "tests/test_b.py": { "": { test_y: 1 } },
    }, createStyle(false)),
    `tests/test_user.py
├─ test_x  :5
├─ README.md
└─ TestAuth.TestLogin
   ├─ test_login  :42
   └─ test_p ×7  :50
tests/test_b.py
└─ test_y  :1
`,
  );
});
