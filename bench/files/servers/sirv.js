import { createServer } from "node:http";
import sirv from "sirv";

/** Made for production: it looks the folder up once, and reads each file when it is asked for. */
export function start(port, root) {
  createServer(sirv(root, { etag: true })).listen(port);
}
