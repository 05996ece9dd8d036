import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { join } from "node:path";
import { findBasePython, SetupError } from "./base_python.ts";
import {
  buildEnvironment,
  chosenEnvironments,
  possibleEnvironments,
  PYTEST_ENVIRONMENTS,
} from "./environments.ts";

// One test, because every build takes seconds.
Deno.test("buildEnvironment() builds once, reuses, starts afresh when cut off, rebuilds when changed", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const requirementsFile = join(cache, "requirements.txt");
    await Deno.writeTextFile(requirementsFile, "# nothing\n");
    const said: string[] = [];
    const options = { cache, requirementsFile, say: (line: string) => said.push(line) };
    const builds = () => said.filter((line) => line.includes("building in")).length;

    const [built, awaited] = await Promise.all([
      buildEnvironment("scratch", options),
      buildEnvironment("scratch", options),
    ]);
    deepEqual(awaited, built);
    deepEqual(await buildEnvironment("scratch", options), built);
    equal(builds(), 1);
    const { stdout } = await new Deno.Command(built.python, {
      args: ["-c", "import sys; print(sys.prefix != sys.base_prefix)"],
    }).output();
    equal(new TextDecoder().decode(stdout).trim(), "True");

    const directory = join(built.python, "..", "..");
    await Deno.remove(join(directory, ".complete"));
    await Deno.writeTextFile(join(directory, "left-behind"), "");
    deepEqual(await buildEnvironment("scratch", options), built);
    equal(builds(), 2);
    await rejects(Deno.stat(join(directory, "left-behind")), Deno.errors.NotFound);

    await Deno.writeTextFile(requirementsFile, "./no-such-package\n");
    await rejects(buildEnvironment("scratch", options), (error: Error) => {
      match(error.message, /^This failed with 1: .*pip install.*no-such-package/s);
      return error instanceof SetupError;
    });
    equal(builds(), 3);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("findBasePython() says in one sentence what to do when there is no Python", async () => {
  const candidates = ["no-such-python"];
  await rejects(findBasePython({ candidates }), {
    name: "SetupError",
    message:
      "Python 3.10 or newer is needed and no Python was found on PATH: install one and run this again.",
  });
  await rejects(
    findBasePython({ newestMinor: 9 }),
    /^SetupError: Python 3.10 to 3.9 is needed on PATH, but .+ is 3\.\d+\.\d+.*: install one and run this again\.$/,
  );
});

Deno.test("chosenEnvironments() is all of them when nothing is chosen, else the named ones", () => {
  equal(chosenEnvironments("").join(), PYTEST_ENVIRONMENTS.join());
  equal(chosenEnvironments("pytest9, pytest62").join(), "pytest62,pytest9");
  throws(() => chosenEnvironments("pytest5"), /"pytest5": known are pytest62/);
});

Deno.test("possibleEnvironments() names what it leaves out, and refuses to try nothing", async () => {
  const said: string[] = [];
  const options = {
    possible: (name: string) => Promise.resolve(name !== "pytest62"),
    say: (line: string) => said.push(line),
  };
  deepEqual(await possibleEnvironments(["pytest62", "pytest9"], options), ["pytest9"]);
  match(said.join(), /^environment pytest62: left out/);
  await rejects(possibleEnvironments(["pytest62"], options), {
    name: "SetupError",
    message: "No Python on PATH can run pytest62: install an older one.",
  });
});
