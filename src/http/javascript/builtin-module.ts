import { propertyOf } from "./property.ts";

export interface ModuleHost {
  readonly process?: { getBuiltinModule?(name: string): unknown };
}

/**
 * Returns a module of Node, without an import that other runtimes could not resolve. Returns `undefined` if there is
 * none.
 */
export function builtinModule(name: `node:${string}`, host: ModuleHost = globalThis as ModuleHost): unknown {
  const process = propertyOf(host, "process");
  const getBuiltinModule = process === undefined ? undefined : propertyOf(process, "getBuiltinModule");
  return getBuiltinModule?.call(process, name);
}
