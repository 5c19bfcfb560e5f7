import { readAnswer } from "./client/call-answer.ts";
import { callUrl, checkBase } from "./client/call-url.ts";
import type { ApiOf, CallInput } from "./client/calls.ts";
import type { ClientOptions } from "./client/client-options.ts";
import { sendingOf } from "./client/sent-request.ts";

export { around, type Layer } from "./client/around.ts";
export type { ApiOf, CallOptions } from "./client/calls.ts";
export type {
  ClientHeaders,
  ClientOptions,
  EventsCall,
  Fetch,
  LinesCall,
  LinesOfClient,
} from "./client/client-options.ts";
export type { ConnectOptions } from "./client/connect-options.ts";
export { clientEvents, type ClientEventsOptions } from "./client/client-events.ts";
export { clientLines } from "./client/client-lines.ts";
export { dpop, type DpopOptions } from "./client/dpop.ts";
export { itemsOf, type ItemsOfOptions } from "./client/client-pages.ts";
export { ResponseError } from "./client/response-error.ts";
export type { ClientResult, Refused, Uncompared, UntypedProblem } from "./client/results.ts";
export { retries, type RetriesOptions } from "./client/retries.ts";
export { connect, type Connected } from "./client/client-sockets.ts";
export { currentOf, etags, type ETagsOptions } from "./client/etags.ts";
export { SocketError, type ClientSocket, type SocketClose } from "./sockets/client-socket.ts";

/**
 * Makes a typed client of an application: `api[path pattern][method](input)`.
 *
 * It imports the application's type, and no code of it. A call fulfills with a result for every status below 500.
 * Compare `status`, or ask `ok`, to learn the type of the `content`.
 *
 * A call rejects with a `ResponseError` for a status from 500 on, and for content that is not of an expected type. It
 * rejects with what `fetch` throws when the network fails. It throws a `TypeError`, and sends nothing, when a path
 * param is missing. So it does when the server would read another value in the path, a cookie or a list.
 *
 * @typeParam App the type of the application, `typeof app`, or its `ApiOf`.
 * @param base where the application is, such as `https://api.example/v1`. In browsers a path will do.
 * @throws {TypeError} when the base has a query or a fragment, or a scheme other than `http` and `https`, or no host.
 * See above what a call throws.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"] as const;
 *
 *   static GET = { 200: z.object({ title: z.string() }), 404: "No book has this ISBN" };
 *   GET({ path }: Call<typeof Book, "GET">) {
 *     return path.isbn === "9780807083697" ? { title: "Kindred" } : reply(404);
 *   }
 * }
 * const app = Application.builder().resources(Book).build();
 *
 * const api = client<typeof app>("http://localhost", { fetch: app.fetch });
 * const result = await api["/books/:isbn"].GET({ path: { isbn: "9780807083697" } });
 * if (result.status === 200) console.log(result.content.title); // Kindred
 * ```
 */
export function client<App>(base: string, options?: ClientOptions): ApiOf<App> {
  checkBase(base);
  const own: ClientOptions = { __proto__: null, ...options } as ClientOptions;
  return keyed((pattern) => keyed((method) => callOf(base, pattern, method, own))) as ApiOf<App>;
}

function callOf(base: string, pattern: string, method: string, options: ClientOptions): unknown {
  const key = `${method} ${pattern}`;
  const call = async (asked?: CallInput): Promise<unknown> => {
    const input: CallInput = { __proto__: null, ...asked } as CallInput;
    const send = sendingOf(callUrl(base, pattern, input), method, input, options);
    return readAnswer(await send({}), key, input, options, send);
  };
  return Object.assign(call, { key, base, options });
}

/** Makes an object with members for patterns and methods. Without `then`, by which `await` recognizes a promise. */
function keyed(memberOf: (key: string) => unknown): unknown {
  // A symbol has no first character, so its comparison is false.
  return new Proxy({}, { get: (_, key) => ((key as string)[0]! < "a" ? memberOf(key as string) : undefined) });
}
