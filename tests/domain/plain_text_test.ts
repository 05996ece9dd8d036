import assert from "node:assert/strict";
import { relativizePaths } from "../../src/domain/plain_text.ts";

/** [root, text, relative] */
const PATHS: [string, string, string][] = [
  [
    "/app",
    "/app/tests/a.py:3 and '/app/b.py', (/app/c.py) x=/app/d",
    "tests/a.py:3 and 'b.py', (c.py) x=d",
  ],
  [
    "/app",
    "https://host/app/login http://app/x file:///app/x",
    "https://host/app/login http://app/x file:///app/x",
  ],
  [
    "/app",
    "/srv/app/x ./app/x ~/app/x my-/app/x /application/x /app",
    "/srv/app/x ./app/x ~/app/x my-/app/x /application/x /app",
  ],
  ["/a+(b) [c]/é/", "/a+(b) [c]/é/t.py", "t.py"],
  ["C:\\code\\p", "C:\\code\\p\\t.py C:\\code\\p/u.py", "t.py u.py"],
  ["/", "/etc/passwd", "/etc/passwd"],
];

Deno.test("relativizePaths() shortens the paths below a root, and nothing that only looks like one", () => {
  for (const [root, text, relative] of PATHS) {
    assert.equal(relativizePaths(text, [root]), relative);
  }
});
