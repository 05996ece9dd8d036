/**
 * What an agent and the server say to each other about the sample project: a real client, a real server
 * under its real permissions, a real pytest.
 *
 * @module
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fileURLToPath } from "node:url";
import { denoRunFlags } from "../../src/cli/permissions.ts";

const PROJECT = fileURLToPath(new URL("../../fixtures/projects/sample", import.meta.url));
const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** A tool call and its answer. */
export interface Exchange {
  readonly tool: string;
  readonly parameters: Record<string, unknown>;
  readonly answer: unknown;
}

/** Calls one tool; how long things took is made the same each time. */
export async function exchange(
  tool: string,
  parameters: Record<string, unknown>,
  python: string,
): Promise<Exchange> {
  const platform = Deno.build.os === "windows" ? "windows" : "posix";
  const flags = denoRunFlags("checkout", { platform, root: PROJECT, pythons: [python] });
  const client = new Client({ name: "readme", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: Deno.execPath(),
      args: ["run", ...flags, MAIN, "--root", PROJECT, "--python", python, "--no-prewarm"],
    }),
  );
  try {
    const { structuredContent } = await client.callTool({ name: tool, arguments: parameters });
    return { tool, parameters, answer: withoutTimes(structuredContent) };
  } finally {
    await client.close();
  }
}

/** The total stays, as a plausible figure; single tests take no time worth showing. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, entry) => key === "duration" ? 0.01 : entry);
}
