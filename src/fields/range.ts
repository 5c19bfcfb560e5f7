import { parseList } from "./list.ts";

/** Bytes from `start` up to, but without, `end`: counted as `slice()` does, not as the fields do. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the value of `Range` against the length of a representation (RFC 9110 §14.1.2, §14.2).
 *
 * The ranges come in the order of the field, without those beyond the end. `"unsatisfiable"` says that no range is
 * left. Null says to ignore the field: it has another unit, a malformed member, too many members, or ranges that
 * overlap. So does content of no length: some clients send the field with each request, and want what there is (§14.2).
 *
 * @param maxRanges how many members the field may have.
 */
export function parseRange(value: string, length: number, maxRanges = 16): ByteRange[] | "unsatisfiable" | null {
  // RFC 9110 §14.1: the names of range units are case-insensitive.
  if (length === 0 || value.slice(0, 6).toLowerCase() !== "bytes=") return null;
  const members = parseList(value.slice(6));
  if (members.length === 0 || members.length > maxRanges) return null;
  const ranges: ByteRange[] = [];
  for (const member of members) {
    const range = rangeOf(member, length);
    if (range === null) return null;
    if (range !== "unsatisfiable") ranges.push(range);
  }
  if (ranges.length === 0) return "unsatisfiable";
  return isOverlapping(ranges) ? null : ranges;
}

/** Writes the value of `Content-Range` (RFC 9110 §14.4). @param range null where no range could be satisfied. */
export function formatContentRange(range: ByteRange | null, length: number): string {
  return `bytes ${range === null ? "*" : `${range.start}-${range.end - 1}`}/${length}`;
}

/** The bytes that one member means; null where the field is to be ignored. */
function rangeOf(member: string, length: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(member) ?? [];
  if (first !== "") {
    if (last !== "" && Number(last) < Number(first)) return null;
    if (Number(first) >= length) return "unsatisfiable";
    return { start: Number(first), end: last === "" ? length : Math.min(length, Number(last) + 1) };
  }
  if (last === "") return null;
  if (Number(last) === 0) return "unsatisfiable";
  return { start: Math.max(0, length - Number(last)), end: length };
}

function isOverlapping(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  return sorted.some(({ start }, at) => at > 0 && start < sorted[at - 1]!.end);
}
