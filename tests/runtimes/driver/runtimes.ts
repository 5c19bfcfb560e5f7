import type { Program } from "./program.ts";

/**
 * What is run on a runtime: test files, servers to ask, on Workers with the modules of Node as well, the decision
 * table, the applications with tools of agents, WebSockets, on Workers in a Durable Object as well, and in one that
 * hibernates, or stores in Durable Objects and D1.
 */
export type Task =
  | "globals"
  | "suite"
  | "servers"
  | "servers-compat"
  | "decisions"
  | "agents"
  | "sockets"
  | "sockets-object"
  | "hibernation"
  | "stores";

/** A runtime that the package has to run on. */
export interface Runtime {
  readonly name: string;
  readonly kind: "node" | "bun" | "deno" | "workerd";
  command(task: Task): readonly string[];
  version(): readonly string[];
}

export const runtimes: readonly Runtime[] = [
  node(20),
  node(22),
  node(24),
  node(26),
  {
    name: "Bun",
    kind: "bun",
    command: (task) => ["node_modules/bun/bin/bun.exe", fileOf(task, "bun")],
    version: () => ["node_modules/bun/bin/bun.exe", "--version"],
  },
  {
    name: "Deno",
    kind: "deno",
    command: (task) => [
      ...["node_modules/deno/deno", "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"],
      ...["--v8-flags=--expose-gc", fileOf(task, "deno")],
    ],
    version: () => ["node_modules/deno/deno", "--version"],
  },
  {
    name: "workerd",
    kind: "workerd",
    command: (task) => [
      "node_modules/workerd/bin/workerd",
      "serve",
      `dist/${task}.capnp`,
      "--control-fd=3",
      ...flagsOf(task),
    ],
    version: () => ["node_modules/workerd/bin/workerd", "--version"],
  },
];

function node(major: number): Runtime {
  const binary = `node_modules/node${major}/bin/node`;
  return {
    name: `Node ${major}`,
    kind: "node",
    command: (task) => [binary, "--expose-gc", fileOf(task, "node")],
    version: () => [binary, "--version"],
  };
}

/** A worker behind D1 comes with `workerd`, as an experiment of it. */
function flagsOf(task: Task): readonly string[] {
  return task === "stores" ? ["--experimental"] : [];
}

function fileOf(task: Task, kind: string): string {
  if (task === "servers") return `dist/servers.${kind}.js`;
  if (task === "sockets") return `dist/servers.sockets.${kind}.js`;
  if (task === "decisions" || task === "agents") return `dist/servers.${task}.js`;
  return kind === "node" ? `dist/${task}.js` : `dist/${task}.web.js`;
}

/** The port at which a program of `workerd` listens. */
export async function portOf(program: Program): Promise<number> {
  const event = await program.line('{"event":"listen"');
  return Number(/"port":(\d+)/.exec(event)?.[1]);
}
