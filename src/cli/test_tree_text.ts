import type { TestTree } from "../domain/discover_result.ts";
import { printable, type Style } from "./style.ts";

/** Files, classes and functions with their lines, as a tree. */
export function renderTestTree(tree: TestTree, style: Style): string {
  return Object.entries(tree).map(([file, classes]) => {
    const loose = Object.entries(classes[""] ?? {}).map(([name, place]) =>
      leaf(name, place, style)
    );
    const named = Object.entries(classes).filter(([name]) => name !== "").map(([name, functions]) =>
      [
        style.cyan(printable(name)),
        Object.entries(functions).map(([name, place]) => leaf(name, place, style)),
      ] as const
    );
    const children: (readonly [string, readonly string[]])[] = [
      ...loose.map((line) => [line, []] as const),
      ...named,
    ];
    return `${style.bold(printable(file))}\n${branches(children, style)}`;
  }).join("");
}

function leaf(name: string, place: TestTree[string][string][string], style: Style): string {
  const [line = null, parameters = null] = Array.isArray(place) ? place : [place];
  const times = parameters === null ? "" : ` ×${parameters}`;
  return printable(name) + style.yellow(times) + style.dim(line === null ? "" : `  :${line}`);
}

function branches(
  children: readonly (readonly [string, readonly string[]])[],
  style: Style,
): string {
  return children.map(([line, below], at) => {
    const last = at === children.length - 1;
    const inner = below.map((each, place) =>
      `${style.dim(last ? "   " : "│  ")}${
        style.dim(place === below.length - 1 ? "└─" : "├─")
      } ${each}\n`
    );
    return `${style.dim(last ? "└─" : "├─")} ${line}\n${inner.join("")}`;
  }).join("");
}
