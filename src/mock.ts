import { mockedApplication } from "./mock/mocked-application.ts";
import { described } from "./http/javascript/described.ts";
import { OptionCheck } from "./http/javascript/option-check.ts";
import { Application } from "./semantics/semantics-application.ts";

/**
 * How an application is mocked.
 *
 * @experimental
 */
export interface MockOptions {
  /** Another seed makes other values. The same one makes the same answer to the same request. Default: 1. */
  readonly seed?: number | undefined;
  /** Whether guards refuse requests. Default: false: middleware with `static security` lets everybody through. */
  readonly guards?: boolean | undefined;
}

/**
 * Makes an application with the same operations, whose handlers answer by themselves: by `examples`, else with values
 * that are made of the schemas.
 *
 * A front end and its tests run before the handlers do. Requests are checked as they are by the application, and its
 * document and client are the same. The same request gets the same answer. The lowest declared status is answered. A
 * client asks for others: `Prefer: code=404`, or `Prefer: example=empty` for an example by its name. A WebSocket gets
 * one message. Handlers and `validator()` are not called, middleware is.
 *
 * Values are made by the package `json-schema-faker`, which you install beside this one.
 *
 * @experimental
 * @throws {TypeError} when the application was not built, or is not of the semantics module.
 * @throws {TypeError} when an option is wrong.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: z.object({ text: z.string().min(1) }), 404: "Nobody has this name" };
 *   GET({ path }: Call<typeof Greeting, "GET">): Answer<typeof Greeting, "GET"> {
 *     throw new Error(`Not written: a greeting for ${path.name}`);
 *   }
 * }
 * const app = mock(Application.builder().resources(Greeting).build());
 * const response = await app.request("/hello/Ada");
 * console.log(response.status, typeof (await response.json()).text); // 200 string
 * ```
 */
export function mock<Members, Failure = never>(
  app: Application<Members, Failure>,
  options: MockOptions = {},
): Application<Members, Failure> {
  const check = new OptionCheck<MockOptions>("mock", options, ["seed", "guards"]);
  const { seed = 1, guards = false } = check.options;
  check.count("seed");
  check.boolean("guards");
  if (!(app instanceof Application)) {
    throw new TypeError(
      `Cannot mock the application: expected one of fingerpost that was built, got ${described(app)}`,
    );
  }
  return mockedApplication(app, seed, guards) as Application<Members, Failure>;
}
