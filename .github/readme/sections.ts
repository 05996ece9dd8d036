/**
 * The parts of the README that are made from the code, each by its name.
 *
 * @module
 */
import { CLIENT_NAMES, type ClientName, CLIENTS } from "../../src/cli/clients.ts";
import { renderHelp } from "../../src/cli/commands.ts";
import { buildEntry } from "../../src/cli/config.ts";
import { renderConfig } from "../../src/cli/config_text.ts";
import { type Form, permissionFlags } from "../../src/cli/permissions.ts";
import { discoverInputJsonSchema } from "../../src/domain/discover_params.ts";
import { executeInputJsonSchema } from "../../src/domain/execute_params.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import denoJson from "../../deno.json" with { type: "json" };

const TITLES: Readonly<Record<ClientName, string>> = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  zed: "Zed",
  opencode: "OpenCode",
  goose: "goose",
};

/** Every section, by the name in its markers. */
export function renderSections(): Record<string, string> {
  return {
    clients: CLIENT_NAMES.map((name) => clientSection(name, "binary")).join("\n"),
    jsr: `\`\`\`json\n${configOf("claude-code", "jsr")}\`\`\``,
    execute_tests: parameterTable(executeInputJsonSchema(DEFAULT_SETTINGS)),
    discover_tests: parameterTable(discoverInputJsonSchema(DEFAULT_SETTINGS)),
    help: `\`\`\`text\n${renderHelp(denoJson.version)}\n\`\`\``,
    permissions: `\`\`\`text\n${permissionFlags({ platform: "posix" }).join("\n")}\n\`\`\``,
  };
}

function configOf(name: ClientName, form: Form): string {
  const client = CLIENTS[name];
  return renderConfig(
    client,
    buildEntry(client, {
      root: "/path/to/project",
      program: {
        form,
        platform: "posix",
        version: denoJson.version,
        executable: form === "binary" ? "/path/to/pytest-mcp" : "deno",
        entry: "",
      },
    }),
  );
}

function clientSection(name: ClientName, form: Form): string {
  const { projectFile, userFile, format } = CLIENTS[name];
  const place = projectFile === null ? `\`${userFile}\`` : `\`${projectFile}\` in the project`;
  return `<details><summary><b>${TITLES[name]}</b></summary>

${place} (\`pytest-mcp config ${name}\`):

\`\`\`${format}
${configOf(name, form)}\`\`\`

</details>
`;
}

type Schema = ReturnType<typeof executeInputJsonSchema>;

function parameterTable(schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    typeof property === "boolean"
      ? []
      : [`| \`${name}\` | ${cell(typeOf(property))} | ${cell(property.description ?? "")} |`]
  );
  return ["| parameter | type | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function typeOf(property: Schema): string {
  const { type, enum: values, minimum, maximum, items, anyOf, default: fallback } = property;
  const base = values !== undefined
    ? values.map((value) => JSON.stringify(value)).join(" or ")
    : anyOf !== undefined
    ? anyOf.map((each) => typeof each === "boolean" ? "" : typeOf(each)).join(" or ")
    : type === "array"
    ? `list of ${typeof items === "object" && !Array.isArray(items) ? items.type : "any"}s`
    : property.properties !== undefined
    ? `object with ${Object.entries(property.properties).map(fieldOf).join(", ")}`
    : String(type);
  const range = minimum === undefined && maximum === undefined
    ? ""
    : ` ${minimum ?? ""}…${maximum ?? ""}`;
  return base + range + (fallback === undefined ? "" : `, default ${JSON.stringify(fallback)}`);
}

function fieldOf([name, property]: [string, Schema | boolean]): string {
  return typeof property === "boolean" ? name : `\`${name}\` (${typeOf(property)})`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
