/** What pages have in common, as `page()` declares them. */
interface PageResult {
  orThrow(): unknown;
}

interface ReceivedPage {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

/** The item of the pages among the contents that are OK. */
type ItemOf<Result extends PageResult> = Result extends PageResult
  ? Extract<ReturnType<Result["orThrow"]>, ReceivedPage>["items"][number]
  : never;

/** What `itemsOf()` takes. */
export interface ItemsOptions {
  /** After how many items it ends. Default: after the last one. */
  readonly maxItems?: number | undefined;
}

/**
 * Reads all items of a collection, page by page, as they are asked for.
 *
 * It repeats the call with the cursor of the next page. No URL is followed. Leaving the loop ends it.
 *
 * @param call a method of a client whose answer is declared by `page()`.
 * @param input the input of the call, for each page. A `limit` in its query is the size of a page.
 * @throws {ResponseError} for an answer that is not OK.
 * @throws {TypeError} when `maxItems` is wrong, or an answer is not a page, or its cursor leads to an earlier page.
 * @example
 * ```ts
 * const books = [{ id: 1 }, { id: 2 }, { id: 3 }];
 * const id = z.int();
 *
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static GET = { 200: page(z.object({ id }), { by: z.object({ id }), limit: 2 }) };
 *   GET({ page: { after, limit } }: Call<typeof Books, "GET">) {
 *     const rest = books.filter((book) => book.id > (after?.id ?? 0));
 *     const items = rest.slice(0, limit);
 *     return { items, next: rest.length > limit ? { id: items.at(-1)!.id } : null };
 *   }
 * }
 * const app = Application.builder().resources(Books).build();
 *
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 * const ids: number[] = [];
 * for await (const book of itemsOf(api["/books"].GET)) ids.push(book.id);
 * console.log(ids.join()); // 1,2,3
 * ```
 */
export async function* itemsOf<Input extends object, Result extends PageResult>(
  call: (input: Input) => Promise<Result>,
  ...[input, options = {}]: {} extends Input
    ? [input?: Input, options?: ItemsOptions]
    : [input: Input, options?: ItemsOptions]
): AsyncGenerator<ItemOf<Result>, void, undefined> {
  const { maxItems = Infinity } = options;
  if (!(maxItems >= 0))
    throw new TypeError('Cannot read all pages: its option "maxItems" must be a number that is not negative');
  let left = maxItems;
  // Brent's way to find a circle: one cursor is remembered, and another one after twice as many pages.
  let [remembered, pages, renewal]: [string | undefined, number, number] = [undefined, 0, 1];
  for (let cursor: string | undefined; left > 0;) {
    const { query } = { query: undefined, ...input } as { readonly query?: object | undefined };
    const asked = cursor === undefined ? input : { ...input, query: { ...query, cursor } };
    const result = await call(asked as Input);
    const content = result.orThrow() as Partial<ReceivedPage> | undefined;
    const { items, next } = Object(content) as Partial<ReceivedPage>;
    if (!Array.isArray(items) || next === undefined) {
      throw new TypeError("Cannot read all pages: the answer is not a page; declare it by page() on the server");
    }
    for (const item of items as ItemOf<Result>[]) {
      if (left-- <= 0) return;
      yield item;
    }
    if (next === null) return;
    if (next === cursor) throw new TypeError("Cannot read all pages: a page names itself as the next one");
    if (next === remembered) throw new TypeError("Cannot read all pages: a page names an earlier one as the next one");
    if (++pages === renewal) [remembered, renewal] = [next, 2 * renewal];
    cursor = next;
  }
}
