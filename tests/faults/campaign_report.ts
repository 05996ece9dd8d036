import type { CampaignReport, Measurement } from "./campaign.ts";

/** What a garbage collector may hold on to for a while. */
const NOISE_MEGABYTES = 40;
/** Pipes of the process that waits for the next run may be open or not. */
const NOISE_FILES = 8;
/** Fewer say nothing about growth. */
const MEANINGFUL = 6;

/** The numbers, for a person. */
export function renderReport(report: CampaignReport): string {
  const [first, last] = [report.measurements.at(0), report.measurements.at(-1)];
  return [
    "",
    `runs                ${report.runs}, of which ${report.cancelled} cancelled and ${report.killed} killed`,
    `answers expected    ${report.expected}`,
    `answers got         ${report.got}`,
    `wrong results       ${report.wrong.length}`,
    `orphans             ${report.orphans.length}`,
    `memory              ${first?.residentMegabytes} MB → ${last?.residentMegabytes} MB`,
    `open files          ${first?.openFiles} → ${last?.openFiles}`,
    ...[...report.steps].map(([name, { taken, happened }]) =>
      `happened            ${happened} of ${taken} times: ${name}`
    ),
    ...[...report.skipped].map((what) => `skipped             ${what}`),
    `measured            ${
      report.measurements.map((at) => `${at.residentMegabytes}/${at.openFiles}`).join(" ")
    }`,
  ].join("\n");
}

/** Everything that must hold and does not. */
export function judgeCampaign(report: CampaignReport): string[] {
  const { wrong, orphans, expected, got, measurements, steps } = report;
  const inert = [...steps].filter(([, { happened }]) => happened === 0);
  return [
    ...wrong.map((what) => `wrong: ${what}`),
    ...orphans.map((what) => `orphan: ${what}`),
    ...inert.map(([name, { taken }]) => `${name}: never happened, in ${taken} attempts`),
    ...(expected === got ? [] : [`${expected - got} answers are lost`]),
    ...growth(measurements, "residentMegabytes", NOISE_MEGABYTES),
    ...growth(measurements, "openFiles", NOISE_FILES),
  ];
}

/** The least of the last third against the most of the first: a garbage collector goes up and down. */
function growth(all: readonly Measurement[], what: keyof Measurement, noise: number): string[] {
  if (all.length < MEANINGFUL) return [];
  const third = Math.floor(all.length / 3);
  const before = Math.max(...all.slice(0, third).map((at) => at[what]));
  const after = Math.min(...all.slice(-third).map((at) => at[what]));
  return after <= before + noise ? [] : [`${what} grew from ${before} to ${after}`];
}
