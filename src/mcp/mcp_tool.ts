import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Outcome } from "../domain/run_failure.ts";
import type { Settings } from "../domain/settings.ts";
import type { UseCaseContext } from "../domain/use_case.ts";

/** A tool before it is put into the words of the protocol. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** JSON Schema of what it takes; limits depend on how the server was started. */
  readonly inputSchema: (settings: Settings) => object;
  readonly outputSchema: z.ZodType;
  /** Parses `input`, then runs the use case. */
  readonly handle: (input: unknown, context: UseCaseContext) => Promise<Outcome<object>>;
}
