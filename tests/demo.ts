/**
 * `deno task demo`: an agent's view. A real MCP client starts the real server, under its real
 * permissions, on the sample project and prints what they say to each other.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { denoRunFlags } from "../src/cli/permissions.ts";
import { testEntrySchema } from "../src/domain/execute_result.ts";
import { findBasePython, findPythonWithPytest, SetupError } from "./support/base_python.ts";
import { environment } from "./support/environments.ts";
import { readable } from "./support/readable.ts";

const PROJECT = fileURLToPath(new URL("../fixtures/projects/sample", import.meta.url));
const SERVER = fileURLToPath(new URL("../main.ts", import.meta.url));

const useColors = Deno.stdout.isTerminal() && !Deno.noColor;

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function bold(text: string): string {
  return useColors ? `\x1b[1m${text}\x1b[22m` : text;
}

function showRequest(method: string, params: unknown): void {
  say(bold(`→ ${method}${params === undefined ? "" : ` ${JSON.stringify(params)}`}`));
}

function showAnswer(answer: unknown): void {
  say(readable(answer).split("\n").map((line) => `← ${line}`.trimEnd()).join("\n") + "\n");
}

/** An interpreter with pytest: the one on PATH, or a private one that is built now. */
async function choosePython(): Promise<string> {
  const found = await findPythonWithPytest();
  if (found !== null) return found;
  await findBasePython();
  say("The Python on PATH has no pytest: using a private environment in the cache directory.\n");
  return (await environment("pytest9")).python;
}

/** Calls one tool and shows both sides. */
async function call(
  client: Client,
  name: string,
  parameters: Record<string, unknown>,
): Promise<unknown> {
  showRequest(`tools/call ${name}`, parameters);
  const { structuredContent } = await client.callTool({ name, arguments: parameters });
  showAnswer(structuredContent);
  return structuredContent;
}

async function converse(client: Client): Promise<void> {
  const server = client.getServerVersion();
  say(bold("→ connect"));
  showAnswer(
    `${server?.name} ${server?.version}, protocol ${client.getNegotiatedProtocolVersion()}`,
  );

  showRequest("tools/list", undefined);
  const { tools } = await client.listTools();
  showAnswer(
    Object.fromEntries(tools.map(({ name, description }) => [name, description?.split("\n")[0]])),
  );

  say("Which tests are there?");
  await call(client, "discover_tests", { view: "tree" });

  say("Run them all.");
  const answer = await call(client, "execute_tests", {});
  const { tests } = z.object({ tests: z.array(testEntrySchema) }).parse(answer);

  for (const { node_id, message } of tests) {
    say(`Why does ${node_id} fail? Its local variables will tell:`);
    await call(client, "execute_tests", { node_ids: [node_id], show_locals: true });
    say(`The cause, in one line: ${message}`);
    say('"summer10" was typed in small letters, and discount_rate() never calls upper().');
  }
}

async function demo(): Promise<void> {
  const python = await choosePython();
  const platform = Deno.build.os === "windows" ? "windows" : "posix";
  const flags = denoRunFlags("checkout", { platform, root: PROJECT, pythons: [python] });
  const client = new Client(
    { name: "pytest-mcp-demo", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  say(bold(`$ deno run ${flags.join(" ")} main.ts serve --root ${PROJECT} --python ${python}\n`));
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: ["run", ...flags, SERVER, "serve", "--root", PROJECT, "--python", python],
      // The transport's own choice leaves out what tells Deno where its cache is.
      env: Deno.env.toObject(),
    }),
  );
  try {
    await converse(client);
  } finally {
    await client.close();
  }
}

try {
  await demo();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  Deno.exitCode = 1;
}
