import { Resource as CoreResource } from "../application/resource.ts";
import type { FieldOfUnmodified } from "../fields/representation.ts";
import type { Reply } from "./declaration/reply.ts";

/** What `validator()` returns. */
type Validated = Validators | Reply | null | undefined;

/** What identifies a version of a representation (RFC 9110 §8.8). */
interface Validators {
  /** The entity tag, in quotes: `'"7"'`. Write `W/"7"` if the content may differ a little. */
  readonly etag?: string | undefined;
  /** The date of the last change. */
  readonly lastModified?: Date | undefined;
  /** The fields `Cache-Control`, `Content-Location`, `Expires` and `Vary` of 200, which 304 has, too. */
  readonly headers?: { readonly [Name in FieldOfUnmodified]?: string | undefined } | undefined;
}

/**
 * A resource whose handlers take what its declarations read, and return what they declare.
 *
 * A subclass names its `paths`, declares operations such as `static GET`, and implements methods of the same names. A
 * method that it does not implement gets 405 with `Allow`. HEAD is answered by GET, and OPTIONS by what there is.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * ```
 */
export class Resource extends CoreResource {
  /** For the compiler only, which distinguishes the modules of resources with it. */
  declare static readonly httpModule?: "semantics";

  /**
   * Says which version of a representation there is, if a subclass implements it: its entity tag, the date of its last
   * change, or both. Returns null if there is no representation, `undefined` if it cannot say, or a `reply()` that
   * refuses the request. It takes the call of the handler.
   *
   * If it does not wait, nothing comes between it and the handler. If it returns a Promise, two writes at once may both
   * pass. Then the handler writes `… WHERE version = …` with `call.version`. It answers 412 where no row has it.
   */
  validator?(call: never): Validated | Promise<Validated>;

  /**
   * Answers QUERY (RFC 10008). Default: 405.
   *
   * @throws {TypeError} when a subclass calls it: there is nothing to inherit.
   */
  QUERY(_call: unknown): unknown {
    throw new TypeError("Cannot call QUERY: the class does not implement it");
  }
}
