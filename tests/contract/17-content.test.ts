import {
  Application,
  form,
  lines,
  page,
  patch,
  reply,
  Resource,
  upload,
  type Answer,
  type Call,
  type Yields,
} from "fingerpost";
import { client, around, clientLines, itemsOf, currentOf, etags } from "fingerpost/client";
import { memory } from "fingerpost/files";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formCases, formOf, typeOf } from "../content/form-cases.ts";

const note = z.object({ id: z.int(), text: z.string() });

class Covers extends Resource {
  override paths = ["/covers"] as const;
  static POST = {
    content: form({ caption: z.string(), cover: upload({ types: ["text/plain"], to: memory(), maxBytes: 2_000_000 }) }),
    200: z.object({ caption: z.string(), name: z.string(), size: z.int(), sha256: z.string() }),
  };
  override POST({ content: { caption, cover } }: Call<typeof Covers, "POST">): Answer<typeof Covers, "POST"> {
    return { caption, name: cover.fileName, size: cover.size, sha256: cover.sha256 };
  }
}

let ended = 0;
let onEnd = (): void => {};

class Lines extends Resource {
  override paths = ["/lines/:count"] as const;
  static GET = { path: z.object({ count: z.int() }), 200: lines(note), 404: "None" };
  override async *GET({ path }: Call<typeof Lines, "GET">): Yields<typeof Lines, "GET"> {
    if (path.count === 0) return reply(404);
    try {
      for (let id = 0; id < path.count; id++) yield { id, text: "ä" };
    } finally {
      ended++;
      onEnd();
    }
    return undefined;
  }

  static POST = { path: z.object({ count: z.int() }), content: lines(note, { maxBytes: 10_000_000 }), 200: z.int() };
  override async POST({ content }: Call<typeof Lines, "POST">): Promise<Answer<typeof Lines, "POST">> {
    let sum = 0;
    for await (const { id } of content) sum += id;
    return sum;
  }
}

class Notes extends Resource {
  override paths = ["/notes"] as const;
  static GET = { 200: page(note, { by: z.object({ id: z.int() }), limit: 2 }) };
  override GET({ page: { after, limit } }: Call<typeof Notes, "GET">): Answer<typeof Notes, "GET"> {
    const from = (after?.id ?? 0) + 1;
    const ids = Array.from({ length: Math.min(limit, 6 - from) }, (_, at) => from + at);
    return {
      items: ids.map((id) => ({ id, text: `${id}` })),
      next: ids.at(-1)! < 5 ? { id: ids.at(-1)! } : null,
    };
  }
}

const state = { text: "a", version: 1 };

class Note extends Resource {
  override paths = ["/note"] as const;
  validator() {
    return { etag: `"${state.version}"` };
  }
  static GET = { 200: note };
  override GET(): Answer<typeof Note, "GET"> {
    return { id: 1, text: state.text };
  }
  static PUT = { content: z.object({ text: z.string() }), 200: note };
  override PUT({ content }: Call<typeof Note, "PUT">): Answer<typeof Note, "PUT"> {
    state.version++;
    state.text = content.text;
    return { id: 1, text: state.text };
  }
  static PATCH = patch(this.GET, this.PUT);
}

const app = Application.builder().resources(Covers, Lines, Notes, Note).build();
const api = client<typeof app>("http://localhost", {
  fetch: around(etags(), (request) => app.fetch(request)),
  lines: clientLines,
});

describe("C16.4 declared forms on each runtime", () => {
  it("store what the runtime's own FormData sends", async () => {
    const cover = new Blob(["x".repeat(1_500_000)], { type: "text/plain" });
    const { status, content } = await api["/covers"].POST({
      type: "multipart/form-data",
      content: { caption: "ä", cover },
    });
    expect([status, content]).toMatchObject([200, { caption: "ä", size: 1_500_000 }]);
  });

  it("refuse each form of others with members that are not declared", async () => {
    for (const given of formCases) {
      const headers = { "content-type": typeOf(given) };
      const { status } = await app.request("/covers", { method: "POST", headers, body: formOf(given) });
      expect([400, 413, 422], given.because).toContain(status);
    }
  });

  it("answer 413 for a file that is too long, and 422 for one of another type", async () => {
    const sent = async (cover: Blob) => {
      const { status } = await api["/covers"].POST({ type: "multipart/form-data", content: { caption: "a", cover } });
      return status;
    };
    expect(await sent(new Blob(["x".repeat(2_000_001)]))).toBe(413);
    expect(await sent(new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])]))).toBe(422);
  });
});

describe("C17.6 lines on each runtime", () => {
  it("go both ways", async () => {
    const read = await api["/lines/:count"].GET({ path: { count: 1_000 } });
    if (!read.ok) throw new Error(`${read.status}`);
    let count = 0;
    for await (const { id, text } of read.content) expect([id, text]).toEqual([count++, "ä"]);
    expect(count).toBe(1_000);

    async function* values() {
      for (let id = 0; id < 1_000; id++) yield { id, text: "ä" };
    }
    const written = await api["/lines/:count"].POST({
      path: { count: 0 },
      type: "application/jsonl",
      content: values(),
    });
    expect([written.status, written.content]).toEqual([200, 499_500]);
  });

  it("let the first value decide the status, and end when the client leaves", async () => {
    expect((await api["/lines/:count"].GET({ path: { count: 0 } })).status).toBe(404);
    const before = ended;
    const nextEnd = new Promise<void>((resolve) => (onEnd = resolve));
    const endless = await api["/lines/:count"].GET({ path: { count: 1_000_000_000 } });
    if (!endless.ok) throw new Error(`${endless.status}`);
    for await (const { id } of endless.content) if (id === 10) break;
    // A stream of the runtime may pass on by several turns that nobody reads any more.
    await nextEnd;
    expect(ended).toBe(before + 1);
  });

  it("refuse a line that does not fit, by its number", async () => {
    const body = '{"id":1,"text":""}\r\n\n{"id":"2","text":""}';
    const headers = { "content-type": "application/x-ndjson" };
    const response = await app.request("/lines/0", { method: "POST", headers, body });
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { detail: "Line 3 does not fit", errors: [{ pointer: "#/1/id" }] },
    ]);
  });
});

describe("C19.3 pages on each runtime", () => {
  it("are followed by the client", async () => {
    const ids: number[] = [];
    for await (const { id } of itemsOf(api["/notes"].GET, {})) ids.push(id);
    expect(ids).toEqual([1, 2, 3, 4, 5]);
    expect((await app.request("/notes?cursor=1.x.y")).status).toBe(400);
  });
});

describe("C18.2 patches and tags on each runtime", () => {
  it("change what is there, and lose nothing", async () => {
    await api["/note"].GET();
    const merged = await api["/note"].PATCH({ type: "application/merge-patch+json", content: { text: "b" } });
    expect([merged.status, merged.content]).toEqual([200, { id: 1, text: "b" }]);
    // Somebody else has written meanwhile: the tag that was remembered is stale.
    await api["/note"].GET();
    state.version++;
    const result = await api["/note"].PATCH({
      type: "application/json-patch+json",
      content: [{ op: "replace", path: "/text", value: "c" }],
    });
    expect(result.status).toBe(412);
    expect(await currentOf(api["/note"].GET, result)).toEqual({ id: 1, text: "b" });
    const headers = { "content-type": "application/merge-patch+json" };
    const statuses = ["x", "y"].map(
      async (text) => (await app.request("/note", { method: "PATCH", headers, body: JSON.stringify({ text }) })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });
});
