// Where a build has what the applications are made of: the one place that knows names of entries.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Our name of each module, and its entries in `exports` of package.json. Where an entry moved, the first one counts;
 * what is in two entries now is joined.
 */
const entries = {
  native: ["./native", "."],
  polyfill: ["./modules/http.polyfill.js"],
  semantics: ["./semantics", "."],
  asyncapi: ["./asyncapi", "./openapi"],
  events: ["./content/events", "./events ./native/content"],
  files: ["./content/files", "./files ./native/content"],
  folder: ["./content/folder", "./folder"],
  lines: ["./content/lines", "./native/content"],
  mount: ["./content/mount", "./mount"],
  pages: ["./content/pages", "./native/content"],
  uploads: ["./content/uploads", "./files ./native/content"],
  sockets: ["./content/sockets", "./sockets ./native/content"],
  after: ["./after"],
  idempotency: ["./idempotency ./stores", "./idempotency"],
  sessions: ["./sessions ./stores", "./sessions"],
  webhooks: ["./webhooks"],
  mcp: ["./mcp"],
  node: ["./node"],
  openapi: ["./openapi"],
};
const middleware = [
  ...["allowed-methods", "basic", "bearer", "body-limit", "compress", "conditional", "cookies", "cors", "csrf"],
  ...["jwt", "log", "negotiate", "rate-limit", "request-id", "secure-headers", "timeout", "trace"],
];

/** Imports the modules of a build: by our names, and all middleware as `middleware`, by the names of its factories. */
export async function modulesOf(dist) {
  const root = dirname(resolve(dist));
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const imported = async (names) => {
    const found = names.map((name) => name.split(" ")).find((all) => all.every((name) => exports[name] !== undefined));
    if (found === undefined) throw new Error(`The build has no entry ${names.join(" or ")}: name it in build.js`);
    const files = found.map((name) => join(resolve(dist), exports[name].default.replace(/^\.\/dist\//, "")));
    return Object.assign({}, ...(await Promise.all(files.map((file) => import(pathToFileURL(file).href)))));
  };
  const modules = {};
  for (const [name, names] of Object.entries(entries)) modules[name] = await imported(names);
  const all = [];
  for (const name of middleware) all.push(await imported([`./middleware/${name}`, "./native/content"]));
  return { ...modules, middleware: Object.assign({}, ...all) };
}
