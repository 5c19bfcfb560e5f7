// What functions that take text of a client cost when the text is twice as long: about twice as much, whatever it
// consists of.
import { parseRetryAfter } from "../../src/fields/retry-after.ts";
import { codingsOf, refuseCoded } from "../../src/fields/carried-content.ts";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { mostPreferred, OfferedTypes, parseAccept, preferredMediaType, qualityOf } from "../../src/fields/accept.ts";
import { contentCoding, preferredCoding } from "../../src/fields/accept-encoding.ts";
import { isLanguageTag, parseAcceptLanguage, preferredLanguage } from "../../src/fields/accept-language.ts";
import * as authorization from "../../src/fields/authorization.ts";
import { isPublic, isUnshared, parseCacheControl, unshared } from "../../src/fields/cache-control.ts";
import { isCompressibleType } from "../../src/fields/compressible-type.ts";
import { formatContentDisposition } from "../../src/fields/content-disposition.ts";
import { parseCookies, parseCookieValues } from "../../src/fields/cookie.ts";
import * as derivedTag from "../../src/fields/derived-tag.ts";
import * as entityTag from "../../src/fields/entity-tag.ts";
import { parseForwarded, parseXForwardedFor } from "../../src/fields/forwarded.ts";
import { isDateField, parseHttpDate } from "../../src/fields/http-date.ts";
import { parseIpAddress } from "../../src/fields/ip-address.ts";
import { parseList, parseParts, trimmed } from "../../src/fields/list.ts";
import {
  essenceOf,
  isActiveType,
  isRange,
  mediaTypeOf,
  parseMediaType,
  specificityOf,
} from "../../src/fields/media-type.ts";
import { isOrigin } from "../../src/fields/origin.ts";
import { parseParameter, parseParameters } from "../../src/fields/field-parameters.ts";
import { evaluatePreconditions, isRangeCurrent } from "../../src/fields/preconditions.ts";
import { preferenceOf } from "../../src/fields/prefer.ts";
import { parseQuotedString } from "../../src/fields/quoted-string.ts";
import { parseRange } from "../../src/fields/range.ts";
import { isFieldValue, isScope, isToken } from "../../src/fields/token.ts";
import { askedRanges } from "../../src/fields/representation.ts";
import { hasContent } from "../../src/fields/request-content.ts";
import { requestField, RequestFields } from "../../src/fields/request-fields.ts";
import { isConditional, namesTag, preconditionsOf } from "../../src/fields/request-preconditions.ts";
import { remembered } from "../../src/fields/remembered.ts";
import { parseTraceparent } from "../../src/fields/trace-context.ts";
import { addVary } from "../../src/fields/vary.ts";
import { parseWeighted } from "../../src/fields/weighted.ts";
import { claimedLengthOf } from "../../src/fields/whole-content.ts";
import { nativeAround, requestFor } from "../middleware/around.ts";
import { everyRow } from "../middleware/every-row.ts";
import { sampled } from "../support/sampled.ts";
import { CostMeter } from "./cost.ts";
import { folders, ofApplications, type Reader, type Table } from "./exported-functions.ts";
import { textTakersIn } from "./text-parameters.ts";
import { linearReaders, quadraticReaders } from "./readers.ts";

const root = fileURLToPath(new URL("../../src/", import.meta.url));
const sizes = [8000, 32_000, 64_000];

/** What texts consist of: a part that is repeated, and what stands at the end. */
const shapes: readonly (readonly [part: string, end: string])[] = [
  ["a", ""],
  ["a-", "a"],
  ["a,", "a"],
  ["a;", "a"],
  ["a=b;", "a=b"],
  ["a=b, ", '"'],
  ["a/b;q=0.1,", "*"],
  [" ", "a"],
  [",", ""],
  [";", ""],
  ['"', ""],
  ['\\"', '"'],
  ['"a", ', "a"],
  ['W/"a",', '"'],
  ["a.", "a"],
  [":", "a"],
  ["[", "]"],
  ["/", "a"],
  ["=", "="],
  ["%41", ""],
  ["9", ""],
  ["é", ""],
];

/** Those for what is made of functions that have been asked for all. */
const fewShapes = shapes.filter(([part]) => ["a", "a,", "a;", "a=b;", " ", '"', "[", "/", "=", "%41"].includes(part));

const textOf = ([part, end]: readonly [string, string], size: number): string =>
  part.repeat(Math.floor((size - end.length) / part.length)) + end;

