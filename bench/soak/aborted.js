// 1,000,000 requests whose client leaves, half of them amid their content, through each chain.
import { abort, againstServer } from "./clients.js";
import { scale, soak } from "./growth.js";

for (const chain of ["native", "polyfill"]) {
  const run = (isLeaky) => (total) => againstServer(chain, isLeaky, total, abort);
  await soak(`aborted requests, http.${chain}.js`, 1_000_000 * scale, run(false), run(true));
}
