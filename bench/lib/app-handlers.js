import { segmentsOf } from "./pattern.js";

/**
 * Routes with their handlers as a user writes them, made from source text, all of it at once: no two share what the
 * engine learns, and a process that starts compiles one text for each framework.
 */
export function withHandlers(routes) {
  const functions = routes.map(({ prefix, source }) => `${prefix}(input) => { ${source} },`);
  const handlers = new Function("respond", `return [\n${functions.join("\n")}\n];`)(routes[0].respond);
  return routes.map((route, at) => ({ ...route, handler: handlers[at] }));
}

/**
 * The routes of an application: each handler reads one param, if its pattern has any, and responds.
 *
 * The response is returned by its name: Elysia takes `return respond(value)` for what may be a Promise, by its text,
 * and waits for it.
 */
export function appRoutesOf(app, routes, respond, isAsync = false) {
  const prefix = isAsync ? "async " : "";
  return routes.map(({ method, pattern }) => {
    const spelled = pattern.endsWith("*")
      ? app.rest(pattern)
      : { pattern, name: segmentsOf(pattern).find(({ name }) => name)?.name };
    const value = spelled.name === undefined ? '""' : app.read(spelled.name);
    const source = `const response = respond(${value}); return response;`;
    return { method, pattern: spelled.pattern, respond, prefix, source };
  });
}
