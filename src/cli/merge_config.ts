/**
 * Adds the server to a client's configuration file, or brings its entry up to date.
 *
 * @module
 */
import type { Client, ConfigObject } from "./clients.ts";
import { renderTomlTable } from "./config_text.ts";
import { type Edited, setJsonValue } from "./jsonc_edit.ts";
import { additions, startsOurs, wordsOf } from "./our_entry.ts";
import { tomlPaths } from "./toml_paths.ts";
import { type JsonNode, JsonSyntaxError, parseJsonTree } from "./jsonc_tree.ts";

/** The file's new text; whatever is not our own entry stays as it is. */
export function mergeConfig(client: Client, entry: ConfigObject, before: string | null): Edited {
  const text = before ?? "";
  const windowsLines = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  if (!windowsLines) return merge(client, entry, text);
  const merged = merge(client, entry, text.replaceAll("\r\n", "\n"));
  return merged.ok ? { ok: true, text: merged.text.replaceAll("\n", "\r\n") } : merged;
}

function merge(client: Client, entry: ConfigObject, before: string): Edited {
  switch (client.format) {
    case "json":
      return mergeJson(client, entry, before);
    case "toml":
      return mergeToml(client, entry, before);
    case "yaml":
      return { ok: false, message: "YAML files are not edited, only shown" };
  }
}

function mergeJson(client: Client, entry: ConfigObject, before: string): Edited {
  const existing = nodeAt(before, client.path);
  if (existing === null) return setJsonValue(before, client.path, entry);
  if (existing.members === null) return { ok: false, message: foreign(client) };
  const old = wordsOf(
    Object.fromEntries(existing.members.map(({ key, node }) => [key, node.value])),
  );
  if (!startsOurs(old)) return { ok: false, message: foreign(client) };
  const { flags, lost } = additions(old, wordsOf(entry));
  if (lost.length > 0) {
    const message = `${client.path.join(".")} has ${lost.join(", ")}, which would be lost`;
    return { ok: false, message: `${message}; change that entry by hand` };
  }
  // key by key: what a person added to our entry is theirs
  let text = before;
  for (const [key, value] of Object.entries(withFlags(entry, flags))) {
    const current = existing.members.find((member) => member.key === key)?.node.value;
    if (JSON.stringify(current) === JSON.stringify(value)) continue;
    const edited = setJsonValue(text, [...client.path, key], value);
    if (!edited.ok) return edited;
    text = edited.text;
  }
  return { ok: true, text };
}

/** The flags of pytest-mcp end the command line, whichever key holds it. */
function withFlags(entry: ConfigObject, flags: readonly string[]): ConfigObject {
  for (const key of ["args", "command"]) {
    const list = entry[key];
    if (Array.isArray(list)) return { ...entry, [key]: [...list, ...flags] };
  }
  return entry;
}

function nodeAt(text: string, path: readonly string[]): JsonNode | null {
  try {
    let node: JsonNode | undefined = parseJsonTree(text);
    for (const key of path) node = node?.members?.findLast((each) => each.key === key)?.node;
    return node ?? null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

/** A table can be appended to a TOML file as long as nothing has defined it before. */
function mergeToml(client: Client, entry: ConfigObject, before: string): Edited {
  const table = renderTomlTable(client.path, entry);
  if (`\n${before}`.includes(`\n${table}`)) return { ok: true, text: before };
  const paths = tomlPaths(before);
  if (paths === null) return { ok: false, message: "it is not TOML that pytest-mcp can read" };
  const defined = paths.some((path) =>
    path.slice(0, client.path.length).every((key, at) => key === client.path[at])
  );
  if (defined) return { ok: false, message: foreign(client) };
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return { ok: true, text: `${before}${gap}${table}` };
}

function foreign(client: Client): string {
  return `it already defines ${client.path.join(".")}; change that entry by hand`;
}
