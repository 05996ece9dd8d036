/**
 * Sets one value in a JSON file as a careful person would: everything else, comments and layout
 * included, stays as it is.
 *
 * @module
 */
import { type JsonNode, JsonSyntaxError, parseJsonTree, skipTrivia } from "./jsonc_tree.ts";

/** The edited text, or the words that say why it was left alone. */
export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** Puts `value` at `path`; objects on the way are made where they are missing. */
export function setJsonValue(text: string, path: readonly string[], value: unknown): Edited {
  if (text.trim() === "") {
    return { ok: true, text: `${JSON.stringify(nest(path, value), null, 2)}\n` };
  }
  try {
    let node = parseJsonTree(text);
    for (const [depth, key] of path.entries()) {
      if (node.members === null) {
        return { ok: false, message: `${path.slice(0, depth).join(".") || "it"} is not an object` };
      }
      const member = node.members.findLast((each) => each.key === key);
      if (member === undefined) {
        const added = { key, value: nest(path.slice(depth + 1), value), depth: depth + 1 };
        return { ok: true, text: insertMember(text, node, added) };
      }
      node = member.node;
    }
    const json = layOut(value, indentOfLine(text, node.start), indentUnit(text));
    return { ok: true, text: text.slice(0, node.start) + json + text.slice(node.end) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, message: error.message };
    throw error;
  }
}

function insertMember(
  text: string,
  object: JsonNode,
  added: { readonly key: string; readonly value: unknown; readonly depth: number },
): string {
  const unit = indentUnit(text);
  const last = object.members?.at(-1);
  const ownLine = last !== undefined && /^[ \t]*$/.test(lineBefore(text, last.start));
  const indent = ownLine ? lineBefore(text, last.start) : unit.repeat(added.depth);
  const member = `${JSON.stringify(added.key)}: ${layOut(added.value, indent, unit)}`;
  if (last === undefined) {
    const inside = text.slice(object.start, object.end - 1).trimEnd();
    const closing = `\n${unit.repeat(added.depth - 1)}${text.slice(object.end - 1)}`;
    return `${text.slice(0, object.start)}${inside}\n${indent}${member}${closing}`;
  }
  // A comment behind the last property stays with it: the new one comes on the line below.
  const afterValue = skipTrivia(text, last.node.end);
  const trailingComma = text[afterValue] === "," ? "," : "";
  const lineEnd = skipTrivia(text, trailingComma ? afterValue + 1 : last.node.end, true);
  const before = trailingComma
    ? text.slice(0, lineEnd)
    : `${text.slice(0, last.node.end)},${text.slice(last.node.end, lineEnd)}`;
  return `${before}\n${indent}${member}${trailingComma}${text.slice(lineEnd)}`;
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function layOut(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `\n${indent}`);
}

function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

function indentOfLine(text: string, at: number): string {
  return /^[ \t]*/.exec(lineBefore(text, at))?.[0] ?? "";
}

/** The file's own indentation; two spaces where it shows none. */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}
