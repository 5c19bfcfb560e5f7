import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Input } from "../core/input.ts";
import type { Decision, ResourceModel } from "../core/inspect.ts";
import { described } from "../http/described.ts";
import type { TrailingSlash } from "../routing/path-index-builder.ts";

/** What a tool uses of an application: of whichever copy of the package, it is told by its members. */
export interface LoadedApplication {
  readonly resources: readonly ResourceModel[];
  readonly trailingSlash: TrailingSlash;
  match(input: Input): Decision;
}

/** Says that a module exports nothing that could be used. */
export class ModuleError extends Error {}

/**
 * Imports a module and finds the application in it: the export of a name, or else the only export that is one.
 *
 * @throws {ModuleError} when there is no such module or application in it, or more than one and no name.
 */
export async function applicationOf(module: string, exportName: string | null): Promise<LoadedApplication> {
  const exported = (await import(addressOf(module))) as Readonly<Record<string, unknown>>;
  if (exportName !== null) {
    const found = exported[exportName];
    if (isApplication(found)) return found;
    throw new ModuleError(
      `Cannot use ${module}: expected "${exportName}" to be an application, got ${described(found)}`,
    );
  }
  const found = [...new Set(Object.values(exported).filter(isApplication))];
  if (found.length === 1) return found[0]!;
  const names = Object.keys(exported).filter((name) => isApplication(exported[name]));
  throw new ModuleError(
    found.length === 0
      ? `Cannot use ${module}: expected an export that is an application, such as Application.builder().build()`
      : `Cannot use ${module}: expected one application, got ${names.join(", ")}; choose by --export`,
  );
}

/** A file by its path from the working directory or its URL, or a package by its name as seen from there. */
function addressOf(module: string): string {
  const file = fileOf(module);
  if (file === null || !existsSync(file)) {
    throw new ModuleError(`Cannot use ${module}: there is no such file, and no package that can be resolved from here`);
  }
  if (statSync(file).isDirectory()) {
    throw new ModuleError(`Cannot use ${module}: it is a directory; name the file that exports the application`);
  }
  return pathToFileURL(file).href;
}

function fileOf(module: string): string | null {
  const file = resolve(module);
  if (existsSync(file)) return file;
  try {
    return module.startsWith("file:") ? fileURLToPath(module) : createRequire(resolve("fingerpost")).resolve(module);
  } catch {
    return null;
  }
}

function isApplication(value: unknown): value is LoadedApplication {
  if (typeof value !== "object" || value === null) return false;
  const { resources, match } = value as { resources?: unknown; match?: unknown };
  return Array.isArray(resources) && typeof match === "function";
}
