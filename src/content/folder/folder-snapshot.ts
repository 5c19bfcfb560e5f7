import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { described } from "../../http/javascript/described.ts";
import { isFileName } from "../file-name.ts";
import type { FileCoding, FileSource, FoundFile } from "../file-source.ts";
import { isCompressibleType } from "../../fields/compressible-type.ts";
import { mediaTypeOfName } from "../media-types.ts";
import { extensions, isAllowed, isInside, knownCodings, mayBeCoded, type FolderScope } from "./folder-scope.ts";
import { exact, flags, lastChangeOf } from "./system-file.ts";

/** The files of a folder as they were when it was read, in memory. */
export class Snapshot implements FileSource {
  readonly codings: readonly FileCoding[];
  readonly #files: ReadonlyMap<string, FileCopy>;

  constructor(scope: FolderScope, maxBytes: number) {
    this.codings = scope.codings;
    this.#files = copiesOf(scope, maxBytes);
    for (const [path, file] of this.#files) {
      if (!mayBeCoded(path)) continue;
      for (const coding of this.codings) file.takeSibling(coding, this.#files.get(path + extensions[coding]));
    }
  }

  find(segments: readonly string[], coding: FileCoding | null): Found {
    // A segment with a slash would be found as if it were two.
    if (!segments.every(isFileName) || (coding !== null && !this.codings.includes(coding))) return undefined;
    return this.#files.get(segments.join("/"))?.in(coding);
  }
}

type Found = FoundFile | undefined | Promise<FoundFile | undefined>;

// Shorter content fits into one packet anyway.
const leastBytes = 1024;

/** A file as it was when it was read, in all the forms that there are of it. */
class FileCopy {
  readonly #bytes: Uint8Array;
  readonly #mtimeNs: bigint;
  readonly #changed: Date;
  readonly #type: string;
  readonly #forms = new Map<FileCoding | null, Found>();

  constructor(bytes: Uint8Array, stats: BigIntStats, name: string) {
    this.#bytes = bytes;
    this.#mtimeNs = stats.mtimeNs;
    this.#changed = lastChangeOf(stats);
    this.#type = mediaTypeOfName(name);
    this.#forms.set(null, this.#form(bytes, null));
    if (bytes.byteLength < leastBytes || !isCompressibleType(this.#type))
      for (const coding of knownCodings) this.#forms.set(coding, undefined);
  }

  /** Uses what the folder has beside the file, unless it is older (F8). */
  takeSibling(coding: FileCoding, sibling: FileCopy | undefined): void {
    if (sibling !== undefined && sibling.#mtimeNs >= this.#mtimeNs)
      this.#forms.set(coding, this.#form(sibling.#bytes, coding));
  }

  in(coding: FileCoding | null): Found {
    if (coding === null || this.#forms.has(coding)) return this.#forms.get(coding);
    const compressing = this.#compress(coding);
    this.#forms.set(coding, compressing);
    return compressing;
  }

  async #compress(coding: FileCoding): Promise<FoundFile | undefined> {
    const bytes = await compressed(this.#bytes, coding);
    const isWorthwhile = bytes !== null && bytes.byteLength < this.#bytes.byteLength;
    const form = isWorthwhile ? this.#form(bytes, coding) : undefined;
    this.#forms.set(coding, form);
    return form;
  }

  #form(bytes: Uint8Array, coding: FileCoding | null): FoundFile {
    return {
      length: bytes.byteLength,
      etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
      lastModified: this.#changed,
      type: this.#type,
      coding,
      read: (start, end) => bytes.subarray(start, end),
      close: () => {},
    };
  }
}

/** Compresses bytes; null where the runtime cannot, or where that fails: there is the file as it is. */
async function compressed(bytes: Uint8Array, coding: FileCoding): Promise<Uint8Array | null> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  // Node 20 has no zstd.
  const { zstdCompress } = zlib as { zstdCompress?: typeof zlib.gzip };
  try {
    if (coding === "gzip") return await promisify(zlib.gzip)(bytes, { level: 9 });
    if (coding === "zstd") return zstdCompress === undefined ? null : await promisify(zstdCompress)(bytes, {});
    // The highest quality takes ten times as long for a few percent, and the first client waits for it.
    const params = { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
    return await promisify(zlib.brotliCompress)(bytes, { params });
  } catch {
    return null;
  }
}

/** Reads all files that may be served, by their paths in the folder. */
function copiesOf(scope: FolderScope, maxBytes: number): Map<string, FileCopy> {
  const copies = new Map<string, FileCopy>();
  let left = maxBytes;

  function take(path: string, names: readonly string[]): void {
    const descriptor = openSync(path, flags);
    try {
      const stats = fstatSync(descriptor, exact);
      if (!stats.isFile()) return;
      left -= Number(stats.size);
      if (left < 0) {
        throw new TypeError(
          `Cannot take a snapshot of ${described(scope.root)}: its files have more than ${maxBytes} bytes; use ` +
            "folder()",
        );
      }
      copies.set(names.join("/"), new FileCopy(readFileSync(descriptor), stats, names.at(-1)!));
    } finally {
      closeSync(descriptor);
    }
  }

  function walk(path: string, names: readonly string[], ancestors: readonly string[]): void {
    for (const name of readdirSync(path)) {
      const own = [...names, name];
      const target = isAllowed(own, scope) ? targetSync(path, name, scope) : null;
      if (target === null) continue;
      const stats = lstatSync(target);
      if (stats.isFile()) take(target, own);
      // A link to a folder around it would never end.
      else if (stats.isDirectory() && !ancestors.includes(target)) walk(target, own, [...ancestors, target]);
    }
  }

  walk(scope.root, [], [scope.root]);
  return copies;
}

/** Where a name of a folder leads (F2); null where that may not be served. */
function targetSync(parent: string, name: string, scope: FolderScope): string | null {
  const path = join(parent, name);
  if (!lstatSync(path).isSymbolicLink()) return path;
  if (!scope.followsLinks || !existsSync(path)) return null;
  const target = realpathSync.native(path);
  return isInside(target, scope) ? target : null;
}
