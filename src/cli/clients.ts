/**
 * The MCP clients that `config` knows: where each keeps its servers and what an entry looks like.
 *
 * @module
 */
import type { Launch } from "./launch.ts";

/** The names that `pytest-mcp config` takes. */
export const CLIENT_NAMES = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "zed",
  "opencode",
  "goose",
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** The name under which each client lists the server. */
export const SERVER_NAME = "pytest";

/** Seconds that a client should wait for a tool: the longest run without a timeout of its own, and some. */
const TOOL_TIMEOUT = 330;

/** Seconds for the first start, which may have to download the package. */
const STARTUP_TIMEOUT = 60;

/** A value that JSON, TOML and YAML all can hold. */
export type ConfigValue = string | number | boolean | readonly string[] | ConfigObject;
/** An entry of a configuration file. */
export interface ConfigObject {
  readonly [key: string]: ConfigValue;
}

/** One client, as its documentation describes it. */
export interface Client {
  readonly documentation: string;
  readonly format: "json" | "toml" | "yaml";
  /** relative to the root; null when the client has no file in the project */
  readonly projectFile: string | null;
  /** another name that the client reads the same file by */
  readonly otherProjectFile?: string;
  /** where a person finds the file that belongs to no project */
  readonly userFile: string;
  /** keys from the top of the file to the server's entry */
  readonly path: readonly string[];
  /**
   * Where the client starts a server of this file. "project": in the project. "anywhere": it must be
   * told the root's path. Otherwise what the client replaces by that path.
   */
  readonly startsIn: "project" | "anywhere" | { readonly variable: string };
  readonly entry: (launch: Launch) => ConfigObject;
}

const plain = ({ command, args }: Launch): ConfigObject => ({ command, args });

/** Every client, in the order of CLIENT_NAMES. */
export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  "claude-code": {
    documentation: "https://code.claude.com/docs/en/mcp",
    format: "json",
    projectFile: ".mcp.json",
    userFile: "~/.claude.json",
    path: ["mcpServers", SERVER_NAME],
    startsIn: "project",
    entry: (launch) => ({ type: "stdio", ...plain(launch) }),
  },
  "claude-desktop": {
    documentation: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
    format: "json",
    projectFile: null,
    userFile: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    path: ["mcpServers", SERVER_NAME],
    startsIn: "anywhere",
    entry: plain,
  },
  cursor: {
    documentation: "https://cursor.com/docs/mcp",
    format: "json",
    projectFile: ".cursor/mcp.json",
    userFile: "~/.cursor/mcp.json",
    path: ["mcpServers", SERVER_NAME],
    startsIn: { variable: "${workspaceFolder}" },
    entry: (launch) => ({ type: "stdio", ...plain(launch) }),
  },
  vscode: {
    documentation: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
    format: "json",
    projectFile: ".vscode/mcp.json",
    userFile: "mcp.json of the user profile (MCP: Open User Configuration)",
    path: ["servers", SERVER_NAME],
    startsIn: "project",
    entry: (launch) => ({ type: "stdio", ...plain(launch), cwd: "${workspaceFolder}" }),
  },
  codex: {
    documentation: "https://developers.openai.com/codex/mcp",
    format: "toml",
    projectFile: ".codex/config.toml",
    userFile: "~/.codex/config.toml",
    path: ["mcp_servers", SERVER_NAME],
    startsIn: "project",
    // no cwd: a task in a worktree would be shown the tests of another one
    entry: (launch) => ({
      ...plain(launch),
      startup_timeout_sec: STARTUP_TIMEOUT,
      tool_timeout_sec: TOOL_TIMEOUT,
    }),
  },
  gemini: {
    documentation: "https://geminicli.com/docs/tools/mcp-server/",
    format: "json",
    projectFile: ".gemini/settings.json",
    userFile: "~/.gemini/settings.json",
    path: ["mcpServers", SERVER_NAME],
    startsIn: "project",
    entry: plain,
  },
  zed: {
    documentation: "https://zed.dev/docs/ai/mcp",
    format: "json",
    projectFile: ".zed/settings.json",
    userFile: "~/.config/zed/settings.json",
    path: ["context_servers", SERVER_NAME],
    startsIn: "project",
    entry: (launch) => ({ ...plain(launch), timeout: TOOL_TIMEOUT }),
  },
  opencode: {
    documentation: "https://opencode.ai/docs/mcp-servers/",
    format: "json",
    projectFile: "opencode.json",
    otherProjectFile: "opencode.jsonc",
    userFile: "~/.config/opencode/opencode.json",
    path: ["mcp", SERVER_NAME],
    startsIn: "project",
    entry: ({ command, args }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      timeout: TOOL_TIMEOUT * 1000,
    }),
  },
  goose: {
    documentation: "https://block.github.io/goose/docs/guides/config-files",
    format: "yaml",
    projectFile: null,
    userFile: "~/.config/goose/config.yaml",
    path: ["extensions", SERVER_NAME],
    // of the session: one entry serves every project
    startsIn: "project",
    entry: ({ command, args }) => ({
      enabled: true,
      type: "stdio",
      name: SERVER_NAME,
      description: "Run and discover the project's pytest tests",
      cmd: command,
      args,
      envs: {},
      timeout: TOOL_TIMEOUT,
    }),
  },
};
