/**
 * Keeps the layers apart: what each folder of `src/` may import, and where processes may be started.
 * `deno lint` loads it through deno.json.
 *
 * @module
 */
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Of Node, what neither starts a process nor imports by another way. */
const HARMLESS_NODE = /^(zod$|node:(?!(child_process|cluster|module)\b))/;

/** What a layer may import besides its own files. */
const LAYERS: Readonly<Record<string, { layers: readonly string[]; packages: RegExp }>> = {
  domain: { layers: [], packages: /^zod$/ },
  pytest: { layers: ["domain"], packages: /^(zod$|node:(?!module\b))/ },
  mcp: {
    layers: ["domain"],
    packages: new RegExp(`${HARMLESS_NODE.source}|^@modelcontextprotocol/server(/|$)`),
  },
  cli: { layers: ["domain", "pytest", "mcp"], packages: HARMLESS_NODE },
  "main.ts": { layers: ["domain", "pytest", "mcp", "cli"], packages: HARMLESS_NODE },
};

/** Everything in the `Deno` namespace that starts a process. */
const STARTS_A_PROCESS = /^(Command|run|spawn\w*)$/;

const SRC = dirname(fileURLToPath(import.meta.url));

/** `src/domain/x.ts` → "domain"; main.ts → "main.ts"; undefined for whatever is under no rule. */
function layerOf(file: string): string | undefined {
  const [first, second, ...rest] = relative(SRC, resolve(SRC, "..", file)).split(/[\\/]/);
  if (first === "..") return second === "main.ts" && rest.length === 0 ? second : undefined;
  return second === undefined ? undefined : first;
}

/** Why this layer may not import this specifier, or undefined if it may. */
function importProblem(layer: string, file: string, specifier: string): string | undefined {
  const rule = LAYERS[layer];
  if (rule === undefined) {
    return `src/${layer} is not a layer: add it to the table in src/layers_lint_plugin.ts`;
  }
  // As Deno reads it: `%2e%2e` is `..`, too.
  const target = /^(\.|\/|file:)/.test(specifier)
    ? fileURLToPath(new URL(specifier, pathToFileURL(resolve(SRC, "..", file))))
    : undefined;
  if (target === undefined) {
    if (rule.packages.test(specifier)) return undefined;
    return `${layer} may not import "${specifier}": its packages are ${rule.packages.source}`;
  }
  const other = layerOf(target);
  if (other === layer || (other !== undefined && rule.layers.includes(other))) return undefined;
  if (layer !== "domain" && relative(join(SRC, ".."), target) === "deno.json") return undefined;
  const allowed = rule.layers.length === 0 ? "nothing but itself" : rule.layers.join(", ");
  return `${layer} may not import ${other ?? specifier}: it may import ${allowed}`;
}

/** The text of a string literal or of a template without expressions. */
function literalText(node: Deno.lint.Node): string | undefined {
  if (node.type === "TSLiteralType") return literalText(node.literal);
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral") {
    return node.quasis.length === 1 ? node.quasis[0]?.cooked : undefined;
  }
  return undefined;
}

/** The name taken from the `Deno` namespace at this mention of it; undefined if it cannot be told. */
function nameTaken(mention: Deno.lint.Node): string | undefined {
  const parent = "parent" in mention ? mention.parent : undefined;
  if (parent?.type === "TSQualifiedName") return parent.right.name;
  if (parent?.type !== "MemberExpression") return undefined;
  if (parent.property === mention) return nameTaken(parent); // globalThis.Deno.…
  if (!parent.computed && parent.property.type === "Identifier") return parent.property.name;
  return literalText(parent.property);
}

/** The names under which everything global can be reached. */
const GLOBAL_OBJECT = /^(globalThis|self)$/;

/** `object.name`, or a property that happens to have such a name. */
function isPlainAccess(node: Deno.lint.Node): boolean {
  const parent = "parent" in node ? node.parent : undefined;
  return parent?.type === "MemberExpression" && !parent.computed;
}

const plugin: Deno.lint.Plugin = {
  name: "layers",
  rules: {
    imports: {
      create(context): Deno.lint.LintVisitor {
        const layer = layerOf(context.filename);
        if (layer === undefined) return {};
        const check = (node: Deno.lint.Node, source: Deno.lint.Node | null): void => {
          if (source === null) return;
          const specifier = literalText(source);
          const message = specifier === undefined
            ? "an import must name its module as a literal, so that its layer can be checked"
            : importProblem(layer, context.filename, specifier);
          if (message !== undefined) context.report({ node, message });
        };
        return {
          ImportDeclaration: (node) => check(node, node.source),
          ExportNamedDeclaration: (node) => check(node, node.source),
          ExportAllDeclaration: (node) => check(node, node.source),
          ImportExpression: (node) => check(node, node.source),
          TSImportType: (node) => check(node, node.argument),
          TSExternalModuleReference: (node) => check(node, node.expression),
          Identifier: (node) => {
            if (node.name !== "getBuiltinModule") return;
            context.report({ node, message: `${layer} may import only by import` });
          },
          Program: (node) => {
            for (const comment of context.sourceCode.getAllComments()) {
              if (!/^\/\s*<reference\b/.test(comment.value)) continue;
              context.report({ node, message: `${layer} may not import by a reference comment` });
            }
          },
        };
      },
    },
    deno: {
      create(context): Deno.lint.LintVisitor {
        const layer = layerOf(context.filename);
        if (layer === undefined || layer === "pytest") return {};
        const check = (mention: Deno.lint.Node): void => {
          const name = nameTaken(mention);
          const message = layer === "domain"
            ? "domain may not name Deno: what it needs from outside is a port"
            : name === undefined
            ? `${layer} may use Deno only as Deno.name, so that it can be checked`
            : STARTS_A_PROCESS.test(name)
            ? `${layer} may not use Deno.${name}: only src/pytest starts processes`
            : undefined;
          if (message !== undefined) context.report({ node: mention, message });
        };
        return {
          Identifier: (node) => {
            if (node.name === "Deno") check(node);
            else if (GLOBAL_OBJECT.test(node.name) && !isPlainAccess(node)) {
              const message = `${layer} may use ${node.name} only as ${node.name}.name, ` +
                "so that it can be checked";
              context.report({ node, message });
            }
          },
        };
      },
    },
  },
};

export default plugin;
