import {
  type ListResourcesResult,
  ProtocolError,
  type ReadResourceRequest,
  type ReadResourceResult,
  type Resource,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { inspectEnvironment, inspectFixtures, inspectMarkers } from "../domain/inspect_project.ts";
import type { Outcome } from "../domain/run_failure.ts";
import type { UseCaseContext } from "../domain/use_case.ts";
import { audited } from "./audited.ts";
import { unknownName } from "./known_methods.ts";
import type { Connection } from "./serve_options.ts";
import { toMcpError } from "./to_mcp_error.ts";
import { track } from "./track.ts";

interface ProjectResource extends Resource {
  readonly read: (context: UseCaseContext) => Promise<Outcome<object>>;
}

const RESOURCES: readonly ProjectResource[] = [
  {
    uri: "pytest://environment",
    name: "environment",
    title: "Test environment",
    description:
      "Which Python runs the tests and why, versions of Python and pytest, rootdir, ini file, plugins",
    mimeType: "application/json",
    read: inspectEnvironment,
  },
  {
    uri: "pytest://markers",
    name: "markers",
    title: "Markers",
    description: "Registered markers with their descriptions, for the markers parameter",
    mimeType: "application/json",
    read: inspectMarkers,
  },
  {
    uri: "pytest://fixtures",
    name: "fixtures",
    title: "Fixtures",
    description:
      "Fixtures that tests can use, the project's own first, with scope, file and docstring. " +
      "Imports the test modules",
    mimeType: "application/json",
    read: inspectFixtures,
  },
];

/** Answers `resources/list`. */
export function listResources(): ListResourcesResult {
  return { resources: RESOURCES.map(({ read: _, ...resource }) => resource) };
}

/** Answers `resources/read`: asks the project's pytest each time. */
export async function readResource(
  request: ReadResourceRequest,
  context: ServerContext,
  connection: Connection,
): Promise<ReadResourceResult> {
  const { uri } = request.params;
  const resource = RESOURCES.find((resource) => resource.uri === uri);
  if (resource === undefined) {
    const known = RESOURCES.map((resource) => resource.uri);
    const { code, message } = unknownName("resource", uri, known);
    throw new ProtocolError(code, message, { detail: message, uri, known_resources: known });
  }
  const { files, settings } = connection;
  const call = { tool: uri, parameters: {} };
  const outcome = await track(
    connection,
    context,
    (signal) =>
      audited(call, connection, (runner) => resource.read({ runner, files, settings, signal })),
  );
  if (!outcome.ok) throw toMcpError(outcome.failure);
  return {
    contents: [{ uri, mimeType: "application/json", text: JSON.stringify(outcome.result) }],
  };
}
