/** The adapter of our own router as it was built to a folder: of this build, or of an earlier one beside it. */
export async function ownRouterOf(folder) {
  const core = await import(new URL("core.js", folder).href);
  // The first application finds the runtime's host, which says where a path begins.
  const { Application } = await import(new URL("modules/http.native.js", folder).href);
  Application.builder().build();
  const { PathIndexBuilder, PathMatch, parsePathPattern, originEnd } = core;
  return {
    isPathOnly: true,
    // Expressions without a name are read by their number.
    isNumbered: true,
    takes: "url",
    spell: {
      param: (name) => `:${name}`,
      optional: (name, expression) => (expression === undefined ? `:${name}?` : `:${name}(${expression})?`),
      constrained: (name, expression) => `:${name}(${expression})`,
      expression: (_, expression) => `(${expression})`,
      rest: () => "*",
    },
    build(entries) {
      const builder = new PathIndexBuilder();
      for (const { path, record } of entries) builder.add(parsePathPattern(path), record);
      return { index: builder.build(), PathMatch, originEnd };
    },
    // A target in origin-form is taken as a server gives it, raw; a URL as an application takes that of a Web `Request`
    // here.
    find: {
      get url() {
        return `index.match(path, ${pathStartHere(core)})`;
      },
      target: "index.match(path, -1)",
      slice: "index.find(path)",
    },
    isMiss: "!(found instanceof PathMatch)",
    handler: "found.value.of(method)",
    param: (name) => `found.param(${JSON.stringify(name)})`,
  };
}

/**
 * How an application finds the path in the URL of a `Request`: on Node the URL parser always wrote that, on Bun it
 * takes a look at the origin to know, and on Deno nobody does (src/dispatch/input.ts).
 */
function pathStartHere({ serializedPathStart }) {
  const startOf = (url) => serializedPathStart(new Request("http://h/"), url);
  if (startOf("http://h/") < 0) return "-1";
  return startOf("http://h:99999/") < 0 ? "originEnd(path)" : 'path.indexOf("/", 8)';
}
