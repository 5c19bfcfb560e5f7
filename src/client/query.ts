import { textOf } from "./form.ts";

/** A method of a client: `api["/books/:isbn"].GET`. */
type Calling<Input, Result> = (input: Input) => Promise<Result>;

/** The common members of the results of calls. */
interface Throwing {
  orThrow(): unknown;
}

/** The content of the statuses that are OK. */
type ContentOf<Result extends Throwing> = Result extends Throwing ? ReturnType<Result["orThrow"]> : never;

/** Options for `useQuery()` of TanStack Query, and for `prefetchQuery()` and the like. */
export interface QueryOptions<Content> {
  /** The method with its path pattern, and the input. */
  readonly queryKey: readonly [call: string, input: QueryKeyInput];
  /** Calls the method. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Content>;
}

/** The parts of an input that distinguish one query from another. */
export interface QueryKeyInput {
  /** The path params as text: `7` and `"7"` are the same resource. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Other parts of the input. */
  readonly [part: string]: unknown;
}

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
 * The data is the content of a status that is OK; for any other the query fails with a `ResponseError`. The key is the
 * same for the same request. `undefined`, the signal, and the type of a path param (number or string) make no
 * difference.
 *
 * @throws {TypeError} when the first argument is not a method of a client.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"] as const;
 *
 *   static GET = { 200: z.object({ title: z.string() }) };
 *   GET(): Answer<typeof Book, "GET"> {
 *     return { title: "Kindred" };
 *   }
 * }
 * const app = Application.builder().resources(Book).build();
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 *
 * const { queryKey, queryFn } = queryOptions(api["/books/:isbn"].GET, { path: { isbn: 7 } });
 * console.log(JSON.stringify(queryKey)); // ["GET /books/:isbn",{"path":{"isbn":"7"}}]
 * console.log((await queryFn(new AbortController())).title); // Kindred
 * ```
 */
export function queryOptions<Input extends object, Result extends Throwing>(
  call: Calling<Input, Result>,
  ...[input]: {} extends Input ? [input?: Input] : [input: Input]
): QueryOptions<ContentOf<Result>> {
  return {
    queryKey: [keyOf(call), inputKeyOf(input ?? {})],
    queryFn: async ({ signal }) =>
      (await call({ ...input, signal } as unknown as Input)).orThrow() as ContentOf<Result>,
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
 *   POST(): Answer<typeof Books, "POST"> {
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
    mutationKey: [keyOf(call)],
    mutationFn: async (input) => (await call(input)).orThrow() as ContentOf<Result>,
  };
}

function keyOf(call: object): string {
  if (Object.hasOwn(call, "key")) return (call as { readonly key: string }).key;
  throw new TypeError('Cannot make a key: expected a method of a client, such as api["/books"].GET');
}

function inputKeyOf(input: object): QueryKeyInput {
  const parts = Object.entries(input).filter(([part, value]) => part !== "signal" && value !== undefined);
  return Object.fromEntries(
    parts.map(([part, value]) => [part, part === "path" ? textsOf(value as object) : (value as unknown)]),
  );
}

function textsOf(values: object): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value, name)]));
}
