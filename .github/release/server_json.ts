/**
 * The entry of the MCP registry, on stdout. It names no package: the registry knows neither JSR nor plain
 * binaries, so the website says how to install.
 *
 * @module
 */
import denoJson from "../../deno.json" with { type: "json" };

/** Where the project lives. */
export const REPOSITORY = "https://github.com/pytest-mcp/pytest-mcp";

/** The document. */
export function serverJson() {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: "io.github.pytest-mcp/server",
    title: "pytest",
    description: "Runs and discovers a project's pytest tests for AI agents, without a shell",
    version: denoJson.version,
    repository: { url: REPOSITORY, source: "github" },
    websiteUrl: `${REPOSITORY}#install`,
    _meta: {
      "io.modelcontextprotocol.registry/publisher-provided": {
        jsr: `jsr:${denoJson.name}@${denoJson.version}`,
        binaries: `${REPOSITORY}/releases/tag/v${denoJson.version}`,
      },
    },
  };
}

if (import.meta.main) {
  const text = JSON.stringify(serverJson(), null, 2);
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
