/**
 * Loaded before the tests by `deno task test`: the same change always gets the same cases, so that a
 * red run is the change's own. The nightly task asks for more cases, and gets new ones every night;
 * a failure prints the seed that brings it back.
 *
 * @module
 */
import fc from "fast-check";

if (Deno.env.get("PYTEST_MCP_PROPERTY_RUNS") === undefined) fc.configureGlobal({ seed: 1 });
