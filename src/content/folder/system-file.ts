import { constants, lstatSync, type BigIntStats } from "node:fs";
import { wordSet } from "../../http/javascript/word-set.ts";

/**
 * The flags that open a file for reading. A FIFO must not wait for a writer, and a device must not be opened by way of
 * a link. Windows has neither flag: undefined counts as 0.
 */
export const flags: number = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

// A file that cannot be had is not there; who may not read it must not learn more. ENXIO, ENODEV and EOPNOTSUPP:
// sockets, devices.
const absent: ReadonlySet<unknown> = /* @__PURE__ */ wordSet(
  "ENOENT ENOTDIR EACCES EPERM ELOOP ENAMETOOLONG EISDIR ENXIO ENODEV EOPNOTSUPP ENOTSUP EILSEQ",
);

/** Returns null where a file cannot be had. @throws whatever else the system says. */
export async function present<Value>(found: Promise<Value>): Promise<Value | null> {
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

/** Looks up the target of a path, even a link. @throws the error of the system, except if the file is not available. */
export function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Asks for times in nanoseconds. */
export const exact: { readonly bigint: true } = { bigint: true };

/**
 * When a file was written, or put in its place. Builds and archives set the mtime, so that content may change while it
 * stays the same. Nobody can set the ctime.
 */
export function lastChangeOf({ mtimeNs, ctimeNs }: Pick<BigIntStats, "mtimeNs" | "ctimeNs">): Date {
  return new Date(Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n));
}
