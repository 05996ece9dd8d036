/**
 * What can happen to a server, each with how often it does.
 *
 * @module
 */
import { descendants, killNow } from "../support/process_tree.ts";
import { succeeds } from "../support/succeeds.ts";
import type { Campaign } from "./campaign.ts";

/** One thing that happens. */
export interface Step {
  readonly weight: number;
  readonly act: (campaign: Campaign) => Promise<void>;
}

const AT_ONCE = 20;
/** About as long as a short run takes. */
const A_RUN_MILLISECONDS = 1_500;
/** Hundreds of kilobytes: more than a pipe holds. */
const LOUD = { path: "ordinary", verbosity: 2 };

function moment({ random }: Campaign): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, random.below(A_RUN_MILLISECONDS)));
}

/** All of them, by name. */
export const STEPS: Readonly<Record<string, Step>> = {
  "a run": {
    weight: 30,
    act: (campaign) => campaign.run(campaign.pickWay()),
  },
  "a few runs at once": {
    weight: 10,
    async act(campaign) {
      await Promise.all([1, 2, 3].map(() => campaign.run(campaign.pickWay())));
    },
  },
  "twenty runs at once": {
    weight: 2,
    async act(campaign) {
      const names = Array.from({ length: AT_ONCE }, () => campaign.pickWay());
      await Promise.all(names.map((name) => campaign.run(name)));
    },
  },
  "a kill": {
    weight: 20,
    async act(campaign) {
      const names = [campaign.pickWay(), "ordinary"].slice(campaign.random.below(2));
      const runs = names.map((name) => campaign.run(name, { mayCrash: true }));
      await moment(campaign);
      const below = descendants(campaign.server.pid);
      if (below.length > 0) killNow(campaign.random.pick(below));
      await Promise.all(runs);
    },
  },
  "a cancel": {
    weight: 12,
    async act(campaign) {
      const name = campaign.pickWay();
      const { id, answer } = campaign.server.send("tools/call", {
        name: "execute_tests",
        arguments: campaign.paramsOf(name),
      });
      answer.then((came) => campaign.judge(name, came, { mayCrash: true }));
      await moment(campaign);
      await campaign.server.notify("notifications/cancelled", { requestId: id });
      campaign.report.cancelled++;
      campaign.report.runs++;
    },
  },
  "a discovery": {
    weight: 6,
    async act(campaign) {
      const call = campaign.server.call("discover_tests", { path: "ordinary" });
      const answer = await campaign.answered(call, "discovery");
      const count = answer?.result?.structuredContent?.count;
      if (answer !== undefined && count !== 30) {
        campaign.wrong(`discovery: ${JSON.stringify(answer)}`);
      }
    },
  },
  "garbage": {
    weight: 4,
    async act(campaign) {
      const { server, random } = campaign;
      const id = `garbage-${crypto.randomUUID()}`;
      const line = random.pick([
        `{"jsonrpc":"2.0","id":"${id}","method":`,
        `{"jsonrpc":"1.0","id":"${id}","method":"ping"}`,
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":[]}`,
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"x"}}`,
      ]);
      await server.raw(`${line}\n`);
      const answer = await campaign.answered(
        server.next((message) => message.id === id),
        line,
      );
      if (answer !== undefined && answer.error === undefined) campaign.wrong(`answered: ${line}`);
    },
  },
  "a client that goes away": {
    weight: 8,
    act: (campaign) =>
      campaign.withServer({}, async (server) => {
        await server.initialize();
        const runs = 1 + campaign.random.below(3);
        for (let run = 0; run < runs; run++) {
          void server.call("execute_tests", campaign.paramsOf(campaign.pickWay()));
          campaign.report.runs++;
        }
        await moment(campaign);
        const how = campaign.random.pick(["close", "SIGKILL", "SIGTERM", "SIGINT"] as const);
        if (how !== "close") server.kill(how);
      }),
  },
  "a client that reads late": {
    weight: 4,
    act: (campaign) =>
      campaign.withServer({ readOutput: false }, async (server) => {
        await server.readFor(async () => void await server.initialize());
        const answers = Array.from({ length: 10 }, () => server.call("execute_tests", LOUD));
        campaign.report.runs += answers.length;
        await moment(campaign);
        await server.readFor(async () => {
          for (const answer of answers) {
            const came = await campaign.answered(answer, "late reader");
            if (came !== undefined) campaign.judge("ordinary", came, {});
          }
        });
      }),
  },
  "a project that cannot be written": {
    weight: 3,
    act: (campaign) => withMounts(campaign, ["--ro-bind", "ROOT", "ROOT"]),
  },
  "no room for caches": {
    weight: 3,
    act: (campaign) =>
      withMounts(campaign, [
        ...["--size", "4096", "--tmpfs", "ROOT/ordinary/.pytest_cache"],
        ...["--size", "4096", "--tmpfs", "ROOT/ordinary/__pycache__"],
      ]),
  },
};

/** A server that sees the project's files another way; bubblewrap can do that for everybody. */
async function withMounts(campaign: Campaign, mounts: readonly string[]): Promise<void> {
  const { root } = campaign.project;
  const placed = mounts.map((word) => word.replace(/^ROOT/, root));
  const wrapper = ["bwrap", "--dev-bind", "/", "/", ...placed, "--chdir", root, "--"];
  const [program = "", ...args] = wrapper;
  if (!await succeeds(program, [...args, "true"])) {
    campaign.report.skipped.add(`${mounts.join(" ")}: bubblewrap does not work here`);
    return;
  }
  await campaign.withServer({ wrapper }, async (server) => {
    await server.initialize();
    await campaign.run("ordinary", { server });
    await campaign.run(campaign.pickWay(), { server });
    await campaign.run("ordinary", { server });
  });
}
