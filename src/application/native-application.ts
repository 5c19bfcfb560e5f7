import type { Bytes } from "../http/javascript/bytes.ts";
import type { ClientSocket } from "../sockets/client-socket.ts";
import { connectTo } from "../sockets/connecting.ts";
import { FetchApplication, FetchApplicationBuilder, type HandshakeOptions } from "./fetch-application.ts";
import type { ResourceClass } from "./grouped-resources.ts";
import { Resource } from "./native.ts";
import { requestTo } from "./request-options.ts";

/**
 * An application for runtimes with Web `Request` and `Response`: resources that are ready to answer.
 *
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   GET(request: RequestOf<Greeting>): Response {
 *     return new Response(`Hello, ${request.params.pathParam("name")}`);
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const response = await app.request("/hello/Ada");
 * console.log(response.status, await response.text()); // 200 Hello, Ada
 * ```
 */
export class Application extends FetchApplication {
  /**
   * Calls the handler of a request, and fulfills with its result.
   *
   * Rejects with the error that the handler threw, unlike `fetch`, which never rejects. Bound.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 501 when the resource does not implement the method, or the method is not one that a resource
   * can implement (RFC 9110 §9.1).
   * @throws {HTTPError} 400 when the URL cannot be parsed, 414 when its path is longer than 8,192 characters.
   * @throws {TypeError} when the input is not an object with strings `url` and `method`, or cannot carry `params`.
   */
  declare readonly handle: (input: unknown) => Promise<Response>;

  /**
   * Connects to a resource that answers by `upgrade()`, and returns the end of the client: for tests, without a server.
   *
   * @throws {HTTPError} with the status of the answer, if it is not 101. The `cause` is the `Response`.
   * @throws {TypeError} when an option is unknown, or the path does not make a valid `Request`.
   * @example
   * ```ts
   * import { upgrade } from "fingerpost/native/content";
   *
   * class Echo extends Resource {
   *   paths = ["/echo"] as const;
   *   GET(request: Request): Response {
   *     return upgrade(request, { message: (peer, message) => peer.send(message) });
   *   }
   * }
   * const app = Application.builder().resources(Echo).build();
   * const echo = await app.connect("/echo");
   * echo.send("Hello");
   * console.log((await echo.next()).value); // Hello
   * ```
   */
  async connect(
    path: string,
    options: HandshakeOptions = {},
  ): Promise<ClientSocket<string | Bytes, string | Uint8Array>> {
    // Loaded on first use.
    const { connectedInMemory } = await import("../sockets/in-memory.ts");
    return connectTo(this.fetch, requestTo(path, options), connectedInMemory);
  }

  /** Begins an application. */
  static builder(): ApplicationBuilder {
    return new FetchApplicationBuilder({ Resource, create: (parts, onError) => new Application(parts, onError) });
  }
}

/** Collects the parts of an application, and builds it: the result of `Application.builder()`. */
export interface ApplicationBuilder extends FetchApplicationBuilder<
  Application,
  ResourceClass & Pick<typeof Resource, "httpModule">
> {}
