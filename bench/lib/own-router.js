/** The adapter of our own router as it was built to a folder: of this build, or of an earlier one beside it. */
export async function ownRouterOf(folder) {
  const { PathIndexBuilder, PathMatch, parsePathPattern } = await import(new URL("core.js", folder).href);
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
      return { index: builder.build(), PathMatch };
    },
    // A target in origin-form is taken as a server gives it, raw; the others as the `url` of a Web `Request`.
    find: {
      url: "index.match(path, true)",
      target: "index.match(path, false)",
      slice: "index.find(path)",
    },
    isMiss: "!(found instanceof PathMatch)",
    handler: "found.value.of(method)",
    param: (name) => `found.param(${JSON.stringify(name)})`,
  };
}
