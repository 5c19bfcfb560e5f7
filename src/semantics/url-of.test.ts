import { Application, Resource, ResourceGroup, text, urlOf, type Call, type ResourceGroupBuilder } from "fingerpost";
import { describe, expect, expectTypeOf, it } from "vitest";

class Book extends Resource {
  paths = ["/books/:id", "/books/:id/pages/:page", "/shelf/:id/:rest*"] as const;

  static GET = { 200: text() };
  GET() {
    return "";
  }
}

class Home extends Resource {
  paths = ["/", "/home/:lang?"] as const;

  static GET = { 200: text() };
  GET() {
    return "";
  }
}

class Elsewhere extends Book {}

type From = Call<typeof Asking, "GET">;
let make: (call: From) => string;

class Asking extends Resource {
  paths = ["/ask"] as const;

  static GET = { 200: text() };
  GET(call: From) {
    return make(call);
  }
}

/** What a function makes within a request to a path of an application that a group is in, or what it throws. */
async function made(
  of: (call: From) => string,
  path = "/ask",
  around: (group: ResourceGroupBuilder<never, never>) => ResourceGroupBuilder<never, never> = (group) => group,
): Promise<string> {
  make = of;
  let thrown = "";
  const group = around(ResourceGroup.builder()).resources(Asking, Book, Home).build();
  const app = Application.builder()
    .resources(group)
    .onError((error) => void (thrown = String(error)))
    .build();
  const response = await app.request(path);
  return thrown || (await response.text());
}

describe("urlOf()", () => {
  it("fills a later path where a value that an earlier one requires is absent", async () => {
    class Old extends Book {
      override paths = ["/new/:id", "/old/:id?"] as never;
    }
    const around = (group: ResourceGroupBuilder<never, never>) => group.resources(Old) as never;
    expect(await made((call) => urlOf(call, Old, {} as never), "/ask", around)).toBe("/old");
    expect(await made((call) => urlOf(call, Old, { id: ".." } as never), "/ask", around)).toContain(
      'Cannot fill /new/:id: the path param "id" is absent, empty or a dot segment',
    );
  });

  it.each([
    [{ id: 7 }, "/books/7"],
    [{ id: "a b/c" }, "/books/a%20b%2Fc"],
    [{ id: 7, page: 2n }, "/books/7/pages/2"],
    [{ id: 7, rest: ["a/b", "c"] }, "/shelf/7/a%2Fb/c"],
    [{ id: 7, rest: undefined }, "/shelf/7"],
  ] as const)("fills a path: %#", async (values, url) => {
    expect(await made((call) => urlOf(call, Book, values))).toBe(url);
  });

  it("needs no values where a path has none", async () => {
    expect(await made((call) => urlOf(call, Home))).toBe("/");
    expect(await made((call) => urlOf(call, Home, { lang: "de" }))).toBe("/home/de");
  });

  it("takes a request as well as a call", async () => {
    expect(await made(({ request }) => urlOf(request, Book, { id: 7 }))).toBe("/books/7");
  });

  it("has the prefix of the group that the request came in by, and its params", async () => {
    const versions = (path: string) =>
      made(
        (call) => urlOf(call, Book, { id: 7 }),
        path,
        (group) => group.prefix("/v1", "/v2"),
      );
    expect([await versions("/v1/ask"), await versions("/v2/ask")]).toEqual(["/v1/books/7", "/v2/books/7"]);
    const tenant = (values: { id: number; org?: string }) =>
      made(
        (call) => urlOf(call, Book, values),
        "/orgs/a%20b/ask",
        (group) => group.prefix("/orgs/:org"),
      );
    expect(await tenant({ id: 7 })).toBe("/orgs/a%20b/books/7");
    expect(await tenant({ id: 7, org: "c" })).toBe("/orgs/c/books/7");
  });

  it("begins no host", async () => {
    class Page extends Resource {
      paths = ["/:path+"] as const;

      static GET = { 200: text() };
      GET(call: Call<typeof Page, "GET">) {
        return urlOf(call, Page, { path: ["", "evil.example"] });
      }
    }
    const response = await Application.builder().resources(Page).build().request("/a");
    expect(new URL(await response.text(), "https://h").host).toBe("h");
  });

  it("refuses what the application does not have", async () => {
    expect(await made((call) => urlOf(call, Elsewhere, { id: 7 }))).toBe(
      "TypeError: Cannot make the URL of Elsewhere: the application of the request does not have it",
    );
    expect(await made((call) => urlOf(call, Book, { id: 7, colour: "red", page: 1 }))).toBe(
      'TypeError: Cannot make the URL of Book: none of its paths has "id", "colour", "page"',
    );
    expect(await made((call) => urlOf(call, Book, {} as { id: string }))).toMatch(
      /^TypeError: Cannot fill \/books\/:id: the path param "id" is absent/,
    );
    expect(() => urlOf(new Request("http://h/"), Home)).toThrow("Cannot make the URL of Home: the application of");
    expect(() => urlOf({}, Home)).toThrow("Cannot make the URL of Home: the application of");
  });

  it("is typed by the paths of the class", () => {
    expectTypeOf(urlOf<typeof Home>)
      .parameter(1)
      .toEqualTypeOf<typeof Home>();
    // @ts-expect-error -- the id is missing
    void (() => urlOf({}, Book));
    // @ts-expect-error -- the id is missing
    void (() => urlOf({}, Book, { page: 1 }));
    // @ts-expect-error -- an object is no value
    void (() => urlOf({}, Book, { id: {} }));
  });
});