const json = { type: "application", subtype: "json", parameters: new Map<string, string>() };
const current = { etag: { isWeak: false, opaque: "x" }, lastModified: new Date(0) };
const preconditions = { ifMatch: null, ifNoneMatch: null, ifModifiedSince: null, ifUnmodifiedSince: null };

function inputWith(text: string): object {
  return { headers: { get: () => text } };
}

const noPreconditions = { ifMatch: null, ifNoneMatch: null, ifModifiedSince: null, ifUnmodifiedSince: null };

/** How functions of src/fields take a text of a client, or why they take none. */
const fields: Table = {
  "accept-encoding": {
    preferredCoding: (text) => preferredCoding(text, ["br", "gzip", "identity"]),
    contentCoding,
  },
  "accept-language": {
    parseAcceptLanguage,
    preferredLanguage: (text) => preferredLanguage(text, ["de", "en-GB", "fr"]),
    isLanguageTag,
  },
  accept: {
    parseAccept,
    qualityOf: (text) => qualityOf(json, parseAccept(text)),
    preferredMediaType: (text) => preferredMediaType(text, ["application/json", "text/html"]),
    mostPreferred: (text) => mostPreferred(parseAccept(text), ({ quality }) => quality),
    OfferedTypes: (text) => new OfferedTypes(["application/json", "text/html"]).preferredAt(text),
  },
  authorization: {
    parseCredentials: [authorization.parseCredentials, (text) => authorization.parseCredentials(`Digest ${text}`)],
    isToken68: authorization.isToken68,
    parseBasicCredentials: [
      authorization.parseBasicCredentials,
      (text) => authorization.parseBasicCredentials(btoa(`${text}:a`)),
    ],
    hasControls: authorization.hasControls,
  },
  "cache-control": { isPublic, isUnshared, parseCacheControl, unshared },
  "compressible-type": { isCompressibleType },
  "content-disposition": { formatContentDisposition: (text) => formatContentDisposition("attachment", text) },
  "counted-content": { counted: "takes bytes", streamOf: "takes bytes" },
  "cookie-attributes": {
    mergedAttributes: "of the application",
    refusalOfAttributes: "of the application",
  },
  cookie: { parseCookies, parseCookieValues },
  "derived-tag": {
    derivedTag: "of the application",
    writtenAspect: "of the application",
    originalOf: (text) => derivedTag.originalOf({ isWeak: false, opaque: text }, () => true),
    withOriginalTags: [
      (text) => derivedTag.withOriginalTags(text, () => true),
      (text) => derivedTag.withOriginalTags(`"${text}~gzip"`, () => true),
    ],
    formatDerivedTag: "of the application",
    listsTag: (text) => derivedTag.listsTag(text, '"1"'),
  },
  "entity-tag": {
    parseEntityTag: [entityTag.parseEntityTag, (text) => entityTag.parseEntityTag(`"${text}"`)],
    formatEntityTag: "of the application",
    parseEntityTags: entityTag.parseEntityTags,
    isStrongMatch: (text) => entityTag.isStrongMatch({ isWeak: false, opaque: text }, current.etag),
    isWeakMatch: (text) => entityTag.isWeakMatch({ isWeak: false, opaque: text }, current.etag),
  },
  forwarded: {
    parseForwarded: [parseForwarded, (text) => parseForwarded(`for="${text}`), (text) => parseForwarded(`${text}"`)],
    parseXForwardedFor,
  },
  "http-date": {
    isDateField,
    parseHttpDate: [parseHttpDate, (text) => parseHttpDate(`Thu, 01 Jan 1970 00:00:00 GMT${text}`)],
    formatHttpDate: "of the application",
  },
  "ip-address": {
    parseIpAddress: [parseIpAddress, (text) => parseIpAddress(`::${text}`), (text) => parseIpAddress(`::1%${text}`)],
    formatIpAddress: "takes octets, 16 at most",
    networkOf: "takes octets, 16 at most",
  },
  list: { parseList, parseParts, trimmed: [trimmed, (text) => trimmed(`a${text} `)] },
  "media-type": {
    parseMediaType: [parseMediaType, (text) => parseMediaType(`a/b;${text}`)],
    essenceOf,
    mediaTypeOf: (text) => mediaTypeOf(`a/${text}`, [["charset", text]]),
    isRange,
    isActiveType,
    specificityOf: (text) => specificityOf(parseMediaType(`*/*;${text}`) ?? json, json),
  },
  origin: { isOrigin: [isOrigin, (text) => isOrigin(`https://${text}`)] },
  "field-parameters": {
    parseParameter: [parseParameter, (text) => parseParameter(`a="${text}"`)],
    parseParameters: (text) => parseParameters(text.split(",")),
  },
  preconditions: {
    evaluatePreconditions: (["ifMatch", "ifNoneMatch", "ifModifiedSince", "ifUnmodifiedSince"] as const).map(
      (name): Reader =>
        (text) =>
          evaluatePreconditions({ ...preconditions, [name]: text }, true, current),
    ),
    isRangeCurrent: (text) => isRangeCurrent(text, current),
  },
  prefer: {
    preferenceOf: [
      (text) => preferenceOf(text, "return"),
      (text) => preferenceOf(`return=${text}`, "return"),
      (text) => preferenceOf(`return="${text}"`, "return"),
    ],
  },
  "quoted-string": {
    formatQuotedString: "of the application",
    parseQuotedString: [parseQuotedString, (text) => parseQuotedString(`"${text}"`)],
  },
  range: {
    parseRange: (["", "bytes=", "bytes=0-0,"] as const).map(
      (start): Reader =>
        (text) =>
          parseRange(start + text, 1000),
    ),
    formatContentRange: "takes numbers",
  },
  "rate-limit-fields": { formatRateLimitPolicy: "of the application", formatRateLimit: "of the application" },
  representation: {
    askedRanges: (text) =>
      askedRanges({ get: (name: string) => (name === "range" ? text : null) } as Headers, 1000, null),
    readValidators: "of the application",
    validatorFields: "of the application",
    notModified: "of the application",
    unmodifiedAnswer: "of the application",
    withoutDescription: "of the application",
    preconditionRequired: "takes nothing",
    contentTag: "of the application",
  },
  "carried-content": {
    codingsOf,
    unreadable: "takes an error",
    contentReaderOf: "takes a stream",
    CarriedContent: "takes a stream",
    refuseCoded(text) {
      try {
        refuseCoded({ get: () => text });
      } catch {
        // It is refused.
      }
    },
  },
  "request-content": { hasContent: (text) => hasContent(inputWith(text)) },
  "request-fields": {
    requestField: (text) => requestField(inputWith(text), "a"),
    RequestFields: (text) => [...new RequestFields({ request: { headers: { a: [text, text] } } })],
    isEncrypted: "takes a socket",
  },
  "request-preconditions": {
    preconditionsOf: (text) => preconditionsOf(new RequestFields(inputWith(text))),
    isAnySent: "looks whether there is a text",
    isConditional: (text) => isConditional({ ...noPreconditions, ifUnmodifiedSince: text }, undefined),
    namesTag,
  },
  remembered: { remembered: (text) => remembered(({ length }) => length)(text) },
  "retry-after": { formatRetryAfter: "of the application", parseRetryAfter },
  "set-cookie": { formatSetCookie: "of the application" },
  token: { isToken, isFieldValue, isScope },
  "trace-context": {
    parseTraceparent: [
      parseTraceparent,
      (text) => parseTraceparent(`01-${"1".repeat(32)}-${"1".repeat(16)}-01-${text}`),
    ],
  },
  vary: {
    // Of a response, which may be another server's.
    addVary: (text) => addVary({ get: () => text, set: () => {} }, "Accept", "Origin"),
  },
  weighted: { parseWeighted },
  "whole-content": {
    claimedLengthOf: (text) => claimedLengthOf(inputWith(text)),
    bytesIn: "takes bytes",
    readWhole: "takes bytes",
    bounded: "takes a stream",
    tooLong: "of the application",
  },
  "www-authenticate": { formatChallenge: "of the application" },
};

