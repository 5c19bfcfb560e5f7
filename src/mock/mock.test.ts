import { once } from "node:events";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  Application,
  bytes,
  events,
  HTTPError,
  Middleware,
  Resource,
  ResourceGroup,
  socket,
  Status,
  text,
  written,
  form,
  lines,
  page,
  upload,
} from "fingerpost";
import { client, type ApiOf } from "fingerpost/client";
import { Files, type IncomingFile } from "fingerpost/files";
import { memoryRecords } from "fingerpost/stores";
import { mock } from "fingerpost/mock";
import { serve } from "fingerpost/node";
import { document, drift, openapi } from "fingerpost/openapi";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { portOf } from "../../tests/support/sockets.ts";

const about = { title: "Books", version: "1" };
const book = z.object({
  isbn: z.string().regex(/^\d{13}$/),
  title: z.string().min(1).max(80),
  year: z.int().min(1450).max(2100),
  mail: z.email(),
  kind: z.enum(["novel", "essay"]),
  added: z.iso.datetime(),
  tags: z.array(z.string()).max(3),
  get sequel() {
    return book.nullable();
  },
});

class Signed extends Middleware {
  static security = { bearer: { type: "http", scheme: "bearer" } };
  static answers = { 401: "Sign in first" };
  override ALL(input: unknown): Promise<Response> | Response {
    if (!(input as Request).headers.has("authorization")) throw new HTTPError(Status.Unauthorized);
    return this.next(input);
  }
}

class Book extends Resource {
  override paths = ["/books/:isbn"] as const;
  static middleware = [Signed];
  static GET = { query: z.object({ full: z.stringbool().optional() }), 200: book, 404: "No book has this ISBN" };
  override GET(): never {
    throw new Error("not written");
  }
  static PUT = {
    content: z.object({ title: z.string() }),
    precondition: true,
    201: { content: book, headers: { location: z.literal("/books/1") } },
    204: "Changed",
  } as const;
  override PUT(): never {
    throw new Error("not written");
  }
  validator(): never {
    throw new Error("not written");
  }
}

class Lists extends Resource {
  override paths = ["/lists"] as const;
  static GET = {
    200: {
      content: {
        "application/json": z.array(z.string()),
        "text/csv": written("text/csv", (all: string[]) => all.join()),
      },
      examples: { full: ["Kindred", "Emma"], Empty: [] },
    },
  };
  override GET(): never {
    throw new Error("not written");
  }
  static QUERY = { content: text(), 200: text() };
  override QUERY(): never {
    throw new Error("not written");
  }
  static POST = { 200: events(z.object({ at: z.int() })) };
  override POST(): never {
    throw new Error("not written");
  }
  static PATCH = {
    200: { content: { "text/csv": written("text/csv", (all: unknown) => String(all)), "image/png": bytes() } },
  };
  override PATCH(): never {
    throw new Error("not written");
  }
}

function application(...more: readonly unknown[]): Application {
  return Application.builder()
    .resources(...([ResourceGroup.builder().prefix("/v1").resources(Book).build(), Lists, ...more] as never[]))
    .build();
}

const asked = async (app: Application, path: string, init: RequestInit = {}): Promise<Response> =>
  app.fetch(new Request(`http://localhost${path}`, init));

