import {
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { quote, unknownName } from "./known_methods.ts";

interface ProjectPrompt extends Prompt {
  readonly arguments: { name: string; description: string; required: boolean }[];
  /** Every required argument is there. */
  readonly render: (given: Readonly<Record<string, string>>) => string;
}

/** The workflows that people start by name. */
export const PROMPTS: readonly ProjectPrompt[] = [
  {
    name: "tdd_cycle",
    title: "Develop a feature test first",
    description: "Red, green, refactor: write a failing test, make it pass, clean up",
    arguments: [{ name: "feature", description: "What is to be built", required: true }],
    render: ({ feature }) =>
      `Develop this feature test first: ${feature}

1. Look around: discover_tests with view "tree" shows where its tests belong.
2. Red: write the smallest test that states the next bit of behaviour. Run only it with execute_tests \
(node_ids, failfast: true). It must fail, and for the reason you expect: check message.
3. Green: write the least code that makes it pass. Run the same node_ids.
4. Refactor: improve names and structure without new behaviour. Run the test's whole file (path).
5. Repeat from 2 until the feature is complete.
6. Run all tests: execute_tests without parameters. Finish only when exit_code is 0.

Never change a test only to make it pass. Say at each step which it is: red, green or refactor.`,
  },
  {
    name: "fix_failing_tests",
    title: "Fix failing tests",
    description: "Find the root causes of failing tests and fix them one by one",
    arguments: [{
      name: "path",
      description: "Directory or file; default: all tests",
      required: false,
    }],
    render: ({ path }) =>
      `Make the failing tests ${path === undefined ? "of this project" : `in ${path}`} pass.

1. Run execute_tests${
        path === undefined ? "" : ` with path: ${JSON.stringify(path)}`
      }. tests[] has one entry a root \
cause, the largest first; collection_errors are causes, too, and come before them. If nothing fails, say so and stop.
2. Take the first cause. Read message and traceback, then the code that they name, before you change anything.
3. Decide whether the code or the test is wrong, and say why. Fix the cause, not the symptom.
4. Run same_cause.node_ids (or the entry's node_id) with failfast: true until they pass.
5. Go on with the next cause.
6. At the end run the same as in 1, then all tests. Report what was wrong, and what you changed.

Never skip, delete or weaken a test to make it pass without saying so.`,
  },
  {
    name: "validate_before_commit",
    title: "Check before committing",
    description: "Run everything and say whether the change is ready to be committed",
    arguments: [],
    render: () =>
      `Check whether the current change is ready to be committed. Change nothing.

1. Run what the change can affect first: execute_tests with changed: true (where git is not there: related_to with the \
changed files) and failfast: true.
2. Then run all tests: execute_tests without parameters.
3. Ready means: exit_code 0, no failures, no errors, no collection_errors, not_run 0. Look at skipped, xpassed and \
warnings in summary, too: verbosity 1 lists them.
4. If something fails, say for each root cause whether the change is the likely reason, and what to do.

End with one line: READY or NOT READY, and why.`,
  },
  {
    name: "diagnose_failure",
    title: "Diagnose a failing test",
    description: "Find out why one test fails, without changing code",
    arguments: [{
      name: "node_id",
      description: "The test: tests/test_x.py::test_y",
      required: true,
    }],
    render: ({ node_id }) =>
      `Find out why this test fails: ${node_id}
Change no code.

1. Run it alone: execute_tests with node_ids: [${
        JSON.stringify(node_id)
      }], verbosity: 1, show_locals: true.
2. If it passes alone, it may be flaky: repeat: 10 tells. Or it depends on others: run its file, then its directory, \
and compare.
3. If it hangs or crashes, the error names the running test and its stack: set a short timeout.
4. Follow the traceback from the last project frame upwards, and read the code around each line.
5. Form hypotheses; test each with the narrowest run that can refute it (traceback: "long" shows more).

Report: what fails, the root cause with file and line, the evidence for it, and the fix that you propose.`,
  },
];

/** Answers `prompts/list`. */
export function listPrompts(): ListPromptsResult {
  return { prompts: PROMPTS.map(({ render: _, ...prompt }) => prompt) };
}

/** Answers `prompts/get`. */
export function getPrompt(request: GetPromptRequest): GetPromptResult {
  const { name, arguments: received = {} } = request.params;
  const prompt = findPrompt(name);
  const known = prompt.arguments.map((argument) => argument.name);
  for (const key of Object.keys(received)) {
    if (known.includes(key)) continue;
    if (known.length > 0) throw unknownName("argument", key, known);
    throw invalidArgument(key, `The prompt ${name} takes no arguments, received ${quote(key)}`);
  }
  // People leave a field of a form empty: that is no argument.
  const given = Object.fromEntries(
    Object.entries(received).filter(([, value]) => value.trim() !== ""),
  );
  for (const { name: key, required } of prompt.arguments) {
    if (required && given[key] === undefined) {
      throw invalidArgument(key, `The prompt ${name} needs the argument ${key}`);
    }
  }
  return {
    description: prompt.description ?? "",
    messages: [{ role: "user", content: { type: "text", text: prompt.render(given) } }],
  };
}

function invalidArgument(field: string, detail: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { detail, field });
}

/** The prompt of this name; an error with the known ones if there is none. */
export function findPrompt(name: string): ProjectPrompt {
  const prompt = PROMPTS.find((prompt) => prompt.name === name);
  if (prompt === undefined) throw unknownName("prompt", name, PROMPTS.map((prompt) => prompt.name));
  return prompt;
}
