import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import * as z from "zod";
import { shortenValue } from "../domain/parameter_issue.ts";
import type { InvalidParameters, ParameterIssue } from "../domain/run_failure.ts";

const issuesSchema = z.array(z.object({
  path: z.array(z.union([z.string(), z.number()])),
  code: z.string(),
  message: z.string(),
}));

/** Reads the SDK's complaint about a request, which has zod's issues as its text, into words. */
export function fromSchemaError(request: JSONRPCRequest, complaint: string): InvalidParameters {
  const issues = readIssues(complaint).map(({ path, code, message }): ParameterIssue => ({
    field: path.slice(1).join("."),
    message: inWordsOfJson(message),
    type: code,
    received_value: shortenValue(valueAt(request, path)),
  }));
  const known = issues.map(({ field, message }) => `${field || "params"}: ${message}`);
  return {
    kind: "invalid_parameters",
    message: `Invalid parameters for ${request.method}: ${known.join("; ") || complaint}`,
    issues,
  };
}

/** zod's words for types are those of TypeScript. */
function inWordsOfJson(message: string): string {
  return message.replace(/^Invalid input: /, "")
    .replace(/^expected (?:record|object)\b/, "must be an object")
    .replace(/^expected (?=array\b|int\b)/, "must be an ")
    .replace(/^expected (?=\w+,)/, "must be a ");
}

function readIssues(complaint: string): z.infer<typeof issuesSchema> {
  try {
    return issuesSchema.parse(JSON.parse(complaint.slice(complaint.indexOf("["))));
  } catch {
    return [];
  }
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== "object" || inner === null) return undefined;
    return Object.getOwnPropertyDescriptor(inner, key)?.value;
  }, value);
}
