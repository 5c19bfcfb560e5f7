import type { Instantiate } from "../application/application-builder.ts";
import type { Parts } from "../application/application.ts";
import { FetchApplication, FetchApplicationBuilder, type HandshakeOptions } from "../application/fetch-application.ts";
import type { Middleware } from "../application/middleware.ts";
import { Resource as NativeResource } from "../application/native.ts";
import type { Collected, Member, ResourceClass as AnyResourceClass } from "../application/grouped-resources.ts";
import type { Problems } from "../dispatch/error-response.ts";
import { addressed } from "./addressed.ts";
import { servedResponse } from "./line/served-response.ts";
import type { OnError } from "../dispatch/fetch-response.ts";
import { finished } from "../http/answer/carried-answer.ts";
import { described } from "../http/javascript/described.ts";
import type { TrailingSlash } from "../routing/build/path-index-builder.ts";
import { propertyOf } from "../http/javascript/property.ts";
import type { SocketClass, SocketOf } from "./declaration/client-content.ts";
import type { CheckedMembers } from "./declaration/resource-class.ts";
import { OptionCheck } from "../http/javascript/option-check.ts";
import { checkedRules, type WriteOptions } from "../writes/write-rules.ts";
import type { LineResource, LineWrites } from "./line/allowed.ts";
import { boundClones, mostBytesOf } from "./line/bounded-clones.ts";
import type { ExplainOptions, Explanation } from "./line/explanation.ts";
import { nativeModelsOf } from "./native-access.ts";
import { refuseUnguarded } from "./operation/access-rules.ts";
import { operationsOf } from "./operation/reading.ts";
import { declare, planAt } from "./line-resource.ts";
import { Resource } from "./semantics-resource.ts";
import { Conversions } from "../json-schema/library/conversions.ts";

/**
 * An application of resources with declared operations, beside resources of the native module.
 *
 * @typeParam Members its resource classes and groups.
 * @typeParam Failure the content of its errors, if it is not problem details.
 * @example
 * ```ts
 * class Greeting extends Resource {
 *   paths = ["/hello/:name"] as const;
 *
 *   static GET = { 200: text() };
 *   GET({ path }: Call<typeof Greeting, "GET">) {
 *     return `Hello, ${path.name}`;
 *   }
 * }
 * const app = Application.builder().resources(Greeting).build();
 * const response = await app.request("/hello/Ada");
 * console.log(response.status, await response.text()); // 200 Hello, Ada
 * ```
 */
export class Application<Members = unknown, Failure = never> extends FetchApplication {
  /** For the compiler only. Typed clients read the types of the members and of errors from it. */
  declare readonly "~members": Collected<never, Members, Failure>;
  /**
   * Answers one request. Rejects with the error that a handler threw or that refused the request; see `fetch`.
   *
   * @throws {HTTPError} 404 when no resource has a pattern that matches the path.
   * @throws {HTTPError} 405 when the resource does not implement the method.
   */
  override readonly handle = async (input: unknown): Promise<Response> =>
    finished(await this.dispatcher.answer(input), this.dispatcher) as Response;
  /**
   * Explains why a request gets its status. Returns each question that fingerpost asks, and its finding.
   *
   * Schemas run. Middleware, `validator()` and handlers run only with `run: true`, and the status is then the status of
   * `fetch()`.
   *
   * @throws {TypeError} when the content of the request was read before.
   * @example
   * ```ts
   * class Greeting extends Resource {
   *   paths = ["/hello/:name"] as const;
   *
   *   static GET = { 200: text() };
   *   GET({ path }: Call<typeof Greeting, "GET">) {
   *     return `Hello, ${path.name}`;
   *   }
   * }
   * const app = Application.builder().resources(Greeting).build();
   * const { status, questions } = await app.explain(new Request("http://localhost/hello/Ada", { method: "PUT" }));
   * console.log(status, questions.at(-1)!.finding); // 405 no: Greeting allows GET, HEAD, OPTIONS
   * ```
   */
  async explain(request: Request, options: ExplainOptions = {}): Promise<Explanation> {
    // Loaded on first use.
    const { explained } = await import("./explained.ts");
    return explained(
      { dispatcher: this.dispatcher, match: (one) => this.match(one), fetch: this.fetch },
      request,
      propertyOf(options, "run") === true,
    );
  }

