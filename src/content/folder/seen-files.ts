import type { FileCoding } from "../file-source.ts";
import type { FileStats, SystemFileState } from "./system-file-state.ts";
import { statsAt } from "./system-file.ts";

/** For how many milliseconds a file that was found counts. Meanwhile a folder around it may become a link. */
const knownMs = 1000;
/** How many files are kept: half a megabyte. */
const mostFiles = 1000;

interface Seen {
  readonly state: SystemFileState;
  readonly until: number;
}

/**
 * The files that were opened a moment ago, by their paths: they were files, and had no link on the way (F2, F3). PERF:
 * a client that has the file needs one look, and neither opening nor closing: half the CPU of a 304 (`bench/files`).
 */
export class SeenFiles {
  readonly #files = new Map<string, Seen>();

  add(path: string, state: SystemFileState): void {
    // Again at the end, so that the first one is the oldest.
    this.#files.delete(path);
    this.#files.set(path, { state, until: performance.now() + knownMs });
    if (this.#files.size > mostFiles) for (const oldest of this.#files.keys()) return void this.#files.delete(oldest);
  }

  /**
   * Returns the state of the file that was seen at a path; null if nothing is there, undefined if only opening it can
   * say.
   */
  at(path: string, coding: FileCoding | null): SystemFileState | null | undefined {
    const seen = this.#files.get(path);
    // Nothing waits for a disk where a file was not opened before. For a sibling, `find` looks at once, too.
    if (seen === undefined && coding === null) return undefined;
    const stats = statsAt(path);
    if (stats === undefined) return null;
    if (seen === undefined || performance.now() >= seen.until) return undefined;
    // A sibling may be asked for by its own name, too.
    return seen.state.coding === coding && isSame(stats, seen.state.stats) ? seen.state : undefined;
  }
}

/** Whether nothing was done to a file. A new name and other permissions change its ctime. */
function isSame(now: FileStats, then: FileStats): boolean {
  return (
    now.ino === then.ino &&
    now.dev === then.dev &&
    now.ctimeNs === then.ctimeNs &&
    now.mtimeNs === then.mtimeNs &&
    now.size === then.size
  );
}
