import { isURL } from "../../http/javascript/any-realm.ts";
import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { fileURLToPath } from "node:url";
import { described } from "../../http/javascript/described.ts";
import type { OptionCheck } from "../../http/javascript/option-check.ts";
import { isDotFile, isFileName } from "../file-name.ts";
import type { FileCoding } from "../file-source.ts";
import { isCompressibleType } from "../../fields/compressible-type.ts";
import { mediaTypeOfName } from "../media-types.ts";

/** Options of `folder()`. */
export interface FolderOptions {
  /**
   * Symbolic links that are followed: `"inside"` for those to files and folders inside the folder. Default: `"none"`,
   * which are not there.
   */
  readonly links?: "inside" | "none" | undefined;
  /** Names with a leading dot that are served, such as `.well-known`. Default: none. */
  readonly dotFiles?: readonly string[] | undefined;
  /** The content codings to look for beside a file, or to compress it with. Default: `["br", "zstd", "gzip"]`. */
  readonly codings?: readonly FileCoding[] | undefined;
}

export interface FolderScope {
  /** Without links in it. */
  readonly root: string;
  /** The paths of files inside begin so. */
  readonly inside: string;
  readonly followsLinks: boolean;
  readonly dotFiles: ReadonlySet<string>;
  readonly codings: readonly FileCoding[];
  /** Whether the system knows the path of a descriptor. */
  readonly hasPaths: boolean;
}

/** The content codings that there are. */
export const knownCodings: readonly FileCoding[] = ["br", "zstd", "gzip"];

export function scopeOf(given: string | URL, check: OptionCheck<FolderOptions>): FolderScope {
  const { links = "none", dotFiles = [], codings = knownCodings } = check.options;
  check.require(links === "none" || links === "inside", "links", '"inside" or "none"');
  check.list("dotFiles", isNameOfDotFile, "names that begin with a dot");
  check.list("codings", (coding) => knownCodings.includes(coding as FileCoding), knownCodings.join(", "));
  const root = rootOf(given);
  return {
    root,
    inside: root.endsWith(sep) ? root : root + sep,
    followsLinks: links === "inside",
    dotFiles: new Set(dotFiles),
    codings: [...codings],
    hasPaths: hasPaths(root),
  };
}

function isNameOfDotFile(name: unknown): boolean {
  return typeof name === "string" && isDotFile(name) && isFileName(name);
}

function rootOf(given: string | URL): string {
  let cause: unknown;
  try {
    const root = realpathSync.native(isURL(given) ? fileURLToPath(given) : given);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    cause = error;
  }
  throw new TypeError(`Cannot serve ${described(String(given))}: it is not a folder that can be read`, { cause });
}

/** Linux shows the path of a descriptor. Deno does so only for a program with all permissions. */
function hasPaths(root: string): boolean {
  try {
    const descriptor = openSync(root, constants.O_RDONLY);
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === root;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Other systems have no such path.
    return false;
  }
}

/** Returns whether names lead to what may be served (F1, F4). */
export function isAllowed(names: readonly string[], { dotFiles }: FolderScope): boolean {
  return names.length > 0 && names.every((name) => isFileName(name) && (!isDotFile(name) || dotFiles.has(name)));
}

/** Returns whether a path without links in it is inside a folder, and may be served. */
export function isInside(path: string, scope: FolderScope): boolean {
  return path.startsWith(scope.inside) && isAllowed(path.slice(scope.inside.length).split(sep), scope);
}

/** Returns whether files with such a name may be there in a coding. Of what nobody knows, they may. */
export function mayBeCoded(name: string): boolean {
  const type = mediaTypeOfName(name);
  return type === "application/octet-stream" || isCompressibleType(type);
}

export const extensions: Readonly<Record<FileCoding, string>> = { br: ".br", zstd: ".zst", gzip: ".gz" };
