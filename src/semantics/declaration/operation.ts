import type { Method as FrameworkMethod } from "../../http/protocol/method.ts";
import type { StatusConstant } from "../../http/protocol/status.ts";
import type { Routed } from "../../routing/pattern/path-param-names.ts";
import type { May } from "./may.ts";
import type { RawContent } from "./raw-content.ts";
import type { SocketContent } from "./socket-content.ts";
import type { StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** A method that a resource can declare: a method of RFC 9110 §9.3, PATCH (RFC 5789) or QUERY (RFC 10008). */
export type Method = FrameworkMethod | "QUERY";

/**
 * Declares what a method of a resource takes and answers: `static GET` beside the method `GET`.
 *
 * Do not annotate a declaration with this type: the annotation replaces the types of its schemas. Write `satisfies
 * Operation` after it, to get mistakes reported in place.
 */
export interface Operation extends RegisteredAnswers {
  /** The `operationId` of the document. Default: made of method and class, such as `getBook`. */
  readonly id?: string | undefined;
  /** Summary of the operation, for the document. */
  readonly summary?: string | undefined;
  /** Description of the operation, for the document. */
  readonly description?: string | undefined;
  /** The headings below which the document lists the operation. Default: `static tags` of the class. */
  readonly tags?: readonly string[] | undefined;
  /**
   * Audience of the operation, such as `"internal"`, to write one document for each. Default: `static audience` of the
   * class.
   */
  readonly audience?: string | undefined;
  /**
   * Announces the end of the operation, in the document and in response headers. Default: `static deprecated` of the
   * class.
   */
  readonly deprecated?: boolean | Deprecation | undefined;
  /** Examples of the content of a request, by name. */
  readonly examples?: { readonly [name: string]: unknown } | undefined;
  /** Ways to authenticate by name; any of them suffices. Guards add their own. */
  readonly security?: { readonly [name: string]: SecurityScheme } | undefined;
  /**
   * Scopes that the sender needs, all of them. A guard around the operation grants them. The client gets 403 without
   * them, and 401 if no guard knows the sender.
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Decides who may use the operation, after guards and scopes, with a function of the path params and the request.
   * Annotate its parameter by `Asked<typeof ThisClass>`. `false` answers 403. `{ hides: true, ask }` answers with the
   * 404 that is declared. Beside it `static may` of the class and `.may()` of its groups are asked, too.
   */
  readonly may?: May | undefined;
  /**
   * Marks the operation as open to everybody, for `.guarded()` of the builder. Default: `static anonymous` of the
   * class, or `.anonymous()` of its group.
   */
  readonly anonymous?: boolean | undefined;
  /** The path params. Default: text, by the names that `paths` have. */
  readonly path?: StandardSchema | undefined;
  /** The query parameters. */
  readonly query?: StandardSchema | undefined;
  /** The header fields of a request. */
  readonly headers?: StandardSchema | undefined;
  /** The cookies of a request. */
  readonly cookies?: StandardSchema | undefined;
  /** The content of a request: a schema of JSON, a raw kind, or either by media type. */
  readonly content?: DeclaredContent | undefined;
  /** The paths of the class that have the method. Default: all of them. */
  readonly at?: readonly string[] | undefined;
  /**
   * Refuses requests without a precondition with 428 (RFC 6585 §3). The class has a `validator()`, which says what
   * holds.
   */
  readonly precondition?: boolean | undefined;
  /**
   * Runs a write once. A repeat with the same `Idempotency-Key` gets the first response. `true` refuses requests
   * without a key with 400, and `{ optional: true }` accepts them. The builder has the store: `.idempotency({ store,
   * ownerOf })`.
   */
  readonly idempotency?: true | { readonly optional: true } | undefined;
  /**
   * Makes the operation a tool of agents, at the resource of `mcp()`. `true` names it by its `id`. Default: none.
   *
   * @experimental
   */
  readonly tool?: true | Tool | undefined;
  /**
   * The `Cache-Control` of answers below 400. Where a guard runs it says `private` or `no-store`, unless `shared` is
   * true. Default: `private` for guarded reads, else none.
   */
  readonly cache?: string | undefined;
  /**
   * Says that all users who pass the guards get the same response, so that shared caches may store it. Default: false.
   */
  readonly shared?: boolean | undefined;
  /** Computes an entity tag of the content, if no validator returns one. */
  readonly etag?: "content" | undefined;
  /** The answers, by status code. */
  readonly [status: number]: DeclaredAnswer | undefined;
}

/**
 * Editors list the codes of the registry. A member that is omitted is not an answer, and `build()` refuses one that is
 * `undefined`.
 */
type RegisteredAnswers = { readonly [Status in StatusConstant["status"]]?: DeclaredAnswer | undefined };

/** How a declaration writes a status: editors complete it in quotes, as JSON has it. */
export type StatusKey = number | `${number}`;

/** The status code that a member of a declaration names. */
export type StatusOf<Key extends StatusKey> = Key extends `${infer Status extends number}` ? Status : Key & number;

/** Content of a request or of an answer: a schema of JSON, a raw kind, or either by media type. */
export type DeclaredContent =
  | StandardSchema
  | RawContent
  | { readonly [mediaType: string]: StandardSchema | RawContent };

/**
 * The answer with a status: a schema of JSON, a raw kind, a description, or all that can be said.
 *
 * Where no content is declared there is none below 400, and problem details from 400 on. By default an answer is
 * checked for the members and types of its schema; constraints, such as a maximum or a format, only by
 * `.replies("check")`.
 */
export type DeclaredAnswer = StandardSchema | RawContent | SocketContent | string | AnswerMembers;

/** The complete declaration of the answer with a status. */
export interface AnswerMembers {
  /** Description of the response. Default: the reason phrase. */
  readonly description?: string | undefined;
  /** The content. */
  readonly content?: DeclaredContent | undefined;
  /** The header fields, each by its schema. */
  readonly headers?: { readonly [name: string]: StandardSchema } | undefined;
  /** Examples of the content, by name. */
  readonly examples?: { readonly [name: string]: unknown } | undefined;
}

/** When an operation ends, and what comes after it (RFC 9745, RFC 8594). */
export interface Deprecation {
  /** The date from which it is deprecated, such as `2027-01-31`. */
  readonly since: string;
  /** The date from which it may be gone. */
  readonly sunset?: string | undefined;
  /** The URL of a page about it. */
  readonly link?: string | undefined;
}

/**
 * Describes an operation to agents.
 *
 * @experimental
 */
export interface Tool {
  /**
   * The name that agents call: 1 to 128 letters, digits, `_`, `-` and `.`. Default: its `id`, else made of method and
   * class.
   */
  readonly name?: string | undefined;
  /** A name for people. Default: its `summary`. */
  readonly title?: string | undefined;
  /** Says what it does to the model that chooses among tools. Default: its `description`, else its `summary`. */
  readonly description?: string | undefined;
  /** Whether the tool may destroy something, so that people are asked first. Default: true for methods that write. */
  readonly destructive?: boolean | undefined;
}

/** A way to authenticate, as OpenAPI has it: `{ type: "http", scheme: "bearer" }`. */
export interface SecurityScheme {
  /** The type of the scheme. */
  readonly type: string;
  /** What else the type needs. */
  readonly [member: string]: unknown;
}

/** A resource class, as far as its declarations matter. */
export interface DeclaringClass {
  /** The instance: its patterns name the path params. */
  readonly prototype: Routed;
}

/** The operation that a class declares for a method, or `{}`. */
export type OperationOf<Of, Name extends Method> = (Of & NoOperations)[Name];

/** Adds nothing to a declaration, and is what a class has that declares none. */
interface NoOperations {
  readonly CONNECT: {};
  readonly DELETE: {};
  readonly GET: {};
  readonly HEAD: {};
  readonly OPTIONS: {};
  readonly PATCH: {};
  readonly POST: {};
  readonly PUT: {};
  readonly QUERY: {};
  readonly TRACE: {};
}
