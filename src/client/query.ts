import type { CallInput } from "./calls.ts";
import { filledPath, textOf } from "../routing/pattern/filled-path.ts";
import { filledForm } from "./filled-form.ts";
import { isJson, isRaw } from "./sent-content.ts";

/** A method of a client: `api["/books/:isbn"].GET`. */
type Calling<Input, Result> = (input: Input) => Promise<Result>;

interface Throwing {
  orThrow(): unknown;
}

type ContentOf<Result extends Throwing> = Result extends Throwing ? ReturnType<Result["orThrow"]> : never;

/** Data of a query is never `undefined`, which TanStack Query refuses. */
type DataOf<Content> = undefined extends Content ? Exclude<Content, undefined> | null : Content;

/** Options for `useQuery()` of TanStack Query, and for `prefetchQuery()` and the like. */
export interface QueryOptions<Data> {
  /** The method with its path pattern, the input, and the base URL of the client. */
  readonly queryKey: readonly [call: string, input: QueryKeyInput, base: string];
  /** Calls the method. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/** The parts of an input that distinguish one query from another. A part without members is absent. */
export interface QueryKeyInput {
  /** The path params as the call has them. A list is text if its members have no slash. */
  readonly path?: Members | undefined;
  /** The query as the call has it. What JSON cannot hold, such as a bigint, is text. */
  readonly query?: Members | undefined;
  /** Other parts of the input, as the client sends them. */
  readonly [part: string]: unknown;
}

type Scalar = string | number | boolean;
type Members = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** Options for `useMutation()` of TanStack Query. */
export interface MutationOptions<Input, Content> {
  /** The method with its path pattern. */
  readonly mutationKey: readonly [call: string];
  /** Calls the method. */
  readonly mutationFn: (input: Input) => Promise<Content>;
}

/**
 * Makes the options of a query for TanStack Query: `useQuery(queryOptions(api["/books/:isbn"].GET, { path: { isbn }
 * }))`.
 *
 * The data is the content of a status that is OK; for any other the query fails with a `ResponseError`. Without content
 * the data is `null`.
 *
 * The key is the same for the same parts of a call. A number stays a number, so that a part of a key that you write
 * matches. `undefined` and the signal make no difference. The key does not have what the client adds by its `headers`
 * or `fetch`.
 *
 * @throws {TypeError} when the first argument is not a method of a client, or the key cannot hold the content. Examples
 * are a `Blob`, a `FormData` and a stream. Text, JSON and an `ArrayBuffer` are fine.
 * @throws {TypeError} when a value has no text, such as `null`.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"] as const;
 *
 *   static GET = { 200: z.object({ title: z.string() }) };
 *   GET() {
 *     return { title: "Kindred" };
 *   }
 * }
 * const app = Application.builder().resources(Book).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 *
 * const { queryKey, queryFn } = queryOptions(api["/books/:isbn"].GET, { path: { isbn: 7 } });
 * console.log(JSON.stringify(queryKey)); // ["GET /books/:isbn",{"path":{"isbn":7}},"http://localhost"]
 * console.log((await queryFn(new AbortController())).title); // Kindred
 * ```
 */
export function queryOptions<Input extends object, Result extends Throwing>(
  call: Calling<Input, Result>,
  ...[input]: {} extends Input ? [input?: Input] : [input: Input]
): QueryOptions<DataOf<ContentOf<Result>>> {
  const { key, base } = calledBy(call);
  return {
    queryKey: [key, inputKeyOf(key, input), base.replace(/\/$/, "")],
    queryFn: async ({ signal }) => {
      const result = await call({ ...input, signal } as unknown as Input);
      return (result.orThrow() ??
        withoutBytes(key, (result as unknown as { readonly response: Response }).response)) as DataOf<
        ContentOf<Result>
      >;
    },
  };
}

/**
 * Makes the options of a mutation for TanStack Query: `useMutation(mutationOptions(api["/books"].POST))`.
 *
 * The data is the content of a status that is OK; for any other the mutation fails with a `ResponseError`.
 *
 * @throws {TypeError} when the argument is not a method of a client.
 * @example
 * ```ts
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static POST = { content: z.object({ title: z.string() }), 201: z.object({ id: z.int() }) };
 *   POST() {
 *     return reply(201, { id: 7 });
 *   }
 * }
 * const app = Application.builder().resources(Books).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 *
 * const { mutationFn } = mutationOptions(api["/books"].POST);
 * console.log((await mutationFn({ content: { title: "Emma" } })).id); // 7
 * ```
 */
export function mutationOptions<Input, Result extends Throwing>(
  call: Calling<Input, Result>,
): MutationOptions<Input, ContentOf<Result>> {
  return {
    mutationKey: [calledBy(call).key],
    mutationFn: async (input) => (await call(input)).orThrow() as ContentOf<Result>,
  };
}

interface Called {
  readonly key: string;
  readonly base: string;
}

function calledBy(call: object): Called {
  if (Object.hasOwn(call, "key")) return call as Called;
  throw new TypeError('Cannot make a key: expected a method of a client, such as api["/books"].GET');
}

/** The data of an answer with zero bytes, which is of the declared type where such a value exists. */
function withoutBytes(key: string, { status, headers }: Response): "" | Blob | null {
  const type = headers.get("content-type");
  if (type === null || isJson.test(type) || key.startsWith("HEAD ") || status === 204 || status === 205) return null;
  return /^text\//i.test(type) ? "" : new Blob([], { type });
}

function inputKeyOf(key: string, input: object | undefined): QueryKeyInput {
  const given: CallInput = { __proto__: null, ...input } as CallInput;
  const { signal: _, path, query, headers, cookies, content, type, ...others } = given;
  const fields = [...textsIn(headers)].map(([name, texts]) => [name.toLowerCase(), texts.join(", ")] as const);
  const parts = {
    path: pathKeyOf(key.slice(key.indexOf(" ") + 1), path),
    query: membersOf(textsIn(query), query),
    headers: partOf(fields),
    cookies: membersOf(textsIn(cookies)),
    type,
    ...contentKeyOf(content, type),
    ...others,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** A list is as its text where both are the same path: not where a segment holds a slash. */
function pathKeyOf(pattern: string, path: object | undefined): Members | undefined {
  const given = Object.entries(path ?? {}).filter(([, value]) => value !== undefined);
  const lists = given.map(([name, value]: [string, unknown]) => {
    const texts = Array.isArray(value) ? value.map((one) => textOf(one, name)) : textOf(value, name);
    return [name, typeof texts === "string" ? kept(value, texts) : texts] as const;
  });
  const joined = lists.map(([name, value]) => [name, Array.isArray(value) ? value.join("/") : value] as const);
  const isSame = filledOrNull(pattern, Object.fromEntries(joined)) === filledOrNull(pattern, path);
  return partOf((isSame ? joined : lists).filter(([, value]) => (value as { readonly length?: number }).length !== 0));
}

/** Users write a part of a key with the values of the call. JSON holds these as they are. */
function kept(value: unknown, text: string): Scalar {
  return Number.isFinite(value) || typeof value === "boolean" ? (value as Scalar) : text;
}

/** Nothing is sent for a path that cannot be filled. */
function filledOrNull(pattern: string, path: object | undefined): string | null {
  try {
    return filledPath(pattern, path);
  } catch {
    return null;
  }
}

/**
 * Content with another type than JSON is a string, or bytes. Their name differs from that of JSON, which may be the
 * same text.
 */
function contentKeyOf(content: unknown, type: string | undefined): { content?: unknown; bytes?: string } {
  if (content === undefined) return {};
  const kind = {}.toString.call(content).slice("[object ".length, -1);
  if (kind === "URLSearchParams") return { content: `${content as URLSearchParams}` };
  if (ArrayBuffer.isView(content))
    return { bytes: hexOf(new Uint8Array(content.buffer, content.byteOffset, content.byteLength)) };
  if (kind.endsWith("ArrayBuffer")) return { bytes: hexOf(new Uint8Array(content as ArrayBuffer)) };
  if (kind !== "FormData") {
    if (type && /^multipart\/|-urlencoded/.test(type)) return { content: membersOf(textsIn(content as object)) };
    if (type ? isJson.test(type) : !isRaw(content)) return { content: JSON.parse(JSON.stringify(content)) as unknown };
    if (content !== Object(content)) return { content };
  }
  throw new TypeError(
    `Cannot make a key: it cannot hold the bytes of a value of type ${kind}; pass text or an ArrayBuffer, or write ` +
      "the key yourself",
  );
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The texts of each name, as a form or a query has them. */
function textsIn(members: object | undefined): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const append = (name: string, value: unknown): void => {
    if (typeof value !== "string") contentKeyOf(value, "application/octet-stream");
    const known = texts.get(name);
    if (known) known.push(value as string);
    else texts.set(name, [value as string]);
  };
  filledForm({ append }, members);
  return texts;
}

/** A list of one is sent as its member is. */
function membersOf(members: Map<string, string[]>, given: object = {}): Members | undefined {
  return partOf(
    [...members].map(([name, texts]) => {
      const values = [(given as Record<string, unknown>)[name]].flat().filter((value) => value !== undefined);
      const all = texts.map((text, at) => kept(values[at], text));
      return [name, all.length === 1 ? all[0]! : all] as const;
    }),
  );
}

/** No members are no part. */
function partOf(members: readonly (readonly [string, Scalar | readonly Scalar[]])[]): Members | undefined {
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}
