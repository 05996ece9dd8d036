/**
 * What the old lines of a patch provided and no new line brings back. The new file shows none of it, so
 * who still relies on it cannot be told by lines.
 *
 * @module
 */

/** What one line of Python provides. */
interface Provided {
  /** names that it binds, and decorators, which change one */
  readonly names: readonly string[];
  /** modules that it imports as it writes them; `""` for what another statement does at import */
  readonly effects: readonly string[];
}

/** A function, method or class, at any depth. */
const DEFINITION = /^\s*(?:async\s+def|def|class)\s+(\w+)/;
const DECORATOR = /^\s*(@.*)/;
/** A name on a line of its own within brackets, as long imports have them. */
const LISTED_NAME = /^\s+(?:\w+\s+as\s+)?(\w+),\s*(?:#.*)?$/;
// No two parts of a pattern may share the same characters: a line of a megabyte would then take hours.
const FROM = /^from\s+(?=\S)(\.*)((?:\w[\w.]*)?)\s+import\b\s*\(?([^#()]*)/;
const IMPORT = /^import\s+([^#]+)/;
const ASSIGNMENT = /^(?!\s)([\w\s,()*]+?)(?::[^=]*)?(?:[-+*/%@&|^]|\/\/|\*\*|<<|>>)?=(?!=)/;
/** A call, an item or an attribute that is set, or the head of a block; prose of a docstring is neither. */
const STATEMENT =
  /^(?:[A-Za-z_][\w.]*\s*[[(=]|(?:del|assert|raise)\b|(?:[a-z]+\b.*|else|try):\s*(?:#.*)?$)/s;

/** The effects that a patch takes away, none if it takes only names; null if it takes nothing away. */
export function lossesOf(patch: string): readonly string[] | null {
  const removed = new Lines();
  const added = new Lines();
  for (const line of patch.split("\n")) {
    if (line.startsWith("-")) removed.add(line.slice(1));
    if (line.startsWith("+")) added.add(line.slice(1));
  }
  const effects = removed.effects.difference(added.effects);
  const statements = removed.statements.difference(added.statements);
  if (statements.size > 0) effects.add("");
  return effects.size === 0 && removed.names.isSubsetOf(added.names) ? null : [...effects];
}

/** What the lines of one side provide. */
class Lines {
  readonly names = new Set<string>();
  readonly effects = new Set<string>();
  readonly statements = new Set<string>();

  add(line: string): void {
    const provided = providedBy(line);
    for (const name of provided?.names ?? []) this.names.add(name);
    for (const effect of provided?.effects ?? []) this.effects.add(effect);
    if (provided === null && STATEMENT.test(line)) this.statements.add(line.trim());
  }
}

function providedBy(line: string): Provided | null {
  const [, name] = DEFINITION.exec(line) ?? DECORATOR.exec(line) ?? LISTED_NAME.exec(line) ?? [];
  if (name !== undefined) return { names: [name.trim()], effects: [] };
  const [, dots = "", module = "", list] = FROM.exec(line) ?? [];
  if (list !== undefined) {
    const items = itemsOf(list);
    const base = dots + module;
    const of = (each: string) => `${base}${module === "" ? "" : "."}${each}`;
    return {
      names: items.map(({ name, bound }) => name === "*" ? `* of ${base}` : bound),
      effects: [...(module === "" ? [] : [base]), ...items.map(({ name }) => of(name))],
    };
  }
  const [, modules] = IMPORT.exec(line) ?? [];
  if (modules !== undefined) {
    const items = itemsOf(modules);
    return { names: items.map(({ bound }) => bound), effects: items.map(({ name }) => name) };
  }
  const [, targets] = ASSIGNMENT.exec(line) ?? [];
  if (targets !== undefined) return { names: targets.match(/\w+/g) ?? [], effects: [] };
  return null;
}

function itemsOf(list: string): { name: string; bound: string }[] {
  return list.split(",").map((item) => item.trim().split(/\s+/)).filter(([name]) => name)
    .map(([name = "", _as, bound = name.split(".")[0] ?? ""]) => ({ name, bound }));
}
