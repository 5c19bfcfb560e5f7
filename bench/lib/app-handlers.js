import { segmentsOf } from "./pattern.js";

/** A handler as a user writes it, made from source text so that no two share what the engine learns. */
export function handlerOf({ prefix, source, respond }) {
  return new Function("respond", `return ${prefix}(input) => { ${source} };`)(respond);
}

/** The routes of an application: each handler reads one param, if its pattern has any, and responds. */
export function appRoutesOf(app, routes, respond, isAsync = false) {
  const prefix = isAsync ? "async " : "";
  return routes.map(({ method, pattern }) => {
    const spelled = pattern.endsWith("*")
      ? app.rest(pattern)
      : { pattern, name: segmentsOf(pattern).find(({ name }) => name)?.name };
    const value = spelled.name === undefined ? '""' : app.read(spelled.name);
    return { method, pattern: spelled.pattern, respond, prefix, source: `return respond(${value});` };
  });
}
