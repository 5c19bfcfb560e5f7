import { Resource as CoreResource } from "../application/resource.ts";

/**
 * A resource whose handlers take what its declarations read, and return what they declare.
 *
 * A subclass names its `paths`, declares operations such as `static GET`, and implements methods of the same names. A
 * method that it does not implement is 405 with `Allow`. HEAD is answered by GET, and OPTIONS by what there is.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">): Answer<typeof Greeting, "GET"> {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * ```
 */
export class Resource extends CoreResource {
  /** Does not exist at run time: the compiler distinguishes the resources of the modules by it. */
  declare static readonly httpModule?: "semantics";

  /**
   * Answers QUERY (RFC 10008). Default: 405.
   *
   * @throws {TypeError} when a subclass calls it: there is nothing to inherit.
   */
  QUERY(_call: unknown): unknown {
    throw new TypeError("Cannot call QUERY: the class does not implement it");
  }
}
