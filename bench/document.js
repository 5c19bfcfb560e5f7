// Measures how long `document()` takes for 600 operations: `node bench/document.js` after `npm run build`; see docs/openapi.md.
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
const taken = Array.from({ length: 15 }, () => {
  const app = applicationOf(operations);
  const start = performance.now();
  document(app, { title: "Things", version: "1" });
  return performance.now() - start;
});
const [first] = taken;
const shown = [first, Math.min(...taken), median(taken)].map((ms) => ms.toFixed(0));
console.log(
  `${operations} operations: first ${shown[0]} ms, least ${shown[1]} ms, median ${shown[2]} ms of ${taken.length}`,
);
