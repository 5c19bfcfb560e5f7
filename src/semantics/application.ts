import { FetchApplication, FetchApplicationBuilder } from "../application/fetch-application.ts";
import { Resource as NativeResource } from "../application/native.ts";
import type { Member, ResourceClass as AnyResourceClass } from "../application/placement.ts";
import { described } from "../http/described.ts";
import type { CheckedMembers } from "./declaration/resource-class.ts";
import type { LinePlace } from "./line/allowed.ts";
import { declare } from "./place.ts";
import { Resource } from "./resource.ts";

/**
 * An application of resources with declared operations, beside resources of the native module.
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
 * const app = Application.builder().resources(Greeting).build();
 * const response = await app.fetch(new Request("http://localhost/hello/Ada"));
 * console.log(response.status, await response.text()); // 200 Hello, Ada
 * ```
 */
export class Application extends FetchApplication {
  /**
   * Answers one request, and fulfills with the `Response`. It rejects with what a step refuses, or a handler throws; see `fetch`.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 405 when the resource does not implement the method.
   */
  declare readonly handle: (input: unknown) => Promise<Response>;
  /** Begins an application. */
  static builder(): ApplicationBuilder {
    return new SemanticsApplicationBuilder();
  }
}

/** How answers are checked: by their schema in full, or not at all. */
export type Replies = Exclude<LinePlace["replies"], "plan">;

/** A class of resources of this module, or of the native one. */
type ResourceClass = AnyResourceClass & { readonly httpModule?: "semantics" | "native" };

/** Collects what an application is made of, and makes it. */
export interface ApplicationBuilder extends SemanticsApplicationBuilder {}

class SemanticsApplicationBuilder extends FetchApplicationBuilder<Application, ResourceClass> {
  #replies: LinePlace["replies"] = "plan";

  constructor() {
    super({
      Resource,
      Other: NativeResource,
      headRunsGet: true,
      create: (parts, onError) => {
        for (const mounted of parts.dispatcher.resources) declare(mounted, this.#replies, parts.dispatcher);
        return new Application(parts, onError);
      },
    });
  }

  /**
   * Adds resource classes of this module or of the native one, groups, and arrays of either. The order does not matter.
   *
   * The compiler refuses a class with a handler that returns what its operation does not declare.
   *
   * @throws {TypeError} when one is neither a class nor a group.
   */
  override resources<const Members extends readonly Member<ResourceClass>[]>(
    ...members: CheckedMembers<Members>
  ): this {
    return super.resources(...(members as unknown as readonly Member<ResourceClass>[]));
  }

  /**
   * Sets how answers are checked. `"check"` validates them by their schema in full, and `"trust"` sends them as they are.
   *
   * @throws {TypeError} when it is neither.
   */
  replies(replies: Replies): this {
    if (replies !== "check" && replies !== "trust") {
      throw new TypeError(`Cannot set replies: expected "check" or "trust", got ${described(replies)}`);
    }
    this.#replies = replies;
    return this;
  }
}
