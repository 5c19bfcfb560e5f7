// Measures how long `document()` takes for 600 operations, and fails where it is too long: `node bench/document.js`
// after `npm run build`.
import { z } from "zod";
import { dist } from "./lib/dist.js";
import { median } from "./lib/sampling.js";

const { Application, Resource } = await import(new URL("modules/http.semantics.js", dist).href);
const { document } = await import(new URL("openapi.js", dist).href);

const author = z.object({ name: z.string() }).meta({ id: "Author" });
/** Schemas are made anew for each run: libraries keep what they have converted. */
function applicationOf(operations) {
  const classes = Array.from({ length: operations / 2 }, (_, n) => {
    const thing = z.object({ id: z.string(), n: z.int().default(0), author });
    const Thing = class extends Resource {
      paths = [`/things${n}/:id`];
      static GET = { query: z.object({ limit: z.int().optional(), q: z.string() }), 200: z.array(thing), 404: "None" };
      GET = () => [];
      static PUT = { content: thing, 200: thing, 409: z.object({ taken: z.boolean() }) };
      PUT = () => null;
    };
    return Object.defineProperty(Thing, "name", { value: `Thing${n}` });
  });
  return Application.builder()
    .resources(...classes)
    .build();
}

const operations = 600;
/**
 * What a document may take, whatever else the machine does: processor time, the least of all runs. Each schema is
 * converted for it, once.
 */
const limitMs = 300;

const runs = Array.from({ length: 15 }, () => {
  const app = applicationOf(operations);
  const [start, used] = [performance.now(), process.cpuUsage()];
  document(app, { title: "Things", version: "1" });
  const { user, system } = process.cpuUsage(used);
  return { elapsed: performance.now() - start, processor: (user + system) / 1000 };
});
for (const kind of ["elapsed", "processor"]) {
  const taken = runs.map((run) => run[kind]);
  const [first, least, middle] = [taken[0], Math.min(...taken), median(taken)].map((ms) => ms.toFixed(0));
  console.log(
    `${operations} operations, ${kind} time: first ${first} ms, least ${least} ms, median ${middle} ms of ` +
      `${taken.length}`,
  );
}
if (Math.min(...runs.map(({ processor }) => processor)) > limitMs) {
  console.log(`That is more than ${limitMs} ms`);
  process.exitCode = 1;
}
