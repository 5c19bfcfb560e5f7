import { describe, expect, it } from "vitest";
import { client } from "../client.ts";
import { mutationOptions, queryOptions } from "./query.ts";

interface Result {
  orThrow(): string;
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
  readonly "/books": { GET(input?: { query?: object }): Promise<Result> };
}

const sent: Request[] = [];
const api = client<Api>("http://h", {
  fetch: async (request) => {
    sent.push(request);
    return Response.json(new URL(request.url).pathname, { status: request.url.endsWith("0") ? 404 : 200 });
  },
});
const calls = api["/books/:isbn"];

describe("queryOptions()", () => {
  it("has one key for one request", () => {
    const { queryKey } = queryOptions(calls.GET, { path: { isbn: "7" }, query: { limit: 5 } });
    expect(queryKey).toEqual(["GET /books/:isbn", { path: { isbn: "7" }, query: { limit: 5 } }]);
    const { signal } = new AbortController();
    const same = queryOptions(calls.GET, { path: { isbn: 7, page: undefined }, query: undefined, signal });
    expect(JSON.stringify(same.queryKey)).toBe('["GET /books/:isbn",{"path":{"isbn":"7"}}]');
    expect(queryOptions(api["/books"].GET).queryKey).toEqual(["GET /books", {}]);
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
