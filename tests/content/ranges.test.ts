import { describe, expect, it } from "vitest";
import { fileResponse } from "../../src/content/file-response.ts";
import { parseRange } from "../../src/fields/range.ts";
import { HTTPError } from "../../src/http/protocol/http-error.ts";
import { charactersRead } from "../growth/characters-read.ts";
import { generatedRange, generator, rangeOracle } from "./generated-ranges.ts";
import { asking, StoredBytes, ways } from "./stored-bytes.ts";

/** What a client makes of a response: places in the file, and the bytes there. */
async function partsOf(response: Response): Promise<(readonly [place: string, text: string])[]> {
  const content = await response.text();
  expect(response.headers.get("content-length")).toBe(String(content.length));
  const [, boundary] = /^multipart\/byteranges; boundary=(\S+)$/.exec(response.headers.get("content-type")!) ?? [];
  if (boundary === undefined) return [[response.headers.get("content-range")!, content]];
  const parts = `\r\n${content}`.split(`\r\n--${boundary}`);
  expect([parts[0], parts.at(-1)]).toEqual(["", "--\r\n"]);
  return parts.slice(1, -1).map((part) => {
    const [head, ...body] = part.split("\r\n\r\n");
    return [/\r\nContent-Range: (.*)$/.exec(head!)![1]!, body.join("\r\n\r\n")] as const;
  });
}

describe("ranges of files", () => {
  it("F7 agree with an oracle in 2,000 generated combinations", async () => {
    const random = generator(7);
    const statuses = new Map<number, number>();
    for (let run = 0; run < 2000; run++) {
      const length = [0, 1, 2, 10, 40, 200][random(6)]!;
      const content = Array.from({ length }, () => String.fromCharCode(0x61 + random(26))).join("");
      const stored = new StoredBytes(content, ways[random(3)], 1 + random(50));
      const range = generatedRange(random, length);
      const ifRange = [null, null, null, '"1"', '"2"', 'W/"1"'][random(6)]!;
      const method = random(8) === 0 ? "HEAD" : "GET";
      const because = `${method} ${range}, If-Range ${ifRange}, of ${length}`;

      const isRanged = method === "GET" && (ifRange === null || ifRange === '"1"');
      // An empty file has no byte to ask for, and is sent as a whole.
      const expected = isRanged && length > 0 ? rangeOracle(range, length) : null;
      let status: number;
      try {
        const response = fileResponse(
          asking({ range, ...(ifRange === null ? {} : { "if-range": ifRange }) }, method),
          stored,
        );
        status = response.status;
        if (Array.isArray(expected)) {
          const places = expected.map(({ start, end }) => [
            `bytes ${start}-${end - 1}/${length}`,
            content.slice(start, end),
          ]);
          expect(await partsOf(response), because).toEqual(places);
        } else {
          expect(response.headers.has("content-range"), because).toBe(false);
          expect(await response.text(), because).toBe(method === "HEAD" ? "" : content);
        }
      } catch (error) {
        if (!(error instanceof HTTPError)) throw error;
        status = error.status;
        expect(error.headers.get("content-range"), because).toBe(`bytes */${length}`);
      }
      expect(status, because).toBe(expected === null ? 200 : Array.isArray(expected) ? 206 : 416);
      expect(stored.closings, because).toBe(1);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    for (const status of [200, 206, 416]) expect(statuses.get(status), String(status)).toBeGreaterThan(20);
  });

  it("F7 are read in time that is linear in the length of the field, whatever it holds", () => {
    const fields: ((count: number) => string)[] = [
      (count) => `bytes=${"0-0,".repeat(count)}`,
      (count) => `bytes=${",".repeat(count)}`,
      (count) => `bytes=${" ".repeat(count)}0-0`,
      (count) => `bytes=${"1".repeat(count)}`,
      (count) => `bytes=0-${"1".repeat(count)}x`,
      (count) => `bytes=${"-".repeat(count)}`,
      (count) => `bytes=${'"'.repeat(count)}`,
      (count) => `bytes=${"\\".repeat(count)}`,
      (count) => `bytes=${"1-".repeat(count)}`,
      (count) => `bytes=${"0".repeat(count)}-${"0".repeat(count)}`,
    ];
    for (const field of fields) {
      const cost = (count: number): number => charactersRead(() => parseRange(field(count), 1000));
      expect(cost(10_000), field(3)).toBeLessThanOrEqual(12 * Math.max(cost(1000), 100));
    }
  });
});
