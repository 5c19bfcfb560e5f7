// Operations that require preconditions, inside each middleware: a client edits by the tag that it was given.
import { Application, Resource, text, type Call } from "fingerpost";
import { describe, expect, it } from "vitest";
import { rows, textOf } from "./table.ts";

describe.each(rows)("$name around required preconditions", ({ middleware, headers = {} }) => {
  // Long enough to be compressed.
  const long = "content ".repeat(500);

  it("lets a client edit by the tag of what it read, once, and refuses others", async () => {
    let version = 1;
    class Note extends Resource {
      paths = ["/items"] as const;
      override validator(): { etag: string } {
        return { etag: `"${version}"` };
      }
      static GET = { 200: text() };
      override GET(): string {
        return `${long}${version}`;
      }
      static PUT = { content: text(), precondition: true, 204: "Stored" };
      override PUT(_call: Call<typeof Note, "PUT">): void {
        version++;
      }
    }
    const app = Application.builder().resources(Note).middleware(middleware).build();
    const read = async (more: object = {}): Promise<Response> =>
      app.fetch(new Request("http://localhost/items", { headers: { ...headers, ...more } }));
    const write = async (more: object): Promise<number> => {
      const sent = { ...headers, "content-type": "text/plain", ...more };
      const body = "edited";
      return (await app.fetch(new Request("http://localhost/items", { method: "PUT", headers: sent, body }))).status;
    };
    const first = await read({ range: "" });
    expect([first.status, await textOf(first)]).toEqual([200, `${long}1`]);
    const etag = first.headers.get("etag")!;
    expect((await read({ "if-none-match": etag })).status).toBe(304);
    expect(await write({})).toBe(428);
    expect(await write({ "if-match": '"0"' })).toBe(412);
    expect(await write({ "if-match": etag })).toBe(204);
    expect(await write({ "if-match": etag })).toBe(412);
    const second = await read();
    expect(second.headers.get("etag")).not.toBe(etag);
    expect(await write({ "if-match": second.headers.get("etag") })).toBe(204);
    expect(version).toBe(3);
  });
});
