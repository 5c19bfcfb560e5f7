import { Application, Resource, type RequestOf, type RequestOptions } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";

/** The parts of a request that a handler sees. */
interface Seen {
  readonly method: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

class Echo extends Resource {
  override paths = ["/:path*"];
  override async GET(request: RequestOf): Promise<Response> {
    const { method, url, headers } = request;
    const echoed: Seen = { method, url, fields: Object.fromEntries(headers), text: await request.text() };
    return Response.json(echoed);
  }
  override POST(request: RequestOf): Promise<Response> {
    return this.GET(request);
  }
  override DELETE(): Response {
    throw new Error("broken");
  }
}

const app = Application.builder()
  .resources(Echo)
  .onError(() => {})
  .build();

async function seen(path: string, options?: RequestOptions): Promise<Seen> {
  const response = await app.request(path, options);
  expect(response.status).toBe(200);
  return (await response.json()) as Seen;
}

describe("Application.request()", () => {
  it("asks by GET without content, at a host of its own", async () => {
    expect(await seen("/books/1?a=%20b")).toEqual({
      method: "GET",
      url: "http://localhost/books/1?a=%20b",
      fields: {},
      text: "",
    });
  });

  it("asks at another host by a whole URL", async () => {
    expect((await seen("https://shop.example/books")).url).toBe("https://shop.example/books");
  });

  it("takes two slashes at the beginning for a path, not a host", async () => {
    expect((await seen("//books/1")).url).toBe("http://localhost//books/1");
  });

  it("answers errors as fetch() does", async () => {
    expect((await app.request("/", { method: "DELETE" })).status).toBe(500);
    expect((await app.request("/", { method: "PUT" })).status).toBe(501);
  });

  it("sends a value as JSON, with the type", async () => {
    const { fields, text } = await seen("/", { method: "POST", json: { title: "Emma" } });
    expect([fields["content-type"], text]).toEqual(["application/json", '{"title":"Emma"}']);
  });

  it.each([
    [null, "null"],
    [false, "false"],
    ["", '""'],
  ])("sends %j as JSON, too", async (json, expected) => {
    expect((await seen("/", { method: "POST", json })).text).toBe(expected);
  });

  it("leaves the type of JSON to the headers where they have one", async () => {
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { fields } = await seen("/", { method: "POST", json: {}, headers });
    expect(fields["content-type"]).toBe("application/merge-patch+json");
  });

  it("sends fields of a form, with the type", async () => {
    const { fields, text } = await seen("/", { method: "POST", urlEncoded: { title: "Emma & me", pages: 7 } });
    expect(fields["content-type"]).toMatch(/^application\/x-www-form-urlencoded\b/);
    expect(text).toBe("title=Emma+%26+me&pages=7");
  });

  it("sends other content as it is", async () => {
    expect((await seen("/", { method: "POST", body: "text" })).text).toBe("text");
    const body = new Blob(["a stream"]).stream();
    expect((await seen("/", { method: "POST", body })).text).toBe("a stream");
    const form = new FormData();
    form.set("file", new Blob(["pixels"]), "me.png");
    const { fields, text } = await seen("/", { method: "POST", body: form });
    expect(fields["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(text).toContain("pixels");
  });

  it("adds parameters to the query of the path", async () => {
    expect((await seen("/", { query: { q: "a&b", page: 2, all: true } })).url).toBe(
      "http://localhost/?q=a%26b&page=2&all=true",
    );
    const query = [
      ["tag", "a"],
      ["tag", "b"],
    ] as const;
    expect((await seen("/?q=1", { query })).url).toBe("http://localhost/?q=1&tag=a&tag=b");
    expect((await seen("/", { query: new URLSearchParams("q=1") })).url).toBe("http://localhost/?q=1");
  });

  it("sends cookies in one field, in place of the field of the headers", async () => {
    const { fields } = await seen("/", { cookies: { a: "1", b: "x=y" }, headers: { Cookie: "c=2", "X-Id": "7" } });
    expect(fields).toEqual({ cookie: "a=1; b=x=y", "x-id": "7" });
  });

  it.each([
    ["books", '"books"'],
    ["http://", '"http://"'],
    [undefined, "undefined"],
  ])("C7.4 says what to write in place of the path %j", async (path, got) => {
    await expect(app.request(path as string)).rejects.toThrow(
      new TypeError(`Cannot make a request: expected a path such as "/books", or a whole URL, got ${got}`),
    );
  });

  it.each(["header", "params", "signal"])("C7.4 refuses the unknown option %s", async (name) => {
    await expect(app.request("/", { [name]: {} })).rejects.toThrow(
      new TypeError(
        `Cannot make a request: it has no option "${name}"; write one of method, query, cookies, headers, json, ` +
          "urlEncoded, body",
      ),
    );
  });

  it("rejects where no Request can be made", async () => {
    await expect(app.request("/", { json: 1 })).rejects.toThrow(TypeError);
    // @ts-expect-error: one of them
    await app.request("/", { method: "POST", json: 1, urlEncoded: {} });
  });
});
