/**
 * A long-lived server under hundreds of faults, chosen by a seed: what it answers, and what it leaves behind.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { WayToEnd } from "../../fixtures/ways_to_end.ts";
import { descendants, openFiles } from "../support/process_tree.ts";
import { RawServer } from "../support/raw_server.ts";
import { MARK, markedProcesses, survivors } from "../support/survivors.ts";
import { endOfAnswer, expectedEnd, seenEnd } from "../support/way_to_end.ts";
import type { WireMessage } from "../support/wire_message.ts";
import { type CampaignProject, campaignProject } from "./campaign_project.ts";
import { createRandom, type Random } from "./campaign_random.ts";
import { type Step, STEPS } from "./campaign_steps.ts";
import { whatIsWrong } from "./told_tests.ts";

/** What to do. */
export interface CampaignOptions {
  readonly seed: number;
  /** each fault until it has happened once, and then so many runs of tests in all */
  readonly runs: number;
  readonly say: (line: string) => void;
}

/** The state of the server when it had nothing to do. */
export interface Measurement {
  readonly residentMegabytes: number;
  readonly openFiles: number;
}

/** What came of it. */
export interface CampaignReport {
  runs: number;
  expected: number;
  got: number;
  cancelled: number;
  /** runs that a kill of ours ended */
  killed: number;
  readonly wrong: string[];
  readonly orphans: string[];
  /** how often each step was taken, and its fault really happened */
  readonly steps: Map<string, { taken: number; happened: number }>;
  /** steps that this machine does not allow */
  readonly skipped: Set<string>;
  readonly measurements: Measurement[];
}

/** No answer after this long will never come. */
const LOST_MILLISECONDS = 120_000;
/** What is over has this long to be gone: the grace of a pytest that answers and does not leave, and more. */
const IDLE_MILLISECONDS = 10_000;
/** The process that waits for the next run: a supervisor and a worker. */
const WAITING_PROCESSES = 2;
const STEPS_BETWEEN_MEASUREMENTS = 10;
/** A fault at a random moment may come too late; one that does so every time is none. */
const TRIES = 30;

/** Long enough for Python to start on a busy machine. */
const HANG_TIMEOUT = 8;

/** Everything that a step works with. */
export class Campaign {
  readonly report: CampaignReport = {
    runs: 0,
    expected: 0,
    got: 0,
    cancelled: 0,
    killed: 0,
    wrong: [],
    orphans: [],
    steps: new Map(),
    skipped: new Set(),
    measurements: [],
  };
  readonly random: Random;

  constructor(
    readonly project: CampaignProject,
    readonly server: RawServer,
    readonly options: CampaignOptions,
  ) {
    this.random = createRandom(options.seed);
  }

  /** A way to end; those that hang until their timeout are rare. */
  pickWay(): string {
    const [name, way] = this.random.pick([...this.project.ways]);
    return way.stack !== undefined && this.random.below(4) > 0 ? this.pickWay() : name;
  }

  /** The arguments of execute_tests for a way to end. */
  paramsOf(name: string): Record<string, unknown> {
    const way = this.#way(name);
    return {
      path: name,
      ...(way.stack === undefined ? {} : { timeout: HANG_TIMEOUT }),
      ...(way.keywords === undefined ? {} : { keywords: way.keywords }),
    };
  }

  /** Runs one way and judges its answer; one whose process we killed may also have crashed. */
  async run(name: string, options: { server?: RawServer; mayCrash?: boolean } = {}): Promise<void> {
    this.report.runs++;
    const server = options.server ?? this.server;
    const answer = await this.answered(
      server.call("execute_tests", this.paramsOf(name)),
      `run of ${name}`,
    );
    if (answer !== undefined) this.judge(name, answer, options);
  }

  /** Compares an answer with the table. */
  judge(name: string, answer: WireMessage, { mayCrash = false }: { mayCrash?: boolean }): void {
    const way = this.#way(name);
    try {
      const end = endOfAnswer(answer);
      const problem = whatIsWrong(name, end);
      if (problem !== null) return this.wrong(`${name}: ${problem}`);
      const [seen, expected] = [seenEnd(end, way), expectedEnd(way)];
      if (isDeepStrictEqual(seen, expected)) return;
      const crashed = "failure" in end && end.failure.error_type === "crash";
      const { passed, failed } = "failure" in end ? end.failure.summary : end.result.summary;
      if (mayCrash && crashed && passed <= expected.passed && failed <= expected.failed) {
        this.report.killed++;
        return;
      }
      this.wrong(`${name}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`);
    } catch (error) {
      this.wrong(`${name}: ${error}`);
    }
  }

