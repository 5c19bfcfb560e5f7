import { Program } from "./program.ts";
import { portOf, type Runtime } from "./runtimes.ts";

/** An example that runs. */
export interface Host {
  readonly name: string;
  readonly origin: string;
  readonly program: Program;
}

const hostsOf: Readonly<Record<Runtime["kind"], readonly string[]>> = {
  node: ["node", "srvx", "express", "fastify", "koa", "lambda", "vercel", "scale-out"],
  bun: ["bun"],
  deno: ["deno"],
  workerd: ["workers"],
};

/** The names of the examples for a runtime. */
export function hostNames({ kind }: Runtime): readonly string[] {
  return hostsOf[kind];
}

/** Starts an example as its first line says, and waits until it says where it is. */
export async function startHost(runtime: Runtime, name: string): Promise<Host> {
  if (runtime.kind === "workerd") {
    const program = new Program(
      runtime.command("suite").map((part) => part.replace("dist/suite", "dist/examples/workers")),
    );
    return { name, program, origin: `http://127.0.0.1:${await portOf(program)}` };
  }
  const file =
    name === "lambda" || name === "vercel" ? `dist/tests/runtimes/hosts.${name}.js` : `dist/examples/${name}.main.js`;
  const program = new Program([...runtime.command("suite").slice(0, -1), file], { PORT: "0", WORKERS: "2" });
  return { name, program, origin: `http:${/^\/\/[\d.]+:\d+/.exec(await program.line("http:"))?.[0]}` };
}
