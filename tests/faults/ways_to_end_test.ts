import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { WAYS_TO_END, type WayToEnd } from "../../fixtures/ways_to_end.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { type MarkedOutcome, runProject } from "../support/run_project.ts";
import { survivors } from "../support/survivors.ts";
import { endOfOutcome, expectedEnd, seenEnd } from "../support/way_to_end.ts";

const PROJECTS = fileURLToPath(new URL("../../fixtures/ways_to_end/", import.meta.url));
/** Long enough for Python to start on a busy machine, short enough for a dozen hung tests. */
const HANG_TIMEOUT = 8;
/** A file of the root hides a module that a waiting process has loaded: it is not used. */
const HIDING = ["own_names", "shadow", "shadow_pytest"];
/** Most of these wait: more at once than there are cores. */
const AT_ONCE = 4;

const plain = chosenEnvironments().filter((name) => name !== "rich");
const oldestAndNewest = [...new Set([plain.at(0), plain.at(-1)])].filter((name) =>
  name !== undefined
);

for (const [name, prewarm] of oldestAndNewest.flatMap(coldAndWarm)) {
  const runs = new Map<string, Promise<MarkedOutcome>>();
  const startAll = () => {
    const free = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(undefined));
    Object.entries(WAYS_TO_END).forEach(([project, way], index) => {
      const run = free[index % AT_ONCE]?.then(() => runWay(name, project, { ...way, prewarm }));
      if (run === undefined) throw new Error("unreachable");
      free[index % AT_ONCE] = run.catch(() => {});
      runs.set(project, run);
    });
  };
  for (const [project, way] of Object.entries(WAYS_TO_END)) {
    Deno.test({
      name: `a run ends as it must with ${name}, ${prewarm ? "warm" : "cold"}: ${project}`,
      // The runs go on side by side, so a process can belong to another test.
      sanitizeOps: false,
      sanitizeResources: false,
      async fn() {
        if (runs.size === 0) startAll();
        const run = await runs.get(project);
        assert(run !== undefined);
        assert.equal(run.warm, prewarm && !HIDING.includes(project));
        const end = name === "pytest62" && way.pytest62 || way;
        assert.deepEqual(seenEnd(endOfOutcome(run.outcome), end), expectedEnd(end));
        assert.deepEqual(await survivors(run.mark), []);
      },
    });
  }
}

/** From a process that is started for the run; with the newest also from one that was started ahead of it. */
function coldAndWarm(name: (typeof plain)[number]): [typeof name, boolean][] {
  return name === plain.at(-1) ? [[name, false], [name, true]] : [[name, false]];
}

async function runWay(
  name: (typeof plain)[number],
  project: string,
  way: WayToEnd & { prewarm: boolean },
) {
  const { python } = await environment(name);
  const params = {
    ...(way.stack !== undefined && { timeout: HANG_TIMEOUT }),
    ...(way.keywords && { keywords: way.keywords }),
  };
  return await runProject({ root: `${PROJECTS}${project}`, python, params, prewarm: way.prewarm });
}
