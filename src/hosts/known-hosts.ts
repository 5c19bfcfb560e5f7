import { unknownHost, type Host } from "../dispatch/runtime-host.ts";
import { bunHost } from "./bun-host.ts";
import { denoHost } from "./deno-host.ts";
import { nodeHost } from "./node-host.ts";
import { workersHost } from "./workers-host.ts";

export function hostOf(globals: object): Host {
  return [bunHost, denoHost, workersHost, nodeHost, unknownHost].find((host) => host.recognizes(globals))!;
}
