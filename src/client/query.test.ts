import { describe, expect, it } from "vitest";
import { client } from "../client.ts";
import { mutationOptions, queryOptions } from "./query.ts";

interface Result {
  orThrow(): string;
}
interface Input {
  path?: object;
  query?: object;
  headers?: object;
  cookies?: object;
  content?: unknown;
  type?: string;
  signal?: AbortSignal;
}
interface Api {
  readonly "/books/:isbn": {
    GET(input: {
      path: { isbn: string | number; page?: number | undefined };
      query?: object | undefined;
      signal?: AbortSignal;
    }): Promise<Result>;
    PUT(input: { path: { isbn: string } }): Promise<Result>;
  };
  readonly "/books": { GET(input?: Input): Promise<Result>; QUERY(input: Input): Promise<Result> };
  readonly "/files/:path+": { GET(input: Input): Promise<Result> };
  readonly "/some/:path*": { GET(input?: Input): Promise<Result> };
}

const form = "application/x-www-form-urlencoded";
const sent: Request[] = [];
const api = client<Api>("http://h", {
  fetch: async (request) => {
    sent.push(request);
    return Response.json(new URL(request.url).pathname, { status: request.url.endsWith("0") ? 404 : 200 });
  },
});
const calls = api["/books/:isbn"];

