/**
 * Servers that see the project's files another way; bubblewrap can do that for everybody.
 *
 * @module
 */
import { join } from "node:path";
import { descendants } from "../support/process_tree.ts";
import type { RawServer } from "../support/raw_server.ts";
import { succeeds } from "../support/succeeds.ts";
import type { Campaign } from "./campaign.ts";

/** What a file system of one page holds. */
const PAGE = "4096";
const BUBBLEWRAP = ["bwrap", "--dev-bind", "/", "/"] as const;
/** Where runs of "ordinary" leave something: pytest's rootdir is the project's root. */
const CACHES = [".pytest_cache", "ordinary/__pycache__"];
/** Made by every run, and empty where there was no room for its text. */
const CACHED_IDS = ".pytest_cache/v/cache/nodeids";

/** Whether this machine lets us change mounts. */
export function bubblewrapWorks(): Promise<boolean> {
  const [program, ...args] = BUBBLEWRAP;
  return succeeds(program, [...args, "true"]);
}

/** Runs in a project on a read-only file system. */
export function readOnlyProject(campaign: Campaign): Promise<boolean> {
  const { root } = campaign.project;
  return withMounts(campaign, ["--ro-bind", root, root], async (server) => {
    const refused = write(server, join(root, "new")).includes("Read-only file system");
    await runSome(campaign, server);
    return refused;
  });
}

/** Runs in a project whose caches are on full disks. */
export function fullDirectories(campaign: Campaign): Promise<boolean> {
  const { root } = campaign.project;
  const mounts = CACHES.flatMap((path) => ["--size", PAGE, "--tmpfs", join(root, path)]);
  return withMounts(campaign, mounts, async (server) => {
    for (const path of CACHES) write(server, join(root, path, "filler"));
    await runSome(campaign, server);
    const full = CACHES.every((path) =>
      write(server, join(root, path, "new")).includes("No space left on device")
    );
    const compiled = [...Deno.readDirSync(seenBy(server, join(root, "ordinary/__pycache__")))]
      .filter(({ name }) => name.endsWith(".pyc"));
    const { size } = Deno.statSync(seenBy(server, join(root, CACHED_IDS)));
    return full && compiled.length === 0 && size === 0;
  });
}

function withMounts(
  campaign: Campaign,
  mounts: readonly string[],
  use: (server: RawServer) => Promise<boolean>,
): Promise<boolean> {
  const wrapper = [...BUBBLEWRAP, ...mounts, "--chdir", campaign.project.root, "--"];
  return campaign.withServer({ wrapper }, async (server) => {
    await server.initialize();
    return await use(server);
  });
}

async function runSome(campaign: Campaign, server: RawServer): Promise<void> {
  await campaign.run("ordinary", { server });
  await campaign.run(campaign.pickWay(), { server });
  await campaign.run("ordinary", { server });
}

/** The path by which we reach a file in the server's mounts, which bubblewrap itself, its parent, does not see. */
function seenBy(server: RawServer, path: string): string {
  return `/proc/${descendants(server.pid)[0]}/root${path}`;
}

/** Writes two pages where the server is, and tells what came of it. */
function write(server: RawServer, path: string): string {
  try {
    Deno.writeFileSync(seenBy(server, path), new Uint8Array(2 * Number(PAGE)));
    return "written";
  } catch (error) {
    return String(error);
  }
}