describe("mock()", () => {
  it("C22.4 answers with lines, and keeps no file of a form", async () => {
    const files = new Set<string>();
    const sink = {
      async store({ name, content }: IncomingFile): Promise<{ readonly name: string }> {
        files.add(`${name} ${(await new Response(content as ReadableStream<Uint8Array<ArrayBuffer>>).text()).length}`);
        return { name };
      },
      discard: () => files.clear(),
    };
    class Import extends Resource {
      override paths = ["/import"];
      static POST = { content: form({ file: upload({ to: sink }) }), 200: lines(z.object({ at: z.int() })) };
      override POST(): never {
        throw new Error("not written");
      }
    }
    const body = new FormData();
    body.set("file", new Blob(["GIF89a"]), "a.gif");
    const response = await asked(mock(application(Import)), "/import", { method: "POST", body });
    expect(
      (await response.text())
        .trim()
        .split("\n")
        .map((line) => Object.keys(JSON.parse(line) as object)),
    ).toEqual([["at"], ["at"], ["at"]]);
    expect([...files]).toEqual([]);
  });

  it("C22.4 answers with what fits the schema, the same for the same request", async () => {
    const app = application();
    const mocked = mock(app);
    const schema = z.toJSONSchema(book) as object;
    const isFit = new Ajv2020({ formats: { email: /@/, "date-time": /T/ } }).compile(schema);
    const seen = new Set<string>();
    for (let isbn = 0; isbn < 50; isbn++) {
      const response = await asked(mocked, `/v1/books/${isbn}`);
      expect(response.status).toBe(200);
      const answered = await response.text();
      expect(isFit(JSON.parse(answered)), answered).toBe(true);
      expect(await (await asked(mock(app), `/v1/books/${isbn}`)).text()).toBe(answered);
      expect(await (await asked(mock(app, { seed: 2 }), `/v1/books/${isbn}`)).text()).not.toBe(answered);
      seen.add(answered);
    }
    expect(seen.size).toBeGreaterThan(40);
  });

  it("C22.4 answers by an example where there is one, by its name if that is asked for", async () => {
    const mocked = mock(application());
    const of = async (headers: Record<string, string>): Promise<string> =>
      (await asked(mocked, "/lists", { headers })).text();
    expect(await of({})).toBe('["Kindred","Emma"]');
    expect(await of({ prefer: "example=empty" })).toBe("[]");
    expect(await of({ prefer: "example=none" })).toBe('["Kindred","Emma"]');
    expect(await of({ accept: "text/csv" })).toBe("Kindred,Emma");
  });

  it("C22.4 answers the status that is asked for, with its fields", async () => {
    const mocked = mock(application());
    const missing = await asked(mocked, "/v1/books/1", { headers: { prefer: "code=404" } });
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { title: "Not Found", status: 404, detail: "No book has this ISBN" },
    ]);
    const put = (prefer: string): Promise<Response> =>
      asked(mocked, "/v1/books/1", {
        method: "PUT",
        headers: { "content-type": "application/json", "if-match": "*", prefer },
        body: '{"title":"Emma"}',
      });
    const created = await put("");
    expect([created.status, created.headers.get("location")]).toEqual([201, "/books/1"]);
    expect((await put("code=204")).status).toBe(204);
    expect((await put("code=409")).status).toBe(201);
  });

  it("C22.4 checks requests as the application does", async () => {
    const mocked = mock(application());
    expect((await asked(mocked, "/v1/books/1?full=5")).status).toBe(400);
    expect((await asked(mocked, "/v1/books/1", { method: "DELETE" })).status).toBe(405);
    expect((await asked(mocked, "/v1/books/1", { method: "PUT", body: "{}" })).status).toBe(415);
    expect((await asked(mocked, "/nowhere")).status).toBe(404);
    const tag = (await asked(mocked, "/v1/books/1")).headers.get("etag")!;
    expect((await asked(mocked, "/v1/books/1", { headers: { "if-none-match": tag } })).status).toBe(304);
  });

  it("C22.4 lets guards refuse only where that is asked for, around the application, too", async () => {
    for (const app of [
      application(),
      Application.builder()
        .middleware(Signed)
        .resources(Lists as never)
        .build(),
    ]) {
      const path = app.resources[0]!.patterns[0]!.source.replace(":isbn", "1");
      expect((await asked(mock(app), path)).status).toBe(200);
      expect((await asked(mock(app, { guards: true }), path)).status).toBe(401);
      const headers = { authorization: "Bearer x" };
      expect((await asked(mock(app, { guards: true }), path, { headers })).status).toBe(200);
    }
  });

  it("C22.4 answers text, bytes, events and what a function writes", async () => {
    const reported = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => reported.mockRestore());
    const mocked = mock(application());
    const query = { method: "QUERY", headers: { "content-type": "text/plain" }, body: "q" };
    expect(await (await asked(mocked, "/lists", query)).text()).toBe("text");
    const stream = await (await asked(mocked, "/lists", { method: "POST" })).text();
    expect(stream.match(/^data: ?\{"at":-?\d+\}$/gm)).toHaveLength(3);
    const png = await asked(mocked, "/lists", { method: "PATCH", headers: { accept: "image/png" } });
    expect([png.headers.get("content-type"), await png.text()]).toEqual(["image/png", "bytes"]);
    const csv = await asked(mocked, "/lists", { method: "PATCH", headers: { accept: "text/csv" } });
    expect(csv.status).toBe(501);
    expect(reported.mock.calls.flat().join(" ")).toContain(
      "Lists PATCH writes text/csv by a function; declare examples of 200",
    );
  });

  it("C22.4 sends one message by each WebSocket", async () => {
    class Room extends Resource {
      override paths = ["/json"] as const;
      static GET = { 101: socket({ receives: text(), sends: z.object({ from: z.string() }) }) };
      override GET(): never {
        throw new Error("not written");
      }
    }
    class Texts extends Room {
      override paths = ["/text"] as never;
      static override GET = { 101: socket({ receives: text(), sends: text() }) } as never;
    }
    const app = Application.builder()
      .resources(...([Room, Texts] as never[]))
      .build();
    const stop = new AbortController();
    const server = await serve(mock(app), { port: 0, signal: stop.signal, graceMs: 10 });
    onTestFinished(() => stop.abort());
    const messageAt = async (path: string): Promise<string> => {
      const peer = new WebSocket(`ws://127.0.0.1:${portOf(server)}${path}`);
      const [data] = (await once(peer, "message")) as [Buffer];
      peer.close();
      return data.toString();
    };
    expect(JSON.parse(await messageAt("/json"))).toEqual({ from: expect.any(String) as string });
    expect(await messageAt("/text")).toBe("text");
  });

  it("C22.4 says so where nothing that it makes passes a check", async () => {
    const reported = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => reported.mockRestore());
    class Odd extends Resource {
      override paths = ["/odd"] as const;
      static GET = { 200: z.string().refine((value) => value === "what nobody guesses") };
      override GET(): string {
        return "";
      }
    }
    const response = await asked(mock(application(Odd)), "/odd");
    expect(response.status).toBe(501);
    expect(reported.mock.calls.flat().join(" ")).toContain(
      "Odd GET has a schema that no made value fits; declare examples",
    );
  });

  it("C22.4 answers with what fits a schema that holds itself and has an id, and has a next page", async () => {
    const node = z
      .object({
        name: z.string(),
        get kids(): z.ZodArray<z.ZodType> {
          return z.array(node);
        },
      })
      .meta({ id: "Node" });
    class Nodes extends Resource {
      override paths = ["/nodes"] as const;
      static GET = { 200: page(node, { by: z.object({ name: z.string() }) }) };
      override GET(): never {
        throw new Error("not written");
      }
      static POST = { 200: node };
      override POST(): never {
        throw new Error("not written");
      }
    }
    for (let seed = 0; seed < 20; seed++) {
      const mocked = mock(application(Nodes), { seed });
      expect(node.safeParse(await (await asked(mocked, "/nodes", { method: "POST" })).json()).success).toBe(true);
    }
    const mocked = mock(application(Nodes));
    const first = (await (await asked(mocked, "/nodes")).json()) as { next: string };
    expect(first.next).toEqual(expect.any(String));
    const last = await asked(mocked, `/nodes?cursor=${first.next}`);
    expect([last.status, ((await last.json()) as { next: unknown }).next]).toEqual([200, null]);
  });

  it("C22.4 answers something where the schema has no JSON Schema, or no content is declared", async () => {
    const anything = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
    class Unknown extends Resource {
      override paths = ["/unknown"] as const;
      static GET = { 200: anything };
      override GET(): unknown {
        return null;
      }
      static DELETE = { 204: "Gone" };
      override DELETE(): void {}
      static PUT = {
        200: { content: { "application/json": z.literal(5), "text/csv": written("text/csv", String) }, examples: {} },
      };
      override PUT(): string {
        return "";
      }
    }
    const mocked = mock(application(Unknown));
    expect((await asked(mocked, "/unknown")).status).toBe(200);
    expect((await asked(mocked, "/unknown", { method: "DELETE" })).status).toBe(204);
    expect(await (await asked(mocked, "/unknown", { method: "PUT", headers: { accept: "text/csv" } })).text()).toBe(
      "5",
    );
  });

  it("C22.4 answers a write with a key once, without the store of the application", async () => {
    class Orders extends Resource {
      override paths = ["/orders"] as const;
      static POST = {
        idempotency: true,
        content: z.object({ cents: z.int() }),
        201: z.object({ id: z.string() }),
      };
      override POST(): never {
        throw new Error("not written");
      }
    }
    const store = new Proxy(memoryRecords(), {
      get: (own, name) => (typeof Reflect.get(own, name) === "function" ? () => expect.unreachable() : undefined),
    });
    const app = Application.builder()
      .resources(Orders as never)
      .idempotency({ store, ownerOf: () => "anybody" })
      .build();
    const mocked = mock(app);
    const order = (cents: number): Promise<Response> =>
      mocked.request("/orders", { method: "POST", json: { cents }, headers: { "idempotency-key": '"k1"' } });
    const first = await order(5);
    expect(first.status).toBe(201);
    expect(await (await order(5)).text()).toBe(await first.text());
    expect((await order(6)).status).toBe(422);
  });

  it("C22.4 has the same document, serves it, and drifts nowhere", async () => {
    const app = application(openapi(about));
    const mocked = mock(app);
    expect(document(mocked, about)).toEqual(document(app, about));
    expect(await (await asked(mocked, "/openapi.json")).json()).toEqual(
      JSON.parse(JSON.stringify(document(app, about))),
    );
    const seen = drift(mocked);
    for (const path of ["/v1/books/1", "/lists", "/v1/books/1?full=5"])
      await seen.fetch(new Request(`http://localhost${path}`));
    seen.check();
  });

  it("C22.4 has the types of the application for a client", async () => {
    class Greeting extends Resource {
      paths = ["/hello/:name"] as const;
      static GET = { 200: z.object({ text: z.string() }) };
      override GET(): { text: string } {
        return { text: "" };
      }
    }
    const mocked = mock(Application.builder().resources(Greeting).build());
    const api = client<ApiOf<typeof mocked>>("http://localhost", { fetch: mocked.fetch });
    const { status, content } = await api["/hello/:name"].GET({ path: { name: "Ada" } });
    expect(status).toBe(200);
    expect(content).toEqual({ text: expect.any(String) as string });
  });

  it("C22.4 says 501 for what declares nothing", async () => {
    class Undeclared extends Resource {
      override paths = ["/undeclared"];
      override GET(): string {
        return "";
      }
    }
    class Assets extends Files {
      paths = ["/assets/:path*"];
      source = { codings: [], find: () => null } as never;
    }
    const reported = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => reported.mockRestore());
    const mocked = mock(application(Undeclared, Assets));
    for (const path of ["/undeclared", "/assets/x"]) expect((await asked(mocked, path)).status, path).toBe(501);
  });

  it("C22.4 refuses what cannot be mocked", () => {
    expect(() => mock(Application.builder() as never)).toThrow(/^Cannot mock the application: expected one of/);
    expect(() => mock(application(), { seed: -1 })).toThrow('its option "seed" must be');
    expect(() => mock(application(), { guards: 1 as never })).toThrow('its option "guards" must be');
    expect(() => mock(application(), { port: 1 } as never)).toThrow("it has no option");
  });
});
