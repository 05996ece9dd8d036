/**
 * Runs of only those tests that changes can affect, as a runner around a runner: it finds out which these
 * are, says so, and passes on a narrower request.
 *
 * @module
 */
import { narrowRequest } from "../domain/pytest_args.ts";
import { type RelatedTests, relatedTestsSchema } from "../domain/pytest_event.ts";
import type { ChangedLines, PytestRequest, PytestRunner } from "../domain/pytest_runner.ts";
import type { Reply } from "./ask_python.ts";
import type { GitChanges, LostEffects } from "./git_changes.ts";

/** Who knows what. */
export interface RelatedSources {
  findGitChanges(
    options: { signal: AbortSignal; timeoutSeconds: number; advice?: string },
  ): Promise<GitChanges>;
  /** asks the symbol graph of the project, in an interpreter that fits the request */
  askRelated(
    question: RelatedQuestion,
    options: { request: PytestRequest; signal: AbortSignal },
  ): Promise<Reply>;
}

/** The request of `related.py`. */
export interface RelatedQuestion {
  readonly changed: ChangedLines;
  readonly lost: LostEffects;
  readonly test_files?: readonly string[];
  readonly test_paths?: readonly string[];
}

/** Narrows the runs of a runner; what asks for nothing related goes straight through. */
export function narrowRuns(runner: PytestRunner, sources: RelatedSources): PytestRunner {
  return {
    async *run(request, options) {
      const { related, session: { coverage } } = request;
      if (related === null && !coverage?.changedOnly) return yield* runner.run(request, options);
      let changed: ChangedLines = {};
      let losing: LostEffects = {};
      if (related?.git || coverage?.changedOnly) {
        const advice = related === null ? { advice: "leave changed_only out" } : {};
        const { timeoutSeconds } = request;
        const git = await sources.findGitChanges({ ...options, timeoutSeconds, ...advice });
        if (options.signal.aborted) return yield { event: "cancelled" };
        if ("problem" in git) {
          const parameter = related?.git ? "changed" : "coverage.changed_only";
          return yield { event: "refused", message: `${parameter}: ${git.problem}` };
        }
        ({ changes: changed, losing } = git);
      }
      const measured = coverage?.changedOnly
        ? { ...request, session: { ...request.session, coverage: { ...coverage, changed } } }
        : request;
      if (related === null) return yield* runner.run(measured, options);
      const asked = {
        ...(related.git ? { ...changed, ...wholeFiles(Object.keys(losing)) } : {}),
        ...wholeFiles(related.paths),
      };
      const found = await findRelated({ changed: asked, lost: related.git ? losing : {} }, {
        request,
        sources,
        signal: options.signal,
      });
      if (options.signal.aborted) return yield { event: "cancelled" };
      if (typeof found === "string") return yield { event: "refused", message: found };
      yield { event: "selection", ...found };
      const narrowed = narrowRequest(measured, found);
      if (narrowed === null) return;
      const { args, select, targets } = narrowed;
      for await (const event of runner.run(narrowed, options)) {
        yield event.event === "process_start"
          ? { ...event, narrowed: { args, select, targets } }
          : event;
      }
    },
  };
}

function wholeFiles(paths: readonly string[]): ChangedLines {
  return Object.fromEntries(paths.map((path) => [path, null]));
}

async function findRelated(
  { changed, lost }: { changed: ChangedLines; lost: LostEffects },
  { request, sources, signal }: {
    request: PytestRequest;
    sources: RelatedSources;
    signal: AbortSignal;
  },
): Promise<RelatedTests | string> {
  if (Object.keys(changed).length === 0) {
    const notes = ["git shows no change below the root since HEAD"];
    return { files: [], total: null, everything: false, why: "", notes };
  }
  const pattern = request.related?.pattern ?? null;
  const question: RelatedQuestion = {
    changed,
    lost,
    ...(pattern === null ? {} : { test_files: [pattern] }),
    ...(request.targets.length === 0 ? {} : { test_paths: request.targets }),
  };
  const reply = await sources.askRelated(question, { request, signal });
  if ("answer" in reply) return relatedTestsSchema.parse(reply.answer);
  return `The related tests cannot be found: ${reply.problem}. Name tests with node_ids or path instead.`;
}
