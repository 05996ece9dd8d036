import { join, resolve } from "node:path";
import { SetupError } from "./base_python.ts";

/**
 * Where environments and downloads are kept between runs: outside the checkout, so that neither
 * `deno fmt` nor pytest ever scans them.
 */
export function cacheDirectory(): string {
  const chosen = Deno.env.get("PYTEST_MCP_CACHE");
  if (chosen) return resolve(chosen);
  const base = userCacheDirectory();
  if (base === undefined) {
    throw new SetupError("There is no home directory: set PYTEST_MCP_CACHE to a writable one.");
  }
  return join(base, "pytest-mcp");
}

function userCacheDirectory(): string | undefined {
  if (Deno.build.os === "windows") return Deno.env.get("LOCALAPPDATA");
  const xdg = Deno.env.get("XDG_CACHE_HOME");
  if (xdg) return xdg;
  const home = Deno.env.get("HOME");
  if (!home) return undefined;
  return Deno.build.os === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
}
