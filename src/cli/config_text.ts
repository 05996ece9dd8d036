/**
 * An entry of a client's configuration as text: JSON, TOML or YAML.
 *
 * @module
 */
import type { Client, ConfigObject, ConfigValue } from "./clients.ts";

/** The smallest whole file that holds the entry. */
export function renderConfig(client: Client, entry: ConfigObject): string {
  switch (client.format) {
    case "json":
      return `${JSON.stringify(nest(client.path, entry), null, 2)}\n`;
    case "toml":
      return renderTomlTable(client.path, entry);
    case "yaml":
      return renderYaml(nest(client.path, entry), "");
  }
}

/** A TOML table; strings are JSON strings, which TOML reads alike. */
export function renderTomlTable(path: readonly string[], entry: ConfigObject): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[${path.join(".")}]\n${lines.join("\n")}\n`;
}

/** Block mappings with JSON scalars and lists, which YAML reads alike. */
function renderYaml(object: ConfigObject, indent: string): string {
  return Object.entries(object).map(([key, value]) =>
    isObject(value) && Object.keys(value).length > 0
      ? `${indent}${key}:\n${renderYaml(value, `${indent}  `)}`
      : `${indent}${key}: ${JSON.stringify(value)}\n`
  ).join("");
}

function nest(path: readonly string[], entry: ConfigObject): ConfigObject {
  return path.reduceRight<ConfigObject>((inner, key) => ({ [key]: inner }), entry);
}

function isObject(value: ConfigValue): value is ConfigObject {
  return typeof value === "object" && !Array.isArray(value);
}
