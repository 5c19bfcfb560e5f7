// 1,000,000 requests whose client leaves, half of them amid their content, through each door.
import { abort, againstServer } from "./clients.js";
import { scale, soak } from "./growth.js";

for (const door of ["native", "polyfill"]) {
  const run = (isLeaky) => (total) => againstServer(door, isLeaky, total, abort);
  await soak(`aborted requests, http.${door}.js`, 1_000_000 * scale, run(false), run(true));
}
