import { Application, bytes, Resource, text, type Call } from "fingerpost";
import { client, type Fetch } from "fingerpost/client";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";

/** What a handler was given comes back as JSON, but for bytes and text, which come back as they are. */
class Echo extends Resource {
  paths = [
    "/one/:id",
    "/two/:first/x-:second",
    "/optional/:a?/:b?",
    "/rest/:path+",
    "/some/:path*",
    "/jpg/(.+\\.jpg)",
  ] as const;

  static GET = {
    query: z.object({
      text: z.string().optional(),
      number: z.number().optional(),
      flag: z.boolean().optional(),
      list: z.array(z.string()).optional(),
      numbers: z.array(z.number()).optional(),
      at: z.iso.datetime().optional(),
    }),
    headers: z.object({ "x-text": z.string().optional(), "x-number": z.number().optional() }),
    200: z.unknown(),
  };
  override GET({ path, query, headers }: Call<typeof Echo, "GET">): unknown {
    return { path, query, headers };
  }

  static POST = { content: z.unknown(), 200: z.unknown() };
  override POST({ content }: Call<typeof Echo, "POST">): unknown {
    return { content };
  }

  static PUT = { content: { "application/octet-stream": bytes(), "text/plain": text() }, 200: bytes() };
  override PUT({ content }: Call<typeof Echo, "PUT">): Blob {
    return new Blob([content]);
  }

  static PATCH = {
    content: {
      "application/x-www-form-urlencoded": z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      "multipart/form-data": z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    },
    200: z.unknown(),
  };
  override PATCH({ content }: Call<typeof Echo, "PATCH">): unknown {
    return content;
  }
}

const app = Application.builder().resources(Echo).build();

/** The application, and its client, which sends by a `fetch`. */
export const echo: typeof app = app;
export type Round = { readonly sent: unknown; readonly come: unknown };

// Half of a surrogate pair cannot be written in UTF-8, and no server lets NUL or a path of 8 KiB in.
const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom("%2F", "%", "a/b", "?x=y#z", "__proto__", "constructor", "...", " ", "\\", ";", "+", "&=", "é", "😀"),
);
const params = texts.filter((value) => value !== "" && value !== "." && value !== "..");
const segments = fc.array(params, { minLength: 1, maxLength: 5 });
/** Several segments as one text: a slash in a segment ends it there. */
const joined = segments
  .map((path) => path.join("/"))
  .filter((path) => !path.split("/").some((segment) => segment === "." || segment === ".."));
const numbers = fc
  .oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  )
  .filter((n) => Number.isSafeInteger(n) || !/^-?\d+$/.test(String(n)));
/** As JSON has it: no negative zero, and no member that an object may take for its prototype. */
const json = fc
  .json({ maxDepth: 3 })
  .filter((written) => !written.includes("__proto__"))
  .map((written): unknown => JSON.parse(JSON.stringify(JSON.parse(written))));
const fieldTexts = fc
  .string({ maxLength: 20 })
  .map((value) => value.trim())
  .filter((value) => value !== "");
/**
 * What runtimes read back as they wrote it: Bun and Deno leave the escapes of quotes and line breaks in names, Node
 * reads `%22` as a quote, Deno ends a name at `;` and `=`, Bun takes more than the name where it ends in a backslash,
 * and neither takes NUL.
 */
const names = fc.string({
  unit: fc.constantFrom(..."abcXYZ019_-.", " ", "\t", "'", "[", "]", "/", ":", "*", "&", "+", "?", "#", "é", "😀"),
  minLength: 1,
  maxLength: 8,
});
/** A form writes each line break as CR LF, and drops a byte order mark at the begin. */
const formTexts = texts.filter((value) => value !== "" && !/^\ufeff|[\r\n]/.test(value));

const queries = fc.record(
  {
    text: texts,
    number: numbers,
    flag: fc.boolean(),
    list: fc.array(texts, { minLength: 1, maxLength: 4 }),
    numbers: fc.array(numbers, { minLength: 1, maxLength: 4 }),
    at: fc
      .date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") })
      .map((date) => date.toISOString()),
  },
  { requiredKeys: [] },
);
const fields = fc.record({ "x-text": fieldTexts, "x-number": numbers }, { requiredKeys: [] });

