import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  open,
  openSync,
  read,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpath,
  realpathSync,
  statSync,
  type BigIntStats,
} from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { described } from "../http/described.ts";
import { OptionCheck } from "../http/option-check.ts";
import { changed } from "./file-content.ts";
import { isDotFile, isFileName } from "./file-name.ts";
import type { Coding, FileSource, Stored } from "./file-source.ts";
import { isCompressible, mediaTypeOfName } from "./media-types.ts";

/** What `folder()` takes. */
export interface FolderOptions {
  /** `"inside"` follows symbolic links to files and folders that are inside the folder, too. Default: links are not there. */
  readonly links?: "inside" | undefined;
  /** Names with a leading dot that are served, such as `.well-known`. Default: none. */
  readonly dotFiles?: readonly string[] | undefined;
  /** The content codings to look for beside a file, or to compress it with. Default: `["br", "zstd", "gzip"]`. */
  readonly codings?: readonly Coding[] | undefined;
}

/** What `snapshot()` takes. */
export interface SnapshotOptions extends FolderOptions {
  /** How many bytes the files may have together. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Serves the files of a folder as they are when a client asks for them.
 *
 * `app.js.br`, `app.js.zst` and `app.js.gz` stand in for `app.js` where the client accepts their coding, unless they
 * are older
 * than it. Links, and names that begin with a dot, are not there unless an option says so. The entity tag is made of
 * length, time
 * of change and coding: where a build sets all times to the same, use `snapshot()`.
 *
 * @param root the path of the folder. If it is a link, where the link leads when this is called is what is served.
 * @throws {TypeError} when the folder does not exist, or an option is wrong.
 * @example
 * ```ts
 * import { Files } from "fingerpost/content/files.js";
 * import { folder } from "fingerpost/content/folder.js";
 *
 * class Assets extends Files {
 *   paths = ["/assets/:path*"] as const;
 *   source = folder("./public", { dotFiles: [".well-known"] });
 * }
 * ```
 */
export function folder(root: string | URL, options: FolderOptions = {}): FileSource {
  const check = new OptionCheck("folder", options, ["links", "dotFiles", "codings"]);
  return new Folder(placeOf(root, check));
}

/**
 * Reads all files of a folder at once, and serves them from memory as they are now.
 *
 * Their entity tags are made of their bytes (SHA-256). A file is compressed once, when the first client accepts a
 * coding in which
 * it is not there already.
 *
 * @param root the path of the folder.
 * @throws {TypeError} when the folder does not exist, an option is wrong, or the files have more bytes than allowed.
 * @throws {Error} the system's error, when a file cannot be read.
 * @example
 * ```ts
 * import { Files } from "fingerpost/content/files.js";
 * import { snapshot } from "fingerpost/content/folder.js";
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
  check.count("maxBytes", maxBytes);
  return new Snapshot(placeOf(root, check), maxBytes);
}

/** A folder, and what may be served of it. */
interface Place {
  /** Without links in it. */
  readonly root: string;
  /** What is inside begins so. */
  readonly inside: string;
  readonly followsLinks: boolean;
  readonly dotFiles: ReadonlySet<string>;
  readonly codings: readonly Coding[];
  /** Whether the system tells the path of a descriptor. */
  readonly hasPaths: boolean;
}

const all: readonly Coding[] = ["br", "zstd", "gzip"];

function placeOf(given: string | URL, check: OptionCheck<FolderOptions>): Place {
  const { links, dotFiles = [], codings = all } = check.options;
  check.require(links === undefined || links === "inside", "links", '"inside"', links);
  check.list("dotFiles", dotFiles, isNameOfDotFile, "names that begin with a dot");
  check.list("codings", codings, (coding) => all.includes(coding as Coding), all.join(", "));
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
    const root = realpathSync.native(given instanceof URL ? fileURLToPath(given) : given);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    cause = error;
  }
  throw new TypeError(`Cannot serve ${described(String(given))}: it is not a folder that can be read`, { cause });
}

/** Linux tells which path a descriptor has. Deno does so only where a program may do anything. */
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

