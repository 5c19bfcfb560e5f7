// RFC 9110 §14 of the line against the oracle of files: all lists of one or two ranges, of content of several lengths
// and kinds.
import { Application, bytes, Resource, type Call } from "fingerpost";
import { describe, expect, it } from "vitest";
import { rangeOracle } from "../content/generated-ranges.ts";

const members = [
  ...["0-0", "0-", "1-2", "2-1", "4-4", "4-9", "5-5", "9-", "0-99999999999999999999", "99999999999999999999-"],
  ...["-0", "-1", "-3", "-99", "-", "a-b", "1-a", " 1-2 ", "", "1", "--1"],
];
const fields = ["bytes=", "BYTES=", "items=", "bytes"].flatMap((unit) => [
  ...members.map((one) => unit + one),
  ...members.flatMap((one) => members.map((other) => `${unit}${one},${other}`)),
]);
const lengths = [0, 1, 5];

/** What content can be asked for in part: bytes, a buffer of them, and a Blob. */
const kinds: Readonly<Record<string, (text: string) => unknown>> = {
  array: (text) => new TextEncoder().encode(text),
  buffer: (text) => new TextEncoder().encode(text).buffer,
  blob: (text) => new Blob([text]),
};
const contentOf = (length: number): string => "01234".slice(0, length);

class Ranged extends Resource {
  paths = ["/:kind/:length"] as const;
  static GET = { 200: bytes("image/png") };
  override GET({ path }: Call<typeof Ranged, "GET">): never {
    return kinds[path.kind]!(contentOf(Number(path.length))) as never;
  }
}
const app = Application.builder().resources(Ranged).build();

describe.each(Object.keys(kinds))("ranges of the line, of %s", (kind) => {
  it.each(lengths)("are what the oracle says, of length %s", async (length) => {
    const whole = contentOf(length);
    const departures: unknown[] = [];
    for (const field of fields) {
      const headers = { range: field };
      const response = await app.fetch(new Request(`http://localhost/${kind}/${length}`, { headers }));
      // Empty content has no byte to ask for, and is sent as a whole.
      const expected = length === 0 ? null : rangeOracle(field, length);
      const text = await response.text();
      const answer = [response.status, response.headers.get("content-range"), response.ok ? text : ""];
      // Several parts are answered by the whole (§14.2).
      const [one, ...more] = Array.isArray(expected) ? expected : [];
      const wanted =
        expected === "unsatisfiable"
          ? [416, `bytes */${length}`, ""]
          : one === undefined || more.length > 0
            ? [200, null, whole]
            : [206, `bytes ${one.start}-${one.end - 1}/${length}`, whole.slice(one.start, one.end)];
      if (JSON.stringify(answer) !== JSON.stringify(wanted)) departures.push([field, answer, wanted]);
      const size = response.headers.get("content-length");
      if (size !== null && size !== String(text.length)) departures.push([field, `Content-Length ${size}`]);
    }
    expect(fields.length).toBeGreaterThan(1800);
    expect(departures.slice(0, 20)).toEqual([]);
  });
});
