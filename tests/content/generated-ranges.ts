import type { ByteRange } from "../../src/fields/range.ts";

/** Marks, byte by byte, what the grammar says; slow, and too plain to be wrong in the same way. */
export function rangeOracle(value: string, length: number): ByteRange[] | "unsatisfiable" | null {
  const set = /^bytes=(.*)$/i.exec(value)?.[1];
  const members = (set ?? "").split(",").flatMap((member) => {
    const text = member.replaceAll(/^[ \t]+|[ \t]+$/g, "");
    return text === "" ? [] : [text];
  });
  if (members.length === 0 || members.length > 16) return null;
  if (!members.every((member) => /^[0-9]+-[0-9]*$|^-[0-9]+$/.test(member))) return null;
  const marks = Array.from({ length }, () => 0);
  const ranges: ByteRange[] = [];
  for (const member of members) {
    const [first, last] = member.split("-").map((digits) => (digits === "" ? null : BigInt(digits)));
    if (first !== null && last !== null && last! < first!) return null;
    if (first === null && length === 0 && last! > 0n) return null;
    const isIn = (at: bigint): boolean =>
      first === null ? BigInt(length) - at <= last! : at >= first! && (last === null || at <= last!);
    const marked = marks.flatMap((_, at) => (isIn(BigInt(at)) ? [at] : []));
    for (const at of marked) marks[at]!++;
    if (marked.length > 0) ranges.push({ start: marked[0]!, end: marked.at(-1)! + 1 });
  }
  if (ranges.length === 0) return "unsatisfiable";
  return marks.some((count) => count > 1) ? null : ranges;
}

/** The value of a `Range` field, well-formed or not, for content of a length. */
export function generatedRange(random: (below: number) => number, length: number): string {
  const number = (): string => {
    if (random(40) === 0) return "9".repeat(1 + random(40));
    return String(random(Math.max(4, Math.ceil(length * 1.4))));
  };
  const step = Math.max(2, Math.ceil(length / 16));
  const members = Array.from({ length: random(12) === 0 ? 17 - random(3) : 1 + random(4) }, (_, at) => {
    const kind = random(30);
    if (kind === 0) return ["", "-", "x", `${number()}`, `--${number()}`, " "][random(6)]!;
    if (kind < 5) return `-${number()}`;
    if (kind < 8) return `${number()}-`;
    if (kind < 20) return `${at * step}-${at * step + random(step + 1)}`;
    return `${number()}-${number()}`;
  });
  const unit = random(30) === 0 ? ["Bytes=", "items=", "bytes"][random(3)]! : "bytes=";
  return unit + members.join([",", ", ", " ,\t", ",,"][random(4)]);
}

/** The same numbers each time (mulberry32). */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
