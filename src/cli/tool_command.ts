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
export function openToolCommand(
  name: "run" | "discover",
  args: readonly string[],
  { terminal, schema, positionals }: ToolCommandOptions,
): ToolCommand {
  const json = schema(DEFAULT_SETTINGS);
  const line = readCommandLine(name, args, { terminal, parameters: parameterFlags(json) });
  if (line.kind === "exit") return line;
  const { timeout, ...values } = line.values;
  const flags = readServeFlags(values, 1);
  if (!flags.ok) return { kind: "exit", code: usageError(flags.message, terminal) };
  if (positionals === "path" && line.positionals.length > 1) {
    const message = `${name} takes one path: '${line.positionals[1]}' is one too many`;
    return { kind: "exit", code: usageError(message, terminal) };
  }
  const project = openProject({ ...flags.value, prewarm: false });
  if (!project.ok) return { kind: "exit", code: refuse(project.message, terminal) };
  const named = positionals === "path" ? line.positionals[0] : line.positionals;
  const { settings } = flags.value;
  return {
    kind: "go",
    project: project.value,
    // a person may wait as long as they like; the limit is for agents
    settings: { ...settings, maxTimeout: Math.max(settings.maxTimeout, Number(timeout) || 0) },
    input: {
      ...parametersFromFlags(line.values, json),
      ...(named === undefined || named.length === 0 ? {} : { [positionals]: named }),
    },
    json: line.values["json"] === true,
  };
}
