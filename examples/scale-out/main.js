// The quickstart in as many processes as there are cores, behind one port: npm run build, then node
// examples/scale-out/main.js
import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { serve } from "fingerpost/node";

const { PORT = "3000", WORKERS = String(availableParallelism()) } = process.env;

if (cluster.isPrimary) {
  let isStopping = false;
  const stop = () => {
    isStopping = true;
    for (const worker of Object.values(cluster.workers)) worker.process.kill("SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, stop);
  // A process that ends by itself is replaced; what it was doing is lost, and nothing else.
  cluster.on("exit", () => isStopping || cluster.fork());
  const listening = Array.from(
    { length: Number(WORKERS) },
    () => new Promise((resolve) => cluster.fork().once("listening", resolve)),
  );
  const [{ port }] = await Promise.all(listening);
  console.log(`http://127.0.0.1:${port}/books, from ${WORKERS} processes`);
} else {
  const { application } = await import("../quickstart/dist/polyfill/application.js");
  const stop = new AbortController();
  const server = await serve(application, { port: Number(PORT), hostname: "127.0.0.1", signal: stop.signal });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  server.once("close", () => process.exit());
  server.prependListener("request", (_request, response) => response.setHeader("x-process", process.pid));
}
