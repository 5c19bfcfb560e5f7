// RFC 9110 §13.2.2 in full: each combination of preconditions, method and state, of the function, the line and
// `conditional()`.
import { conditional } from "fingerpost/native/content";
import * as native from "fingerpost/modules/http.native.js";
import { Application, bytes, reply, Resource, type Answer, type Call } from "fingerpost";
import { describe, expect, it } from "vitest";
import { evaluatePreconditions, isRangeCurrent } from "../../src/fields/preconditions.ts";
import {
  conditionalStatus,
  type ConditionalRequest,
  type Represented,
  type Tag,
} from "../support/oracle-preconditions.ts";

const modified = Date.UTC(2026, 0, 31, 12) / 1000;
const a = { opaque: "a", isWeak: false };
const weakA = { opaque: "a", isWeak: true };
const b = { opaque: "b", isWeak: false };

const states: readonly Represented[] = [
  null,
  { etag: a, modified },
  { etag: weakA, modified },
  { etag: a, modified: null },
  { etag: b, modified: modified + 1 },
  { etag: null, modified },
  { etag: null, modified: null },
];
const tags = [null, "*", a, weakA, b] as const;
const dates = [null, modified - 1, modified, Number.NaN] as const;
const methods: readonly (readonly [method: string, isRead: boolean, ifRange?: Tag | number | null])[] = [
  ["GET", true],
  ["HEAD", true],
  ["PUT", false],
  ["GET", true, null],
  ["GET", true, a],
  ["GET", true, weakA],
  ["GET", true, b],
  ["GET", true, modified],
  ["GET", true, modified + 1],
];

interface Combination {
  readonly method: string;
  readonly request: ConditionalRequest;
  readonly at: number;
  readonly now: Represented;
}

function* combinations(): Generator<Combination> {
  for (const [method, isRead, ...[ifRange]] of methods)
    for (const ifMatch of tags)
      for (const ifNoneMatch of tags)
        for (const ifUnmodifiedSince of dates)
          for (const ifModifiedSince of dates)
            for (const [at, now] of states.entries()) {
              const request = { isRead, ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince, ifRange };
              yield { method, request, at, now };
            }
}

const written = (tag: Tag): string => `${tag.isWeak ? "W/" : ""}"${tag.opaque}"`;
const writtenTags = (sent: "*" | Tag | null): string | null => (sent === null || sent === "*" ? sent : written(sent));
const writtenDate = (sent: number | null): string | null =>
  sent === null ? null : Number.isNaN(sent) ? "the day before" : new Date(sent * 1000).toUTCString();
const writtenRange = (sent: Tag | number): string => (typeof sent === "number" ? writtenDate(sent)! : written(sent));

function fieldsOf({ ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince, ifRange }: ConditionalRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of [
    ["if-match", writtenTags(ifMatch)],
    ["if-none-match", writtenTags(ifNoneMatch)],
    ["if-unmodified-since", writtenDate(ifUnmodifiedSince)],
    ["if-modified-since", writtenDate(ifModifiedSince)],
    ["range", ifRange === undefined ? null : "bytes=0-0"],
    ["if-range", ifRange === undefined || ifRange === null ? null : writtenRange(ifRange)],
  ] as const) {
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

const ten = new TextEncoder().encode("0123456789");
const validatorsAt = (at: string): { readonly etag?: string; readonly lastModified?: Date } | null => {
  const now = states[Number(at)]!;
  if (now === null) return null;
  return {
    ...(now.etag === null ? {} : { etag: written(now.etag) }),
    ...(now.modified === null ? {} : { lastModified: new Date(now.modified * 1000) }),
  };
};

class Ten extends Resource {
  paths = ["/:at"] as const;

  validator({ path }: { readonly path: { readonly at: string } }) {
    return validatorsAt(path.at);
  }

  static GET = { 200: bytes("image/png"), 404: "There is nothing" };
  override GET({ path }: Call<typeof Ten, "GET">): Answer<typeof Ten, "GET"> {
    return validatorsAt(path.at) === null ? reply(404) : ten;
  }

  static PUT = { 200: bytes("image/png") };
  override PUT(): Answer<typeof Ten, "PUT"> {
    return ten;
  }
}

class NativeTen extends native.Resource {
  override paths = ["/:at"];

  validator(request: native.ReceivedRequest) {
    return validatorsAt(request.params!.pathParam("at")!);
  }

  override GET(): Response {
    return new Response(ten);
  }

  override HEAD(): Response {
    return new Response(null);
  }

  override PUT(): Response {
    return new Response(ten);
  }
}

const line = Application.builder().resources(Ten).build();
// No tag of the content: where validators are missing, they are.
const wrapped = native.Application.builder()
  .resources(NativeTen)
  .middleware(conditional({ maxBytes: 0 }))
  .build();

async function departuresOf(
  statusOf: (combination: Combination, headers: Headers) => number | Promise<number>,
  expectedOf: (combination: Combination) => number | null,
): Promise<{ readonly tried: number; readonly departures: readonly string[] }> {
  const departures: string[] = [];
  let tried = 0;
  for (const combination of combinations()) {
    const expected = expectedOf(combination);
    if (expected === null) continue;
    tried++;
    const headers = fieldsOf(combination.request);
    const status = await statusOf(combination, headers);
    if (status === expected) continue;
    const { method, at } = combination;
    departures.push(`${method} of state ${at}, ${JSON.stringify([...headers])}: ${status} instead of ${expected}`);
  }
  return { tried, departures: departures.slice(0, 20) };
}

const asked =
  (app: { fetch(request: Request): Promise<Response> }) =>
  async ({ method, at }: Combination, headers: Headers): Promise<number> =>
    (await app.fetch(new Request(`http://localhost/${at}`, { method, headers }))).status;

describe("preconditions", () => {
  it("are what the oracle says, of the function in all combinations", async () => {
    const { tried, departures } = await departuresOf(
      ({ request: { isRead, ifRange }, now }, headers) => {
        const current = now && {
          etag: now.etag,
          lastModified: now.modified === null ? null : new Date(now.modified * 1000),
        };
        const sent = (name: string): string | null => headers.get(name);
        const preconditions = {
          ifMatch: sent("if-match"),
          ifNoneMatch: sent("if-none-match"),
          ifModifiedSince: sent("if-modified-since"),
          ifUnmodifiedSince: sent("if-unmodified-since"),
        };
        const verdict = evaluatePreconditions(preconditions, isRead, current);
        if (verdict !== "perform") return verdict === "failed" ? 412 : 304;
        if (ifRange === undefined) return 200;
        return ifRange === null || isRangeCurrent(sent("if-range")!, current) ? 206 : 200;
      },
      ({ request, now }) => conditionalStatus(request, now),
    );
    expect(departures).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(23_200);
  });

  it("are what the oracle says, of the line in all combinations", async () => {
    const { tried, departures } = await departuresOf(asked(line), ({ request, now }) => {
      // Where there is nothing, a read is 404 with or without its preconditions (§13.2.1); but for If-Match, which says
      // there is.
      if (now === null && request.isRead && request.ifMatch === null) return 404;
      return conditionalStatus(request, now);
    });
    expect(departures).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(23_200);
  });

  it("are the same of conditional(), which leaves ranges to the handler", async () => {
    const { tried, departures } = await departuresOf(asked(wrapped), ({ request, now }) => {
      if (now === null && request.isRead) return null;
      return conditionalStatus({ ...request, ifRange: undefined }, now);
    });
    expect(departures).toEqual([]);
    expect(tried).toBeGreaterThan(20_000);
  });
});
