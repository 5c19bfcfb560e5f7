import type { Fetch } from "./client-options.ts";

/** Runs around each request of a client: it may change the request, the response, or not send it. */
export type Layer = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

/**
 * Makes a `fetch` for a client out of functions that run around each request, the first outermost.
 *
 * The last `next` is the global `fetch`. To send by another one, end the list with a function that ignores `next`.
 *
 * @throws {TypeError} never by itself: what a function throws, the call rejects with.
 * @example
 * ```ts
 * class Hello extends Resource {
 *   paths = ["/hello"] as const;
 *
 *   static GET = { 200: text() };
 *   GET(): string {
 *     return "Hello";
 *   }
 * }
 * const app = Application.builder().resources(Hello).build();
 *
 * const logged: Layer = async (request, next) => {
 *   const response = await next(request);
 *   console.log(request.method, response.status); // GET 200
 *   return response;
 * };
 * const api = client<typeof app>("http://localhost", { fetch: around(logged, (request) => app.fetch(request)) });
 * await api["/hello"].GET();
 * ```
 */
export function around(...layers: readonly Layer[]): Fetch {
  return layers.reduceRight<(request: Request) => Promise<Response>>(
    (next, layer) => async (request) => layer(request, next),
    (request) => fetch(request),
  );
}
