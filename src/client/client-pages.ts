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

/** Options of `itemsOf()`. */
export interface ItemsOfOptions {
  /** Maximum number of items. Default: all. */
  readonly maxItems?: number | undefined;
  /** Maximum number of pages. A call for one more throws a `RangeError`. Default: 10,000. */
  readonly maxPages?: number | undefined;
}

/**
 * Reads all items of a collection, page by page, as they are asked for.
 *
 * It repeats the call with the cursor of the next page. No URL is followed. Leaving the loop ends it.
 *
 * @param call a method of a client whose answer is declared by `page()`.
 * @param input the input of the call, for each page. A `limit` in its query is the size of a page.
 * @throws {ResponseError} for an answer that is not OK.
 * @throws {TypeError} when an option is wrong, or an answer is not a page, or its cursor leads to an earlier page.
 * @throws {RangeError} when there are more pages than `maxPages`.
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
    ? [input?: Input, options?: ItemsOfOptions]
    : [input: Input, options?: ItemsOfOptions]
): AsyncGenerator<ItemOf<Result>, void, undefined> {
  const { maxItems = Infinity, maxPages = 10_000 } = options;
  for (const [name, value] of [
    ["maxItems", maxItems],
    ["maxPages", maxPages],
  ] as const) {
    if (!(value >= 0)) throw new TypeError(`${cannot}its option "${name}" must be a number that is not negative`);
  }
  const { query } = { query: undefined, ...input } as { readonly query?: { readonly cursor?: string } | undefined };
  let [cursor, left, pages] = [query?.cursor, maxItems, 0];
  // Cursors may be long: the one of the last page whose number is a power of two is remembered (Brent's algorithm).
  let marked = cursor;
  while (left > 0) {
    if (pages++ >= maxPages) {
      throw new RangeError(`${cannot}there are more than ${maxPages}; pass maxItems, or a greater maxPages`);
    }
    const asked = cursor === undefined ? input : { ...input, query: { ...query, cursor } };
    const result = await call(asked as Input);
    const { items, next } = Object(result.orThrow()) as Partial<ReceivedPage>;
    if (!Array.isArray(items) || (next !== null && typeof next !== "string")) {
      throw new TypeError(
        `${cannot}the answer has no list "items", or "next" is no string or null; declare it by page() on the server`,
      );
    }
    for (const item of items as ItemOf<Result>[]) {
      if (left-- <= 0) return;
      yield item;
    }
    if (next === null) return;
    if (next === cursor || next === marked)
      throw new TypeError(`${cannot}a page names itself or an earlier one as the next one`);
    if ((pages & (pages - 1)) === 0) marked = next;
    cursor = next;
  }
}

const cannot = "Cannot read all pages: ";
