// RFC 9110 §12.5 against oracles: all lists of one or two members, and generated ones in every way to write them.
import fc from "fast-check";
import { negotiate, negotiatedOf } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import { Application, Resource, written } from "fingerpost";
import { describe, expect, it } from "vitest";
import { preferredMediaType } from "../../src/fields/accept.ts";
import { preferredCoding } from "../../src/fields/accept-encoding.ts";
import { preferredLanguage } from "../../src/fields/accept-language.ts";
import { acceptedCoding, acceptedLanguage, acceptedMediaType, type Preference } from "../support/oracle-negotiation.ts";
import { holds, timeout } from "./runs.ts";

const weights = [1000, 0, 1, 500, 999] as const;
const mediaTypes = ["application/json", "text/csv", "text/html;level=1"] as const;
const ranges = [
  ...["*/*", "text/*", "application/*", "image/*", "application/json", "text/csv", "text/html"],
  ...["text/html;level=1", "text/html;level=2", "image/png"],
];
const codings = ["br", "gzip", "identity"] as const;
const languages = ["de", "en-GB", "fr"] as const;

/** All lists of no more than two members. */
function listsOf(values: readonly string[]): Preference[][] {
  const members = values.flatMap((value) => weights.map((weight) => ({ value, weight })));
  const pairs = members.flatMap((one) => members.map((other) => [one, other]));
  return [...members.map((one) => [one]), ...pairs];
}

const plainly = (preferences: readonly Preference[]): string =>
  preferences.map(({ value, weight }) => (weight === 1000 ? value : `${value};q=${weight / 1000}`)).join(", ");

type Choose = (field: string) => string | null | Promise<string | null>;

async function departuresOf(
  values: readonly string[],
  choose: Choose,
  oracle: (preferences: readonly Preference[]) => string | null,
): Promise<string[]> {
  const departures: string[] = [];
  for (const preferences of listsOf(values)) {
    const field = plainly(preferences);
    const [chosen, expected] = [await choose(field), oracle(preferences)];
    if (chosen !== expected) departures.push(`${field}: ${chosen} instead of ${expected}`);
  }
  return departures.slice(0, 20);
}

const write = (): string => "x";

class Media extends Resource {
  paths = ["/"];
  static GET = { 200: { content: Object.fromEntries(mediaTypes.map((type) => [type, written(type, write)])) } };
  override GET(): never {
    return {} as never;
  }
}
const line = Application.builder().resources(Media).build();

class Negotiated extends native.Resource {
  override paths = ["/"];
  override GET(request: Request): Response {
    return new Response(null, { headers: { "content-type": negotiatedOf(request).mediaType! } });
  }
}

describe("media types", () => {
  const oracle = (preferences: readonly Preference[]): string | null => acceptedMediaType(preferences, mediaTypes);
  const asked =
    (app: { fetch(request: Request): Promise<Response> }): Choose =>
    async (accept) => {
      const response = await app.fetch(new Request("http://localhost/", { headers: { accept } }));
      expect(response.headers.get("vary")).toBe("Accept");
      return response.status === 406 ? null : response.headers.get("content-type");
    };

  it("are chosen as the oracle says, of all lists of one or two ranges", async () => {
    expect(await departuresOf(ranges, (field) => preferredMediaType(field, mediaTypes), oracle)).toEqual([]);
  });

  it("are chosen as the oracle says by the line, and by negotiate()", async () => {
    expect(await departuresOf(ranges, asked(line), oracle)).toEqual([]);
    const wrapped = native.Application.builder()
      .onError(() => {})
      .resources(Negotiated)
      .middleware(negotiate({ produces: mediaTypes }))
      .build();
    expect(await departuresOf(ranges, asked(wrapped), oracle)).toEqual([]);
  });
});

describe("content codings", () => {
  it.each([[codings], [codings.slice(0, 2)]])("of %j are chosen as the oracle says", async (offered) => {
    const values = ["*", "br", "gzip", "identity", "zstd"];
    const choose: Choose = (field) => preferredCoding(field, offered);
    expect(await departuresOf(values, choose, (preferences) => acceptedCoding(preferences, offered))).toEqual([]);
  });
});

describe("languages", () => {
  it.each([[languages], [["en-GB"]], [["de-CH", "de", "en"]]])(
    "of %j are chosen as the oracle says",
    async (offered) => {
      const values = ["*", "de", "de-CH", "de-CH-1996", "en", "en-GB", "fr", "it"];
      const choose: Choose = (field) => preferredLanguage(field, offered);
      expect(await departuresOf(values, choose, (preferences) => acceptedLanguage(preferences, offered))).toEqual([]);
    },
  );
});

/**
 * A list in one of the ways in which it can be written (RFC 9110 §5.6.1, §5.6.3, §5.6.6, §12.4.2), and what it means.
 */
const writtenLists = fc
  .array(
    fc.record({
      value: fc.constantFrom(...ranges),
      weight: fc.constantFrom(...weights),
      isLoud: fc.boolean(),
      isQuoted: fc.boolean(),
      digits: fc.nat(3),
      space: fc.constantFrom("", " ", "\t", " \t "),
      comma: fc.constantFrom(",", ", ", " ,", ",,", ", ,\t"),
    }),
    { maxLength: 8 },
  )
  .map((members) => ({
    preferences: members.map(({ value, weight }) => ({ value, weight })),
    field: members
      .map(({ value, weight, isLoud, isQuoted, digits, space, comma }) => {
        const [essence, parameter] = value.split(";") as [string, string?];
        const quoted = isQuoted ? parameter?.replace(/=(.*)/, '="$1"') : parameter;
        const number = weight === 1000 ? (1).toFixed(digits) : (weight / 1000).toFixed(3);
        const quality = weight === 1000 && digits === 0 ? "" : `${space};${space}${isLoud ? "Q" : "q"}=${number}`;
        const named =
          quoted === undefined ? "" : `${space};${space}${isLoud ? quoted.replace("level", "LEVEL") : quoted}`;
        return (isLoud ? essence.toUpperCase() : essence) + named + quality + comma;
      })
      .join(""),
  }));

describe("Accept", () => {
  it("means the same, however it is written", { timeout }, async () => {
    await holds(
      fc.property(writtenLists, ({ preferences, field }) => {
        expect(preferredMediaType(field, mediaTypes), field).toBe(acceptedMediaType(preferences, mediaTypes));
      }),
    );
  });
});
