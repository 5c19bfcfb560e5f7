import {
  Application as PolyfillApplication,
  Resource as PolyfillResource,
  type ContextOf,
} from "fingerpost/modules/http.polyfill.js";
import { Application, Resource, Response, type RequestOf } from "fingerpost/native";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Paged, PagedInput, WrittenPage } from "../formats/pages/collection-pages.ts";
import { pagesBy } from "./pages.ts";

const by = z.object({ id: z.int() });
const pages = pagesBy(by, { limit: 2, maxLimit: 3 });
const ids = [1, 2, 3, 5, 8];

function pageAfter(after: number | undefined, limit: number) {
  const rest = ids.filter((id) => after === undefined || id > after);
  const items = rest.slice(0, limit);
  return { items, next: rest.length > limit ? { id: items.at(-1)! } : null };
}

class Numbers extends Resource {
  paths = ["/numbers"] as const;
  override async GET(request: RequestOf<Numbers>): Promise<Response> {
    const { after, limit } = await pages.read(request);
    expectTypeOf(after).toEqualTypeOf<{ id: number } | undefined>();
    const { content, headers } = await pages.write(request, pageAfter(after?.id, limit));
    return Response.json(content, { headers });
  }
}
const app = Application.builder().resources(Numbers).build();

class Contexts extends PolyfillResource {
  paths = ["/numbers"] as const;
  override async GET(context: ContextOf<Contexts>): Promise<unknown> {
    const { after, limit } = await pages.read(context);
    return pages.write(context, pageAfter(after?.id, limit));
  }
}

describe("C19.4 pagesBy()", () => {
  it.each([
    [0, 0, null],
    [2, 2, null],
    [3, 2, 2],
    [5, 2, 2],
  ])(
    "C19.1 makes a page of %i rows, of which one more than its limit says that more follow",
    async (rows, items, next) => {
      const { page } = await new Promise<{ page: Paged<{ id: number }> }>((resolve) => {
        class Read extends Resource {
          override paths = ["/read"];
          override async GET(request: RequestOf<Read>): Promise<Response> {
            resolve({ page: await pages.read(request) });
            return new Response();
          }
        }
        void Application.builder().resources(Read).build().request("/read");
      });
      const found = Array.from({ length: rows }, (_, at) => ({ id: at + 1, secret: true }));
      expect(page.of(found)).toEqual({ items: found.slice(0, items), next: next && { id: next, secret: true } });
    },
  );

  it("reads and writes pages in the native module", async () => {
    const seen: number[] = [];
    for (let url: string | null = "/numbers?of=all"; url !== null;) {
      const response = await app.request(url);
      const { items, next } = (await response.json()) as { items: number[]; next: string | null };
      seen.push(...items);
      const link = response.headers.get("link");
      expect(link).toBe(next && `<?of=all&cursor=${next}>; rel="next"`);
      url = link && new URL(link.slice(1, link.indexOf(">")), "http://localhost/numbers").href;
    }
    expect(seen).toEqual(ids);
  });

  it("converts its schema once, whatever many pages it reads and writes", async () => {
    let asked = 0;
    const jsonSchema = { input: () => (asked++, { type: "object", properties: { id: {} } }), output: () => ({}) };
    const counted = { "~standard": { ...by["~standard"], jsonSchema } } as unknown as typeof by;
    const own = pagesBy(counted, { limit: 2 });
    class Counted extends Resource {
      override paths = ["/counted"] as const;
      override async GET(request: RequestOf<Counted>): Promise<Response> {
        const { after, limit } = await own.read(request);
        return Response.json((await own.write(request, pageAfter(after?.id, limit))).content);
      }
    }
    const counting = Application.builder().resources(Counted).build();
    const { next } = (await (await counting.request("/counted")).json()) as { next: string };
    const before = asked;
    for (let more = 0; more < 3; more++) {
      expect((await counting.request("/counted", { query: { cursor: next } })).status).toBe(200);
    }
    expect([before > 0, asked - before]).toEqual([true, 0]);
  });

  it("reads and writes pages in the polyfill module", async () => {
    const polyfill = PolyfillApplication.builder().resources(Contexts).build();
    const first = (await polyfill.handle({ url: "/numbers", method: "GET" })) as { content: { next: string } };
    expect(first.content).toEqual({ items: [1, 2], next: expect.any(String) });
    const url = `/numbers?limit=3&cursor=${first.content.next}`;
    expect(await polyfill.handle({ url, method: "GET" })).toEqual({
      content: { items: [3, 5, 8], next: null },
      headers: {},
    });
  });

  it("has types for what handlers share", async () => {
    const readFrom = (input: PagedInput): Promise<Paged<{ id: number }>> => pages.read(input);
    const written = async (input: PagedInput): Promise<WrittenPage<number>> => {
      const { after, limit } = await readFrom(input);
      return pages.write(input, pageAfter(after?.id, limit));
    };
    class Shared extends Resource {
      paths = ["/numbers"] as const;
      override async GET(request: RequestOf<Shared>): Promise<Response> {
        return Response.json((await written(request)).content);
      }
    }
    const shared = Application.builder().resources(Shared).build();
    expect(await (await shared.request("/numbers?limit=1")).json()).toMatchObject({ items: [1] });
  });

  it("refuses what it cannot read by 400, with each fault", async () => {
    const response = await app.request("/numbers?limit=4&cursor=x");
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        title: "Bad Request",
        status: 400,
        detail: "The request does not fit",
        errors: [
          { in: "query", pointer: "#/limit", detail: "Expected an integer from 1 to 3" },
          { in: "query", pointer: "#/cursor", detail: "Expected the cursor of a page that was read here" },
        ],
      },
    ]);
  });

  it("refuses what is not the input of a handler, and wrong options", async () => {
    await expect(pages.read({ url: "http://localhost/numbers" } as never)).rejects.toThrow(
      "Cannot read the page: the input has no params; pass what a handler was given",
    );
    expect(() => pagesBy("id" as never)).toThrow('Cannot call pagesBy(): its option "by" must be');
    expect(() => pagesBy(by, { by } as never)).toThrow(
      'Cannot call pagesBy(): it has no option "by"; write one of limit, maxLimit, secrets',
    );
  });
});