/** Whether names lead to what may be served (F1, F4). */
function isAllowed(names: readonly string[], { dotFiles }: Place): boolean {
  return names.length > 0 && names.every((name) => isFileName(name) && (!isDotFile(name) || dotFiles.has(name)));
}

/** Whether a path without links in it is inside a folder, and may be served. */
function isInside(path: string, place: Place): boolean {
  return path.startsWith(place.inside) && isAllowed(path.slice(place.inside.length).split(sep), place);
}

/** Whether files with such a name may be there in a coding. Of what nobody knows, they may. */
function mayBeCoded(name: string): boolean {
  const type = mediaTypeOfName(name);
  return type === "application/octet-stream" || isCompressible(type);
}

const extensions: Readonly<Record<Coding, string>> = { br: ".br", zstd: ".zst", gzip: ".gz" };

// A FIFO must not wait for a writer, and a device must not be opened by way of a link. Windows has neither flag: undefined counts as 0.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

// A file that cannot be had is not there; who may not read it must not learn more. ENXIO, ENODEV and EOPNOTSUPP: sockets, devices.
const absent: ReadonlySet<unknown> = new Set(
  "ENOENT ENOTDIR EACCES EPERM ELOOP ENAMETOOLONG EISDIR ENXIO ENODEV EOPNOTSUPP ENOTSUP EILSEQ".split(" "),
);

/** Returns null where a file cannot be had. @throws whatever else the system says. */
async function present<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

function isAbsence(error: unknown): boolean {
  return absent.has((error as NodeJS.ErrnoException).code);
}

/** What is at a path, be it a link. @throws whatever the system says but that it cannot be had. */
function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

const opening = promisify(open);
const reading = promisify(read) as (
  descriptor: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ readonly bytesRead: number }>;
const realPathOf = promisify(realpath.native);
const exact = { bigint: true } as const;
const ignore = (): void => {};

class Folder implements FileSource {
  readonly codings: readonly Coding[];
  readonly #place: Place;

  constructor(place: Place) {
    this.codings = place.codings;
    this.#place = place;
  }

  async find(segments: readonly string[], coding: Coding | null): Promise<Stored | undefined> {
    if (!isAllowed(segments, this.#place)) return undefined;
    const name = segments.at(-1)!;
    const path = this.#place.inside + segments.join(sep);
    if (coding === null) return this.#open(path, name, null);
    if (!this.codings.includes(coding) || !mayBeCoded(name)) return undefined;
    const beside = path + extensions[coding];
    // Most files have none. A name is looked up at once: in a folder that is in use, that waits for no disk.
    if (statsAt(beside) === undefined) return undefined;
    const sibling = await this.#open(beside, name, coding);
    if (sibling === undefined) return undefined;
    let isUpToDate = false;
    try {
      isUpToDate = await this.#isSince(path, sibling.stats);
    } finally {
      if (!isUpToDate) sibling.close();
    }
    return isUpToDate ? sibling : undefined;
  }

  /** F8: a sibling older than its file has what the file had before. */
  async #isSince(path: string, sibling: BigIntStats): Promise<boolean> {
    const target = this.#place.followsLinks ? await this.#target(path) : path;
    const original = target === null ? undefined : statsAt(target);
    return original !== undefined && original.isFile() && sibling.mtimeNs >= original.mtimeNs;
  }

  async #open(path: string, name: string, coding: Coding | null): Promise<StoredFile | undefined> {
    // Where another file takes its place while it is opened, it has no path any more; that one is there, so once more.
    for (let attempt = 0; attempt < 2; attempt++) {
      const wanted = this.#place.followsLinks ? await this.#target(path) : path;
      const descriptor = wanted === null ? null : await present(opening(wanted, flags));
      if (wanted === null || descriptor === null) return undefined;
      let isKept = false;
      try {
        // Of what is open the system knows this without waiting for a disk.
        const stats = fstatSync(descriptor, exact);
        if (!stats.isFile()) return undefined;
        isKept = await this.#isAt(wanted, descriptor, stats);
        if (isKept) return new StoredFile(descriptor, stats, mediaTypeOfName(name), coding);
      } finally {
        if (!isKept) closeSync(descriptor);
      }
    }
    return undefined;
  }

