import type { StandardSchema } from "../json-schema/shape/standard-schema.ts";
import { PageCursors } from "../formats/pages/page-cursors.ts";
import { checkPlace } from "../json-schema/library/place-of-page.ts";
import { pageRulesOf, type PagesByOptions } from "../formats/pages/page-rules.ts";
import { Pages } from "../formats/pages/collection-pages.ts";

/**
 * Reads and writes pages of a collection by cursors, in handlers of the native and the polyfill module.
 *
 * A cursor holds the place where a page ends, such as the title and the id of its last item. So the next page is
 * right after rows were inserted and deleted. The query parameters are `cursor` and `limit`.
 *
 * @param by the schema, of any library, for the place of an item in the order of the collection.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * import { pagesBy } from "fingerpost/native/content";
 * import { z } from "zod";
 *
 * const pages = pagesBy(z.object({ id: z.int() }), { limit: 2 });
 * const books = [{ id: 1 }, { id: 2 }, { id: 3 }];
 *
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   async GET(request: RequestOf<Books>): Promise<Response> {
 *     const { after, limit } = await pages.read(request);
 *     const rest = books.filter(({ id }) => id > (after?.id ?? 0));
 *     const items = rest.slice(0, limit);
 *     const next = rest.length > limit ? { id: items.at(-1)!.id } : null;
 *     const { content, headers } = await pages.write(request, { items, next });
 *     return Response.json(content, { headers });
 *   }
 * }
 * const app = Application.builder().resources(Books).build();
 * const first = (await (await app.request("/books")).json()) as { next: string };
 * const second = await app.request("/books", { query: { cursor: first.next } });
 * console.log(await second.text()); // {"items":[{"id":3}],"next":null}
 * ```
 */
export function pagesBy<By extends StandardSchema>(by: By, options: PagesByOptions = {}): Pages<By> {
  const rules = pageRulesOf("pagesBy", options, ["limit", "maxLimit", "secrets"], by);
  checkPlace("pagesBy", by);
  return new Pages(new PageCursors(rules));
}