  /**
   * Connects to a resource whose operation declares `101: socket()`, and returns the typed end of the client: for
   * tests, without a server.
   *
   * @typeParam Of the type of the resource class, `typeof Room`.
   * @throws {HTTPError} with the status of the answer, if it is not 101. The `cause` is the `Response`.
   * @throws {TypeError} when an option is unknown, or the path does not make a valid `Request`.
   * @example
   * ```ts
   * class Echo extends Resource {
   *   paths = ["/echo"] as const;
   *
   *   static GET = { 101: socket({ receives: text(), sends: z.object({ heard: z.string() }) }) };
   *   GET(): Answer<typeof Echo, "GET"> {
   *     return reply(101, { message: (peer, heard) => peer.send({ heard }) });
   *   }
   * }
   * const app = Application.builder().resources(Echo).build();
   * const echo = await app.connect<typeof Echo>("/echo");
   * echo.send("Hello");
   * for await (const { heard } of echo) {
   *   console.log(heard); // Hello
   *   break;
   * }
   * ```
   */
  async connect<Of extends SocketClass>(path: string, options: HandshakeOptions = {}): Promise<SocketOf<Of>> {
    // Loaded on first use.
    const { connected } = await import("./connected.ts");
    return (await connected(this.fetch, path, options)) as unknown as SocketOf<Of>;
  }

  /** Begins an application. */
  static builder(): ApplicationBuilder<never> {
    return new SemanticsApplicationBuilder() as unknown as ApplicationBuilder<never>;
  }
}

/**
 * Makes an application of mounted resources. Resources of this module perform requests along the line.
 * @param access `"guarded"` refuses what everybody may and nobody has said so; `"open"` asks nobody who they are.
 * @throws {TypeError} when a declaration of a class cannot work.
 */
export function declaredApplication(
  parts: Parts,
  onError: OnError,
  replies: Replies,
  writes: LineWrites | null,
  access: "asked" | "guarded" | "open" = "asked",
): Application {
  const conversions = new Conversions();
  parts.dispatcher.responseOf = servedResponse;
  for (const mounted of parts.dispatcher.resources) {
    declare(mounted, replies, parts.dispatcher, conversions, writes, access === "open");
  }
  if (access === "guarded") {
    refuseUnguarded(parts.dispatcher.resources, (mounted) =>
      mounted.resource instanceof Resource ? operationsOf(mounted).values() : nativeModelsOf(mounted, conversions),
    );
  }
  parts.dispatcher.addressed = (...sent) => addressed(parts.dispatcher, ...sent);
  // GET and HEAD have no content. Resources of the native module declare no bound.
  parts.dispatcher.prepare = (input, method, found) => {
    if (method === "GET" || method === "HEAD") return;
    const plan = planAt(found, method);
    if (plan !== undefined) boundClones(input, mostBytesOf(plan?.model));
  };
  return new Application(parts, onError);
}

/** How much of a response is checked: members and JSON types, the whole schema, or nothing. */
export type Replies = LineResource["replies"];

/** What `idempotency()` of the builder takes. */
interface IdempotencyRules extends WriteOptions {
  /**
   * Returns whose key it is, so that nobody gets the answer of somebody else: a string that is not empty, such as a
   * user's id.
   */
  readonly ownerOf: (call: WrittenCall) => string | Promise<string>;
}

/** A call whose key is looked for. Attributes that guards have set can be read of it. */
interface WrittenCall {
  /** The request, whose content was not read yet. */
  readonly request: Request;
  /** The path params. */
  readonly path: unknown;
}

/** A class of resources of this module, or of the native one. */
export type ResourceClass = AnyResourceClass & { readonly httpModule?: "semantics" | "native" };

/**
 * Collects the parts of an application, and builds it.
 *
 * @typeParam Members the resource classes and groups.
 * @typeParam Failure the content of errors, if it is not problem details.
 */
