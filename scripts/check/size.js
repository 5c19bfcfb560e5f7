// Measures what an application costs to ship: each chain with one resource, and with a group and a guard, bundled, minified,
// compressed with gzip. Decision 069 says what the limits are made of.
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

const programs = [
  {
    name: "one resource",
    limit: 14_400,
    imported: "Application, Resource",
    text: "export const app = Application.builder().resources(Hello).build();",
  },
  {
    name: "a group and a guard",
    limit: 15_900,
    imported: "Application, Middleware, Resource, ResourceGroup",
    text: `
      class Guard extends Middleware { ALL(input) { return this.next(input); } }
      const group = ResourceGroup.builder().resources(Hello).prefix("/api").middleware(Guard).build();
      export const app = Application.builder().resources(group).build();`,
  },
];

let isOver = false;
await measure(
  "http.semantics.js with one operation",
  34_000,
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
  "client.js",
  1_620,
  `
    import { client } from "./dist/client.js";
    export const api = client("/api");`,
);
for (const chain of ["native", "polyfill"]) {
  for (const { name, limit, imported, text } of programs) {
    const contents = `
      import { ${imported} } from "./dist/modules/http.${chain}.js";
      class Hello extends Resource { paths = ["/hello/:name"]; GET(input) { return input.params.pathParam("name"); } }
      ${text}`;
    await measure(`http.${chain}.js with ${name}`, limit, contents);
  }
}
process.exitCode = isOver ? 1 : 0;

/** Bundles a program, and holds what it is then to its limit. */
async function measure(name, limit, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  console.log(`size: ${name} is ${bytes} bytes of at most ${limit}`);
  isOver ||= bytes > limit;
}
