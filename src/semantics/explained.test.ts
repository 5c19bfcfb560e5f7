import { describe, expect, it } from "vitest";
import { z } from "zod";
import { memoryRecords } from "fingerpost/stores";
import { Resource as NativeResource } from "../application/native.ts";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import { Application } from "./semantics-application.ts";
import { text } from "./declaration/raw-content.ts";
import { Resource } from "./semantics-resource.ts";

/** The status of an explanation, and its questions from the second on. */
async function told(Class: new () => Resource, asked: Request, run = false): Promise<unknown[]> {
  const app = Application.builder()
    .resources(Class as never)
    .onError(() => {})
    .build();
  const { status, questions } = await app.explain(asked, { run });
  if (run) expect(status).toBe((await app.fetch(asked.clone())).status);
  return [status, ...questions.slice(2).map(({ step, finding }) => `${step} ${finding}`)];
}

const put = (headers: Record<string, string> = {}, content = '{"n":"x"}', path = "/stored"): Request => {
  const type = { "content-type": "application/json" };
  return new Request(`http://h${path}`, { method: "PUT", headers: { ...type, ...headers }, body: content });
};

class Stored extends Resource {
  override paths = ["/stored", "/new", "/dated"];
  validator({ request: { url } }: { readonly request: Request }) {
    const states: Record<string, unknown> = { new: null, dated: { lastModified: new Date("2026-01-31T12:00:00Z") } };
    const [name = ""] = /\w+$/.exec(url)!;
    return name in states ? (states[name] as null) : { etag: '"1"' };
  }
  static GET = { 200: text() };
  override GET(): string {
    return "1";
  }
  static PUT = { precondition: true, content: z.object({ n: z.int() }), 204: "Stored" } as const;
  override PUT(): undefined {
    return undefined;
  }
  static PATCH = { content: z.object({ n: z.int() }), 204: "Changed" };
  override PATCH(): undefined {
    return undefined;
  }
}

const unfit = "no: content #/n: Invalid input: expected number, received string";