  /** Where a path leads, if that is inside the folder, and may be served (F2). */
  async #target(path: string): Promise<string | null> {
    const target = await present(realPathOf(path));
    return target !== null && isInside(target, this.#place) ? target : null;
  }

  /** Whether a descriptor is that of the file at a path, with no link on the way (F2). */
  async #isAt(path: string, descriptor: number, { dev, ino }: BigIntStats): Promise<boolean> {
    // What the system says of the descriptor itself holds whatever happens to the path meanwhile.
    if (this.#place.hasPaths) return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    if ((await present(realPathOf(path))) !== path) return false;
    const found = statsAt(path);
    return found !== undefined && found.dev === dev && found.ino === ino;
  }
}

const chunkBytes = 262_144;

/** Closes the descriptors of files that nobody can reach any more, such as those of responses that nobody read. */
const forgotten = new FinalizationRegistry<number>(closeSync);

/** A file that is open. */
class StoredFile implements Stored {
  readonly etag: string;
  readonly lastModified: Date;
  readonly type: string;
  readonly coding: Coding | null;
  readonly stats: BigIntStats;
  readonly #descriptor: number;
  #isClosed = false;
  /** How many parts are being read. */
  #pending = 0;

  constructor(descriptor: number, stats: BigIntStats, type: string, coding: Coding | null) {
    this.#descriptor = descriptor;
    this.stats = stats;
    this.lastModified = dateOf(stats.mtimeNs);
    this.etag = tagOf(stats, coding);
    this.type = type;
    this.coding = coding;
    forgotten.register(this, descriptor, this);
  }

  get length(): number {
    return Number(this.stats.size);
  }

