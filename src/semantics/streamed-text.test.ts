import { Application, bytes, reply, Resource, text, written, type Call } from "fingerpost";
import { openapi } from "fingerpost/openapi";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";

let left = 0;

/** Counts when its generators are left. */
async function* rows(count: number): AsyncGenerator<string, undefined> {
  try {
    yield "id;title\r\n";
    yield "";
    for (let id = 1; id <= count; id++) yield `${id};Emma\r\n`;
  } finally {
    left++;
  }
}

class Orders extends Resource {
  paths = ["/orders/:which"] as const;

  static GET = { 200: text("text/csv", { download: "Bücher.csv" }), 404: "No orders", 409: "Locked" };
  async *GET({ path }: Call<typeof Orders, "GET">) {
    if (path.which === "none") return reply(404);
    if (path.which === "late") yield "id\r\n";
    if (path.which !== "2") return reply(409) as never;
    yield* rows(2);
    return undefined;
  }

  static POST = { 200: bytes("application/gzip", { download: true }) };
  async *POST({ path }: Call<typeof Orders, "POST">) {
    yield new Uint8Array([1, 2]);
    yield new DataView(new Uint8Array([0, 3, 4]).buffer, 1, 1);
    if (path.which === "odd") yield "text" as never;
  }

  static PUT = { 200: { content: { "text/csv": text(), "application/json": z.array(z.string()) } } };
  PUT({ mediaType }: Call<typeof Orders, "PUT">) {
    return mediaType === "text/csv" ? rows(1) : ["Emma"];
  }

  static DELETE = { 200: written("text/csv", (all: readonly string[]) => all.join("\r\n"), { download: "all.csv" }) };
  DELETE() {
    return ["Emma", "Kindred"];
  }

  static PATCH = { content: z.object({}), 201: text("text/csv", { download: "a.csv" }) };
  PATCH({ reply: answer }: Call<typeof Orders, "PATCH">) {
    return answer(201, rows(1), { "Content-Disposition": "inline" });
  }
}
const app = Application.builder().resources(Orders).build();

afterEach(() => {
  left = 0;
});

describe("content of pieces", () => {
  it("sends the text that a generator yields, with its disposition", async () => {
    const response = await app.request("/orders/2");
    expect(response.headers.get("content-type")).toBe("text/csv;charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="B_cher.csv"; filename*=UTF-8''B%C3%BCcher.csv`,
    );
    expect(response.headers.get("content-length")).toBeNull();
    expect(await response.text()).toBe("id;title\r\n1;Emma\r\n2;Emma\r\n");
    expect(left).toBe(1);
  });

  it("answers with a reply before the first piece, and breaks off after it", async () => {
    expect((await app.request("/orders/none")).status).toBe(404);
    expect((await app.request("/orders/locked")).status).toBe(409);
    const late = await app.request("/orders/late");
    expect(late.status).toBe(200);
    await expect(late.text()).rejects.toThrow("Cannot end GET of Orders with reply(409): values were sent before");
  });

  it("sends views of bytes, and breaks off for another piece", async () => {
    const response = await app.request("/orders/2", { method: "POST" });
    expect(response.headers.get("content-disposition")).toBe("attachment");
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3]);
    const odd = await app.request("/orders/odd", { method: "POST" });
    await expect(odd.arrayBuffer()).rejects.toThrow('Cannot send a piece of bytes: expected a Uint8Array, got "text"');
  });

  it("breaks off for a piece that is no text", async () => {
    class Counted extends Resource {
      paths = ["/counted"] as const;
      static GET = { 200: text() };
      async *GET() {
        yield 7 as never;
      }
    }
    const response = await Application.builder().resources(Counted).build().request("/counted");
    await expect(response.text()).rejects.toThrow("Cannot send a piece of text: expected a string, got 7");
  });

  it("sends an iterable that is returned, for the media type that the client prefers", async () => {
    const csv = await app.request("/orders/2", { method: "PUT", headers: { accept: "text/csv" } });
    expect(await csv.text()).toBe("id;title\r\n1;Emma\r\n");
    const json = await app.request("/orders/2", { method: "PUT", headers: { accept: "application/json" } });
    expect(await json.json()).toEqual(["Emma"]);
  });

  it("gives written content a disposition, and leaves that of a reply", async () => {
    const all = await app.request("/orders/2", { method: "DELETE" });
    expect(all.headers.get("content-disposition")).toBe('attachment; filename="all.csv"');
    const one = await app.request("/orders/2", { method: "PATCH", json: {} });
    expect(one.headers.get("content-disposition")).toBe("inline");
    await one.body?.cancel();
  });

  it("leaves the generator when the client leaves, for HEAD, too", async () => {
    const response = await app.request("/orders/2");
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await vi.waitFor(() => expect(left).toBe(1));
    const head = await app.request("/orders/2", { method: "HEAD" });
    expect(head.headers.get("content-disposition")).toContain("attachment");
    expect(head.body).toBeNull();
    await vi.waitFor(() => expect(left).toBe(2));
  });

  it("sends what a ReadableStream has as it is", async () => {
    class Cover extends Resource {
      paths = ["/cover"] as const;
      static GET = { 200: bytes("image/png") };
      GET() {
        return new Blob(["png"]).stream();
      }
    }
    expect(await (await Application.builder().resources(Cover).build().request("/cover")).text()).toBe("png");
  });

  it("documents the field", async () => {
    const all = Application.builder()
      .resources(Orders, ...[openapi({ title: "Orders", version: "1" })].flat())
      .build();
    const { paths } = (await (await all.request("/openapi.json")).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { headers?: Record<string, object> }> }>>;
    };
    const { get, put, delete: remove } = paths["/orders/{which}"]!;
    expect(get!.responses[200]!.headers).toHaveProperty("Content-Disposition");
    expect(get!.responses[404]!.headers ?? {}).not.toHaveProperty("Content-Disposition");
    expect(remove!.responses[200]!.headers).toHaveProperty("Content-Disposition");
    expect(put!.responses[200]!.headers ?? {}).not.toHaveProperty("Content-Disposition");
  });

  it("is none where it is declared as false", () => {
    expect(text("text/csv", { download: false })).not.toHaveProperty("disposition");
  });

  it.each([
    [() => text("text/csv", { download: 1 as never }), "text"],
    [() => bytes("text/csv", { download: null as never }), "bytes"],
    [() => written("text/csv", String, { download: 1 as never }), "written"],
  ])("refuses a wrong name %#", (declare, name) => {
    expect(declare).toThrow(`Cannot call ${name}(): its option "download" must be a file name, true or false`);
  });
});
