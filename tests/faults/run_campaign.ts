/**
 * `deno task faults [--seed N] [--runs N]`: a campaign of faults against one server, and what came of it.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { judgeCampaign, renderReport } from "./campaign_report.ts";
import { runCampaign } from "./campaign.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: { seed: { type: "string" }, runs: { type: "string", default: "300" } },
});
const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const say = (line: string) => void Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));

say(`seed ${seed}`);
const report = await runCampaign({ seed, runs: Number(values.runs), say });
say(renderReport(report));
const problems = judgeCampaign(report);
for (const problem of problems) say(`FAILED: ${problem}`);
say(`seed ${seed}: ${problems.length === 0 ? "all held" : `${problems.length} did not hold`}`);
Deno.exitCode = problems.length === 0 ? 0 : 1;
