import { match } from "path-to-regexp";

/** One expression per route, tried in order, as frameworks around it do. */
class LinearRouter {
  #byMethod = new Map();

  add(method, path, handler) {
    if (!this.#byMethod.has(method)) this.#byMethod.set(method, []);
    this.#byMethod.get(method).push({ match: match(path), handler });
  }

  find(method, path) {
    for (const { match, handler } of this.#byMethod.get(method) ?? []) {
      const found = match(path);
      if (found !== false) return { handler, params: found.params };
    }
    return null;
  }
}

export const router = {
  isLinear: true,
  takesFirst: true,
  takes: "path",
  spell: { param: (name) => `:${name}`, optional: "expand", rest: () => "*rest" },
  restName: "rest",
  build(entries) {
    const router = new LinearRouter();
    for (const { method, path, handler } of entries) router.add(method, path, handler);
    return { router };
  },
  find: "router.find(method, path)",
  isMiss: "found === null",
  handler: "found.handler",
  param: (name, _, kind) => `found.params[${JSON.stringify(name)}]${kind === "rest" ? '.join("/")' : ""}`,
};
