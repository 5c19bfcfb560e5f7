import { writeFileSync } from "node:fs";
import { goals } from "./goals.js";
import { figure, tableOf } from "./markdown.js";
import { plan } from "./plan.js";
import { sectionsOf } from "./report-sections.js";

const intro = `# Goals, and where peers are ahead

Written by \`node bench/report.js\` from what was measured. [Benchmarks](../../docs/benchmarks.md) has what these come
to, and how to read them. A run writes each row of each table into \`bench/measured/tables.md\`.`;

/** Writes goals and losses into results/tables.md, and all that was measured in this clone beside the measurements. */
export function report(results) {
  const [ahead = "", ...all] = sectionsOf(results);
  const summary = [intro, machines(results), measurings(results), goalTable(results), ahead];
  write("../results/tables.md", summary);
  write("../measured/tables.md", ["# Tables of all benchmarks", ...all]);
}

function write(path, parts) {
  writeFileSync(new URL(path, import.meta.url), `${parts.join("\n\n")}\n`);
}

/** Which sections were measured on which machine: goals are ratios within one run, and so within one machine. */
function machines(results) {
  const rows = results.flatMap(({ runtime, version, measured }) => {
    const sections = new Map();
    for (const section of Object.keys(plan).filter((name) => name in measured)) {
      const { machine } = measured[section];
      sections.set(machine, [...(sections.get(machine) ?? []), section]);
    }
    return [...sections].map(([machine, names]) => [runtime, version, machine, names.join(", ")]);
  });
  return `## Machines\n\n${tableOf(["runtime", "version", "machine", "sections"], rows)}`;
}

/** When each section was measured, and by how many processes a figure. */
function measurings(results) {
  const rows = Object.keys(plan).map((section) => {
    const cells = results.map(({ measured: { [section]: how } }) => (how ? `${how.date}, ${how.processes}` : ""));
    return [section, ...cells];
  });
  const names = results.map(({ runtime }) => runtime);
  return `## Measured on, by how many processes a figure\n\n${tableOf(["section", ...names], rows)}`;
}

/** The goals with what was measured; what is missed is in bold, with the limit it misses. */
function goalTable(results) {
  const rows = goals.map(({ id, what, sign, limit, isMet, command, read }) => {
    const cells = results.map((result) => {
      const value = read(result);
      if (Number.isNaN(value)) return "";
      return isMet(value, limit(result.runtime)) ? figure(value) : `**${figure(value)}**`;
    });
    const limits = [...new Set(results.map(({ runtime }) => limit(runtime)))].join(" / ");
    return [`${id}: ${what}`, `${sign} ${limits}`, ...cells, `\`${command}\``];
  });
  const note = "What is missed is in bold. The commands are run by a runtime in `bench/`.";
  const names = results.map(({ runtime }) => runtime);
  return `## Goals\n\n${note}\n\n${tableOf(["goal", "limit", ...names, "command"], rows)}`;
}
