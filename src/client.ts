import type { ApiOf, CallInput } from "./client/calls.ts";
import { callUrl, checkBase } from "./client/call-url.ts";
import type { EventsCall } from "./client/events.ts";
import { filledForm } from "./client/form.ts";
import { isRepeatable } from "./client/repeatable.ts";
import { ResponseError } from "./client/response-error.ts";
import { isJson, isRaw, isStream } from "./client/sent-content.ts";

export type { ApiOf, CallOptions } from "./client/calls.ts";
export { ResponseError } from "./client/response-error.ts";
export type { ClientResult, Refused } from "./client/results.ts";

/** A function that sends a request, such as the global `fetch`, or `app.fetch` in tests. */
export type Fetch = (request: Request) => Promise<Response>;

/** Header fields, as `Headers` takes them. A field that is `undefined` is not sent. */
export type ClientFields =
  | Headers
  | readonly (readonly [name: string, value: string])[]
  | { readonly [name: string]: string | undefined };

/** What all calls of a client have in common. */
export interface ClientOptions {
  /** Sends each request. Default: the global `fetch`, looked up at each call. */
  readonly fetch?: Fetch | undefined;
  /** Header fields of each request, or a function that returns them. It runs for each request, and may be async. */
  readonly headers?: ClientFields | (() => ClientFields | Promise<ClientFields>) | undefined;
  /** When cookies are sent. Write `"include"` for an API of another origin. Default: `"same-origin"`. */
  readonly credentials?: "include" | "omit" | "same-origin" | undefined;
  /** The declared status codes from 500 on. They are results, and any other one throws. Default: none. */
  readonly serverErrors?: readonly number[] | undefined;
  /** Reads server-sent events: `eventsOf` of `fingerpost/client/events`. Without it they throw. */
  readonly events?: ((response: Response, call: EventsCall) => AsyncIterable<unknown>) | undefined;
}

/**
 * Makes a typed client of an application: `api[path pattern][method](input)`.
 *
 * It imports the application's type, and no code of it. A call fulfills with a result for every status below 500. Compare
 * `status`, or ask `ok`, to learn the type of the `content`.
 *
 * A call rejects with a `ResponseError` for a status from 500 on, and for content that is not of an expected type. It
 * rejects with what
 * `fetch` throws when the network fails. It throws a `TypeError`, and sends nothing, when a path param is missing. So it
 * does when the server would read another value in the path, a cookie or a list.
 *
 * @typeParam App the type of the application, `typeof app`, or its `ApiOf`.
 * @param base where the application is, such as `https://api.example/v1`. In browsers a path will do.
 * @throws {TypeError} when the base has a query, a fragment, or a scheme without a host. See above what a call throws.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"] as const;
 *
 *   static GET = { 200: z.object({ title: z.string() }), 404: "No book has this ISBN" };
 *   GET({ path }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
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
export function client<App>(base: string, given?: ClientOptions): ApiOf<App> {
  checkBase(base);
  const options: ClientOptions = { __proto__: null, ...given } as ClientOptions;

  return keyed((pattern) =>
    keyed((method) => {
      const key = `${method} ${pattern}`;
      const call = async (asked?: CallInput): Promise<unknown> => {
        const input: CallInput = { __proto__: null, ...asked } as CallInput;
        let { content, type } = input;
        if (/^multipart\/|-urlencoded/.test(type!)) {
          content = filledForm(/multipart/.test(type!) ? new FormData() : new URLSearchParams(), content as object);
          // Only the form knows its boundary.
          type = undefined;
        } else if (type ? isJson.test(type) : !isRaw(content)) {
          content = JSON.stringify(content);
          type ??= (content as string | undefined) && "application/json";
        }
        const url = callUrl(base, pattern, input.path, `${filledForm(new URLSearchParams(), input.query)}`);
        const cookies = [...filledForm(new URLSearchParams(), input.cookies)].map((pair) =>
          checked(pair.join("="), pair[0], /[,";\\]|[^!-~]/),
        );
        const send = async (more: Readonly<Record<string, string>>): Promise<Response> => {
          const common = typeof options.headers === "function" ? await options.headers() : options.headers;
          const request = new Request(url, {
            ...options,
            ...input,
            method,
            body: content,
            headers: Symbol.iterator in (common ?? []) ? common : filledForm(new Headers(), common),
            duplex: "half",
          } as RequestInit);
          const fields: Readonly<Record<string, unknown>> = {
            accept: input.accept,
            "content-type": type,
            cookie: cookies.join("; ") || undefined,
            "if-match": input.ifMatch,
            "if-none-match": input.ifNoneMatch,
            ...input.headers,
            ...more,
          };
          let before: string | undefined;
          for (const [name, text] of filledForm(new URLSearchParams(), fields)) {
            if (Array.isArray(fields[name])) checked(text, name, /[,"]|^\s|\s$|^$/);
            // A list repeats its name.
            request.headers[name === before ? "append" : "set"](name, text);
            before = name;
          }
          // A function of your own, such as `app.fetch`, may not ask the signal.
          input.signal?.throwIfAborted();
          return (options.fetch ?? fetch)(request);
        };
        const response = await send({});
        const media = response.headers.get("content-type")!;
        let got: unknown;
        const fail = (cause?: unknown, isRead?: boolean): never => {
          throw new ResponseError(response, key, got, cause, isRead);
        };
        if (response.status > 499 && !options.serverErrors?.includes(response.status)) fail();
        if (/^text\/event-stream/i.test(media))
          got =
            options.events?.(response, {
              key,
              signal: input.signal,
              sendAgain: isRepeatable(method, input.headers) && !isStream(content) ? send : undefined,
            }) ?? fail();
        else {
          const blob = await response.blob();
          if (blob.size > 0) {
            got = blob;
            if (isJson.test(media)) got = await blob.text().then(JSON.parse).catch(fail);
            // Pages are of a proxy, or of a server that has a page for each path.
            else if (!input.accept && (response.status > 399 || !media || /^text\/html/i.test(media))) fail();
            else if (/^text\//i.test(media)) got = await blob.text();
          }
        }
        return {
          status: response.status,
          ok: response.ok,
          content: got,
          headers: response.headers,
          response,
          orThrow: (): unknown => (response.ok ? got : fail(undefined, true)),
        };
      };
      return Object.assign(call, { key, base });
    }),
  ) as ApiOf<App>;
}

/**
 * Refuses a value that the server would read as something else: neither cookies (RFC 6265 §4.2.1) nor members of a list in a
 * field (RFC 9110 §5.6.1) are decoded there.
 */
function checked(text: string, name: string, unfit: RegExp): string {
  if (unfit.test(text)) throw new TypeError(`Cannot send "${name}": its value would be read as another; encode it`);
  return text;
}

/** Makes an object with members for patterns and methods. Without `then`, by which `await` recognizes a promise. */
function keyed(memberOf: (key: string) => unknown): unknown {
  // A symbol has no first character.
  return new Proxy({}, { get: (_, key) => ((key as string)[0]! < "a" ? memberOf(key as string) : undefined) });
}
