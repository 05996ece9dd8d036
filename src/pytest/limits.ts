/** What the tests may use, each process of theirs for itself. */
export interface Limits {
  readonly memoryMegabytes?: number | undefined;
  /** started by the tests, at the same time */
  readonly processes?: number | undefined;
  readonly cpuSeconds?: number | undefined;
}

/** The limits in the units of the operating system; empty: none. */
export function toBootLimits(
  { memoryMegabytes, processes, cpuSeconds }: Limits,
): Record<string, number> {
  return {
    ...(memoryMegabytes === undefined ? {} : { memory_bytes: memoryMegabytes * 2 ** 20 }),
    ...(processes === undefined ? {} : { processes }),
    ...(cpuSeconds === undefined ? {} : { cpu_seconds: cpuSeconds }),
  };
}

/** Why a limit would not hold on this system. */
export function whyNoLimits(limits: Limits, os: string): string | null {
  const asked = Object.values(toBootLimits(limits)).length > 0;
  if (asked && os === "windows") {
    return "--max-memory, --max-processes and --max-cpu-seconds do not exist on Windows";
  }
  if (limits.memoryMegabytes !== undefined && os === "darwin") {
    return "macOS does not hold a process to --max-memory";
  }
  return null;
}
