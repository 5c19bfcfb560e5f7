// 1,000,000 requests over sockets, through each door.
import { againstServer, request } from "./clients.js";
import { scale, soak } from "./growth.js";

for (const door of ["native", "polyfill"]) {
  const run = (isLeaky) => (total) => againstServer(door, isLeaky, total, request);
  await soak(`requests over sockets, http.${door}.js`, 1_000_000 * scale, run(false), run(true));
}
