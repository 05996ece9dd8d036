import assert from "node:assert/strict";
import { environment } from "../support/environments.ts";
import { ourAnswer, withProject } from "./token_answers.ts";
import { TOKEN_SITUATIONS } from "./token_situations.ts";

for (const situation of TOKEN_SITUATIONS) {
  const { name, chars } = situation;
  // That a green answer does not grow with its suite needs no real pytest: execute_tests_test.ts.
  if (name === "8,000 pass") continue;
  Deno.test(`executeTests() answers "${name}" within ${chars} characters`, async () => {
    const { python } = await environment("pytest9");
    const answer = await withProject(situation, (root) => ourAnswer(situation, { root, python }));
    assert.ok(answer.length <= chars, `${answer.length}: ${answer}`);
  });
}
