// 1,000,000 requests over sockets, through each chain.
import { againstServer, request } from "./clients.js";
import { scale, soak } from "./growth.js";

for (const chain of ["native", "polyfill"]) {
  const run = (isLeaky) => (total) => againstServer(chain, isLeaky, total, request);
  await soak(`requests over sockets, http.${chain}.js`, 1_000_000 * scale, run(false), run(true));
}
