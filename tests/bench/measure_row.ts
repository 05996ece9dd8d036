/**
 * Measures one row: every lane once a round, in a different order each time.
 *
 * @module
 */
import { join } from "node:path";
import { SetupError } from "../support/base_python.ts";
import { buildEnvironment } from "../support/environments.ts";
import { serverEnvironment } from "../support/server_command.ts";
import { bundleServer } from "./bundle.ts";
import { type Contender, contender, type ContenderName, writeProject } from "./contenders.ts";
import {
  callLane,
  type Lane,
  memoryLane,
  programLane,
  startLane,
  waitingProgramLane,
} from "./lane.ts";
import type { Row } from "./rows.ts";
import { ratios, type Spread, spreadOf } from "./statistics.ts";

/** What a lane gave. */
export interface Measured {
  readonly name: string;
  readonly base: string;
  readonly values: readonly number[];
  readonly value: Spread;
  /** by the base of the same round */
  readonly ratio: Spread;
}

/** A measured row. */
export interface RowResult {
  readonly row: Row;
  readonly lanes: readonly Measured[];
  /** contender → why it does not take part */
  readonly missing: Readonly<Record<string, string>>;
}

/** How to measure. */
export interface MeasureOptions {
  readonly contenders: readonly ContenderName[];
  readonly rounds: number;
  /** an empty directory for the projects */
  readonly directory: string;
  readonly say: (text: string) => void;
}

/** Measures a row; its first round, which fills caches, does not count. */
export async function measureRow(row: Row, options: MeasureOptions): Promise<RowResult> {
  await using lanes = new AsyncDisposableStack();
  const missing: Record<string, string> = {};
  const all: Lane[] = [];
  const add = (lane: Lane) => all.push(lanes.use(lane));
  add(await baseLane(row, options));
  for (const name of options.contenders) {
    const root = join(options.directory, `${row.name}-${name}`);
    try {
      const made = await contender(name, {
        root,
        environment: row.environment,
        ...(row.measures === "start-bundled" && isOurs(name)
          ? { command: await bundleServer(options.directory) }
          : {}),
      });
      await writeProject(root, row.project(), made.python);
      for (const lane of await contenderLanes(row, made, options)) add(lane);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      missing[name] = error.message;
    }
  }
  const values = await takeRounds(all, row, options);
  return { row, missing, lanes: all.map((lane) => summarize(lane, values)) };
}

function isOurs(name: ContenderName): boolean {
  return name === "warm" || name === "cold";
}

/** What the contenders are divided by, unless their tests run in an environment of their own. */
async function baseLane(row: Row, { directory }: MeasureOptions): Promise<Lane> {
  const root = join(directory, `${row.name}-base`);
  const { python } = await buildEnvironment(row.environment);
  await writeProject(root, row.project(), python);
  if (row.measures === "run" || row.measures === "discover") {
    return bareLane("bare", row, { root, python });
  }
  const script = join(root, "script.ts");
  const waits = row.measures === "memory";
  await Deno.writeTextFile(script, waits ? "for await (const _ of Deno.stdin.readable);\n" : "");
  const program = {
    command: [Deno.execPath(), "run", "--quiet", "--no-config", script],
    cwd: root,
    env: serverEnvironment(),
  } as const;
  return waits ? waitingProgramLane("deno", program) : programLane("deno", program, row.answer);
}

function bareLane(
  name: string,
  row: Row,
  { root, python }: { root: string; python: string },
): Lane {
  const flags = row.measures === "discover" ? ["--collect-only", "-q"] : [];
  const program = {
    command: [python, "-m", "pytest", ...flags],
    cwd: root,
    env: serverEnvironment(),
  } as const;
  return programLane(name, program, row.answer);
}

async function contenderLanes(
  row: Row,
  { server, python }: Contender,
  { directory }: MeasureOptions,
): Promise<Lane[]> {
  if (row.measures === "memory") return [memoryLane(server, "deno")];
  if (row.measures !== "run" && row.measures !== "discover") return [startLane(server, "deno")];
  const options = { tool: row.measures, answer: row.answer };
  const { python: rowPython } = await buildEnvironment(row.environment);
  if (python === rowPython) return [callLane(server, { ...options, base: "bare" })];
  // Other plugins make pytest itself slower: that is not the server's doing.
  const base = `bare for ${server.name}`;
  const root = join(directory, `${row.name}-base-${server.name}`);
  await writeProject(root, row.project(), python);
  return [bareLane(base, row, { root, python }), callLane(server, { ...options, base })];
}

async function takeRounds(
  lanes: readonly Lane[],
  row: Row,
  { rounds, say }: MeasureOptions,
): Promise<Map<string, number[]>> {
  const values = new Map<string, number[]>(lanes.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const first = round % lanes.length;
    for (const lane of [...lanes.slice(first), ...lanes.slice(0, first)]) {
      const value = await lane.measure();
      if (round > 0) values.get(lane.name)?.push(value);
      say(
        `${row.title}: round ${round} of ${rounds}, ${lane.name} ${value.toFixed(1)} ${row.unit}`,
      );
    }
  }
  return values;
}

function summarize({ name, base }: Lane, all: ReadonlyMap<string, number[]>): Measured {
  const values = all.get(name) ?? [];
  return {
    name,
    base,
    values,
    value: spreadOf(values),
    ratio: spreadOf(ratios(values, all.get(base) ?? [])),
  };
}
