import type { RequestRunner } from "../dispatch/mounted-resource.ts";
import { described } from "../http/javascript/described.ts";
import { describedOperationsOf } from "./described-operation.ts";
import { checkOptions, type DocumentOptions } from "./document-options.ts";
import { DocumentWriter } from "./document-writer.ts";
import type { OpenAPIDocument } from "./openapi-document.ts";

/** What `document()` takes of an application. */
export interface DescribedApplication {
  /** What answers its requests. */
  readonly dispatcher: object;
}

/**
 * Describes an application as an OpenAPI document: its paths, and of each method what it takes and answers.
 *
 * Statuses that follow from a declaration are there without being written. Resources without declarations have their
 * paths, methods and params.
 *
 * @throws {TypeError} when an option is wrong, or the application does not have the group of `only`.
 * @throws {TypeError} when two operations have one `operationId`, or two schemas one id.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { summary: "Greets somebody", 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const { paths } = document(app, { title: "Greetings", version: "1.0.0" });
 * console.log(paths["/hello/{name}"]!["get"]!.operationId); // getGreeting
 * ```
 */
export function document(app: DescribedApplication, options: DocumentOptions): OpenAPIDocument {
  const dispatcher = builtDispatcherOf(app);
  checkOptions(options);
  return documentOf(dispatcher, options);
}

/** Returns what answers the requests of an application. @throws {TypeError} when it was not built. */
export function builtDispatcherOf(app: DescribedApplication): RequestRunner {
  if (isBuilt(app)) return app.dispatcher;
  throw new TypeError(
    `Cannot describe the application: expected one that was built, got ${described(app)}; write ` +
      "Application.builder().build()",
  );
}

/** Returns whether an application was built, as a builder and what imitates an application were not. */
export function isBuilt(
  app: Partial<DescribedApplication> | null | undefined,
): app is { readonly dispatcher: RequestRunner } {
  const dispatcher = app?.dispatcher;
  return typeof dispatcher === "object" && "resources" in dispatcher;
}

/** Describes what a dispatcher answers. */
export function documentOf(dispatcher: RequestRunner, options: DocumentOptions): OpenAPIDocument {
  return new DocumentWriter(options, dispatcher.problems).write(describedOperationsOf(dispatcher, options.only));
}
