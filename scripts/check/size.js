// Measures what an application costs to ship: each chain with one resource, bundled, minified, compressed with gzip.
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const limit = 12.75 * 1024;
const root = fileURLToPath(new URL("../..", import.meta.url));

let isOver = false;
for (const chain of ["native", "polyfill"]) {
  const contents = `
    import { Application, Resource } from "./dist/modules/http.${chain}.js";
    class Hello extends Resource { paths = ["/hello/:name"]; GET(input) { return input.params.pathParam("name"); } }
    export const app = Application.builder().resources(Hello).build();`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length;
  console.log(`size: http.${chain}.js with one resource is ${bytes} bytes of at most ${limit}`);
  isOver ||= bytes > limit;
}
process.exitCode = isOver ? 1 : 0;
