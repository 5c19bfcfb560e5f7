import { Application, page, reply, Resource, type Answer, type Call } from "fingerpost";
import { client } from "fingerpost/client";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { itemsOf } from "./client-pages.ts";

const by = z.object({ id: z.int() });
const books = Array.from({ length: 7 }, (_, at) => ({ id: at + 1, title: `Book ${at + 1}` }));
const asked: string[] = [];

class Books extends Resource {
  override paths = ["/shelves/:name/books"] as const;

  static GET = {
    query: z.object({ q: z.string().optional() }),
    200: page(z.object({ id: z.int(), title: z.string() }), { by, limit: 3 }),
    404: "No such shelf",
  };
  override GET({ path, page: { after, limit }, request }: Call<typeof Books, "GET">): Answer<typeof Books, "GET"> {
    asked.push(new URL(request.url).search.replace(/cursor=[^&]+/, "cursor=…"));
    if (path.name === "none") return reply(404);
    const rest = books.filter(({ id }) => id > (after?.id ?? 0));
    const items = rest.slice(0, limit);
    return { items, next: rest.length > limit ? { id: items.at(-1)!.id } : null };
  }
}

class Other extends Resource {
  override paths = ["/other"] as const;
  static GET = { 200: z.unknown() };
  override GET(): unknown {
    return [1];
  }
}

class Stuck extends Resource {
  override paths = ["/stuck"] as const;
  static GET = { 200: page(z.int(), { by, limit: 1 }) };
  override GET(): Answer<typeof Stuck, "GET"> {
    return { items: [1], next: { id: 1 } };
  }
}

const app = Application.builder().resources(Books, Other, Stuck).build();
const api = client<typeof app>("http://localhost", { fetch: app.fetch });
const { GET } = api["/shelves/:name/books"];
const path = { name: "novels" };

async function titlesOf(items: AsyncIterable<{ title: string }>): Promise<string[]> {
  const titles: string[] = [];
  for await (const { title } of items) titles.push(title);
  return titles;
}

describe("C19.3 itemsOf()", () => {
  it("repeats the call with the cursor of each page, and follows no URL", async () => {
    asked.length = 0;
    const all = itemsOf(GET, { path, query: { q: "a b", limit: 4 } });
    expectTypeOf<typeof all>().toExtend<AsyncGenerator<{ readonly id: number; readonly title: string }>>();
    expect(await titlesOf(all)).toEqual(books.map(({ title }) => title));
    expect(asked).toEqual(["?q=a+b&limit=4", "?q=a+b&limit=4&cursor=…"]);
  });

  it("asks for a page only when its items are needed, and ends at maxItems", async () => {
    asked.length = 0;
    expect(await titlesOf(itemsOf(GET, { path }, { maxItems: 2 }))).toHaveLength(2);
    expect(asked).toHaveLength(1);
    expect(await titlesOf(itemsOf(GET, { path }, { maxItems: 3 }))).toHaveLength(3);
    expect(asked).toHaveLength(2);
    expect(await titlesOf(itemsOf(GET, { path }, { maxItems: 4 }))).toHaveLength(4);
    expect(await titlesOf(itemsOf(GET, { path }, { maxItems: 0 }))).toHaveLength(0);
    expect(asked).toHaveLength(4);
    for await (const { id } of itemsOf(GET, { path })) if (id === 3) break;
    expect(asked).toHaveLength(5);
  });

  it("begins at the cursor of the input", async () => {
    const { next } = (await GET({ path, query: { limit: 5 } })).orThrow();
    expect(await titlesOf(itemsOf(GET, { path, query: { cursor: next! } }))).toEqual(["Book 6", "Book 7"]);
  });

  it.each([
    [2, 0],
    [3, 4],
    [5, 1],
    [3_000, 2],
  ])("ends where %i pages lead to one another, after %i others", async (circle, before) => {
    let calls = 0;
    const turning = async ({ query }: { readonly query?: { readonly cursor?: string } } = {}) => {
      calls++;
      const at = Number(query?.cursor ?? 0);
      const next = at + 1 === before + circle ? before : at + 1;
      return { orThrow: () => ({ items: [at], next: String(next) }) };
    };
    await expect(
      (async () => {
        for await (const _ of itemsOf(turning as never)) expect(calls).toBeLessThan(10_000);
      })(),
    ).rejects.toThrow("Cannot read all pages: a page names itself or an earlier one as the next one");
    // One cursor is remembered: a circle is seen after three times as many pages at the latest.
    expect(calls).toBeGreaterThanOrEqual(before + circle);
    expect(calls).toBeLessThanOrEqual(3 * (before + circle) + 1);
  });

  it("throws where a page leads to the one that the input names", async () => {
    const turning = async () => ({ orThrow: () => ({ items: [], next: "first" }) });
    await expect(itemsOf(turning as never, { query: { cursor: "first" } } as never).next()).rejects.toThrow(
      "a page names itself or an earlier one",
    );
  });

  it("ends after 10,000 pages or maxPages where each cursor is a new one, also without items", async () => {
    let calls = 0;
    const growing = async () => ({ orThrow: () => ({ items: [], next: String(++calls) }) });
    await expect(itemsOf(growing as never).next()).rejects.toThrow(
      new RangeError("Cannot read all pages: there are more than 10000; pass maxItems, or a greater maxPages"),
    );
    expect(calls).toBe(10_000);
    const few = { maxPages: 3 } as const;
    await expect(itemsOf(growing as never, {} as never, few).next()).rejects.toThrow("there are more than 3;");
    expect(calls).toBe(10_003);
    expect(await titlesOf(itemsOf(GET, { path }, few))).toHaveLength(7);
    await expect(itemsOf(GET, { path }, { maxPages: -1 }).next()).rejects.toThrow('its option "maxPages" must be');
  });

  it.each([[5], [undefined], [{}], [true]])("refuses a page whose next is %s", async (next) => {
    const wrong = async () => ({ orThrow: () => ({ items: [], next }) });
    await expect(itemsOf(wrong as never).next()).rejects.toThrow('"next" is no string or null');
  });

  it("throws for an answer that is not OK, or not a page, and for a page that leads to itself", async () => {
    await expect(titlesOf(itemsOf(GET, { path: { name: "none" } }))).rejects.toMatchObject({ name: "ResponseError" });
    await expect(itemsOf(api["/other"].GET).next()).rejects.toThrow(
      'Cannot read all pages: the answer has no list "items", or "next" is no string or null; declare it ' +
        "by page() on the server",
    );
    const stuck = itemsOf(api["/stuck"].GET);
    const seen: unknown[] = [];
    await expect(
      (async () => {
        for await (const one of stuck) seen.push(one);
      })(),
    ).rejects.toThrow("a page names itself or an earlier one");
    expect(seen).toEqual([1, 1]);
    await expect(itemsOf(GET, { path }, { maxItems: -1 }).next()).rejects.toThrow('its option "maxItems" must be');
    // @ts-expect-error the path is required
    await expect(itemsOf(GET).next()).rejects.toThrow(TypeError);
  });
});
