// Measures what an application costs to ship: each chain with one resource, and with a group and a guard, bundled,
// minified, compressed with gzip; and what the page of 20 operations is. Decision 127 says what the limits are for. A
// raise has a row in `bench/results/sizes.md`, which names what went for it.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { z } from "zod";
import { unexplainedBounds } from "./lib/bounds.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

const peers = Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).peerDependencies);

const programs = [
  {
    name: "one resource",
    limits: { native: 19_030, polyfill: 15_710 },
    imported: "Application, Resource",
    text: "export const app = Application.builder().resources(Hello).build();",
  },
  {
    name: "a group and a guard",
    limits: { native: 22_040, polyfill: 19_100 },
    imported: "Application, Middleware, Resource, ResourceGroup",
    text: `
      class Guard extends Middleware { ALL(input) { return this.next(input); } }
      const group = ResourceGroup.builder().resources(Hello).prefix("/api").middleware(Guard).build();
      export const app = Application.builder().resources(group).build();`,
  },
];

const limits = new Map();
let isOver = false;
await measure(
  "fingerpost with one operation",
  67_850,
  `
    import { Application, Resource } from "./dist/modules/http.semantics.js";
    class Hello extends Resource {
      paths = ["/hello/:name"];
      static GET = { 204: "Nothing" };
      GET() {}
    }
    export const app = Application.builder().resources(Hello).build();`,
);
await measure(
  "a client with events",
  4_150,
  `
    import { client, clientEvents } from "./dist/client.js";
    export const api = client("/api", { events: clientEvents });`,
);
for (const [entry, name, limit] of [
  ["modules/http.native", "Application", 18_970],
  ["modules/http.polyfill", "Application", 15_660],
  ["modules/native-content", "eventStream", 5_300],
  ["client", "client", 2_860],
  ["client/query", "queryOptions", 2_230],
  ["openapi", "document", 43_860],
  ["content/files", "memory", 2_580],
  ["content/folder", "folder", 6_360],
  ["content/inbox", "Inbox", 4_190],
  ["content/sockets", "shareTopics", 7_710],
  ["content/mount", "mount", 5_660],
  ["state/after", "after", 4_590],
  ["state/idempotency", "idempotency", 22_330],
  ["state/sessions", "sessions", 16_950],
  ["state/webhooks", "verifyWebhook", 22_590],
  ["agents/mcp", "mcp", 58_420],
  ["mock", "mock", 71_370],
  ["servers/node", "serve", 20_250],
  ["servers/workers", "hibernating", 8_360],
]) {
  await measure(`import { ${name} } from ${entry}.js`, limit, `export { ${name} } from "./dist/${entry}.js";`);
}
for (const chain of ["native", "polyfill"]) {
  for (const { name, limits: most, imported, text } of programs) {
    const contents = `
      import { ${imported} } from "./dist/modules/http.${chain}.js";
      class Hello extends Resource { paths = ["/hello/:name"]; GET(input) { return input.params.pathParam("name"); } }
      ${text}`;
    await measure(`http.${chain}.js with ${name}`, most[chain], contents);
  }
}
await measurePage(30_000);
for (const wrong of unexplainedBounds(readFileSync(join(root, "bench/results/sizes.md"), "utf8"), limits)) {
  console.log(`size: ${wrong} in bench/results/sizes.md`);
  isOver = true;
}
process.exitCode = isOver ? 1 : 0;

/** Writes the page of an application that lists, adds, reads and replaces five kinds of things: 20 operations. */
async function measurePage(limit) {
  limits.set("the page of 20 operations", limit);
  const { Application, Resource } = await import("../../dist/modules/http.semantics.js");
  const { openapi } = await import("../../dist/openapi.js");
  const found = { 404: "There is none of this id" };
  const resources = ["author", "book", "loan", "reader", "shelf"].flatMap((name) => {
    const content = z.object({ name: z.string().min(1).max(200), year: z.int().optional(), tags: z.array(z.string()) });
    const thing = z.object({ id: z.int(), ...content.shape }).meta({ id: name });
    const path = z.object({ id: z.int() });
    class Things extends Resource {
      paths = [`/${name}s`];
      static tags = [name];
      static GET = {
        id: `list-${name}s`,
        summary: `Lists each ${name}`,
        query: z.object({ search: z.string().optional(), limit: z.int().min(1).max(100).default(20) }),
        200: z.array(thing),
      };
      GET() {}
      static POST = { id: `add-${name}`, summary: `Adds a ${name}`, content, 201: thing, 409: "There is one already" };
      POST() {}
    }
    class Thing extends Resource {
      paths = [`/${name}s/:id`];
      static tags = [name];
      static GET = { id: `read-${name}`, summary: `Reads a ${name}`, path, 200: thing, ...found };
      GET() {}
      static PUT = { id: `change-${name}`, summary: `Replaces a ${name}`, path, content, 200: thing, ...found };
      PUT() {}
    }
    return [Things, Thing];
  });
  const app = Application.builder()
    .resources(...resources, ...openapi({ title: "Library", version: "1.0.0" }))
    .build();
  const page = await (await app.request("/docs")).text();
  const operations = page.split("<article").length - 1;
  const bytes = Buffer.byteLength(page);
  console.log(
    `size: the page of ${operations} operations is ${bytes} bytes of at most ${limit}, ${gzipSync(page).length} ` +
      "compressed",
  );
  isOver ||= bytes > limit || operations !== 20;
}

/** Bundles a program, and holds what it is then to its limit. */
async function measure(name, limit, program) {
  limits.set(name, limit);
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    // What is imported by need, such as app.explain(), is a file of its own, and not loaded.
    splitting: true,
    outdir: root,
    metafile: true,
    external: ["node:*", ...peers],
  });
  const loaded = new Set([relative(process.cwd(), join(root, "stdin.js"))]);
  for (const file of loaded) {
    // Peers and modules of Node are not in the bundle.
    for (const { path, kind, external } of metafile.outputs[file].imports)
      if (kind === "import-statement" && !external) loaded.add(path);
  }
  const contents = outputFiles.filter(({ path }) => loaded.has(relative(process.cwd(), path)));
  const bytes = gzipSync(Buffer.concat(contents.map((file) => file.contents)), { level: 9 }).length;
  console.log(`size: ${name} is ${bytes} bytes of at most ${limit}`);
  isOver ||= bytes > limit;
}
