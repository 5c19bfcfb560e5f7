import { originalOf } from "../dispatch/input-exchange.ts";
import type { MountedResource } from "../dispatch/mounted-resource.ts";
import { Params } from "../dispatch/params.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { filledPath, type PathValue } from "../routing/pattern/filled-path.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import type { ParamNames, Routed } from "../routing/pattern/path-param-names.ts";
import type { NamedValues } from "./declaration/call-values.ts";

/** The path params of a class, and params of prefixes that the request lacks. */
export type LocatedValues<Of extends { readonly prototype: Routed }> = NamedValues<
  ParamNames<Of["prototype"]["paths"]>,
  PathValue
> & { readonly [name: string]: PathValue | undefined };

/**
 * Returns the URL of a resource of the same application, such as for `Location`: its path, with prefixes of
 * groups. Each value is encoded.
 *
 * Params of prefixes come from the request. If the class has several paths, the URL is by one that names all values.
 * Among these it has most in common with the path of the request, such as the version.
 *
 * @param from the call of a handler, or the request.
 * @throws {TypeError} when the application does not have the class, or no path of it can be filled.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:id"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Book, "GET">) {
 *     return `Book ${path.id}`;
 *   }
 * }
 * class Books extends Resource {
 *   paths = ["/books"] as const;
 *
 *   static POST = { 201: "The book is added" };
 *   POST(call: Call<typeof Books, "POST">) {
 *     return reply(201, undefined, { Location: urlOf(call, Book, { id: "a b" }) });
 *   }
 * }
 * const library = ResourceGroup.builder().resources(Book, Books).prefix("/library").build();
 * const app = Application.builder().resources(library).build();
 * const { headers } = await app.request("/library/books", { method: "POST" });
 * console.log(headers.get("Location")); // /library/books/a%20b
 * ```
 */
export function urlOf<Of extends { readonly name: string; readonly prototype: Routed }>(
  from: object,
  Class: Of,
  ...[given]: {} extends LocatedValues<Of> ? [values?: Readonly<LocatedValues<Of>>] : [values: LocatedValues<Of>]
): string {
  const { params } = originalOf(from) as { readonly params?: Params };
  const here = Params.mountedOf(params) as MountedResource | null;
  const there = here?.dispatcher.resources.find(({ resource }) => (resource.constructor as unknown) === Class);
  const names = Object.keys(given ?? {});
  const places = (there?.patterns ?? []).map((pattern, at) => {
    const own = parsePathPattern(String(there!.paths[at])).names;
    const outer = parsePathPattern(pattern).names.filter((name) => !own.includes(name));
    const values = { ...Object.fromEntries(outer.map((name) => [name, params!.pathParam(name)])), ...given };
    const isFull = [...own, ...outer].every((name) => Object.hasOwn(values, name));
    const isFit = names.every((name) => own.includes(name) || outer.includes(name));
    return { pattern, values, rank: isFit ? commonSegments(pattern, params!.pattern) + (isFull ? 1_000 : 0) : -1 };
  });
  const fit = places.filter(({ rank }) => rank >= 0).toSorted((a, b) => b.rank - a.rank);
  if (fit.length === 0) {
    const reason = there
      ? `none of its paths has ${names.map(described).join(", ")}`
      : "the application of the request does not have it";
    throw new TypeError(`Cannot make the URL of ${nameOf(Class)}: ${reason}`);
  }
  let refused: unknown;
  for (const { pattern, values } of fit) {
    try {
      return filledPath(pattern, values);
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

function commonSegments(pattern: string, other: string): number {
  const segments = other.split("/");
  const end = pattern.split("/").findIndex((segment, at) => segment !== segments[at]);
  return end === -1 ? segments.length : end;
}
