/**
 * Adds the server to a client's configuration file, or brings its entry up to date.
 *
 * @module
 */
import type { Client, ConfigObject } from "./clients.ts";
import { renderTomlTable } from "./config_text.ts";
import { type Edited, setJsonValue } from "./jsonc_edit.ts";
import { type JsonNode, JsonSyntaxError, parseJsonTree } from "./jsonc_tree.ts";

/** What every entry of ours contains, in one form or another. */
const OURS = /pytest-mcp|--allow-run=python3,/;

/** The file's new text; whatever is not our own entry stays as it is. */
export function mergeConfig(client: Client, entry: ConfigObject, before: string | null): Edited {
  switch (client.format) {
    case "json":
      return mergeJson(client, entry, before ?? "");
    case "toml":
      return mergeToml(client, entry, before ?? "");
    case "yaml":
      return { ok: false, message: "YAML files are not edited, only shown" };
  }
}

function mergeJson(client: Client, entry: ConfigObject, before: string): Edited {
  const existing = nodeAt(before, client.path);
  if (existing === null) return setJsonValue(before, client.path, entry);
  if (existing.members === null || !OURS.test(JSON.stringify(existing.value))) {
    return { ok: false, message: foreign(client) };
  }
  // key by key: what a person added to our entry is theirs
  let text = before;
  for (const [key, value] of Object.entries(entry)) {
    const current = existing.members.find((member) => member.key === key)?.node.value;
    if (JSON.stringify(current) === JSON.stringify(value)) continue;
    const edited = setJsonValue(text, [...client.path, key], value);
    if (!edited.ok) return edited;
    text = edited.text;
  }
  return { ok: true, text };
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
  const [outer = "", inner = ""] = client.path;
  const key = (name: string) => `["']?${name}["']?`;
  const defined = new RegExp(
    `^\\s*\\[\\s*${key(outer)}\\s*\\.\\s*${key(inner)}\\s*[\\].]` +
      `|^\\s*${key(outer)}\\s*=|^\\s*${key(outer)}\\s*\\.\\s*${key(inner)}\\s*[.=]` +
      `|^\\s*\\[\\s*${key(outer)}\\s*\\][^\\[]*^\\s*${key(inner)}\\s*[.=]`,
    "m",
  );
  if (defined.test(before)) return { ok: false, message: foreign(client) };
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  return { ok: true, text: `${before}${gap}${table}` };
}

function foreign(client: Client): string {
  return `it already defines ${client.path.join(".")}; change that entry by hand`;
}
