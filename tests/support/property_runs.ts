/**
 * How many generated cases a property gets: PYTEST_MCP_PROPERTY_RUNS, which the nightly task sets, or
 * few enough for every run of the tests.
 */
export const PROPERTY_RUNS: number = Number(Deno.env.get("PYTEST_MCP_PROPERTY_RUNS") ?? 5_000);
