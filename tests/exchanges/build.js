// Where a build has what the applications are made of: the one place that knows names of entries.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Our name of each module, and its entry in `exports` of package.json. Where an entry moved, the first one counts. */
const entries = {
  native: ["."],
  polyfill: ["./modules/http.polyfill.js"],
  semantics: ["./semantics"],
  asyncapi: ["./asyncapi"],
  events: ["./content/events"],
  files: ["./content/files"],
  folder: ["./content/folder"],
  lines: ["./content/lines"],
  mount: ["./content/mount"],
  pages: ["./content/pages"],
  uploads: ["./content/uploads"],
  sockets: ["./content/sockets"],
  after: ["./after"],
  idempotency: ["./idempotency"],
  sessions: ["./sessions"],
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
    const target = names.map((name) => exports[name]?.default).find((one) => one !== undefined);
    if (target === undefined) throw new Error(`The build has no entry ${names.join(" or ")}: name it in build.js`);
    return import(pathToFileURL(join(resolve(dist), target.replace(/^\.\/dist\//, ""))).href);
  };
  const modules = {};
  for (const [name, names] of Object.entries(entries)) modules[name] = await imported(names);
  const all = [];
  for (const name of middleware) all.push(await imported([`./middleware/${name}`]));
  return { ...modules, middleware: Object.assign({}, ...all) };
}
