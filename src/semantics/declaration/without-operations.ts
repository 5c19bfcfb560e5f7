import type { Method } from "./operation.ts";

/**
 * A resource class as a base of a class that declares some of its operations anew, incompatibly.
 *
 * TypeScript compares the static side of a class with its base, and so `static GET` with the inherited `static GET`. `{
 * ...Book.GET, summary }` fits; other schemas or fewer statuses do not (TS2417). This type removes operations from the
 * base, in types only.
 *
 * The new handler must nevertheless fit the base's handler (TS2416): its result, and the call, which has the parts and
 * the statuses of the base. For a class that answers with other statuses, share a base class without operations.
 *
 * @typeParam Class the type of the base class: `typeof Book`.
 * @typeParam Names the methods that are declared anew.
 *
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
 *
 * class Translated extends (Book as WithoutOperations<typeof Book, "GET">) {
 *   override paths = ["/books/:isbn"] as const;
 *
 *   static GET = {
 *     query: z.object({ lang: z.string() }),
 *     200: z.object({ title: z.string(), lang: z.string() }),
 *     404: "No book has this ISBN",
 *   };
 *   GET({ query }: Call<typeof Translated, "GET">): { title: string; lang: string } {
 *     return { title: "Kindred", lang: query.lang };
 *   }
 * }
 * ```
 */
export type WithoutOperations<Class extends abstract new (...args: never) => unknown, Names extends Method> = Omit<
  Class,
  Names
> &
  (new (...args: ConstructorParameters<Class>) => InstanceType<Class>);
