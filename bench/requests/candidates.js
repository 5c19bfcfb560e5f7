const node = ["node"];
const all = ["node", "bun", "deno"];
const others = ["bun", "deno"];
const rpc = {
  R5: "answers text as JSON",
  "R6 422": "its errors are application/json",
  R7: "serves no files of its own",
};

/** What only some are asked for. */
const onlyOf = {
  "in-process": [
    "fingerpost semantics",
    "fingerpost native",
    "fingerpost native, platform's Response",
    "hono, zod",
    "hono, zod, own server",
    "h3 on srvx",
    "elysia",
  ],
  cold: ["fingerpost semantics", "fastify", "hono, zod", "hono, zod, own server", "elysia"],
  idle: ["fingerpost semantics", "fastify"],
  memory: ["fingerpost semantics", "fastify", "hono, zod", "elysia"],
};

/**
 * By name: the server, what it is started with, where it is measured, and the rows that it cannot serve equally, with
 * the reason.
 */
const candidates = {
  "fingerpost semantics": { file: "fingerpost", args: ["semantics"], on: all },
  // By itself: node bench/requests/kernel-less.js "fingerpost semantics, two scopes" R4
  "fingerpost semantics, two scopes": { file: "fingerpost", args: ["semantics", "scopes"], on: [] },
  "fingerpost native": { file: "fingerpost", args: ["native", "own"], on: node },
  "fingerpost native, platform's Response": { file: "fingerpost", args: ["native", "platform"], on: all },
  "fingerpost polyfill": {
    file: "fingerpost",
    args: ["polyfill"],
    on: node,
    without: { R7: "files are answered by a Response" },
  },
  "node:http": { file: "node-http", on: node },
  fastify: { file: "fastify", on: node },
  "hono, zod": { file: "hono-node", on: node },
  "hono, zod, own server": { file: "hono-fetch", on: others },
  "h3 on srvx": { file: "h3", on: all },
  elysia: { file: "elysia", on: ["node", "bun"] },
  express: { file: "express", on: node },
  "nest on fastify": { file: "nest", on: node },
  orpc: { file: "orpc", on: node, without: rpc },
  trpc: { file: "trpc", on: node, without: { ...rpc, "R6 404": "its errors are application/json" } },
};

/** Those that are measured on a runtime, ours first. */
export function candidatesOn(label, measure) {
  const kind = label.split("-")[0];
  const only = onlyOf[measure];
  const names = Object.keys(candidates).filter((name) => candidates[name].on.includes(kind));
  return names.filter((name) => only === undefined || only.includes(name)).map(candidateOf);
}

export function candidateOf(name) {
  const candidate = candidates[name];
  if (candidate === undefined)
    throw new Error(`There is no candidate "${name}": there are ${Object.keys(candidates).join(", ")}`);
  const { file, args = [], without = {} } = candidate;
  return { name, file, args, without };
}
