import { PageCursors } from "../formats/pages/page-cursors.ts";
import { pageRulesOf, type PagesByOptions } from "../formats/pages/page-rules.ts";
import { checkPlace } from "../json-schema/library/place-of-page.ts";
import type { Params } from "../dispatch/params.ts";
import { moved, wrapped } from "../json-schema/shape/member-conversion.ts";
import type { JsonSchema } from "../json-schema/shape/json-schema.ts";
import {
  isSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from "../json-schema/shape/standard-schema.ts";
import { described } from "../http/javascript/described.ts";
import { markPage, type PageContent } from "./declaration/page-content.ts";
import { validated } from "../json-schema/shape/validation.ts";

/** Options of `page()` besides the schema of an item. */
export interface PageOptions<By extends StandardSchema> extends PagesByOptions {
  /** The schema of the place where a page ends: what the collection is sorted by, with something unique. */
  readonly by: By;
}

/**
 * Declares an answer as pages of a collection: a handler takes `page`, and returns items and the place of the last one.
 *
 * The query parameters `cursor` and `limit` are declared by it. The handler returns `next: null` on the last page.
 * Clients get a cursor in its place, and `Link` with `rel="next"` (RFC 8288).
 *
 * @param item the schema of an item.
 * @throws {TypeError} when an option is wrong.
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
 * const response = await app.request("/books", { query: { limit: 3 } });
 * console.log(await response.text()); // {"items":[{"id":1},{"id":2},{"id":3}],"next":null}
 * ```
 */
export function page<Item extends StandardSchema, By extends StandardSchema>(
  item: Item,
  options: PageOptions<By>,
): PageContent<Item, By> {
  if (!isSchema(item)) {
    throw new TypeError(
      `Cannot call page(): expected the schema of an item, got ${described(item)}; write page(schema, { by })`,
    );
  }
  const rules = pageRulesOf("page", options, ["by", "limit", "maxLimit", "secrets"]);
  checkPlace("page", rules.by);
  const cursors = new PageCursors(rules);
  const { vendor, jsonSchema } = item["~standard"];
  const content = {
    [wrapped]: [item],
    // Asked of schemas of ArkType, whether they convert values.
    includesTransform: (item as { readonly includesTransform?: unknown }).includesTransform,
    "~standard": {
      version: 1,
      vendor,
      validate: (value: unknown) => validatedPage(value, item),
      ...(jsonSchema === undefined
        ? {}
        : {
            jsonSchema: {
              input: (given: Parameters<typeof jsonSchema.input>[0]) => listed(jsonSchema.input(given)),
              output: (given: Parameters<typeof jsonSchema.output>[0]) => listed(jsonSchema.output(given)),
            },
          }),
    },
    "~cursors": {
      by: rules.by,
      limits: rules,
      read: (query: string, params: Params) => cursors.read(query, params),
      write: (given: object, query: string, params: Params) => cursors.write(given, query, params),
    },
  };
  return markPage(Object.freeze(content)) as unknown as PageContent<Item, By>;
}

/** Definitions stay where libraries have them: what reads their JSON Schema looks there. */
function listed(item: JsonSchema): Record<string, unknown> {
  const { $schema: _, $defs, definitions, ...own } = item;
  const named = { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) };
  return moved(
    {
      ...named,
      type: "object",
      properties: { items: { type: "array", items: own }, next: { type: ["string", "null"] } },
      required: ["items", "next"],
    },
    "/properties/items/items",
    (reference) => !/^#\/(?:\$defs|definitions)\//.test(reference),
  );
}

async function validatedPage(value: unknown, schema: StandardSchema): Promise<StandardResult<unknown>> {
  const { items, next } = Object(value) as { readonly items?: unknown; readonly next?: unknown };
  if (!Array.isArray(items)) return { issues: [{ message: "Expected a list", path: ["items"] }] };
  if (next !== null && typeof next !== "string") {
    return { issues: [{ message: "Expected the place of the last item, or null", path: ["next"] }] };
  }
  const outcomes = await Promise.all(items.map((item) => validated(schema, item)));
  const issues = outcomes.flatMap(({ issues: own = [] }, at) =>
    own.map((issue): StandardIssue => ({ ...issue, path: ["items", at, ...(issue.path ?? [])] })),
  );
  if (issues.length > 0) return { issues };
  return { value: { items: outcomes.map((outcome) => (outcome as { readonly value: unknown }).value), next } };
}
