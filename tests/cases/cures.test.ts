// Mistakes of people who come from elsewhere, each with who must change, and what to write.
import * as native from "fingerpost/modules/http.native.js";
import { Application, HTTPError, Middleware, problem, reply, Resource, socket, Status, text } from "fingerpost";
import { cors } from "fingerpost/middleware/cors";
import { upgrade } from "fingerpost/native/content";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** What a handler, and middleware around it, are told. */
async function toldBy(handler: () => unknown, ...around: unknown[]): Promise<string> {
  class Book extends Resource {
    override paths = ["/"] as const;
    static GET = { 200: z.object({ title: z.string() }), 404: "No such book" };
    override GET(): never {
      return handler() as never;
    }
  }
  let told = "";
  const app = Application.builder()
    .resources(Book as never)
    .middleware(...(around as (new () => Middleware)[]))
    .onError((error) => void (told = error instanceof TypeError ? error.message : String(error)))
    .build();
  expect((await app.request("/")).status).toBe(500);
  return told;
}

class Forgets extends Middleware {
  async ALL(input: unknown): Promise<never> {
    await this.next(input);
    return undefined as never;
  }
}

const book = { title: "Emma" };
const call = reply as (...given: unknown[]) => unknown;
const credit = problem("/problems/credit", { status: 403, title: "Out of credit", schema: z.object({}) });

describe("the cure of a mistake", () => {
  it.each<[string, () => unknown, string]>([
    [
      "content before its status",
      () => call(book, 200),
      "Cannot call reply(): expected a status code, got an object; write reply(200, content)",
    ],
    [
      "a problem",
      () => call(credit, {}),
      "Cannot call reply(): expected a status code, got a function; write reply(403, content)",
    ],
    ["a text", () => call("404"), 'Cannot call reply(): expected a status code, got "404"; write reply(404, content)'],
    [
      "nothing in reply()",
      () => call(),
      "Cannot call reply(): expected a status code, got undefined; write reply(200, content)",
    ],
    [
      "a reply that is thrown",
      () => {
        throw reply(404);
      },
      "Cannot answer GET of Book: reply(404) was thrown; write return reply(404)",
    ],
    [
      "one that is thrown late",
      async () => {
        await Promise.resolve();
        throw reply(404);
      },
      "Cannot answer GET of Book: reply(404) was thrown; write return reply(404)",
    ],
    [
      "nothing",
      () => {},
      "Cannot answer GET of Book: its handler returned nothing, and 200 has content; write return with it",
    ],
    [
      "a reply without content",
      () => reply(200),
      "Cannot answer GET of Book: its reply() has no content, and 200 has content; write return with it",
    ],
    [
      "an error that is returned",
      () => new HTTPError(Status.NotFound),
      "Cannot answer GET of Book: its handler returned an error; write throw",
    ],
  ])("is told for %s", async (_mistake, handler, message) => {
    expect(await toldBy(handler)).toBe(message);
  });

  it("names the outermost middleware that forgets to return, and not the resource", async () => {
    const cure = "Cannot respond to GET: expected a new Response from Forgets, got undefined; write return";
    expect(await toldBy(() => book, Forgets)).toBe(cure);
    expect(await toldBy(() => book, Forgets, cors({ origins: "*" }))).toBe(cure);
    expect(await toldBy(() => book, cors({ origins: "*" }), Forgets)).toBe(
      "Cannot continue after next(): GET of Forgets returned no value; write return",
    );
  });

  it("names the resource where there is none", async () => {
    class Silent extends native.Resource {
      override paths = ["/"];
      override GET(): never {
        return undefined as never;
      }
    }
    let told: unknown;
    const app = native.Application.builder()
      .resources(Silent)
      .onError((error) => void (told = error))
      .build();
    await app.request("/");
    expect(told).toEqual(
      new TypeError("Cannot respond to GET: expected a new Response from Silent, got undefined; write return"),
    );
  });

  it("is told for handlers of Express, when the application is built", () => {
    const express = (_req: unknown, res: { json(value: object): void }) => res.json({});
    class Books extends native.Resource {
      override paths = ["/"];
      override GET = express as never;
    }
    class Guard extends Middleware {
      ALL = express as never;
    }
    const builder = native.Application.builder();
    expect(() => builder.resources(Books).build()).toThrow(
      "Cannot add Books to the application: its GET() has 2 parameters, and gets the input alone; " +
        "write return with the answer",
    );
    expect(() => Application.builder().middleware(Guard).build()).toThrow(
      "Cannot add Guard as middleware: its ALL() has 2 parameters, and gets the input alone; write return " +
        "this.next(input)",
    );
    expect(() => Application.builder().middleware(express as never)).toThrow(
      "expected a class, got a function; write class Name extends Middleware with ALL(input) { return " +
        "this.next(input); }",
    );
  });

  it('is told for "*" in a list of origins', () => {
    const sides = { receives: text(), sends: text() };
    const cure = 'must be an array of origins such as "https://example.com", or "*" without an array';
    expect(() => socket({ ...sides, origins: ["*"] })).toThrow(cure);
    expect(() => upgrade(new Request("http://localhost/"), {}, { origins: ["*"] })).toThrow(cure);
    expect(() => cors({ origins: ["*"] })).toThrow('without a path, "*" alone or a function');
    expect(() => socket({ ...sides, origins: "*" })).not.toThrow();
  });

  it("is not needed for .replies(undefined), which is the default", async () => {
    class Book extends Resource {
      override paths = ["/"] as const;
      static GET = { 200: z.object({ title: z.string().max(1) }) };
      override GET() {
        return book;
      }
    }
    const statuses = (["check", "shape", undefined] as const).map(async (replies) => {
      const app = Application.builder()
        .resources(Book)
        .onError(() => {})
        .replies("check")
        .replies(replies)
        .build();
      return (await app.request("/")).status;
    });
    expect(await Promise.all(statuses)).toEqual([500, 200, 200]);
  });
});
