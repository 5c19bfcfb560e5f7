import { closeSync, fstatSync, open, read, readlinkSync, realpath, type BigIntStats } from "node:fs";
import { sep } from "node:path";
import { promisify } from "node:util";
import { lend } from "../../http/message/lent-content.ts";
import { changed } from "../file-content.ts";
import type { FileCoding, FileSource, FoundFile } from "../file-source.ts";
import { addTeller, type FileState } from "../file-state.ts";
import { bufferFor, partBytes, spareLengthFor, takeBack } from "./part-buffers.ts";
import { extensions, isAllowed, isInside, mayBeCoded, type FolderScope } from "./folder-scope.ts";
import { SeenFiles } from "./seen-files.ts";
import { SystemFileState, type FileStats } from "./system-file-state.ts";
import { exact, flags, present, statsAt } from "./system-file.ts";

const opening = promisify(open);
const reading = promisify(read) as (
  descriptor: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ readonly bytesRead: number }>;
const realPathOf = promisify(realpath.native);

/** Serves the files of a folder as they are when they are asked for: each is opened, and looked at once it is open. */
export function openFolder(scope: FolderScope): FileSource {
  const folder = new Folder(scope);
  addTeller(folder, (...asked) => folder.tellState(...asked));
  return folder;
}

class Folder implements FileSource {
  readonly codings: readonly FileCoding[];
  readonly #scope: FolderScope;
  readonly #seen = new SeenFiles();

  constructor(scope: FolderScope) {
    this.codings = scope.codings;
    this.#scope = scope;
  }

  async find(segments: readonly string[], coding: FileCoding | null): Promise<FoundFile | undefined> {
    const path = this.#pathOf(segments, coding);
    // Most files have no sibling. A name is looked up at once: in a folder that is in use, that waits for no disk.
    if (path === null || (coding !== null && statsAt(path) === undefined)) return undefined;
    const stored = await this.#open(path, segments.at(-1)!, coding);
    if (stored === undefined || coding === null) return stored;
    let isUpToDate = false;
    try {
      const original = this.#pathOf(segments, null)!;
      isUpToDate = isSince(this.#scope.followsLinks ? await this.#target(original) : original, stored.stats);
    } finally {
      if (!isUpToDate) stored.close();
    }
    return isUpToDate ? stored : undefined;
  }

  tellState(segments: readonly string[], coding: FileCoding | null): FileState | null | undefined {
    const path = this.#pathOf(segments, coding);
    const state = path === null ? null : this.#seen.at(path, coding);
    if (state === null || state === undefined || coding === null) return state;
    return isSince(this.#pathOf(segments, null), state.stats) ? state : null;
  }

  /** The path of a file, or of what stands in for it in a coding; null if that may not be there. */
  #pathOf(segments: readonly string[], coding: FileCoding | null): string | null {
    if (!isAllowed(segments, this.#scope)) return null;
    const path = this.#scope.inside + segments.join(sep);
    if (coding === null) return path;
    return this.codings.includes(coding) && mayBeCoded(segments.at(-1)!) ? path + extensions[coding] : null;
  }

  async #open(path: string, name: string, coding: FileCoding | null): Promise<StoredFile | undefined> {
    // Where another file takes its place while it is opened, it has no path any more; that one is there, so once more.
    for (let attempt = 0; attempt < 2; attempt++) {
      const wanted = this.#scope.followsLinks ? await this.#target(path) : path;
      const descriptor = wanted === null ? null : await present(opening(wanted, flags));
      if (wanted === null || descriptor === null) return undefined;
      let isKept = false;
      try {
        // The system knows the state of an open file without waiting for a disk.
        const stats = fstatSync(descriptor, exact);
        if (!stats.isFile()) return undefined;
        isKept = await this.#isAt(wanted, descriptor, stats);
        if (isKept) {
          const state = new SystemFileState(stats, name, coding);
          // A file that has just changed gets another tag soon. Where links are followed, a path does not show the
          // state of its file.
          if (!state.isYoung && !this.#scope.followsLinks) this.#seen.add(wanted, state);
          // A copy, because a `Date` can be changed.
          const lastModified = state.lastModified && new Date(state.lastModified);
          return Object.assign(new OpenFile(descriptor, stats), state, { lastModified });
        }
      } finally {
        if (!isKept) closeSync(descriptor);
      }
    }
    return undefined;
  }

  /** Where a path leads, if that is inside the folder, and may be served (F2). */
  async #target(path: string): Promise<string | null> {
    const target = await present(realPathOf(path));
    return target !== null && isInside(target, this.#scope) ? target : null;
  }

  /** Returns whether a descriptor belongs to the file at a path, with no link on the way (F2). */
  async #isAt(path: string, descriptor: number, { dev, ino }: BigIntStats): Promise<boolean> {
    // The path of the descriptor itself is right, even if the path in the folder changes meanwhile.
    if (this.#scope.hasPaths) return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
    if ((await present(realPathOf(path))) !== path) return false;
    const found = statsAt(path);
    return found !== undefined && found.dev === dev && found.ino === ino;
  }
}

/** Closes the descriptors of files that are unreachable, for example because nobody read their responses. */
const forgotten = new FinalizationRegistry<number>(closeSync);

type StoredFile = SystemFileState & OpenFile;

class OpenFile implements Pick<FoundFile, "read" | "close"> {
  readonly #descriptor: number;
  readonly #stats: FileStats;
  #isClosed = false;
  #pending = 0;

  constructor(descriptor: number, stats: FileStats) {
    this.#descriptor = descriptor;
    this.#stats = stats;
    forgotten.register(this, descriptor, this);
  }

  read(start: number, end: number): AsyncIterable<Uint8Array> {
    let at = start;
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      if (at >= end) return { done: true, value: undefined };
      const value = await this.#take(at, Math.min(end - at, partBytes));
      at += value.byteLength;
      return { done: false, value };
    };
    const content = { [Symbol.asyncIterator]: () => ({ next }) };
    return spareLengthFor(Math.min(end - start, partBytes)) === null ? content : lend(content, takeBack);
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
      const buffer = bufferFor(length);
      const { bytesRead } = await reading(this.#descriptor, buffer, 0, length, at);
      const { size, mtimeNs } = fstatSync(this.#descriptor, exact);
      if (bytesRead === 0 || size !== this.#stats.size || mtimeNs !== this.#stats.mtimeNs) throw changed();
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

/** F8: a sibling older than its file has what the file had before. */
function isSince(path: string | null, sibling: FileStats): boolean {
  const original = path === null ? undefined : statsAt(path);
  return original !== undefined && original.isFile() && sibling.mtimeNs >= original.mtimeNs;
}
