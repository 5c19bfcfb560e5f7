import { before, dist } from "../lib/dist.js";

const chain = (name, folder = dist) => import(new URL(`modules/http.${name}.js`, folder).href);

/**
 * How many times classes were made: those of two builds must not have the same text, or the engine takes their methods
 * as one.
 */
let made = 0;

/** A resource holds all methods of a path: their handlers are methods of one class, as a user writes them. */
function applicationOf({ Application, Middleware, Resource, ResourceGroup }, routes, around = 0) {
  const byPattern = Map.groupBy?.(routes, ({ pattern }) => pattern) ?? grouped(routes);
  const texts = [...byPattern].map(([pattern, members]) => {
    const methods = members.map(({ method, prefix, source }) => `${prefix}${method}(input) { ${source} }`);
    return `class extends Resource { paths = ${JSON.stringify([pattern])};\n${methods.join("\n")}\n},`;
  });
  const source = `/* ${++made} */ return [\n${texts.join("\n")}\n];`;
  const classes = new Function("Resource", "respond", source)(Resource, routes[0].respond);
  if (around === 0) return Application.builder().resources(classes).build();
  const guard = "class extends Middleware { ALL(input) { return this.next(input); } }";
  const guards = new Function("Middleware", `/* ${++made} */ return [${Array(around).fill(guard).join(", ")}];`)(
    Middleware,
  );
  const group = ResourceGroup.builder()
    .resources(...classes)
    .middleware(...guards)
    .build();
  return Application.builder().resources(group).build();
}

function grouped(routes) {
  const groups = new Map();
  for (const route of routes) groups.set(route.pattern, [...(groups.get(route.pattern) ?? []), route]);
  return groups;
}

const app = {
  read: (name) => `input.params.pathParam(${JSON.stringify(name)})`,
  rest: (pattern) => ({ pattern, name: "0" }),
};

export const fingerpost = {
  ...app,
  create: async (routes, around) => applicationOf(await chain("native"), routes, around).handle,
};

/** What servers call: it makes responses of errors, as the `fetch` of peers does. */
export const fingerpostFetch = {
  ...app,
  create: async (routes) => applicationOf(await chain("native"), routes).fetch,
};

/** The other chain: what it is given is a context object, not a `Request`. */
export const fingerpostPolyfill = {
  ...app,
  takes: "context",
  create: async (routes) => applicationOf(await chain("polyfill"), routes).handle,
};

/** An earlier build, as `peers/fingerpost-before.js` is one. */
export const fingerpostBefore = {
  ...app,
  create: async (routes, around) => applicationOf(await chain("native", before), routes, around).handle,
};
