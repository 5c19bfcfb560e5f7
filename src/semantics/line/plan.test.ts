import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Middleware } from "../../application/native.ts";
import { Application } from "../semantics-application.ts";
import { text } from "../declaration/raw-content.ts";
import { events } from "../declared-events.ts";
import { reply } from "../declaration/reply.ts";
import { Resource } from "../semantics-resource.ts";

class Keys extends Middleware {
  static security = { key: { type: "apiKey", in: "cookie", name: "key" } };
  override ALL(input: unknown): Promise<Response> | Response {
    return this.next(input) as Promise<Response> | Response;
  }
}

/** The response of a class with one operation, behind no guard or one. */
async function answerOf(method: string, operation: object, handler: () => unknown, more: object = {}) {
  class Planned extends Resource {
    override paths = ["/"];
    static override middleware = "guard" in more ? [Keys] : [];
  }
  Object.assign(Planned, { [method]: operation });
  Object.assign(Planned.prototype, {
    [method]: handler,
    ...("validator" in more ? { validator: more.validator } : {}),
  });
  const app = Application.builder()
    .resources(Planned as never)
    .onError(() => {})
    .build();
  const headers = "headers" in more ? (more.headers as HeadersInit) : {};
  return app.fetch(new Request("http://localhost/", { method, headers }));
}

describe("planOf()", () => {
  it("weighs a write before its handler, whatever the handler may refuse", async () => {
    let ran = 0;
    const operation = { 200: text(), 403: "Not yours" };
    const more = { validator: () => ({ etag: '"1"' }), headers: { "if-match": '"2"' } };
    expect((await answerOf("DELETE", operation, () => (ran++, ""), more)).status).toBe(412);
    expect(ran).toBe(0);
  });

  it("has the first event decide the status where another answer from 300 on is declared", async () => {
    async function* choosing(): AsyncGenerator<unknown, unknown> {
      yield* [];
      return reply(300, "");
    }
    expect((await answerOf("GET", { 200: events(z.string()), 300: text() }, choosing)).status).toBe(300);
  });

  it("says of a deprecated operation what is declared, and no more", async () => {
    const said = async (deprecated: unknown): Promise<(string | null)[]> => {
      const { headers } = await answerOf("GET", { deprecated, 204: "None" }, () => undefined);
      return ["deprecation", "sunset", "link"].map((name) => headers.get(name));
    };
    expect(await said(true)).toEqual([null, null, null]);
    expect(await said({ since: "2027-01-31" })).toEqual(["@1801353600", null, null]);
    expect(await said({ since: "2027-01-31", sunset: "2027-06-30", link: "/old" })).toEqual([
      "@1801353600",
      "Wed, 30 Jun 2027 00:00:00 GMT",
      '</old>; rel="deprecation"',
    ]);
  });

  it("varies by each field that is read, once, and by none that caches evaluate", async () => {
    const maybe = z.string().optional();
    const headers = z.object({ "x-range": maybe, "Range-Unit": maybe, Range: maybe, "If-Match": maybe });
    const operation = { headers, cookies: z.object({ theme: maybe }), 204: "None" };
    const response = await answerOf("GET", operation, () => undefined, { guard: true });
    expect(response.headers.get("vary")).toBe("x-range, Range-Unit, Cookie");
  });

  it("adds validators to a read below 300 alone", async () => {
    const etagOf = async (status: 203 | 300): Promise<string | null> => {
      const operation = { 200: text(), 203: { content: text() }, 300: { content: text() } };
      const more = { validator: () => ({ etag: '"1"' }) };
      return (await answerOf("GET", operation, () => reply(status, "" as never), more)).headers.get("etag");
    };
    expect([await etagOf(203), await etagOf(300)]).toEqual(['"1"', null]);
  });

  it("derives a tag for another type than the first one, where there is a tag, and of reads alone", async () => {
    const types = { 200: { content: { "text/plain": text(), "text/html": text() } } };
    const lastModified = new Date("2026-01-31T12:00:00Z");
    const headers = { accept: "text/html" };
    const tagged = { headers, validator: () => ({ etag: '"1"' }) };
    const derived = (await answerOf("GET", types, () => "", tagged)).headers.get("etag");
    expect(derived).toMatch(/^"1.+"$/);
    const dated = await answerOf("GET", types, () => "", { headers, validator: () => ({ lastModified }) });
    expect([dated.status, dated.headers.get("etag"), dated.headers.get("last-modified")]).toEqual([
      200,
      null,
      lastModified.toUTCString(),
    ]);
    const empty = await answerOf("GET", { 204: "None" }, () => undefined, tagged);
    expect([empty.status, empty.headers.get("etag")]).toEqual([204, '"1"']);
    const changing = { ...tagged, headers: { ...headers, "if-match": '"1"' } };
    expect((await answerOf("DELETE", types, () => "", changing)).status).toBe(200);
  });
});