/** The functions that a file of the sources exports, classes included. */
/** Rows of functions that are not there, and functions that take text and have no row. */
async function misfitsIn(folder: string, table: Table): Promise<string[]> {
  const files = (readdirSync(`${root}${folder}`, { recursive: true }) as string[])
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".ts".length));
  const misfits = Object.keys(table).filter((file) => !files.includes(file));
  for (const file of files) {
    const rows = Object.keys(table[file] ?? {});
    const path = `${root}${folder}/${file}.ts`;
    const exported = rows.length === 0 ? {} : ((await import(/* @vite-ignore */ path)) as object);
    const takers = ofApplications.test(`${folder}/${file}`) ? [] : textTakersIn(path);
    const unknown = rows.filter((name) => typeof (exported as Record<string, unknown>)[name] !== "function");
    const missing = takers.filter((name) => !rows.includes(name));
    misfits.push(...[...unknown, ...missing].map((name) => `${file}: ${name}`));
  }
  return misfits;
}

function readersIn(table: Table): (readonly [file: string, name: string, readers: readonly Reader[]])[] {
  return Object.entries(table).flatMap(([file, functions]) =>
    Object.entries(functions).flatMap(([name, readers]) =>
      typeof readers === "string" ? [] : [[`${file}.ts`, name, [readers].flat() as readonly Reader[]] as const],
    ),
  );
}

