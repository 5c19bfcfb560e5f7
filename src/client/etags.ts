import type { Layer } from "./around.ts";
import { parseEntityTag } from "../fields/entity-tag.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { bounded } from "./bounded-content.ts";
import { isJson } from "./sent-content.ts";

/** Options of `etags()`. */
export interface ETagsOptions {
  /** Maximum number of remembered URLs; the oldest is forgotten. Default: 1,000. */
  readonly maxUrls?: number | undefined;
}

interface Answered {
  readonly response: Response;
}

interface Throwing {
  orThrow(): unknown;
}

/** The answers to reads after a write was refused. */
const current = new WeakMap<Response, Response>();

/**
 * Sends writes with the entity tag of the last read, so that no write overwrites a change of somebody else. Put it into
 * `around()`.
 *
 * It remembers the strong entity tag of each URL that was read, or written by PUT or PATCH. PUT, PATCH and DELETE of
 * such a URL get `If-Match`, unless the call has a precondition of its own. Weak tags are never sent, as `If-Match`
 * compares strongly (RFC 9110 §13.1.1). A write that gets 412 is not sent again. The client reads the URL in its place,
 * and `currentOf()` returns that.
 *
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * let title = "Emma";
 * class Note extends Resource {
 *   paths = ["/note"] as const;
 *
 *   validator() {
 *     return { etag: `"${title}"` };
 *   }
 *
 *   static GET = { 200: z.object({ title: z.string() }) };
 *   GET() {
 *     return { title };
 *   }
 *
 *   static PUT = { content: z.object({ title: z.string() }), 204: "Stored" };
 *   PUT({ content }: Call<typeof Note, "PUT">) {
 *     title = content.title;
 *     return reply(204);
 *   }
 * }
 * const app = Application.builder().resources(Note).build();
 *
 * const fetch = around(etags(), (request) => app.fetch(request));
 * const { GET, PUT } = client<typeof app>("http://localhost", { fetch })["/note"];
 * await GET();
 * title = "Persuasion";
 * const result = await PUT({ content: { title: "Kindred" } });
 * console.log(result.status, (await currentOf(GET, result))?.title); // 412 Persuasion
 * ```
 */
export function etags(options: ETagsOptions = {}): Layer {
  const check = new OptionCheck("etags", options, ["maxUrls"]);
  const { maxUrls = 1_000 } = check.options;
  check.positive("maxUrls");
  const known = new Map<string, string>();
  const remember = (url: string, tag: string | null): void => {
    known.delete(url);
    if (tag !== null && parseEntityTag(tag)?.isWeak === false) known.set(url, tag);
    if (known.size > maxUrls) known.delete(known.keys().next().value!);
  };
  return async (request, next) => {
    const { method, url, headers } = request;
    const tag = isWrite.test(method) && !preconditions.some((name) => headers.has(name)) ? known.get(url) : undefined;
    if (tag !== undefined) headers.set("if-match", tag);
    const response = await next(request);
    const { status } = response;
    if (isRead.test(method) ? status !== 304 && status < 500 : isWrite.test(method) && response.ok) {
      // After DELETE the tag of the answer, if there is one, is not of the resource.
      remember(url, response.ok && method !== "DELETE" ? response.headers.get("etag") : null);
    }
    if (tag === undefined || status !== 412) return response;
    known.delete(url);
    const read = await next(readingOf(request)).catch(() => null);
    if (read?.ok !== true) return response;
    remember(url, read.headers.get("etag"));
    current.set(response, read);
    return response;
  };
}

/**
 * Returns what was there when a write was refused with 412: content of the type that reading it has. `undefined` for
 * other results, and where nothing could be read.
 *
 * @param read the method of the client that reads the same URL: the content has its type.
 * @param result the result of a write of a client with `etags()`. Ask once: content is read once.
 * @throws {SyntaxError} when the content is not JSON, though its type says so.
 * @example
 * ```ts
 * let version = 1;
 * class Counter extends Resource {
 *   paths = ["/counter"] as const;
 *
 *   validator() {
 *     return { etag: `"${version}"` };
 *   }
 *
 *   static GET = { 200: z.object({ version: z.int() }) };
 *   GET() {
 *     return { version };
 *   }
 *
 *   static DELETE = { 204: "Back at zero" };
 *   DELETE() {
 *     return reply(204);
 *   }
 * }
 * const app = Application.builder().resources(Counter).build();
 *
 * const fetch = around(etags(), (request) => app.fetch(request));
 * const { GET, DELETE } = client<typeof app>("http://localhost", { fetch })["/counter"];
 * await GET();
 * version = 2;
 * const result = await DELETE();
 * console.log(result.status, await currentOf(GET, result)); // 412 { version: 2 }
 * ```
 */
export async function currentOf<Result extends Throwing>(
  _read: (input: never) => Promise<Result>,
  { response }: Answered,
): Promise<ContentOf<Result> | undefined> {
  const read = current.get(response);
  current.delete(response);
  if (read === undefined) return undefined;
  const isOfJson = isJson.test(read.headers.get("content-type")!);
  const text = await (await bounded(read.body!, "", 2 ** 26, refuse)).text();
  return (isOfJson ? JSON.parse(text) : text) as ContentOf<Result>;
}

function refuse(cause: unknown): never {
  throw cause;
}

type ContentOf<Result extends Throwing> = Result extends Throwing ? ReturnType<Result["orThrow"]> : never;

const isRead = /^(?:GET|HEAD)$/;
const isWrite = /^(?:PUT|PATCH|DELETE)$/;
const preconditions = ["if-match", "if-none-match", "if-unmodified-since"];

/** The fields that say something of the content or the precondition of the write. */
const ofWrite = /^(?:content-.*|if-.*|idempotency-key|transfer-encoding)$/i;

function readingOf({ url, headers, credentials, signal }: Request): Request {
  const fields = [...headers].filter(([name]) => !ofWrite.test(name));
  return new Request(url, { headers: fields, signal, credentials });
}