export interface ApplicationBuilder<Members = unknown, Failure = never> {
  /**
   * Adds resource classes of this module or of the native one, groups, and arrays of either. The order does not matter.
   *
   * The compiler refuses a class with a handler that returns what its operation does not declare.
   *
   * @throws {TypeError} when one is neither a class nor a group.
   */
  resources<const Added extends readonly Member<ResourceClass>[]>(
    ...members: CheckedMembers<Added>
  ): ApplicationBuilder<Members | Added[number], Failure>;
  /**
   * Wraps the whole application in middleware, the first outermost: it sees every input, also those that end in 404.
   *
   * @throws {TypeError} when one is not a subclass of `Middleware`.
   */
  middleware(...classes: readonly (new () => Middleware)[]): this;
  /**
   * Constructs resources with your function, such as a container for dependency injection.
   *
   * @throws {TypeError} when it is not a function.
   */
  instantiate(instantiate: Instantiate): this;
  /**
   * Sets whether a slash at the end of paths and patterns counts: `"strict"` or `"ignore"`. Default: `"ignore"`.
   *
   * @throws {TypeError} when it is neither.
   */
  trailingSlash(trailingSlash?: TrailingSlash): this;
  /**
   * Calls your function for every error in `fetch`. Return a `Response` to answer with it, or an `HTTPError` to send it
   * instead of the error, in the format of `problems()`.
   *
   * @throws {TypeError} when it is not a function.
   */
  onError(onError: OnError): this;
  /**
   * Replaces problem details with another format for all errors. Documents and typed clients have its schema.
   *
   * @throws {TypeError} when it has no schema, or `from` is not a function.
   */
  problems<Content>(problems: Problems<Content>): ApplicationBuilder<Members, Content>;
  /**
   * Sets how much of a response is checked. `"shape"`, the default, checks required members and JSON types, and leaves
   * out constraints such as a maximum, a length or a format. `"check"` runs the whole schema; use it in tests and
   * development. `"trust"` sends responses unchecked.
   *
   * @throws {TypeError} when it is none of the three.
   */
  replies(replies?: Replies): this;
  /**
   * Sets the store of operations that declare `idempotency`.
   *
   * @throws {TypeError} when an option is wrong.
   * @example
   * ```ts
   * import { memoryRecords } from "fingerpost/stores";
   *
   * let paid = 0;
   * class Payments extends Resource {
   *   paths = ["/payments"] as const;
   *
   *   static POST = { 201: "Paid", idempotency: true };
   *   POST() {
   *     paid += 7;
   *     return reply(201);
   *   }
   * }
   * const app = Application.builder()
   *   .resources(Payments)
   *   .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
   *   .build();
   * const payment = { method: "POST", headers: { "Idempotency-Key": "a1" } };
   * await app.request("/payments", payment);
   * console.log((await app.request("/payments", payment)).status, paid); // 201 7
   * ```
   */
  idempotency(options: IdempotencyRules): this;
  /**
   * Makes `build()` throw if an operation has neither a guard nor `anonymous: true`. Files, WebSockets, tools, mounts
   * and documents are included.
   *
   * @example
   * ```ts
   * class Health extends Resource {
   *   paths = ["/health"] as const;
   *
   *   static GET = { anonymous: true, 204: "Well" };
   *   GET() {}
   * }
   * const app = Application.builder().resources(Health).guarded().build();
   * ```
   */
  guarded(): this;
  /**
   * Constructs every resource once, reads its paths once, and makes the application.
   *
   * @throws {PathPatternError} when an entry of `paths` is not a path pattern.
   * @throws {TypeError} when a class does not extend the Resource of the same entry, or is added with different
   * middleware.
   * @throws {TypeError} when a class says what nothing would come of, such as `get()` instead of `GET()`.
   * @throws {TypeError} when a declaration of a class cannot work.
   * @throws {TypeError} when an operation has neither a guard nor `anonymous`, if `guarded()` was called.
   * @throws {TypeError} when two resources have patterns that match the same paths.
   */
  build(): Application<Members, Failure>;
}

class SemanticsApplicationBuilder extends FetchApplicationBuilder<Application, ResourceClass> {
  #replies: Replies = "shape";
  #writes: LineWrites | null = null;
  #access: "asked" | "guarded" = "asked";

  constructor() {
    super({
      Resource,
      Other: NativeResource,
      headRunsGet: true,
      create: (parts, onError) => declaredApplication(parts, onError, this.#replies, this.#writes, this.#access),
    });
  }

  /** Sets how answers are checked; see `ApplicationBuilder`. @throws {TypeError} when it is none of the three. */
  replies(replies: Replies = "shape"): this {
    if (!["shape", "check", "trust"].includes(replies)) {
      throw new TypeError(`Cannot set replies: expected "shape", "check" or "trust", got ${described(replies)}`);
    }
    this.#replies = replies;
    return this;
  }

  /** Refuses operations without a guard; see `ApplicationBuilder`. */
  guarded(): this {
    this.#access = "guarded";
    return this;
  }

  /** Sets how writes happen once; see `ApplicationBuilder`. @throws {TypeError} when an option is wrong. */
  idempotency(options: IdempotencyRules): this {
    const check = new OptionCheck("idempotency", options, [
      "store",
      "ownerOf",
      "ttlMs",
      "leaseMs",
      "storeTimeoutMs",
      "docs",
    ]);
    const { ownerOf } = check.options;
    check.require(typeof ownerOf === "function", "ownerOf", "a function");
    this.#writes = { rules: checkedRules(check, "Idempotency-Key"), ownerOf: (call) => ownerOf(call as WrittenCall) };
    return this;
  }
}
