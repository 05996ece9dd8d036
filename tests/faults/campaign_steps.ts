/**
 * What can happen to a server, each with how often it does.
 *
 * @module
 */
import { descendants, killNow, waitsForReader } from "../support/process_tree.ts";
import type { Campaign } from "./campaign.ts";
import { bubblewrapWorks, fullDirectories, readOnlyProject } from "./campaign_mounts.ts";

/** One thing that happens. */
export interface Step {
  readonly weight: number;
  /** where it cannot be done on every machine */
  readonly isPossible?: () => Promise<boolean>;
  /** false: the fault did not happen, because the server was faster */
  readonly act: (campaign: Campaign) => Promise<boolean>;
}

const AT_ONCE = 20;
/** About as long as a short run takes. */
const A_RUN_MILLISECONDS = 800;
/** Answers of 10 KB each: together far more than a pipe and the client's own buffers hold. */
const ANSWERS_THAT_FILL = 60;
/** How long a server may take to fill them on a busy machine. */
const FILL_MILLISECONDS = 30_000;
/** The clock of the project jumps by weeks. */
const A_JUMP_SECONDS = 10 ** 6;

function moment({ random }: Campaign): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, random.below(A_RUN_MILLISECONDS)));
}

/** All of them, by name. */
export const STEPS: Readonly<Record<string, Step>> = {
  "a run": {
    weight: 30,
    async act(campaign) {
      await campaign.run(campaign.pickWay());
      return true;
    },
  },
  "a few runs at once": {
    weight: 10,
    async act(campaign) {
      await Promise.all([1, 2, 3].map(() => campaign.run(campaign.pickWay())));
      return true;
    },
  },
  "twenty runs at once": {
    weight: 2,
    async act(campaign) {
      const names = Array.from({ length: AT_ONCE }, () => campaign.pickWay());
      await Promise.all(names.map((name) => campaign.run(name)));
      return true;
    },
  },
  "a kill": {
    weight: 20,
    async act(campaign) {
      const before = campaign.report.killed;
      const names = [campaign.pickWay(), "ordinary"].slice(campaign.random.below(2));
      const runs = names.map((name) => campaign.run(name, { mayCrash: true }));
      await moment(campaign);
      const below = descendants(campaign.server.pid);
      if (below.length > 0) killNow(campaign.random.pick(below));
      await Promise.all(runs);
      return campaign.report.killed > before;
    },
  },
  "a cancel": {
    weight: 12,
    async act(campaign) {
      const name = campaign.random.pick([campaign.pickWay(), "ordinary"]);
      const { id, answer } = campaign.server.send("tools/call", {
        name: "execute_tests",
        arguments: campaign.paramsOf(name),
      });
      let [answered, tooLate] = [false, false];
      answer.then((came) => {
        answered = true;
        if (tooLate) campaign.wrong(`${name}: answered after its cancel`);
        else campaign.judge(name, came, { mayCrash: true });
      });
      await moment(campaign);
      await campaign.server.notify("notifications/cancelled", { requestId: id });
      campaign.report.cancelled++;
      campaign.report.runs++;
      // What is answered after this has not been cancelled.
      await campaign.answered(campaign.server.request("ping"), "ping after a cancel");
      tooLate = true;
      return !answered;
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
      return true;
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
      return true;
    },
  },
  "a client that goes away": {
    weight: 8,
    act: (campaign) =>
      campaign.withServer({}, async (server) => {
        await server.initialize();
        let open = 1 + campaign.random.below(3);
        campaign.report.runs += open;
        for (let run = open; run > 0; run--) {
          const params = campaign.paramsOf(campaign.pickWay());
          void server.call("execute_tests", params).then(() => open--);
        }
        await moment(campaign);
        const happened = open > 0 && descendants(server.pid).length > 0;
        const how = campaign.random.pick(["close", "SIGKILL", "SIGTERM", "SIGINT"] as const);
        if (how !== "close") {
          server.kill(how);
          await campaign.answered(server.gone, how);
        }
        return happened;
      }),
  },
  "a client that reads late": {
    weight: 4,
    act: (campaign) =>
      campaign.withServer({ readOutput: false }, async (server) => {
        await server.readFor(async () => void await server.initialize());
        const runs = [1, 2, 3].map(() => server.call("execute_tests", { path: "ordinary" }));
        campaign.report.runs += runs.length;
        const others = Array.from(
          { length: ANSWERS_THAT_FILL },
          () => server.request("tools/list"),
        );
        const happened = await isStuck(server.pid);
        await moment(campaign);
        await server.readFor(async () => {
          for (const run of runs) {
            const came = await campaign.answered(run, "late reader");
            if (came !== undefined) campaign.judge("ordinary", came, {});
          }
          for (const other of others) await campaign.answered(other, "late reader");
        });
        return happened;
      }),
  },
  "a test whose process leaves it": {
    weight: 3,
    async act(campaign) {
      await campaign.run("leaving");
      return true;
    },
  },
  "a clock that jumps": {
    weight: 3,
    async act(campaign) {
      campaign.report.runs++;
      const params = { ...campaign.paramsOf("clock"), durations: 1 };
      const call = campaign.server.call("execute_tests", params);
      const answer = await campaign.answered(call, "a clock that jumps");
      if (answer === undefined) return false;
      campaign.judge("clock", answer, {});
      const [slowest] = answer.result?.structuredContent?.durations ?? [];
      return slowest?.setup > A_JUMP_SECONDS;
    },
  },
  "a project that cannot be written": {
    weight: 3,
    isPossible: bubblewrapWorks,
    act: readOnlyProject,
  },
  "no room for caches": {
    weight: 3,
    isPossible: bubblewrapWorks,
    act: fullDirectories,
  },
};

/** Waits until the server can write no more. */
async function isStuck(pid: number): Promise<boolean> {
  const end = Date.now() + FILL_MILLISECONDS;
  while (!waitsForReader(pid) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return waitsForReader(pid);
}
