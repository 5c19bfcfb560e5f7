import type { CallMember, CallOf } from "./call-values.ts";
import type { DeclaringClass, Method } from "./operation.ts";
import type { CheckedHandler } from "./resource-class.ts";

/**
 * The parameter of a handler: the values that were read from the request, as its operation declares them.
 *
 * The compiler compares what the handler returns with what its operation declares where this type is written. Write
 * the class and the method of the handler itself.
 *
 * @typeParam Of the type of the resource class: `typeof Book`. Its handler returns what the operation declares.
 * @typeParam Name the method.
 * @typeParam Prefix the prefixes of the groups around the class, if they hold params.
 *
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"] as const;
 *
 *   static GET = { query: z.object({ lang: z.enum(["en", "de"]) }), 200: z.object({ title: z.string() }) };
 *   GET({ path, query }: Call<typeof Book, "GET">) {
 *     return { title: `${path.isbn} in ${query.lang}` };
 *   }
 * }
 * ```
 */
export type Call<
  Of extends ReturnsOnlyWhatIsDeclared<Of, Name>,
  Name extends Method,
  Prefix extends string = never,
> = Pick<CallOf<Of, Name, Prefix>, CallMember<Of, Name>>;

/**
 * The constraint of `Call`, for types of your own around it: a resource class whose handler returns only what its
 * operation declares.
 *
 * The compiler compares a constraint in the file in which a type is written. An editor of another file need not work
 * out what handlers return. The instance comes from the constructor, because `prototype` has `any` for the type
 * parameters of a function around the class.
 *
 * @typeParam Of the type of the resource class.
 * @typeParam Name the method.
 * @example
 * ```ts
 * import type { ReturnsOnlyWhatIsDeclared } from "fingerpost";
 *
 * type Getting<Of extends ReturnsOnlyWhatIsDeclared<Of, "GET">> = Call<Of, "GET">;
 *
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Getting<typeof Greeting>) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * ```
 */
export type ReturnsOnlyWhatIsDeclared<Of, Name extends Method> = DeclaringClass &
  (abstract new (...dependencies: never) => HandlerOf<Of, Name>);

type HandlerOf<Of, Name extends Method> = Name extends keyof Of
  ? { readonly [Key in Name]: CheckedHandler<Name, Of[Name]> }
  : unknown;
