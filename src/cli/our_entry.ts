/**
 * An entry that starts pytest-mcp, told from one that starts something else, and what a person added to it.
 *
 * @module
 */

/** The binary, under the name that it is installed or released by. */
const BINARY = /^pytest-mcp(?:-(?:linux|macos|windows)-(?:x86_64|aarch64))?(?:\.exe)?$/i;
const PACKAGE = /^jsr:@pytest-mcp\/server(?:@|$)/;

/** The command line of an entry; empty when it has none that we would write. */
export function wordsOf(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const { command, args = [] } = entry;
  const words = [command, args].flat();
  return words.every((word) => typeof word === "string") ? words : [];
}

/** Whether a command line starts pytest-mcp, in any form that `config` prints. */
export function startsOurs(words: readonly string[]): boolean {
  return programAt(words) >= 0;
}

/** What a person added to the old command line: flags to keep, or words that the new one has no place for. */
export function additions(
  old: readonly string[],
  fresh: readonly string[],
): { readonly flags: readonly string[]; readonly lost: readonly string[] } {
  const [before, after] = [programAt(old), programAt(fresh)];
  const ours = new Set(flagGroups(fresh.slice(after + 1)).map(([name]) => nameOfFlag(name)));
  const flags = flagGroups(old.slice(before + 1)).filter(([name, value]) =>
    // a root that Deno lets it read was written by us: the binary enters the directory instead
    !ours.has(nameOfFlag(name)) && !(name === "--root" && old.includes(`--allow-read=${value}`))
  );
  const rights = new Set(fresh.flatMap(rightsIn));
  // the binary has none to be given
  const lost = isDeno(fresh) ? old.flatMap(rightsIn).filter((right) => !rights.has(right)) : [];
  return { flags: flags.flat(), lost };
}

/** Where our program stands in a command line, or -1. */
function programAt(words: readonly string[]): number {
  if (isDeno(words)) return words.findIndex((word) => PACKAGE.test(word) || isMain(word, words));
  // the places where launch.ts puts what is to run in another directory
  const shell = baseName(words[0]);
  const at = shell === "sh" ? 4 : shell === "cmd" ? 7 : 0;
  return BINARY.test(baseName(words[at])) ? at : -1;
}

function isDeno([command]: readonly string[]): boolean {
  return /^deno(?:\.exe)?$/i.test(baseName(command));
}

/** main.ts is a common name: a checkout is also started with the right to run Python. */
function isMain(word: string, words: readonly string[]): boolean {
  return baseName(word) === "main.ts" && words.some((each) => /^--allow-run=.*\bpy/.test(each));
}

function baseName(path = ""): string {
  return path.split(/[\\/]/).at(-1) ?? "";
}

/** Each flag with the values behind it. */
function flagGroups(words: readonly string[]): [string, ...string[]][] {
  const groups: [string, ...string[]][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (last === undefined || word.startsWith("-")) groups.push([word]);
    else last.push(word);
  }
  return groups;
}

function nameOfFlag(word: string): string {
  return word.replace(/=.*$/s, "");
}

/** `--allow-run=a,b` as `--allow-run=a` and `--allow-run=b`; where code comes from is no right of the project. */
function rightsIn(word: string): string[] {
  if (!/^--allow-(?!import\b)/.test(word)) return [];
  const [, name = word, list] = /^([^=]+=)(.*)$/s.exec(word) ?? [];
  return list === undefined ? [word] : list.split(",").map((item) => name + item);
}
