import { Application, reply, Resource, type Answer, type Call } from "fingerpost";
import { client, around } from "fingerpost/client";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { currentOf, etags } from "./etags.ts";

const note = z.object({ text: z.string() });

/** Notes by id, each with a version, and what each request sent as `If-Match`. */
function notes(etagOf = (version: number): string => `"v${version}"`) {
  const stored = new Map<string, { text: string; version: number }>([["1", { text: "one", version: 1 }]]);
  const sent: string[] = [];
  class Note extends Resource {
    override paths = ["/notes/:id"] as const;
    validator({ path }: Call<typeof Note, "GET">) {
      const found = stored.get(path.id);
      return found === undefined ? null : { etag: etagOf(found.version) };
    }
    static GET = { 200: note, 404: "No note" };
    override GET({ path }: Call<typeof Note, "GET">): Answer<typeof Note, "GET"> {
      return stored.get(path.id) ?? reply(404);
    }
    static PUT = { content: note, 204: "Stored" };
    override PUT({ path, content }: Call<typeof Note, "PUT">): Answer<typeof Note, "PUT"> {
      const version = (stored.get(path.id)?.version ?? 0) + 1;
      stored.set(path.id, { text: content.text, version });
      return reply(204, undefined, { etag: etagOf(version) });
    }
    static DELETE = { 204: "Gone" };
    override DELETE({ path }: Call<typeof Note, "DELETE">): Answer<typeof Note, "DELETE"> {
      stored.delete(path.id);
      return reply(204);
    }
    static POST = { 204: "Done" };
    override POST(): Answer<typeof Note, "POST"> {
      return reply(204);
    }
  }
  const app = Application.builder().resources(Note).build();
  const clientOf = (options?: object) =>
    client<typeof app>("http://localhost", {
      fetch: around(etags(options), (request) => {
        sent.push(`${request.method} ${request.headers.get("if-match") ?? "-"}`);
        return app.fetch(request);
      }),
    })["/notes/:id"];
  return { stored, sent, clientOf };
}

const path = { id: "1" };