/** How many calls are made on each runtime. Its bundle knows, as not every runtime has an environment. */
export const rounds: number =
  (globalThis as { fingerpostRoundTrips?: number }).fingerpostRoundTrips ??
  Number(globalThis.process?.env["FINGERPOST_ROUND_TRIPS"] ?? 300);

/** Calls of all kinds: each sends a value, and resolves to what was sent and what came back. */
function roundTrips(fetch: Fetch, base: string): fc.Arbitrary<() => Promise<Round>> {
  const api = client<typeof app>(base, { fetch });
  const one = { path: { id: "1" } };
  return fc.oneof(
    fc.record({ id: params, query: queries, headers: fields }).map(({ id, query, headers }) => async () => ({
      sent: { path: { id }, query, headers },
      come: (await api["/one/:id"].GET({ path: { id }, query, headers })).content,
    })),
    fc.record({ first: params, second: params }).map((path) => async () => ({
      sent: { path, query: {}, headers: {} },
      come: (await api["/two/:first/x-:second"].GET({ path })).content,
    })),
    fc.option(fc.record({ a: params, b: params }, { requiredKeys: ["a"] }), { nil: {} }).map((path) => async () => ({
      sent: { path, query: {}, headers: {} },
      come: (await api["/optional/:a?/:b?"].GET({ path })).content,
    })),
    segments.map((path) => async () => ({
      sent: { path: { path: path.join("/") }, query: {}, headers: {} },
      come: (await api["/rest/:path+"].GET({ path: { path } })).content,
    })),
    fc.option(segments, { nil: [] }).map((path) => async () => ({
      sent: { path: path.length === 0 ? {} : { path: path.join("/") }, query: {}, headers: {} },
      come: (await api["/some/:path*"].GET({ path: { path } })).content,
    })),
    joined.map((path) => async () => ({
      sent: { path: { 0: `${path}.jpg` }, query: {}, headers: {} },
      come: (await api["/jpg/(.+\\.jpg)"].GET({ path: { 0: `${path}.jpg` } })).content,
    })),
    json.map((content) => async () => ({
      sent: { content },
      come: (await api["/one/:id"].POST({ ...one, content })).content,
    })),
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((given) => async () => {
      const content = new Uint8Array(given);
      const { content: come } = await api["/one/:id"].PUT({ ...one, content, type: "application/octet-stream" });
      return { sent: [...content], come: [...new Uint8Array(await (come as Blob).arrayBuffer())] };
    }),
    texts
      .filter((content) => content !== "" && !content.startsWith("\ufeff"))
      .map((content) => async () => ({
        sent: content,
        come: await ((await api["/one/:id"].PUT({ ...one, content, type: "text/plain" })).content as Blob).text(),
      })),
    fc
      .record({
        content: fc.dictionary(names, fc.oneof(formTexts, fc.array(formTexts, { minLength: 2, maxLength: 3 })), {
          minKeys: 1,
          maxKeys: 4,
        }),
        type: fc.constantFrom("application/x-www-form-urlencoded" as const, "multipart/form-data" as const),
      })
      .map(({ content, type }) => async () => ({
        sent: { ...content },
        come: (await api["/one/:id"].PATCH({ ...one, content, type })).content,
      })),
  );
}

/** The property that a client gets back what it puts in, by a function such as `fetch`. */
export function roundTripsBy(fetch: Fetch, base: string): fc.IAsyncPropertyWithHooks<[() => Promise<Round>]> {
  return fc.asyncProperty(roundTrips(fetch, base), async (call) => {
    const { sent, come } = await call();
    expect(come).toEqual(sent);
  });
}

/** Tries it over HTTP in ten parts, each of which is done in the time that a test has. */
export function itMakesRoundTrips(listen: () => Promise<Listening>): void {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("C11.4 gets back over HTTP what a client puts in, part %s", async (seed) => {
    const { port, stop } = await listen();
    try {
      const property = roundTripsBy((request) => fetch(request), `http://127.0.0.1:${port}`);
      await fc.assert(property, { numRuns: Math.ceil(rounds / 10), seed });
    } finally {
      await stop();
    }
  });
}

/** A server of the application that echoes. */
export interface Listening {
  readonly port: number;
  readonly stop: () => unknown;
}