const meter = new CostMeter();
beforeAll(() => meter.start());
afterAll(() => meter.stop());

/** For which shapes a run costs more than in proportion to its length, with what it costs. */
async function faultsOf(runFor: (text: string) => () => unknown, tried: typeof shapes): Promise<string[]> {
  const faults: string[] = [];
  // To take what has run is most of the time: what a shape has cost is forgotten when it is taken.
  await meter.reset();
  for (const shape of tried) {
    const costs: number[] = [];
    for (const size of sizes) costs.push(await meter.costOf(runFor(textOf(shape, size))));
    const [least, half, most] = costs as [number, number, number];
    // The square is 4 times as much for a doubling, 64 times in all. Between the first two there may be a limit,
    // beyond which a text is refused; sorting is allowed for, and that V8 does not count all where it has inlined.
    if (most > 2.6 * half + 1000 || most > 16 * least + 1000) {
      faults.push(`${JSON.stringify(shape)} costs ${costs.join(", ")}`);
    }
  }
  return faults;
}

/** The next seventh of the shapes for each reader and field, or fifth of the few: all of them take minutes. */
const some = (of = shapes): typeof shapes => sampled(of, of === shapes ? 7 : 5);

describe("the measure", () => {
  it("tells the square from what is linear, in blocks of ours and in methods of the platform", async () => {
    const letters = shapes.slice(0, 1);
    for (const read of linearReaders) {
      expect(await faultsOf((text) => () => read(text), letters), read.name).toEqual([]);
    }
    for (const read of quadraticReaders) {
      expect(await faultsOf((text) => () => read(text), letters), read.name).toHaveLength(1);
    }
  });
});

describe("textTakersIn()", () => {
  it("lists what takes a text by its types, alone or in something", () => {
    const folder = mkdtempSync(join(tmpdir(), "text-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = `
      export function text(a: string | null): void {}
      export const arrow = ({ a }: { readonly a: readonly string[] }): void => {};
      export function anything(a: unknown): void {}
      export class Reads { at(name: string): void {} }
      export function returning(a: number): string { return ""; }
      export function called(a: (text: string) => void): void {}
      export class Hidden { #at(name: string): void {} }
      export const constant = "text";
      export type Text = (a: string) => void;
      function own(a: string): void {}`;
    writeFileSync(join(folder, "a.ts"), source);
    expect(textTakersIn(join(folder, "a.ts"))).toEqual(["text", "arrow", "anything", "Reads"]);
  });
});

describe("src/fields", () => {
  it("has each function that takes text in the table", async () => {
    expect(await misfitsIn("fields", fields)).toEqual([]);
  });

  it.each(readersIn(fields))("%s: %s() costs no more than in proportion to the text", async (_file, _name, readers) => {
    for (const read of readers) expect(await faultsOf((text) => () => read(text), some())).toEqual([]);
  });
});

describe.each(Object.entries(folders))("src/%s", (folder, table) => {
  it("has each function that takes text in the table", async () => {
    expect(await misfitsIn(folder, table)).toEqual([]);
  });

  it.each(readersIn(table))("%s: %s() costs no more than in proportion to the text", async (_file, _name, readers) => {
    for (const [at, read] of readers.entries()) {
      expect(await faultsOf((text) => () => read(text), some(fewShapes)), `reader ${at}`).toEqual([]);
    }
  });
});

describe("src/middleware", () => {
  it.each([...everyRow])("%s costs no more than in proportion to fields and path", async (_name, row) => {
    expect(row.reads).not.toEqual([]);
    for (const { create, method = "GET", handler = () => new Response("text"), sent = {}, ...reads } of row.reads) {
      const app = nativeAround(create(), handler);
      const asked = (headers: HeadersInit, path?: string) => (): unknown =>
        app.fetch(requestFor({ method, headers }, path));
      for (const [field, starts] of Object.entries(reads.fields ?? {})) {
        for (const start of starts) {
          const faults = await faultsOf((text) => asked({ ...sent, [field]: start + text }), some());
          expect(faults, `${field}: ${start}`).toEqual([]);
        }
      }
      if (!reads.path) continue;
      const pathOf = (text: string): string => `/items/${text.replace(/[^\w%=;,]/g, ".")}`;
      expect(await faultsOf((text) => asked(sent, pathOf(text)), some()), "path").toEqual([]);
    }
  });
});
