import type { BigIntStats } from "node:fs";
import type { Coding } from "../file-source.ts";
import type { FileState } from "../file-state.ts";
import { mediaTypeOfName } from "../media-types.ts";
import { dateOf } from "./system-file.ts";

/** Numbers by which one state of one file differs from others. */
export type FileStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** One state of a file, as the system reports it. */
export class SystemFileState implements FileState {
  readonly length: number;
  readonly etag: string;
  readonly lastModified: Date;
  readonly type: string;
  readonly coding: Coding | null;
  readonly stats: FileStats;
  /** Whether the file may be written again in what its file system takes for the same moment. */
  readonly isYoung: boolean;

  constructor({ dev, ino, size, mtimeNs, ctimeNs }: FileStats, name: string, coding: Coding | null) {
    // What the system gives is a kilobyte.
    this.stats = { dev, ino, size, mtimeNs, ctimeNs };
    this.length = Number(size);
    this.lastModified = dateOf(mtimeNs);
    this.isYoung = BigInt(Date.now()) * 1_000_000n - mtimeNs < 2_000_000_000n;
    this.etag = tagOf(this.stats, coding, this.isYoung);
    this.type = mediaTypeOfName(name);
    this.coding = coding;
  }
}

/** F5: weak while the file is young. */
function tagOf({ size, mtimeNs }: FileStats, coding: Coding | null, isYoung: boolean): string {
  const suffix = coding === null ? "" : `-${coding}`;
  return `${isYoung ? "W/" : ""}"${size.toString(36)}-${mtimeNs.toString(36)}${suffix}"`;
}
