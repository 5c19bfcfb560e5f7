import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileCoding } from "../file-source.ts";
import type { FileState } from "../file-state.ts";
import { mediaTypeOfName } from "../media-types.ts";
import { lastChangeOf } from "./system-file.ts";

/** Numbers by which one state of one file differs from others. */
export type FileStats = Pick<BigIntStats, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

export class SystemFileState implements FileState {
  readonly length: number;
  readonly etag: string;
  readonly lastModified: Date | null;
  readonly type: string;
  readonly coding: FileCoding | null;
  readonly stats: FileStats;
  /** Whether the file may be written again in what its file system takes for the same moment. */
  readonly isYoung: boolean;

  constructor({ dev, ino, size, mtimeNs, ctimeNs }: FileStats, name: string, coding: FileCoding | null) {
    // What the system gives is a kilobyte.
    this.stats = { dev, ino, size, mtimeNs, ctimeNs };
    this.length = Number(size);
    const changed = lastChangeOf(this.stats);
    this.isYoung = Date.now() - changed.getTime() < 2000;
    // File systems that keep whole seconds, as those of read-only images, often let a build set the time of change,
    // too.
    const isVague = ctimeNs % 1_000_000_000n === 0n;
    this.lastModified = isVague ? null : changed;
    this.etag = tagOf(this.stats, coding, this.isYoung || isVague);
    this.type = mediaTypeOfName(name);
    this.coding = coding;
  }
}

/**
 * F5: weak where another state might have the same numbers. Length and mtime alone are the same for all files of builds
 * that set one time. The ctime is the system's, and a file that takes the place of another one has another inode.
 * Hashed, because a client has no business with inodes.
 */
function tagOf({ ino, size, mtimeNs, ctimeNs }: FileStats, coding: FileCoding | null, isWeak: boolean): string {
  const digest = createHash("sha256").update([size, mtimeNs, ctimeNs, ino, coding].join(" ")).digest("base64url");
  return `${isWeak ? "W/" : ""}"${digest.slice(0, 22)}"`;
}
