import type { z } from "zod";
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import { readCommandLine, refuse, usageError } from "./command_line.ts";
import { parameterFlags, parametersFromFlags } from "./parameter_flags.ts";
import { openProject, type Project } from "./project.ts";
import { readServeFlags } from "./settings_flags.ts";
import type { Terminal } from "./terminal.ts";

/** A tool called from the command line, or the exit code when there is nothing to call. */
export type ToolCommand =
  | {
    readonly kind: "go";
    readonly project: Project;
    readonly settings: Settings;
    /** the tool's parameters, not checked yet */
    readonly input: Record<string, unknown>;
    readonly json: boolean;
  }
  | { readonly kind: "exit"; readonly code: number };

/** What the two commands differ in. */
export interface ToolCommandOptions {
  readonly terminal: Terminal;
  readonly schema: (settings: Settings) => z.core.JSONSchema.JSONSchema;
  /** the parameter that arguments without a flag belong to; a list takes any number of them */
  readonly positionals: "node_ids" | "path";
}

/** Reads the command line of a tool and opens the project. */
export async function openToolCommand(
  name: "run" | "discover",
  args: readonly string[],
  { terminal, schema, positionals }: ToolCommandOptions,
): Promise<ToolCommand> {
  const json = schema(DEFAULT_SETTINGS);
  const line = await readCommandLine(name, args, { terminal, parameters: parameterFlags(json) });
  if (line.kind === "exit") return line;
  const { timeout, ...values } = line.values;
  const flags = readServeFlags(values, 1);
  if (!flags.ok) return { kind: "exit", code: usageError(flags.message, terminal) };
  const input = parametersFromFlags(line.values, json);
  const given = [input[positionals] ?? [], line.positionals].flat();
  if (positionals === "path" && given.length > 1) {
    const message = `${name} takes one path: '${given[1]}' is one too many`;
    return { kind: "exit", code: usageError(message, terminal) };
  }
  const project = await openProject({ ...flags.value, prewarm: false });
  if (!project.ok) return { kind: "exit", code: refuse(project.message, terminal) };
  const named = positionals === "path" ? given[0] : given;
  const asJson = line.values["json"] === true;
  const { settings } = flags.value;
  // JSON shows what an agent would get; a person sees all, and may wait as long as they like
  const whole = !asJson && line.values["max-response-chars"] === undefined;
  return {
    kind: "go",
    project: project.value,
    settings: {
      ...settings,
      maxTimeout: Math.max(settings.maxTimeout, Number(timeout) || 0),
      maxResponseChars: whole ? Number.MAX_SAFE_INTEGER : settings.maxResponseChars,
    },
    input: { ...input, ...(given.length === 0 ? {} : { [positionals]: named }) },
    json: asJson,
  };
}