  wrong(what: string): void {
    this.report.wrong.push(what);
    this.options.say(`wrong: ${what}`);
  }

  /** Counts an answer that must come. */
  async answered<T>(answer: Promise<T>, what: string): Promise<T | undefined> {
    this.report.expected++;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), LOST_MILLISECONDS);
    const came = await Promise.race([answer, late]);
    clearTimeout(timer);
    if (came === undefined) this.options.say(`lost: ${what}`);
    else this.report.got++;
    return came;
  }

  /** A server of its own for one step; nothing of it may be left after `use`. */
  async withServer<T>(
    options: Partial<ConstructorParameters<typeof RawServer>[0]>,
    use: (server: RawServer) => Promise<T>,
  ): Promise<T> {
    const mark = crypto.randomUUID();
    const { root } = this.project;
    const server = new RawServer({ root, env: { [MARK]: mark }, ...options });
    try {
      return await use(server);
    } finally {
      await server.close().catch((error) => this.wrong(`the end of a server: ${error}`));
      this.report.orphans.push(...await survivors(mark));
    }
  }

  /** Takes a step; false: its fault came too late to happen. */
  async take(name: string, { act, isPossible }: Step): Promise<boolean> {
    const { report, options } = this;
    options.say(`${report.runs}/${options.runs} ${name}`);
    if (isPossible !== undefined && !await isPossible()) {
      report.skipped.add(name);
      return true;
    }
    const happened = await act(this);
    const before = report.steps.get(name) ?? { taken: 0, happened: 0 };
    report.steps.set(name, {
      taken: before.taken + 1,
      happened: before.happened + Number(happened),
    });
    return happened;
  }

  /** Waits until only the process is left that waits for the next run. */
  async settle(mark: string): Promise<void> {
    const end = Date.now() + IDLE_MILLISECONDS;
    while (true) {
      const own = new Set([this.server.pid, ...descendants(this.server.pid)]);
      const strangers = markedProcesses(mark).filter((line) => !own.has(parseInt(line)));
      const tooMany = own.size > 1 + WAITING_PROCESSES;
      if (strangers.length === 0 && !tooMany) return;
      if (Date.now() > end) {
        this.report.orphans.push(...strangers);
        if (tooMany) this.report.orphans.push(`${own.size - 1} processes below an idle server`);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async measure(): Promise<void> {
    this.report.measurements.push({
      residentMegabytes: Math.round(await this.server.residentBytes() / 2 ** 20),
      openFiles: openFiles(this.server.pid),
    });
  }

  #way(name: string): WayToEnd {
    const way = this.project.ways.get(name);
    if (way === undefined) throw new Error(`there is no ${name}`);
    return way;
  }
}

/** Runs a campaign to its end. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  await using project = await campaignProject();
  const mark = crypto.randomUUID();
  const server = new RawServer({ root: project.root, env: { [MARK]: mark } });
  await server.initialize();
  const campaign = new Campaign(project, server, options);
  const { report, random } = campaign;
  const steps = Object.entries(STEPS).flatMap((step) =>
    Array<typeof step>(step[1].weight).fill(step)
  );
  const once = Object.entries(STEPS);
  for (let count = 1, tries = 1; once.length > 0 || report.runs < options.runs; count++) {
    const [name, step] = once[0] ?? random.pick(steps);
    const happened = await campaign.take(name, step);
    if (happened || tries++ === TRIES) {
      once.shift();
      tries = 1;
    }
    if (count % STEPS_BETWEEN_MEASUREMENTS === 0) {
      await campaign.settle(mark);
      await campaign.measure();
    }
  }
  await campaign.settle(mark);
  await campaign.measure();
  const { code, stderr } = await server.close();
  if (code !== 0 || stderr !== "") campaign.wrong(`the server ended with ${code}: ${stderr}`);
  report.orphans.push(...await survivors(mark));
  return report;
}
