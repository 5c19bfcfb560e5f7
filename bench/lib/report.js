import { readFileSync, writeFileSync } from "node:fs";
import { goals } from "./goals.js";
import { figure, tableOf } from "./markdown.js";
import { sectionsOf } from "./report-sections.js";

const readme = new URL("../README.md", import.meta.url);

/** Writes what was measured into README.md, between the two marks there. */
export function report(results) {
  const text = [machines(results), goalTable(results), ...sectionsOf(results)].join("\n\n");
  const whole = readFileSync(readme, "utf8");
  const before = /^[^]*<!-- results -->\n/.exec(whole)?.[0];
  const after = /\n<!-- end of results -->[^]*$/.exec(whole)?.[0];
  if (before === undefined || after === undefined) throw new Error("README.md has lost its marks");
  writeFileSync(readme, `${before}\n${text}\n${after}`);
}

function machines(results) {
  const rows = results.map(({ runtime, version, machine, date, processes }) => {
    return [runtime, version, machine, date, String(processes)];
  });
  return `### Machine\n\n${tableOf(["runtime", "version", "machine", "measured", "processes a figure"], rows)}`;
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
  return `### Goals\n\n${note}\n\n${tableOf(["goal", "limit", ...names, "command"], rows)}`;
}
