import { OptionCheck } from "../http/javascript/option-check.ts";
import type { FileSource } from "./file-source.ts";
import { openFolder } from "./folder/open-folder.ts";
import { scopeOf, type FolderOptions } from "./folder/folder-scope.ts";
import { Snapshot } from "./folder/folder-snapshot.ts";

export type { FolderOptions } from "./folder/folder-scope.ts";

/** Options of `snapshot()`. */
export interface SnapshotOptions extends FolderOptions {
  /** Maximum size of all files in bytes. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Serves the files of a folder as they are when a client asks for them.
 *
 * `app.js.br`, `app.js.zst` and `app.js.gz` stand in for `app.js` where the client accepts their coding, unless they
 * are older than it. Links, and names that begin with a dot, are not there unless an option says so.
 *
 * Each state of a file has an entity tag of its own, also if a build sets all times to the same. Another server has
 * other tags for the same files. Where several servers answer for one origin, use `snapshot()`: its tags are made of
 * the bytes.
 *
 * @param root the path of the folder. If it is a link, where the link leads when this is called is what is served.
 * @throws {TypeError} when the folder does not exist, or an option is wrong.
 * @example
 * ```ts
 * import { Files } from "fingerpost/files";
 * import { folder } from "fingerpost/folder";
 *
 * class Assets extends Files {
 *   paths = ["/assets/:path*"] as const;
 *   source = folder("./public", { dotFiles: [".well-known"] });
 * }
 * ```
 */
export function folder(root: string | URL, options: FolderOptions = {}): FileSource {
  const check = new OptionCheck("folder", options, ["links", "dotFiles", "codings"]);
  return openFolder(scopeOf(root, check));
}

/**
 * Reads all files of a folder at once, and serves them from memory as they are now.
 *
 * Their entity tags are made of their bytes (SHA-256). A file is compressed once, when the first client accepts a
 * coding in which it is not there already.
 *
 * @param root the path of the folder.
 * @throws {TypeError} when the folder does not exist, an option is wrong, or the files have more bytes than allowed.
 * @throws {Error} the system's error, when a file cannot be read.
 * @example
 * ```ts
 * import { Files } from "fingerpost/files";
 * import { snapshot } from "fingerpost/folder";
 *
 * class Assets extends Files {
 *   paths = ["/assets/:path*"] as const;
 *   source = snapshot("./dist");
 *   immutable = true;
 * }
 * ```
 */
export function snapshot(root: string | URL, options: SnapshotOptions = {}): FileSource {
  const check = new OptionCheck("snapshot", options, ["links", "dotFiles", "codings", "maxBytes"]);
  const { maxBytes = 268_435_456 } = check.options;
  check.count("maxBytes");
  return new Snapshot(scopeOf(root, check), maxBytes);
}
