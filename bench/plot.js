// Draws the plots of results/ again, and writes README.md's tables, without measuring: `node bench/plot.js`.
import { plots } from "./lib/plots.js";
import { report } from "./lib/report.js";
import { storedResults } from "./lib/results.js";

const results = storedResults();
plots(results);
report(results);
