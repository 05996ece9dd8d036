/**
 * What is measured side by side: each lane gives one value a round.
 *
 * @module
 */
import { memoryOf, quiet, treeOf } from "./process_tree.ts";
import { type Program, StdioClient } from "./stdio_client.ts";

/** One thing to measure. */
export interface Lane extends AsyncDisposable {
  readonly name: string;
  /** name of the lane by which its values are divided; its own for one that is the measure itself */
  readonly base: string;
  measure(): Promise<number>;
}

/** A server: how it is started, what it is asked, and how many processes it consists of at rest. */
export interface Server {
  readonly name: string;
  readonly program: Program;
  readonly tools: Readonly<Record<"run" | "discover", readonly [name: string, args: object]>>;
  readonly processes: number;
}

/** Milliseconds that a program takes from its start to its end. */
export function programLane(name: string, program: Program, answer: RegExp): Lane {
  return {
    name,
    base: name,
    async measure() {
      const [executable, ...args] = program.command;
      const started = performance.now();
      const { stdout } = await new Deno.Command(executable, {
        args,
        cwd: program.cwd,
        env: program.env,
        clearEnv: true,
        stdin: "null",
        stderr: "null",
      }).output();
      const taken = performance.now() - started;
      check(name, new TextDecoder().decode(stdout), answer);
      return taken;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Milliseconds from a call to its answer, in a server that has been up for a while. */
export function callLane(
  server: Server,
  { tool, base, answer }: { tool: "run" | "discover"; base: string; answer: RegExp },
): Lane {
  const { name, program, processes } = server;
  let client: StdioClient | undefined;
  return {
    name,
    base,
    async measure() {
      if (client === undefined) {
        client = new StdioClient(program);
        await client.initialize();
      }
      // Between two calls an agent thinks for longer than this takes.
      await quiet(client.pid, processes);
      const started = performance.now();
      const text = await client.call(...server.tools[tool]);
      const taken = performance.now() - started;
      check(name, text, answer);
      // What it does after its answer must not slow down whoever is next.
      await quiet(client.pid, processes);
      return taken;
    },
    async [Symbol.asyncDispose]() {
      await client?.close();
    },
  };
}

/** Milliseconds from the start of a server to its answer to `initialize`. */
export function startLane({ name, program }: Server, base: string): Lane {
  return {
    name,
    base,
    async measure() {
      const started = performance.now();
      const client = new StdioClient(program);
      await client.initialize();
      const taken = performance.now() - started;
      await client.close();
      return taken;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** MB that a server and all below it hold, when its client has asked for the tools and then nothing. */
export function memoryLane({ name, program, processes }: Server, base: string): Lane {
  return {
    name,
    base,
    async measure() {
      const client = new StdioClient(program);
      await client.initialize();
      await client.listTools();
      await quiet(client.pid, processes);
      const held = memoryOf(treeOf(client.pid));
      await client.close();
      return held;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** MB that a program holds which waits for its input to end. */
export function waitingProgramLane(name: string, program: Program): Lane {
  return {
    name,
    base: name,
    async measure() {
      const [executable, ...args] = program.command;
      const child = new Deno.Command(executable, {
        args,
        cwd: program.cwd,
        env: program.env,
        clearEnv: true,
        stdin: "piped",
        stdout: "null",
        stderr: "null",
      }).spawn();
      await quiet(child.pid, 1);
      const held = memoryOf(treeOf(child.pid));
      await child.stdin.close();
      await child.status;
      return held;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A fast wrong answer is no answer. */
function check(name: string, text: string, answer: RegExp): void {
  if (answer.test(text)) return;
  throw new Error(`${name} did not say ${answer}: ${text.slice(0, 1_000)} … ${text.slice(-1_000)}`);
}
