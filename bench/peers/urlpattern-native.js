/** A list of URLPatterns, tried in order: what a router is without an index. */
class PatternList {
  #rows;

  constructor(entries) {
    this.#rows = entries.map(({ path, record }) => ({ pattern: new URLPattern({ pathname: path }), record }));
  }

  find(url) {
    for (const { pattern, record } of this.#rows) {
      const found = pattern.exec(url);
      if (found !== null) return { record, params: found.pathname.groups };
    }
    return null;
  }
}

/** The runtime's own: Node has it from 24 on, Bun and Deno too. */
export const router = {
  isPathOnly: true,
  isLinear: true,
  takes: "url",
  takesFirst: true,
  spell: {
    param: (name) => `:${name}`,
    optional: (name, expression) => (expression === undefined ? `:${name}?` : `:${name}(${expression})?`),
    constrained: (name, expression) => `:${name}(${expression})`,
    expression: (name, expression) => `:${name}(${expression})`,
    rest: () => ":rest(.*)",
  },
  restName: "rest",
  build: (entries) => ({ router: new PatternList(entries) }),
  find: { url: "router.find(path)", target: 'router.find("http://h" + path)', slice: 'router.find("http://h" + path)' },
  isMiss: "found === null",
  handler: "found.record.of(method)",
  param: (name) => `found.params[${JSON.stringify(name)}]`,
};