  read(start: number, end: number): AsyncIterable<Uint8Array> {
    let at = start;
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      if (at >= end) return { done: true, value: undefined };
      const value = await this.#take(at, Math.min(end - at, chunkBytes));
      at += value.byteLength;
      return { done: false, value };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // While it is being read, its number must not become that of another file.
    if (this.#pending === 0) this.#end();
  }

  /** Reads bytes and then makes sure that they are those of the file as it was opened (F11). */
  async #take(at: number, length: number): Promise<Uint8Array> {
    if (this.#isClosed) throw changed();
    this.#pending++;
    try {
      // Not of the pool that Node shares among buffers, as whoever gets it may keep it; and not filled with zeros for nothing.
      const buffer = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await reading(this.#descriptor, buffer, 0, length, at);
      const { size, mtimeNs } = fstatSync(this.#descriptor, exact);
      if (bytesRead === 0 || size !== this.stats.size || mtimeNs !== this.stats.mtimeNs) throw changed();
      return bytesRead === length ? buffer : new Uint8Array(buffer.subarray(0, bytesRead));
    } finally {
      this.#pending--;
      if (this.#isClosed && this.#pending === 0) this.#end();
    }
  }

  #end(): void {
    forgotten.unregister(this);
    closeSync(this.#descriptor);
  }
}

function dateOf(mtimeNs: bigint): Date {
  return new Date(Number(mtimeNs / 1_000_000n));
}

/** F5: weak while the file is so young that it may be written again in what its file system takes for the same moment. */
function tagOf({ size, mtimeNs }: BigIntStats, coding: Coding | null): string {
  const age = BigInt(Date.now()) * 1_000_000n - mtimeNs;
  const suffix = coding === null ? "" : `-${coding}`;
  return `${age < 2_000_000_000n ? "W/" : ""}"${size.toString(36)}-${mtimeNs.toString(36)}${suffix}"`;
}

class Snapshot implements FileSource {
  readonly codings: readonly Coding[];
  readonly #files: ReadonlyMap<string, FileCopy>;

  constructor(place: Place, maxBytes: number) {
    this.codings = place.codings;
    this.#files = copiesOf(place, maxBytes);
    for (const [path, file] of this.#files) {
      if (!mayBeCoded(path)) continue;
      for (const coding of this.codings) file.takeSibling(coding, this.#files.get(path + extensions[coding]));
    }
  }

  find(segments: readonly string[], coding: Coding | null): Found {
    // A segment with a slash would be found as if it were two.
    if (!segments.every(isFileName) || (coding !== null && !this.codings.includes(coding))) return undefined;
    return this.#files.get(segments.join("/"))?.in(coding);
  }
}

type Found = Stored | undefined | Promise<Stored | undefined>;

// What is shorter fits into one packet anyway.
const leastBytes = 1024;

/** A file as it was when it was read, in all the forms that there are of it. */
class FileCopy {
  readonly #bytes: Uint8Array;
  readonly #mtimeNs: bigint;
  readonly #type: string;
  readonly #forms = new Map<Coding | null, Found>();

  constructor(bytes: Uint8Array, mtimeNs: bigint, name: string) {
    this.#bytes = bytes;
    this.#mtimeNs = mtimeNs;
    this.#type = mediaTypeOfName(name);
    this.#forms.set(null, this.#form(bytes, null));
    if (bytes.byteLength < leastBytes || !isCompressible(this.#type))
      for (const coding of all) this.#forms.set(coding, undefined);
  }

  /** Uses what the folder has beside the file, unless it is older (F8). */
  takeSibling(coding: Coding, sibling: FileCopy | undefined): void {
    if (sibling !== undefined && sibling.#mtimeNs >= this.#mtimeNs)
      this.#forms.set(coding, this.#form(sibling.#bytes, coding));
  }

  in(coding: Coding | null): Found {
    if (coding === null || this.#forms.has(coding)) return this.#forms.get(coding);
    const compressing = this.#compress(coding);
    this.#forms.set(coding, compressing);
    return compressing;
  }

  async #compress(coding: Coding): Promise<Stored | undefined> {
    const bytes = await compressed(this.#bytes, coding);
    const isWorthwhile = bytes !== null && bytes.byteLength < this.#bytes.byteLength;
    const form = isWorthwhile ? this.#form(bytes, coding) : undefined;
    this.#forms.set(coding, form);
    return form;
  }

  #form(bytes: Uint8Array, coding: Coding | null): Stored {
    return {
      length: bytes.byteLength,
      etag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
      lastModified: dateOf(this.#mtimeNs),
      type: this.#type,
      coding,
      read: (start, end) => bytes.subarray(start, end),
      close: ignore,
    };
  }
}

/** Compresses bytes; null where the runtime cannot, or where that fails: there is the file as it is. */
async function compressed(bytes: Uint8Array, coding: Coding): Promise<Uint8Array | null> {
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
function copiesOf(place: Place, maxBytes: number): Map<string, FileCopy> {
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
          `Cannot take a snapshot of ${described(place.root)}: its files have more than ${maxBytes} bytes; use folder()`,
        );
      }
      copies.set(names.join("/"), new FileCopy(readFileSync(descriptor), stats.mtimeNs, names.at(-1)!));
    } finally {
      closeSync(descriptor);
    }
  }

  function walk(path: string, names: readonly string[], ancestors: readonly string[]): void {
    for (const name of readdirSync(path)) {
      const own = [...names, name];
      const target = isAllowed(own, place) ? targetSync(path, name, place) : null;
      if (target === null) continue;
      const stats = lstatSync(target);
      if (stats.isFile()) take(target, own);
      // A link to a folder around it would never end.
      else if (stats.isDirectory() && !ancestors.includes(target)) walk(target, own, [...ancestors, target]);
    }
  }

  walk(place.root, [], [place.root]);
  return copies;
}

/** Where a name of a folder leads (F2); null where that may not be served. */
function targetSync(parent: string, name: string, place: Place): string | null {
  const path = join(parent, name);
  if (!lstatSync(path).isSymbolicLink()) return path;
  if (!place.followsLinks || !existsSync(path)) return null;
  const target = realpathSync.native(path);
  return isInside(target, place) ? target : null;
}
