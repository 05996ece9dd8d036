import {
  type CompleteRequest,
  type CompleteResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { parseDiscoverParams } from "../domain/discover_params.ts";
import { discoverTests } from "../domain/discover_tests.ts";
import { checkPath } from "../domain/project_path.ts";
import { audited } from "./audited.ts";
import { findPrompt } from "./prompts.ts";
import type { Connection } from "./serve_options.ts";
import { track } from "./track.ts";

/** The protocol's limit for one answer. */
const MAX_VALUES = 100;

/** Room for every test of one file: what a page of discover_tests would cut must not be missing here. */
const WHOLE_FILE_CHARS = 10_000_000;

/** Answers `completion/complete` for the arguments `path` and `node_id` of the prompts. */
export async function complete(
  request: CompleteRequest,
  context: ServerContext,
  connection: Connection,
): Promise<CompleteResult> {
  const { ref, argument } = request.params;
  if (ref.type !== "ref/prompt") {
    const detail = "Only arguments of prompts can be completed: resources here have none";
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { detail });
  }
  const prompt = findPrompt(ref.name);
  if (!prompt.arguments.some(({ name }) => name === argument.name)) return toResult([]);
  switch (argument.name) {
    case "path":
      return toResult(await completePath(argument.value, connection));
    case "node_id":
      return toResult(await completeNodeId(argument.value, context, connection));
    default:
      return toResult([]);
  }
}

function toResult(values: readonly string[]): CompleteResult {
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
}

/** Directories and Python files that begin with what was typed. */
function completePath(typed: string, { files }: Connection): string[] {
  const slash = typed.lastIndexOf("/") + 1;
  const [directory, prefix] = [typed.slice(0, slash), typed.slice(slash)];
  if (directory !== "" && !checkPath(directory, files).ok) return [];
  const entries = files.list(directory.replace(/\/$/, ""));
  return entries
    .filter(({ name, isDirectory }) => isDirectory || name.endsWith(".py"))
    .filter(({ name }) => name.startsWith(prefix) && !isHidden(name, prefix))
    .map(({ name, isDirectory }) => `${directory}${name}${isDirectory ? "/" : ""}`)
    .sort();
}

function isHidden(name: string, prefix: string): boolean {
  return name === "__pycache__" || (name.startsWith(".") && !prefix.startsWith("."));
}

/** Paths up to a file, then the tests of that file: only one file is imported for it. */
async function completeNodeId(
  typed: string,
  context: ServerContext,
  connection: Connection,
): Promise<string[]> {
  const file = /^(.*?\.py)(::?|$)/.exec(typed)?.[1];
  if (file === undefined) return await completePath(typed, connection);
  const options = {
    files: connection.files,
    settings: { ...connection.settings, maxResponseChars: WHOLE_FILE_CHARS },
  };
  const params = parseDiscoverParams({ path: file }, options);
  if (!params.ok) return [];
  const call = { tool: "completion/complete", parameters: { path: file } };
  const outcome = await track(
    connection,
    context,
    (signal) =>
      audited(
        call,
        connection,
        (runner) => discoverTests(params.result, { ...options, runner, signal }),
      ),
  );
  if (!outcome.ok) return [];
  return outcome.result.tests
    .map(({ node_id }) => node_id.replace(/^.*?(?=::|$)/, () => file))
    .filter((id) => id.startsWith(typed));
}