/** As TanStack Query hashes it: members are sorted. */
function hashed({ queryKey }: { queryKey: readonly unknown[] }): string {
  return JSON.stringify(queryKey, (_, value: unknown) =>
    Object.prototype.toString.call(value) === "[object Object]"
      ? Object.fromEntries(Object.entries(value as object).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

describe("queryOptions()", () => {
  it("has one key for one request", () => {
    const { queryKey } = queryOptions(calls.GET, { path: { isbn: "7" }, query: { limit: 5 } });
    expect(queryKey).toEqual(["GET /books/:isbn", { path: { isbn: "7" }, query: { limit: 5 } }, "http://h"]);
    const { signal } = new AbortController();
    const same = queryOptions(calls.GET, { path: { isbn: 7, page: undefined }, query: undefined, signal });
    expect(JSON.stringify(same.queryKey)).toBe('["GET /books/:isbn",{"path":{"isbn":7}},"http://h"]');
    expect(queryOptions(api["/books"].GET).queryKey).toEqual(["GET /books", {}, "http://h"]);
  });

  it.each<[string, Input, Input]>([
    ["no part and an empty query", {}, { query: {} }],
    ["no part and an undefined member", {}, { query: { limit: undefined }, headers: { a: undefined }, cookies: {} }],
    ["no part and an empty path", {}, { path: {} }],
    ["an absent list and an empty one", {}, { query: { tag: [] } }],
    ["a list with and without undefined", { query: { tag: ["a", undefined] } }, { query: { tag: ["a"] } }],
    ["a list of one and its member", { query: { tag: ["a"] } }, { query: { tag: "a" } }],
    ["a list with undefined before a number", { query: { n: [undefined, 1, 2] } }, { query: { n: [1, 2] } }],
    ["a bigint and its text", { query: { n: 1n } }, { query: { n: "1" } }],
    ["a date and its text", { query: { at: new Date(0) } }, { query: { at: "1970-01-01T00:00:00.000Z" } }],
    ["members in another order", { query: { a: 1, b: 2 } }, { query: { b: 2, a: 1 } }],
    ["names of fields in another case", { headers: { "X-A": 1 } }, { headers: { "x-a": "1" } }],
    ["a list in a field and its text", { headers: { a: ["b", "c"] } }, { headers: { a: "b, c" } }],
    ["content with and without undefined", { content: { a: 1, b: undefined } }, { content: { a: 1 } }],
    ["a form of numbers and texts", { content: { a: 1 }, type: form }, { content: { a: "1" }, type: form }],
  ])("has the same key for %s", (_, one, other) => {
    expect(hashed(queryOptions(api["/books"].QUERY, one))).toBe(hashed(queryOptions(api["/books"].QUERY, other)));
  });

  it.each<[string, Input, Input]>([
    ["two lists", { query: { tag: ["a", "b"] } }, { query: { tag: ["b", "a"] } }],
    ["an empty member and none", { query: { tag: [""] } }, {}],
    ["numbers and text, which a part of a key has to match", { query: { n: 1 } }, { query: { n: "1" } }],
    ["flags and text", { query: { n: [true, "a"] } }, { query: { n: ["true", "a"] } }],
    ["path params", { path: { n: 1 } }, { path: { n: "1" } }],
    ["numbers that JSON writes as null", { query: { n: Infinity } }, { query: { n: -Infinity } }],
    ["typed arrays", { content: new Uint8Array([1]) }, { content: new Uint8Array([2]) }],
    ["buffers", { content: new Uint8Array([1]).buffer }, { content: new Uint8Array([2]).buffer }],
    ["bytes and JSON of their text", { content: new Uint8Array([1]) }, { content: "01" }],
    ["texts", { content: "a", type: "text/plain" }, { content: "b", type: "text/plain" }],
    ["types", { content: "a", type: "text/plain" }, { content: "a" }],
    ["parameters of a form", { content: new URLSearchParams("a=1") }, { content: new URLSearchParams("a=2") }],
    ["forms", { content: { a: 1 }, type: form }, { content: { a: 2 }, type: form }],
    ["cookies", { cookies: { a: 1 } }, { cookies: { a: 2 } }],
  ])("has different keys for different %s", (_, one, other) => {
    expect(hashed(queryOptions(api["/books"].QUERY, one))).not.toBe(hashed(queryOptions(api["/books"].QUERY, other)));
  });

  it("has a view of a buffer as the bytes that it shows", () => {
    const { queryKey } = queryOptions(api["/books"].QUERY, { content: new Uint8Array([1, 2, 171]).subarray(1) });
    expect(queryKey[1]).toEqual({ bytes: "02ab" });
  });

  it("has a rest param as text, and as a list where a segment holds a slash", () => {
    const pathOf = (path: object): unknown => queryOptions(api["/files/:path+"].GET, { path }).queryKey[1].path;
    expect(pathOf({ path: ["a", "b"] })).toEqual({ path: "a/b" });
    expect(pathOf({ path: "a/b" })).toEqual({ path: "a/b" });
    expect(pathOf({ path: ["a/b", "c"] })).toEqual({ path: ["a/b", "c"] });
    expect(pathOf({ path: ["a/b"] })).toEqual({ path: ["a/b"] });
    expect(pathOf({})).toBe(undefined);
    const none = queryOptions(api["/some/:path*"].GET);
    for (const path of [[], "", undefined])
      expect(queryOptions(api["/some/:path*"].GET, { path: { path } }).queryKey).toEqual(none.queryKey);
  });

  it("has different keys for clients of different bases", () => {
    const keyAt = (base: string): unknown => queryOptions(client<Api>(base)["/books"].GET).queryKey;
    expect(keyAt("http://other")).toEqual(["GET /books", {}, "http://other"]);
    expect(keyAt("http://h/")).toEqual(queryOptions(api["/books"].GET).queryKey);
  });

  it.each<[string, Input]>([
    ["Blob", { content: new Blob(["a"]) }],
    ["File", { content: new File([], "a") }],
    ["FormData", { content: new FormData() }],
    ["ReadableStream", { content: new ReadableStream() }],
    ["File", { content: { a: new File([], "a") }, type: "multipart/form-data" }],
    ["AsyncGenerator", { content: (async function* () {})(), type: "text/csv" }],
  ])("refuses a %s, whose bytes the key cannot hold", (kind, input) => {
    const refused = `Cannot make a key: it cannot hold the bytes of a value of type ${kind}; pass text or an Array`;
    expect(() => queryOptions(api["/books"].QUERY, input)).toThrow(refused);
    expect(() => queryOptions(api["/books"].QUERY, input)).toThrow(TypeError);
  });

  it("has null where there is no content, and empty content where the type has it", async () => {
    const dataOf = async (status: number, type: string | null): Promise<unknown> => {
      const fetch = async (): Promise<Response> =>
        new Response(status === 204 ? null : new Uint8Array(), {
          status,
          headers: type ? { "content-type": type } : {},
        });
      return queryOptions(client<Api>("http://h", { fetch })["/books"].GET).queryFn(new AbortController());
    };
    expect(await dataOf(204, null)).toBe(null);
    expect(await dataOf(204, "text/plain")).toBe(null);
    expect(await dataOf(200, null)).toBe(null);
    expect(await dataOf(200, "application/json")).toBe(null);
    expect(await dataOf(200, "text/csv")).toBe("");
    expect(await dataOf(200, "image/png")).toEqual(new Blob([], { type: "image/png" }));
  });

  it("calls with the signal of the query, and fails where the status is not OK", async () => {
    const controller = new AbortController();
    expect(await queryOptions(calls.GET, { path: { isbn: 7 } }).queryFn(controller)).toBe("/books/7");
    controller.abort();
    expect(sent.at(-1)!.signal.aborted).toBe(true);
    await expect(queryOptions(calls.GET, { path: { isbn: 0 } }).queryFn(new AbortController())).rejects.toThrow("404");
  });

  it("refuses anything but a method of a client", () => {
    const call = async (): Promise<Result> => ({ orThrow: () => "" });
    expect(() => queryOptions(call)).toThrow("Cannot make a key");
  });
});

describe("mutationOptions()", () => {
  it("calls with the input of the mutation", async () => {
    const { mutationKey, mutationFn } = mutationOptions(calls.PUT);
    expect(mutationKey).toEqual(["PUT /books/:isbn"]);
    expect(await mutationFn({ path: { isbn: "7" } })).toBe("/books/7");
    await expect(mutationFn({ path: { isbn: "0" } })).rejects.toThrow("404");
  });
});
