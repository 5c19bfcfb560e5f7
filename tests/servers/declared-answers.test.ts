import type * as node from "fingerpost/node";
import type * as semantics from "fingerpost";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { ask } from "../support/sockets.ts";

const platform = { Request, Response };
const made = { requests: 0, responses: 0 };

afterAll(() => void Object.assign(globalThis, platform));

/** The package, as it is where the platform's classes count what is made of them. */
async function loaded(): Promise<[typeof semantics, typeof node]> {
  globalThis.Request = class extends platform.Request {
    constructor(...args: ConstructorParameters<typeof Request>) {
      super(...args);
      made.requests++;
    }
  };
  globalThis.Response = class extends platform.Response {
    constructor(...args: ConstructorParameters<typeof Response>) {
      super(...args);
      made.responses++;
    }
  };
  vi.resetModules();
  return [await import("fingerpost"), await import("fingerpost/node")];
}

it("C8.13 makes no Request or Response of the platform for a declared operation on Node, unless asked", async () => {
  const [{ Application, Middleware, reply, Resource }, { serve }] = await loaded();
  const book = z.object({ title: z.string() });
  class Book extends Resource {
    paths = ["/books/:id"];
    static GET = { query: z.object({ copy: z.boolean().optional() }), 200: book, 404: "None" };
    override GET({
      path,
      query,
      request,
    }: {
      path: { id: string };
      query: { copy?: boolean };
      request: Request;
    }): never {
      if (query.copy) return { title: new URL(request.clone().url).pathname } as never;
      return (path.id === "1" ? { title: request.url } : reply(404)) as never;
    }
    static PUT = { content: book, 204: "Stored" };
    override PUT(): never {
      return reply(204) as never;
    }
  }
  const server = await serve(Application.builder().resources(Book).build(), { port: 0, hostname: "127.0.0.1" });
  onTestFinished(() => void server.close());
  const content = { "content-type": "application/json" };
  expect((await ask(server, { path: "/books/1" })).status).toBe(200);
  expect((await ask(server, { path: "/books/2" })).status).toBe(404);
  expect((await ask(server, { path: "/books/1", method: "PUT", headers: content }, '{"title":"Emma"}')).status).toBe(
    204,
  );
  expect((await ask(server, { path: "/books/1", method: "PUT", headers: content }, '{"title":5}')).status).toBe(422);
  expect(made).toEqual({ requests: 0, responses: 0 });
  expect((await ask(server, { path: "/books/1?copy=true" })).text).toBe('{"title":"/books/1"}');
  expect([made.requests > 0, made.responses]).toEqual([true, 0]);

  class Reading extends Middleware {
    async ALL(input: Request): Promise<Response> {
      const response = await this.next(input);
      expect(response).toBeInstanceOf(platform.Response);
      return new Response(`${await response.text()} and read`);
    }
  }
  const read = Application.builder()
    .resources(Book)
    .middleware(Reading as never)
    .build();
  const reading = await serve(read, { port: 0, hostname: "127.0.0.1" });
  onTestFinished(() => void reading.close());
  expect((await ask(reading, { path: "/books/1" })).text).toMatch(/ and read$/);
});
