import { inputURLOf } from "../../dispatch/input.ts";
import type { Params } from "../../dispatch/params.ts";
import { propertyOf } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import type { InferInput, InferOutput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";
import { queryOf } from "../../routing/request/target-path.ts";
import type { PageCursors } from "./page-cursors.ts";

/** The input of a handler, of which the pages of a collection are read. */
export interface PagedInput {
  /** The URL, or the request target. */
  readonly url: string;
  /** The values that path and query carry. */
  readonly params: Params;
}

/** The page that a request asks for. */
export interface Paged<After> {
  /** The place after which the page begins; `undefined` for the first page. */
  readonly after: After | undefined;
  /** Maximum number of items. */
  readonly limit: number;
  /**
   * Makes a page of rows. Look up `limit + 1` of them, in order. If there are so many, the page has `limit` of them,
   * and ends at the last of these.
   */
  of<Row>(rows: readonly Row[]): { readonly items: readonly Row[]; readonly next: Row | null };
}

/** A page as it is sent. */
export interface WrittenPage<Item> {
  /** The items, and the cursor of the page after them; `null` on the last page. */
  readonly content: { readonly items: readonly Item[]; readonly next: string | null };
  /** `Link` with the URL of the page after this one (RFC 8288). Without one, no field. */
  readonly headers: { readonly link?: string };
}

/** Reads which page a request asks for, and writes pages: what `pagesBy()` returns. */
export class Pages<By extends StandardSchema> {
  readonly #cursors: PageCursors;

  /** `pagesBy()` makes it. */
  constructor(cursors: PageCursors) {
    this.#cursors = cursors;
  }

  /**
   * Reads `cursor` and `limit` of the query.
   *
   * @param input the request, or the context of the polyfill module.
   * @throws {HTTPError} 400 for a cursor that is not of this collection, and for a wrong limit.
   * @throws {TypeError} when the input has no params.
   */
  async read(input: PagedInput): Promise<Paged<InferOutput<By>>> {
    const { page, failures } = await this.#cursors.read(queryIn(input), paramsIn(input));
    if (failures.length > 0) {
      throw Object.assign(new HTTPError(Status.BadRequest, "The request does not fit"), { errors: failures });
    }
    return page as Paged<InferOutput<By>>;
  }

  /**
   * Writes a page as it is sent: `next`, the place after which the next page begins, becomes a cursor.
   *
   * @param input the request, or the context of the polyfill module.
   * @param page the items, and the place of the last one; `null` on the last page.
   * @throws {TypeError} when the schema does not read the place, or the input has no params.
   */
  async write<Item>(
    input: PagedInput,
    page: { readonly items: readonly Item[]; readonly next: InferInput<By> | null },
  ): Promise<WrittenPage<Item>> {
    const { content, link } = await this.#cursors.write(page, queryIn(input), paramsIn(input));
    return { content: content as WrittenPage<Item>["content"], headers: link === null ? {} : { link } };
  }
}

function queryIn(input: PagedInput): string {
  return queryOf(inputURLOf(input)).slice(1);
}

function paramsIn(input: PagedInput): Params {
  const params = propertyOf(input, "params");
  if (typeof params?.pattern === "string") return params;
  throw new TypeError("Cannot read the page: the input has no params; pass what a handler was given");
}
