import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { types } from "node:util";
import type { Dispatcher } from "../dispatch/dispatcher.ts";
import type { Input } from "../dispatch/input.ts";
import type { Decision, ResourceModel } from "../application/application-model.ts";
import { described } from "../http/javascript/described.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";

/**
 * The members of an application that a tool uses. An application of any copy of the package is recognized by its
 * members.
 */
export interface LoadedApplication {
  readonly resources: readonly ResourceModel[];
  readonly trailingSlash: TrailingSlash;
  match(input: Input): Decision;
  /** Absent in older versions. */
  readonly dispatcher?: Dispatcher;
  /** Applications of the semantics module have this method. */
  explain?(request: Request, options: { readonly run: boolean }): Promise<Asked>;
}

/** The answer of an application of the semantics module about a request. */
interface Asked {
  readonly questions: readonly AskedQuestion[];
  readonly middleware: readonly string[];
  readonly status: number | null;
}

export interface AskedQuestion {
  readonly step: number;
  readonly question: string;
  readonly finding: string;
}

/** Says that a module exports nothing that can be used. */
export class ModuleError extends Error {}

/**
 * Imports a module and finds the application in it: the export of a name, or else the only export that is one.
 * @throws {ModuleError} when the module or the application does not exist, or several exist without a name. Also when
 * Node does not run files of that kind.
 */
export async function loadApplication(module: string, exportName: string | null): Promise<LoadedApplication> {
  const exported = await imported(module);
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

async function imported(module: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(addressOf(module))) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // A thrown value may be a proxy that throws when it is inspected.
    if (!types.isNativeError(error) || (error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_FILE_EXTENSION")
      throw error;
    // Node names the file last.
    const file = error.message.split(" for ").slice(1).join(" for ");
    throw new ModuleError(
      `Cannot use ${module}: Node ${process.versions.node} does not run ${file}; compile it to JavaScript first, ` +
        'or use what runs it: Node 22.18 for .ts, tsx or Bun, as in "bun --bun node_modules/.bin/fingerpost"',
    );
  }
}

/**
 * Returns the address of a file by its path from the working directory or its URL, or of a package by its name from
 * there.
 */
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
    if (module.startsWith("file:")) return fileURLToPath(module);
    // A path without the extension is found only by `require()`.
    return importedFileOf(module) ?? createRequire(resolve("fingerpost")).resolve(module);
  } catch {
    return null;
  }
}

/**
 * Returns the file that `import()` finds from the working directory. Node resolves only from the place of the calling
 * module, which may be elsewhere. A module without a file, in a process of its own, is in the working directory.
 */
function importedFileOf(module: string): string | null {
  const script = "process.stdout.write(import.meta.resolve(process.argv[1]))";
  const args = ["--input-type=module", "--eval", script, "--", module];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const file = status === 0 && stdout.startsWith("file:") ? fileURLToPath(stdout) : null;
  // Node returns files without a check that they exist.
  return file !== null && existsSync(file) ? file : null;
}

function isApplication(value: unknown): value is LoadedApplication {
  if (typeof value !== "object" || value === null) return false;
  const { resources, match } = value as { resources?: unknown; match?: unknown };
  return Array.isArray(resources) && typeof match === "function";
}
