import { reportServerFault } from "../dispatch/error-response.ts";
import { fetchResponse, observedAnswer, type OnError } from "../dispatch/fetch-response.ts";
import { lateWork } from "../dispatch/late-work.ts";
import { described, nameOf } from "../http/javascript/described.ts";
import { bunWebSocket, type BunWebSocket } from "../sockets/bun-wire.ts";
import { leaveAll, publishTo } from "../sockets/topics.ts";
import { ApplicationBuilder, type Chain } from "./application-builder.ts";
import { Application, type Parts } from "./application.ts";
import type { ResourceClass } from "./grouped-resources.ts";
import { requestTo, type RequestOptions } from "./request-options.ts";

/** Options of `settled()`. */
export interface SettledOptions {
  /** How long work may take at most, in milliseconds. Default: 10,000. */
  readonly graceMs?: number | undefined;
}

/** What `connect()` makes a handshake of, besides its path. */
export type HandshakeOptions = Pick<RequestOptions, "query" | "cookies" | "headers">;

/** An application whose handlers lead to a `Response`: the common base of the native and the semantics chain. */
export class FetchApplication extends Application {
  declare readonly handle: (input: unknown) => Promise<Response>;
  readonly #onError: OnError;

  constructor(parts: Parts, onError: OnError) {
    super(parts);
    this.#onError = onError;
    parts.dispatcher.fetch = this.fetch;
    parts.dispatcher.onLateError = (error, input) => observedAnswer(error, input as Request, onError);
  }

  /**
   * Answers a request, errors included: never rejects, and always fulfills with a `Response`.
   *
   * It is bound, so that `export default app`, `Deno.serve(app.fetch)` and `Bun.serve(app)` work. Of what a runtime
   * passes after the request, the server of Bun is used to complete handshakes, and `waitUntil()` for work after the
   * answer.
   */
  readonly fetch = (request: Request, ...rest: unknown[]): Promise<Response> =>
    fetchResponse(this.dispatcher, request, this.#onError, rest[0], rest[1]);

  /**
   * Waits for the work that `after()` has registered. After `graceMs` it aborts the signals of that work, and waits no
   * more. `serve()` calls it when it stops; call it yourself on other hosts.
   *
   * @throws {TypeError} when `graceMs` is not a whole number, or negative.
   */
  async settled({ graceMs = 10_000 }: SettledOptions = {}): Promise<void> {
    checkGrace("settled", graceMs);
    await lateWork.found?.settled(this.dispatcher, graceMs);
  }

  /**
   * Closes the WebSockets of the application with 1001. From then on, handshakes get 503. Fulfills when all of them are
   * over; it cuts those that are left after `graceMs`. Default: 10,000.
   *
   * `serve()` does it when it stops. Call it on other hosts, before you stop the server.
   *
   * @throws {TypeError} when `graceMs` is not a whole number, or negative. Also when `hibernating()` has the
   * connections, and no Durable Object runs.
   */
  async closeSockets({ graceMs = 10_000 }: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    checkGrace("closeSockets", graceMs);
    await leaveAll([this.dispatcher, ...this.dispatcher.resources], graceMs);
  }

  /** What Bun calls for WebSockets: `export default app` passes it to `Bun.serve()`. */
  get websocket(): BunWebSocket {
    return bunWebSocket();
  }

  /**
   * Sends a message to all peers of a topic of a resource, in this process.
   *
   * @throws {TypeError} when the class is not in the application, or the message is not what its operation declares.
   * @throws {RangeError} when the message has more than 16 MiB.
   */
  publish(Resource: abstract new (...args: never[]) => object, topic: string, message: unknown): void {
    const mounted = this.dispatcher.resources.find(({ resource }) => resource instanceof Resource);
    if (mounted === undefined) {
      throw new TypeError(`Cannot publish to ${nameOf(Resource)}: it is not a resource of the application`);
    }
    publishTo(mounted, topic, message);
  }

  /**
   * Makes a `Request` and answers it as `fetch` does: for tests, without a server.
   *
   * The path begins with a slash. Pass a whole URL if the host matters. Default host: `http://localhost`. Content is
   * one of `json`, `urlEncoded` and `body`, with a `method` that has content.
   *
   * @throws {TypeError} when an option is unknown, or the arguments do not make a valid `Request`, such as content with
   * `GET`.
   *
   * @example
   * ```ts
   * class Books extends Resource {
   *   paths = ["/books"] as const;
   *
   *   async POST(request: RequestOf<Books>): Promise<Response> {
   *     return Response.json(await request.json(), Status.Created);
   *   }
   * }
   * const app = Application.builder().resources(Books).build();
   * const response = await app.request("/books", { method: "POST", json: { title: "Emma" } });
   * console.log(response.status, await response.text()); // 201 {"title":"Emma"}
   * ```
   */
  async request(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.fetch(requestTo(path, options));
  }
}

/** A timer would wait no time for what is no number, and all connections would be cut at once. */
function checkGrace(name: string, graceMs: unknown): void {
  if (Number.isSafeInteger(graceMs) && (graceMs as number) >= 0) return;
  throw new TypeError(
    `Cannot call ${name}(): its option "graceMs" must be a whole number that is not negative, got ` +
      `${described(graceMs)}`,
  );
}

/** Collects the parts of such an application. */
export class FetchApplicationBuilder<App, Class extends ResourceClass> extends ApplicationBuilder<App, Class> {
  #onError: OnError = reportServerFault;

  constructor(chain: FetchChain<App>) {
    super({ ...chain, create: (parts) => chain.create(parts, this.#onError) });
  }

  /**
   * Observes every error that `fetch` meets. If the function returns a `Response`, that is the answer. If it returns an
   * `HTTPError`, that is sent instead of the error, in the format of `problems()`.
   *
   * @throws {TypeError} when it is not a function.
   */
  onError(onError: OnError): this {
    if (typeof onError !== "function")
      throw new TypeError(`Cannot observe errors: expected a function, got ${described(onError)}`);
    this.#onError = onError;
    return this;
  }
}

interface FetchChain<App> extends Omit<Chain<App>, "create"> {
  create(this: void, parts: Parts, onError: OnError): App;
}
