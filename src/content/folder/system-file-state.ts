import type { BigIntStats } from "node:fs";
import type { Coding } from "../file-source.ts";
import type { FileState } from "../file-state.ts";
import { mediaTypeOfName } from "../media-types.ts";
import { dateOf } from "./system-file.ts";

/** One state of a file, as the system reports it. */
export class SystemFileState implements FileState {
  readonly length: number;
  readonly etag: string;
  readonly lastModified: Date;
  readonly type: string;
  readonly coding: Coding | null;
  readonly stats: BigIntStats;
  /** Whether the file may be written again in what its file system takes for the same moment. */
  readonly isYoung: boolean;

  constructor(stats: BigIntStats, name: string, coding: Coding | null) {
    this.stats = stats;
    this.length = Number(stats.size);
    this.lastModified = dateOf(stats.mtimeNs);
    this.isYoung = BigInt(Date.now()) * 1_000_000n - stats.mtimeNs < 2_000_000_000n;
    this.etag = tagOf(stats, coding, this.isYoung);
    this.type = mediaTypeOfName(name);
    this.coding = coding;
  }
}

/** F5: weak while the file is young. */
function tagOf({ size, mtimeNs }: BigIntStats, coding: Coding | null, isYoung: boolean): string {
  const suffix = coding === null ? "" : `-${coding}`;
  return `${isYoung ? "W/" : ""}"${size.toString(36)}-${mtimeNs.toString(36)}${suffix}"`;
}
