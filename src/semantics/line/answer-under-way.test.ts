import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Application, type Replies } from "../semantics-application.ts";
import { bytes, text, written } from "../declaration/raw-content.ts";
import { events } from "../declared-events.ts";
import { reply } from "../declaration/reply.ts";
import { Resource } from "../semantics-resource.ts";

/** What `GET` of a class with one operation, or none, answers, and what the application was told of it. */
async function answerOf(
  operation: object | null,
  given: unknown,
  { replies, headers = {} }: { readonly replies?: Replies | undefined; readonly headers?: HeadersInit } = {},
): Promise<{ status: number; headers: Headers; text: string; errors: string[] }> {
  class Answering extends Resource {
    override paths = ["/"];
    override GET(): unknown {
      return given;
    }
  }
  if (operation !== null) Object.assign(Answering, { GET: operation });
  const errors: string[] = [];
  const builder = Application.builder()
    .resources(Answering)
    .onError((error) => void errors.push((error as Error).message));
  const app = (replies === undefined ? builder : builder.replies(replies)).build();
  const response = await app.request("/", { headers });
  return { status: response.status, headers: response.headers, text: await response.text(), errors };
}

describe("AnswerUnderWay", () => {
  it("varies by Accept where it chooses the type of an error, from 400 on", async () => {
    const content = { "text/plain": z.string(), "application/json": z.string() };
    const operation = { 200: { content }, 400: { content } };
    for (const [accept, type] of [
      ["application/json", "application/json"],
      ["text/plain", "text/plain"],
    ] as const) {
      const { status, headers } = await answerOf(operation, reply(400, "x" as never), { headers: { accept } });
      expect([status, headers.get("vary"), headers.get("content-type")]).toEqual([400, "Accept", type]);
    }
  });

  it("says of a Blob that it is of another type, and compares no other kind with its type", async () => {
    const png = new Blob(["12345"], { type: "image/png" });
    expect(await answerOf({ 200: bytes("image/gif") }, png)).toMatchObject({
      status: 500,
      errors: [
        "Cannot answer GET of Answering: the content of 200 does not fit at # (Expected a Blob of image/gif, got one " +
          "of another type)",
      ],
    });
    const sized = written("text/plain", (blob: Blob) => String(blob.size));
    expect(await answerOf({ 200: sized }, png)).toMatchObject({ status: 200, text: "5", errors: [] });
  });

  it("sends events without the tag of the content that the client prefers, and with one of their own", async () => {
    async function* none(): AsyncGenerator<string> {}
    class Feed extends Resource {
      override paths = ["/"];
      static GET = { 200: z.string(), 203: events(z.string()) };
      override GET(): unknown {
        return reply(203, none());
      }
      validator(): object {
        return { etag: '"1"', lastModified: new Date(0) };
      }
    }
    const app = Application.builder()
      .resources(Feed as never)
      .build();
    const { status, headers } = await app.request("/", { headers: { accept: "application/json" } });
    expect([status, headers.get("content-type"), headers.get("etag"), headers.get("last-modified")]).toEqual([
      203,
      "text/event-stream",
      null,
      null,
    ]);
    const own = await answerOf({ 200: events(z.string()) }, reply(200, none(), { etag: '"own"' }));
    expect([own.status, own.headers.get("etag")]).toEqual([200, '"own"']);
  });

  it("names three places that do not fit", async () => {
    const shape = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string() });
    const { errors } = await answerOf({ 200: shape }, {}, { replies: "check" });
    const told = ["a", "b", "c"].map((name) => `#/${name} (Invalid input: expected string, received undefined)`);
    expect(errors).toEqual([`Cannot answer GET of Answering: the content of 200 does not fit at ${told.join(", ")}`]);
  });

  it("writes text of another type than JSON as it is, also where replies are trusted", async () => {
    const operation = { 200: { content: { "text/plain": z.string() } } };
    for (const replies of [undefined, "check", "trust"] as const) {
      expect((await answerOf(operation, "a", { replies })).text).toBe("a");
    }
    expect((await answerOf({ 200: z.string() }, "a", { replies: "trust" })).text).toBe('"a"');
  });

  it("chooses among the types of a status below 300 as step 6 has chosen, or takes the first", async () => {
    const texts = (...types: string[]): object => ({
      content: Object.fromEntries(types.map((type) => [type, text()])),
    });
    const operation = { 200: texts("text/plain", "text/html"), 203: texts("text/csv", "text/xml") };
    const accept = "text/html, text/xml;q=0.5";
    const { status, headers } = await answerOf(operation, reply(203, "x" as never), { headers: { accept } });
    expect([status, headers.get("content-type")]).toEqual([203, "text/csv;charset=utf-8"]);
  });

  it("validates by the plan only what the plan does not write", async () => {
    const validated: unknown[] = [];
    const own = z.object({ a: z.string() })["~standard"];
    const validate = (value: unknown): unknown => (validated.push(value), own.validate(value));
    const operation = { 200: { "~standard": { ...own, validate } } };
    const [fit, unfit] = [{ a: "x" }, { a: 5 }];
    for (const given of [fit, unfit]) await answerOf(operation, reply(200, given, { "x-list": ["a", "b"] }));
    expect(validated).toEqual([unfit]);
    await answerOf(operation, fit, { replies: "check" });
    expect(validated).toEqual([unfit, fit]);
  });

  it("keeps a field of the line where a handler gives none, and the last of two that differ in case only", async () => {
    const fieldsOf = async (given: Record<string, string | string[] | undefined>) =>
      (await answerOf({ cache: "no-store", 200: text() }, reply(200, "x", given))).headers;
    const list = ["a", "b"];
    expect((await fieldsOf({ "cache-control": undefined, "x-list": list })).get("cache-control")).toBe("no-store");
    for (const name of ["x-link", "link-x", "x-vary", "vary-x"]) {
      const fields = await fieldsOf({ [name.toUpperCase()]: "a", [name]: "b", "x-list": list });
      expect(fields.get(name), name).toBe("b");
    }
    expect((await fieldsOf({ Link: "<a>", link: "<b>" })).get("link")).toBe("<a>, <b>");
  });

  it("writes a date as a date-time in declared fields alone, whatever the case of their names", async () => {
    const date = new Date("2026-01-31T12:00:00Z");
    const operation = { 200: { content: text(), headers: { "X-When": z.date() } } };
    const { headers } = await answerOf(operation, reply(200, "x", { "x-when": date, "x-other": date } as never));
    expect([headers.get("x-when"), headers.get("x-other")]).toEqual([date.toISOString(), date.toUTCString()]);
    const undeclared = await answerOf(null, reply(404, "x", { "x-when": date } as never));
    expect([undeclared.status, undeclared.headers.get("x-when")]).toEqual([404, date.toUTCString()]);
  });

  it("has a challenge of its own for 401 where security has one, also where replies are checked", async () => {
    const security = { token: { type: "http", scheme: "bearer" } };
    const operation = { security, 200: z.string(), 401: "Who are you?" };
    const { status, headers } = await answerOf(operation, reply(401), { replies: "check" });
    expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });
});