describe("etags()", () => {
  it("sends writes of what was read with its tag, and remembers the tag of what was written", async () => {
    const { sent, clientOf } = notes();
    const { GET, PUT, DELETE, POST } = clientOf();
    expect((await PUT({ path, content: { text: "a" } })).status).toBe(204);
    await GET({ path });
    await PUT({ path, content: { text: "b" } });
    await PUT({ path, content: { text: "c" } });
    await POST({ path });
    await DELETE({ path });
    await PUT({ path, content: { text: "d" } });
    expect(sent).toEqual(["PUT -", "GET -", 'PUT "v2"', 'PUT "v3"', "POST -", 'DELETE "v4"', "PUT -"]);
  });

  it("has of two clients one write, and tells the other what is there now", async () => {
    const { stored, sent, clientOf } = notes();
    const [one, other] = [clientOf(), clientOf()];
    await Promise.all([one.GET({ path }), other.GET({ path })]);
    expect((await one.PUT({ path, content: { text: "one's" } })).status).toBe(204);
    const result = await other.PUT({ path, content: { text: "other's" } });
    expect([result.status, stored.get("1")!.text]).toEqual([412, "one's"]);
    const now = await currentOf(other.GET, result);
    expectTypeOf(now).toEqualTypeOf<{ text: string } | undefined>();
    expect(now).toEqual({ text: "one's" });
    expect(await currentOf(other.GET, result)).toBeUndefined();
    expect(sent.at(-1)).toBe("GET -");
    // What was read is what the next write is based on.
    expect((await other.PUT({ path, content: { text: "both" } })).status).toBe(204);
    expect(sent.at(-1)).toBe('PUT "v2"');
  });

  it("never sends a weak tag, nor one in place of a precondition of the call", async () => {
    const weak = notes((version) => `W/"v${version}"`);
    const { GET, PUT } = weak.clientOf();
    await GET({ path });
    await PUT({ path, content: { text: "a" } });
    expect(weak.sent).toEqual(["GET -", "PUT -"]);
    const strong = notes();
    const api = strong.clientOf();
    await api.GET({ path });
    expect((await api.PUT({ path, content: { text: "a" }, ifMatch: '"other"' })).status).toBe(412);
    expect((await api.PUT({ path, content: { text: "a" }, ifNoneMatch: "*" })).status).toBe(412);
    expect(strong.sent).toEqual(["GET -", 'PUT "other"', "PUT -"]);
  });

  it("forgets what is gone, and the oldest beyond the most", async () => {
    const { stored, sent, clientOf } = notes();
    const { GET, PUT } = clientOf({ maxUrls: 1 });
    stored.set("2", { text: "two", version: 7 });
    await GET({ path });
    await GET({ path: { id: "2" } });
    await PUT({ path, content: { text: "a" } });
    await GET({ path });
    stored.clear();
    expect((await GET({ path })).status).toBe(404);
    await PUT({ path, content: { text: "b" } });
    expect(sent.filter((one) => one.startsWith("PUT"))).toEqual(["PUT -", "PUT -"]);
    await GET({ path });
    stored.clear();
    const result = await PUT({ path, content: { text: "c" } });
    expect([result.status, await currentOf(GET, result)]).toEqual([412, undefined]);
    expect(() => etags({ maxUrls: 0 })).toThrow(
      'Cannot call etags(): its option "maxUrls" must be a whole number from 1 on, got 0',
    );
  });

  it("reads no more than 64 MiB of what is there now", async () => {
    const layer = etags();
    const megabyte = new Uint8Array(2 ** 20);
    let given = 0;
    const answer = async ({ method }: Request): Promise<Response> => {
      if (method === "PUT") return new Response(null, { status: 412 });
      const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (controller) => controller.enqueue(megabyte.subarray(0, 2 ** 20 - (given++ % 2))),
      });
      return new Response(endless, { headers: { etag: '"1"' } });
    };
    const url = "http://localhost/notes/1";
    await (await layer(new Request(url), answer)).body!.cancel();
    const response = await layer(new Request(url, { method: "PUT", body: "{}" }), answer);
    const read = (async () => undefined) as never;
    await expect(currentOf(read, { response })).rejects.toThrow(
      new RangeError("Cannot read the answer: it has more than 67108864 bytes, the maxBytes of client()"),
    );
    expect(given).toBeLessThan(80);
  });

  it("sends the fields of the write with the read after it, without those of its content", async () => {
    const seen: [string, string[]][] = [];
    const layer = etags();
    const answer = async (request: Request): Promise<Response> => {
      seen.push([request.method, [...request.headers.keys()]]);
      if (request.method === "PUT") return new Response(null, { status: 412 });
      if (seen.length > 3) throw new TypeError("fetch failed");
      return new Response("now", {
        headers: { etag: '"1"', ...(seen.length > 1 ? {} : { "content-type": "text/plain" }) },
      });
    };
    const url = "http://localhost/notes/1";
    await layer(new Request(url), answer);
    const put = () =>
      new Request(url, {
        method: "PUT",
        body: "{}",
        headers: { authorization: "Bearer a", "content-type": "application/json", "idempotency-key": '"k"' },
      });
    const response = await layer(put(), answer);
    const read = (async () => undefined) as never;
    expect(await currentOf(read, { response })).toBe("now");
    expect(seen.slice(1)).toEqual([
      ["PUT", ["authorization", "content-type", "idempotency-key", "if-match"]],
      ["GET", ["authorization"]],
    ]);
    expect(await currentOf(read, { response: await layer(put(), answer) })).toBeUndefined();
    expect(seen).toHaveLength(5);
    expect((await layer(new Request(url), async () => new Response(null, { status: 500 }))).status).toBe(500);
  });
});