describe("app.explain()", () => {
  it("C9.6 explains a path that cannot be decoded", async () => {
    class Book extends Resource {
      override paths = ["/b/:x"];
      static GET = { 200: text() };
      override GET(): string {
        return "";
      }
    }
    for (const run of [false, true]) {
      const [status, last] = await told(Book, new Request("http://h/b/%"), run);
      expect([status, last]).toEqual([400, expect.stringMatching(/^2 no: /)]);
    }
  });

  it("C9.6 is 428 where a precondition is required and none is sent, before content is looked at", async () => {
    expect(await told(Stored, put())).toEqual([
      428,
      "5 yes: application/json",
      "8 no: one is required, unless validator() returns null",
    ]);
    expect(await told(Stored, put(), true)).toEqual([
      428,
      "5 yes: application/json",
      "8 no: Send If-Match with the entity tag that the change is based on",
    ]);
    expect((await told(Stored, put({}, '{"n":1}', "/new"), true)).slice(0, 3)).toEqual([
      204,
      "5 yes: application/json",
      "8 yes: there is no representation",
    ]);
  });

  it("C9.6 knows no status after preconditions that are sent and not asked", async () => {
    const match = { "if-match": '"1"' };
    const asked = "8 not asked: validator() is not called";
    expect(await told(Stored, put(match))).toEqual([
      null,
      "5 yes: application/json",
      asked,
      `9 ${unfit}; 422 if the preconditions hold`,
    ]);
    expect((await told(Stored, put(match, '{"n":1}'))).slice(0, 3)).toEqual([null, "5 yes: application/json", asked]);
    const patch = new Request("http://h/stored", { ...init("PATCH"), body: '{"n":"x"}' });
    expect(await told(Stored, patch)).toEqual([422, "5 yes: application/json", asked, `9 ${unfit}`]);
  });

  it("C9.6 tells which precondition holds", async () => {
    const finding = async (asked: Request): Promise<unknown> =>
      (await told(Stored, asked, true)).find((one) => String(one).startsWith("8 "));
    const get = (headers: Record<string, string>, path = "stored"): Request =>
      new Request(`http://h/${path}`, { headers });
    expect(await finding(put({ "if-match": '"1"' }, '{"n":1}'))).toBe("8 yes: If-Match holds");
    expect(await finding(put({ "if-match": '"0"' }, '{"n":1}'))).toBe("8 no: Precondition Failed");
    expect(await finding(get({ "if-match": "*", "if-none-match": '"0"' }))).toBe("8 yes: If-Match holds");
    const [before, after] = ["Sat, 31 Jan 2026 11:00:00 GMT", "Sat, 31 Jan 2026 13:00:00 GMT"];
    expect(await finding(get({ "if-unmodified-since": after }, "dated"))).toBe("8 yes: If-Unmodified-Since holds");
    const other = "8 yes: the client has another version, or asks for none";
    expect(await finding(get({ "if-none-match": '"0"' }))).toBe(other);
    expect(await finding(get({ "if-modified-since": before }, "dated"))).toBe(other);
    expect(await finding(get({}))).toBe(other);
  });

  it("C9.6 says what was read of query, fields or cookies, if one of them is declared", async () => {
    for (const part of ["query", "headers", "cookies", "none"]) {
      class Reading extends Resource {
        override paths = ["/"];
        static GET = {
          ...(part !== "none" && { [part]: z.object({ a: z.string().optional() }) }),
          204: "Done",
        } as object;
        override GET(): undefined {
          return undefined;
        }
      }
      const read = part === "none" ? [] : ["4 yes"];
      const explained = await told(Reading, new Request("http://h/"), true);
      expect(explained.slice(0, -1), part).toEqual([204, ...read, "10 204"]);
    }
  });

  it("C9.6 tells each fault of a part, and adds no step for an error of the handler", async () => {
    class Failing extends Resource {
      override paths = ["/"];
      static GET = { query: z.object({ a: z.int(), b: z.int() }), 200: text() };
      override GET(): never {
        throw new HTTPError(Status.Conflict);
      }
    }
    expect(await told(Failing, new Request("http://h/?a=x&b=y"))).toEqual([
      400,
      expect.stringMatching(/^4 no: query #\/a: [^;]+; query #\/b: [^;]+$/),
    ]);
    expect(await told(Failing, new Request("http://h/?a=1&b=2"), true)).toEqual([
      409,
      "4 yes",
      "6 yes: text/plain",
      "10 409",
      "12 content-type",
    ]);
  });

  it("C9.6 knows the status of content that does not fit, once the store was asked for the key", async () => {
    class Once extends Resource {
      override paths = ["/"];
      static POST = { idempotency: true, content: z.object({ n: z.int() }), 204: "Done" };
      override POST(): undefined {
        return undefined;
      }
    }
    const app = Application.builder()
      .resources(Once)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    const headers = { "content-type": "application/json", "idempotency-key": "k" };
    const asked = (): Request => new Request("http://h/", { method: "POST", headers, body: '{"n":"x"}' });
    const last = async (run: boolean): Promise<unknown[]> => {
      const { status, questions } = await app.explain(asked(), { run });
      return [status, questions.find(({ step }) => step === 9)?.finding];
    };
    expect(await last(false)).toEqual([null, `${unfit}; 422 if the key is new`]);
    expect(await last(true)).toEqual([422, unfit]);
  });

  it("C9.6 explains optional content without a byte, and leaves the content to the handler", async () => {
    class Optional extends Resource {
      override paths = ["/"];
      static POST = { content: z.object({ n: z.int() }).optional(), 204: "Done" };
      override POST(): undefined {
        return undefined;
      }
    }
    for (const run of [false, true]) {
      const asked = new Request("http://h/", { method: "POST", body: "", headers: { "content-type": "text/plain" } });
      const explained = await told(Optional, asked, run);
      expect(explained.slice(0, 2)).toEqual([run ? 204 : null, "5 yes: there is none, and none need be"]);
      const other = new Request("http://h/", { method: "POST", body: "x", headers: { "content-type": "text/plain" } });
      expect((await told(Optional, other, run))[0]).toBe(415);
    }
  });
});

it("explains what never comes to the line: no resource, and methods of native resources", async () => {
  class Old extends NativeResource {
    override paths = ["/old"];
    override GET(): Response {
      return new Response("old");
    }
  }
  const app = Application.builder()
    .resources(Old, Stored as never)
    .build();
  const lastOf = async (path: string, method: string): Promise<unknown[]> => {
    const { status, questions } = await app.explain(new Request(`http://h${path}`, { method }));
    const { step, finding } = questions.at(-1)!;
    return [status, step, finding];
  };
  expect(await lastOf("/none", "GET")).toEqual([404, 0, expect.stringMatching(/^no: /)]);
  expect(await lastOf("/old", "PUT")).toEqual([501, 1, expect.stringMatching(/^no: /)]);
  expect(await lastOf("/old", "OTHER")).toEqual([501, 1, expect.stringMatching(/^no: /)]);
  expect(await lastOf("/stored", "OTHER")).toEqual([501, 1, expect.stringMatching(/^no: /)]);
  expect(await lastOf("/old", "GET")).toEqual([null, 1, expect.stringMatching(/^yes: Old implements GET/)]);
});

function init(method: string): RequestInit {
  return { method, headers: { "content-type": "application/json" } };
}
