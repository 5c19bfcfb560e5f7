import { importTypeScript } from "../../scripts/build/import-typescript.js";
import { dist } from "./dist.js";

/**
 * Holds the build that is to be measured against the case table of the tests: a router that gives other answers is not
 * worth a clock. @returns the number of rows.
 */
export async function checkCases() {
  const { cases } = await importTypeScript("tests/cases/every-case.ts");
  const { PathIndexBuilder, PathMatch, parsePathPattern } = await import(new URL("core.js", dist).href);
  const statuses = { unmatched: 404, absent: 404, unparseable: 400, "too long": 414 };

  for (const { patterns, path, expect: expected, trailingSlash } of cases) {
    const builder = new PathIndexBuilder(trailingSlash);
    for (const pattern of patterns) builder.add(parsePathPattern(pattern), null);
    const match = builder.build().match(path, -1);
    const answer = match instanceof PathMatch ? match.source : statuses[match.problem];
    if (answer !== (typeof expected === "object" ? expected.pattern : expected)) {
      throw new Error(
        `The build answers ${path.slice(0, 80)} by ${answer}; the case table has ${JSON.stringify(expected)}`,
      );
    }
    for (const [name, value] of Object.entries(typeof expected === "object" ? expected.params : {})) {
      if (read(match, name) !== value) throw new Error(`The build reads ${name} of ${path.slice(0, 80)} wrongly`);
    }
  }
  return cases.length;
}

/** The value of a param; 400 for one that reading throws at. */
function read(match, name) {
  try {
    return match.param(name);
  } catch {
    return 400;
  }
}
