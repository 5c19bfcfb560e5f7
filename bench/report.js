// Writes the figures and charts that pages cite, and all tables, from what was measured last, without measuring:
// `node bench/report.js`. In a fresh clone nothing was, and only the page is written again, from results/.
import { fillPage } from "./lib/page.js";
import { plots } from "./lib/plots.js";
import { report } from "./lib/report.js";
import { cite, citedResults, storedResults } from "./lib/results.js";

const measured = storedResults();
if (measured.length > 0) {
  cite(measured);
  report(measured);
}
plots(citedResults());
fillPage(citedResults());
