// Measures what typed frameworks and their clients cost the compiler: instantiations for each handler, and for each
// call of a client, schemas aside. `node bench/types.js` prints the table, and `--write` writes it to results/types.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "../scripts/build/install.js";
import { compilerOf, instantiations, scratchIn } from "../scripts/check/lib/type-sources.js";
import { tableOf } from "./lib/markdown.js";
import { programsOf, schemasOf, typedPeers } from "./lib/typed-peers.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "bench/types");
install(folder, "typed frameworks");

const options = new Map(process.argv.slice(2).map((option) => option.split("=")));
const sizes = (options.get("--sizes") ?? "100,300,600").split(",").map(Number);
const asked = options.get("--peers")?.split(",");
const peers = Object.entries(typedPeers).filter(
  ([name]) => asked?.some((beginning) => name.toLowerCase().startsWith(beginning)) ?? true,
);

const scratch = scratchIn(folder, {
  noUnusedLocals: false,
  paths: { fingerpost: [join(root, "src/modules/http.semantics.ts")], "fingerpost/*.js": [join(root, "src/*.ts")] },
});
const compiler = compilerOf("typescript");
const count = (text) => instantiations(text, compiler, scratch);
// What a library costs by being imported is not for each handler: two handlers are left out, too.
const few = 2;
const alone = new Map([few, ...sizes].map((handlers) => [handlers, count(schemasOf(handlers))]));

const rows = peers.map(([name, peer]) => {
  const totals = (handlers) => {
    const { server, called } = programsOf(peer, handlers);
    const declared = count(server);
    return [declared - alone.get(handlers), count(called) - declared];
  };
  const first = totals(few);
  const costs = sizes.map((handlers) => {
    try {
      const cost = totals(handlers).map((total, which) => Math.round((total - first[which]) / (handlers - few)));
      console.log(`${name}, ${handlers} handlers: ${cost[0]} each, and ${cost[1]} for each call`);
      return cost;
    } catch (error) {
      console.log(`${name}, ${handlers} handlers: ${error.message}`);
      return ["fails", "fails"];
    }
  });
  const cells = [0, 1].flatMap((which) => costs.map((cost) => cost[which].toLocaleString("en")));
  return [titleOf(name, peer), ...cells];
});

const head = ["", ...sizes.map((size) => `handler, of ${size}`), ...sizes.map((size) => `call, of ${size}`)];
const table = tableOf(head, rows);
const { version } = JSON.parse(readFileSync(join(root, "node_modules/typescript/package.json"), "utf8"));
const page = `# What types cost the compiler

Instantiations for each handler, and for each call of a typed client. Each handler has a param, a query or content, and
two statuses. The schemas are of zod, and their own cost is left out. Fewer is better. A number that rises from left to
right grows faster than the application does.

${table}

Measured by \`node bench/types.js --write\` with TypeScript ${version}. The sources are in \`bench/lib/typed-peers.js\`.
`;
console.log(`\n${table}`);
if (options.has("--write")) writeFileSync(join(root, "bench/results/types.md"), page);

function titleOf(name, { packages }) {
  const versions = packages.map((one) => {
    return JSON.parse(readFileSync(join(folder, "node_modules", one, "package.json"), "utf8")).version;
  });
  return [name, ...new Set(versions)].join(" ");
}
