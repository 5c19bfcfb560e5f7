import type { Params } from "../../dispatch/params.ts";
import type { InferInput, InferOutput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** Pages of a collection: what `page()` returns. It is a Standard Schema of what is sent. */
export interface PageContent<Item extends StandardSchema = StandardSchema, By extends StandardSchema = StandardSchema> {
  /** The properties of a Standard Schema. */
  readonly "~standard": StandardSchema<PageInput<Item, By>, PageOutput<Item>>["~standard"];
  /** Reads and writes cursors. Part of the declaration, so that a bundle without pages leaves them out. */
  readonly "~cursors": PageCursorsOf<By>;
}

/** What a handler returns. */
interface PageInput<Item, By> {
  /** The items of the page. */
  readonly items: readonly InferInput<Item>[];
  /** The place of the last item, where there is a page after it. */
  readonly next: InferInput<By> | null;
}

/** What a client gets. */
interface PageOutput<Item> {
  readonly items: readonly InferOutput<Item>[];
  readonly next: string | null;
}

/** What the line asks of pages. */
interface PageCursorsOf<By> {
  /** The schema of the place where a page ends. */
  readonly by: By;
  /** The most items that a client may ask for, and how many it gets if it does not ask. */
  readonly limits: { readonly limit: number; readonly maxLimit: number };
  readonly read: (query: string, params: Params) => PageReading | Promise<PageReading>;
  readonly write: (page: object, query: string, params: Params) => Promise<SentPage>;
}

interface PageReading {
  readonly page: { readonly after: unknown; readonly limit: number };
  readonly failures: readonly { readonly in: "query"; readonly pointer: string; readonly detail: string }[];
  readonly others: string;
}

interface SentPage {
  readonly content: unknown;
  readonly link: string | null;
}

/** What `page()` returned. */
const made = new WeakSet<object>();

export function markPage<Content extends object>(content: Content): Content {
  made.add(content);
  return content;
}

function isPage(value: unknown): value is PageContent {
  return typeof value === "object" && value !== null && made.has(value);
}

/** Returns the pages that the declaration of an answer holds, or null. */
export function pageIn(answer: unknown): PageContent | null {
  if (isPage(answer)) return answer;
  const { content } = Object(answer) as { readonly content?: unknown };
  if (isPage(content)) return content;
  return Object.values(Object(content) as object).find(isPage) ?? null;
}
