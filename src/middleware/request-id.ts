import { Attribute } from "../application/attribute.ts";
import { Middleware, passing, type MiddlewareClass } from "../application/middleware.ts";
import { requestNames } from "../dispatch/error-response.ts";
import type { ReceivedRequest } from "../dispatch/params.ts";
import { isToken } from "../fields/token.ts";
import { described } from "../http/javascript/described.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { requestField } from "../fields/request-fields.ts";
import { answerWithFields } from "./lib/response-fields.ts";

/** Options of `requestId()`. */
export interface RequestIdOptions<Input extends object = ReceivedRequest> {
  /** The field that carries the id. Default: `X-Request-Id`. */
  readonly header?: string | undefined;
  /** Makes an id. Default: a random UUID. */
  readonly generate?: ((input: Input) => string) | undefined;
  /** Whether to accept the id of the request, which any client can write. Default: false. */
  readonly trust?: boolean | ((input: Input) => boolean) | undefined;
}

const id = new Attribute<string>("request id");

/**
 * The id of a request; `undefined` when no middleware gave it one.
 *
 * @example
 * ```ts
 * class Id extends Resource {
 *   paths = ["/"];
 *
 *   GET(request: Request): Response {
 *     return new Response(requestIdOf(request));
 *   }
 * }
 * const app = Application.builder().resources(Id).middleware(requestId({ generate: () => "42" })).build();
 * console.log(await (await app.request("/")).text()); // 42
 * ```
 */
export function requestIdOf(input: object): string | undefined {
  return id.find(input);
}

/**
 * Makes middleware that adds an id to each request, for `requestIdOf(input)`. It sends the id to the client in a field,
 * also on error responses. Errors that are printed have it, too.
 *
 * @typeParam Input what its functions are given: a `Request`, unless one of them names another, such as `NodeContext`.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * const app = Application.builder().middleware(requestId()).build();
 * const { headers } = await app.request("/");
 * console.log(headers.has("X-Request-Id")); // true
 * ```
 */
export function requestId<Input extends object = ReceivedRequest>(
  options: RequestIdOptions<Input> = {},
): MiddlewareClass {
  const check = new OptionCheck("requestId", options, ["header", "generate", "trust"]);
  const { header = "X-Request-Id", generate, trust = false } = check.options;
  check.require(isToken(header), "header", "a field name");
  check.function("generate");
  check.require(typeof trust === "boolean" || typeof trust === "function", "trust", "true, false or a function");
  const trusts = typeof trust === "function" ? trust : (): boolean => trust;

  function carriedBy(input: Input): string | null {
    // Only true counts: a Promise of false would pass for it.
    const value = requestField(input, header);
    return value !== null && isId(value) && trusts(input) === true ? value : null;
  }

  function generated(input: Input): string {
    if (generate === undefined) return crypto.randomUUID();
    const value: unknown = generate(input);
    if (typeof value === "string" && isId(value)) return value;
    throw new TypeError(
      "Cannot give the request an id: expected generate() to return up to 200 visible characters, got " +
        `${described(value)}`,
    );
  }

  requestNames.set("request", requestIdOf);
  return class RequestId extends Middleware {
    static {
      passing(this);
    }

    ALL(input: Input): unknown {
      // Where this middleware is there twice, the outer one decides, so that all logs of a request have the same id.
      const value = id.find(input) ?? carriedBy(input) ?? generated(input);
      id.set(input, value);
      return answerWithFields(this, input, (fields) => fields.offer(header, value));
    }
  };
}

/** Short and of visible ASCII, so that it can break no log and no field. */
function isId(text: string): boolean {
  return /^[\x21-\x7e]{1,200}$/.test(text);
}
