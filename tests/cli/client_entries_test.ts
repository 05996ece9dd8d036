/**
 * What `config` prints for each client, started as that client starts it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { buildEntry } from "../../src/cli/config.ts";
import { CLIENT_NAMES, type ClientName, CLIENTS } from "../../src/cli/clients.ts";
import { thisProgram } from "../../src/cli/this_program.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** The command line of an entry, and the directory where the client runs it. */
function startOf(name: ClientName, root: string): { words: string[]; cwd: string } {
  const client = CLIENTS[name];
  const entry = buildEntry(client, { program: thisProgram(), root });
  const words = [entry["command"] ?? entry["cmd"] ?? [], entry["args"] ?? []].flat().map((word) =>
    // the client's own variable for the project
    String(word).replaceAll("${workspaceFolder}", root)
  );
  // "anywhere" is the top of the file system, for an application that was opened from a dock
  return { words, cwd: client.startsIn === "project" ? root : "/" };
}

for (const name of CLIENT_NAMES) {
  Deno.test(`the entry of ${name} starts a server that answers`, async () => {
    const root = await Deno.makeTempDir();
    try {
      const { words: [command = "", ...args], cwd } = startOf(name, root);
      const server = new Deno.Command(command, {
        args,
        cwd,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const stdin = server.stdin.getWriter();
      await stdin.write(new TextEncoder().encode(`${JSON.stringify(INITIALIZE)}\n`));
      await stdin.close();
      const { code, stdout, stderr } = await server.output();
      const [said, complaint] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assert.equal(complaint, "");
      assert.equal(code, 0);
      assert.equal(JSON.parse(said ?? "").result.serverInfo.name, "pytest-mcp");
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}
