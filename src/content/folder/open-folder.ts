import { Buffer } from "node:buffer";
import { closeSync, fstatSync, open, read, readlinkSync, realpath, type BigIntStats } from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";
import { changed } from "../file-content.ts";
import type { Coding, FileSource, Stored } from "../file-source.ts";
import { mediaTypeOfName } from "../media-types.ts";
import { extensions, isAllowed, isInside, mayBeCoded, type Place } from "./place.ts";
import { dateOf, exact, flags, present, statsAt } from "./system-file.ts";

const opening = promisify(open);
const reading = promisify(read) as (
  descriptor: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ readonly bytesRead: number }>;
const realPathOf = promisify(realpath.native);

/** The files of a folder as they are when they are asked for: each is opened, and looked at once it is open. */
export class Folder implements FileSource {
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

  /** Returns whether a descriptor belongs to the file at a path, with no link on the way (F2). */
  async #isAt(path: string, descriptor: number, { dev, ino }: BigIntStats): Promise<boolean> {
    // The path of the descriptor itself is right, even if the path in the folder changes meanwhile.
    if (this.#place.hasPaths) return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    if ((await present(realPathOf(path))) !== path) return false;
    const found = statsAt(path);
    return found !== undefined && found.dev === dev && found.ino === ino;
  }
}

const chunkBytes = 262_144;

/** Closes the descriptors of files that are unreachable, for example because nobody read their responses. */
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
    // While the file is being read, no other file may get its number.
    if (this.#pending === 0) this.#end();
  }

  /** Reads bytes and then makes sure that they belong to the file as it was opened (F11). */
  async #take(at: number, length: number): Promise<Uint8Array> {
    if (this.#isClosed) throw changed();
    this.#pending++;
    try {
      // Not from the pool that Node shares among buffers, because the receiver may keep it. Not filled with zeros,
      // which would be wasted.
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

/** F5: weak while the file is so young that it may be written again in what its file system takes for the same moment. */
function tagOf({ size, mtimeNs }: BigIntStats, coding: Coding | null): string {
  const age = BigInt(Date.now()) * 1_000_000n - mtimeNs;
  const suffix = coding === null ? "" : `-${coding}`;
  return `${age < 2_000_000_000n ? "W/" : ""}"${size.toString(36)}-${mtimeNs.toString(36)}${suffix}"`;
}
