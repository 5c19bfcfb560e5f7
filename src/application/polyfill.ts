import { ApplicationBuilder as CoreApplicationBuilder } from "./application-builder.ts";
import { Application as CoreApplication } from "./application.ts";
import type { Input } from "../dispatch/input.ts";
import type { ParamsOf } from "../dispatch/params.ts";
import type { ResourceClass } from "./grouped-resources.ts";
import { Resource as CoreResource } from "./resource.ts";
import type { Routed } from "../routing/pattern/path-param-names.ts";

/**
 * A resource whose handlers take a context object and write to its `response`.
 *
 * A subclass names its `paths` and implements methods. Other methods get 501. Inside middleware, a handler must return
 * a value: the response, or `true`.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name?"] as const;
 *
 *   GET({ params, response }: ContextOf<Greeting, NodeContext>): unknown {
 *     return response.end(`Hello, ${params.pathParam("name") ?? "World"}`);
 *   }
 * }
 * ```
 */
export class Resource extends CoreResource {
  /** For the compiler only, which distinguishes the modules of resources with it. */
  declare static readonly httpModule?: "polyfill";
}

/**
 * What handlers of a resource are given: a context with the params that its `paths` name, if they are written
 * `as const`.
 *
 * @typeParam Of the resource class; without it, any param may be asked for.
 * @typeParam Context what the runtime passes, such as `NodeContext` of `fingerpost/node`.
 * @typeParam Prefix the prefixes of the groups around it, if they hold params.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:id"] as const;
 *
 *   GET(context: ContextOf<Book, NodeContext>): unknown {
 *     return context.response.end(context.params.pathParam("id"));
 *   }
 * }
 * ```
 */
export type ContextOf<
  Of extends Routed = Routed,
  Context extends object = Input,
  Prefix extends string = never,
> = Context & { readonly params: ParamsOf<Of, Prefix> };

/**
 * An application for runtimes that pass a context object: resources that are ready to answer.
 *
 * @example
 * ```ts
 * interface Context {
 *   readonly method: string;
 *   readonly url: string;
 *   readonly response: { body: string };
 * }
 *
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   GET(context: ContextOf<Greeting, Context>): void {
 *     context.response.body = `Hello, ${context.params.pathParam("name")}`;
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const context = { method: "GET", url: "/hello/Ada", response: { body: "" } };
 * await app.handle(context);
 * console.log(context.response.body); // Hello, Ada
 * ```
 */
export class Application extends CoreApplication {
  /** Begins an application. */
  static builder(): ApplicationBuilder {
    return new CoreApplicationBuilder({ Resource, create: (parts) => new Application(parts) });
  }
}

/** Collects the parts of an application, and builds it: the result of `Application.builder()`. */
export interface ApplicationBuilder extends CoreApplicationBuilder<
  Application,
  ResourceClass & Pick<typeof Resource, "httpModule">
> {}
