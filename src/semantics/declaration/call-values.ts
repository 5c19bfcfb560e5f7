import type { Paged } from "../../formats/pages/collection-pages.ts";
import type { StatusPair } from "../../http/protocol/status-constant.ts";
import type { AnyName, ParamNames, RequiredName } from "../../routing/pattern/path-param-names.ts";
import type { AnswerOf } from "./answer.ts";
import type { FormContent } from "./form-content.ts";
import type { CheckedLine, LinesContent } from "./lines-content.ts";
import type { DeclaringClass, Method, OperationOf } from "./operation.ts";
import type { BytesContent, TextContent } from "./raw-content.ts";
import type { PageContent } from "./page-content.ts";
import type { Reply, SocketEnd } from "./reply.ts";
import type { InferOutput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/** What calls have. Members are worked out when they are used, and `Call` picks those that an operation declares. */
export interface CallOf<Of extends DeclaringClass, Name extends Method, Prefix extends string> extends PartsOf<
  OperationOf<Of, Name>
> {
  /** The request. Its content has been read, where the operation declares content. */
  readonly request: Request;
  /** The path params: what the `path` of the operation returns, or the text of those that `paths` name. */
  readonly path: keyof OperationOf<Of, Name> & ("path" | "at") extends never
    ? NamedValues<ParamNames<Of["prototype"]["paths"], Prefix>>
    : PathOf<OperationOf<Of, Name>, Of["prototype"]["paths"], Prefix>;
  /**
   * The text of the entity tag that `validator()` returned last, without its quotes; `null` without a tag.
   * Preconditions were evaluated against it, so a write can compare it in the same statement:
   * `UPDATE … WHERE version = …`.
   */
  readonly version?: string | null | undefined;
  /** Answers with a status that the operation declares, as `reply()` does. */
  readonly reply: CallReply<Of, Name>;
  /** Is aborted when the client has left, or the server stops. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The segments of a rest param, such as `:path+`, each percent-decoded: they can be joined to a file path.
   *
   * `"any"` returns segments that cannot be joined, too.
   *
   * @throws {HTTPError} 404 when a segment is empty, `.` or `..`, or holds `/`, `\` or NUL, unless `"any"` will do.
   */
  segments(
    name: "at" extends keyof OperationOf<Of, Name>
      ? AnyName<NamesAt<OperationOf<Of, Name>, Of["prototype"]["paths"], Prefix>>
      : AnyName<ParamNames<Of["prototype"]["paths"], Prefix>>,
    which?: "any",
  ): string[];
}

/** The members that each call has, and what its operation declares. */
export type CallMember<Of, Name extends Method> =
  | "request"
  | "path"
  | "version"
  | "reply"
  | "signal"
  | "segments"
  | DeclaredPart<OperationOf<Of, Name>>;

type DeclaredPart<O> = PartBy[keyof O & keyof PartBy] | PartByAnswer<O[keyof O & Produced]>;

interface PartsOf<O> {
  /** The query parameters. */
  readonly query: O extends { readonly query: Returning<infer Query> } ? Query : unknown;
  /** The header fields. */
  readonly headers: O extends { readonly headers: Returning<infer Fields> } ? Fields : unknown;
  /** The cookies. */
  readonly cookies: O extends { readonly cookies: Returning<infer Cookies> } ? Cookies : unknown;
  /** The content. */
  readonly content: O extends { readonly content: Returning<infer Content> } ? Content : OtherContent<O>;
  /** The media type of the content, as the operation declares it; `""` without content. */
  readonly contentType?: string | undefined;
  /** The page that the request asks for. */
  readonly page: O extends { readonly 200: PageContent<StandardSchema, infer By> | PagesInside<infer By> }
    ? Paged<InferOutput<By>>
    : unknown;
  /** Whether the request asks for a WebSocket. */
  readonly isHandshake?: boolean | undefined;
  /** Commits the answer together with the effect. */
  readonly idempotency: Committing<AnswerOf<O>>;
  /**
   * The preferred media type of the answer: the first choice of the client, of those below 300 that the operation
   * declares; `""` without any. Content that has a declared type already is sent as that.
   */
  readonly mediaType?: ProducedBy<O> | undefined;
}

/** The parts by what declares them. */
interface PartBy {
  readonly query: "query";
  readonly headers: "headers";
  readonly cookies: "cookies";
  readonly content: "content" | "contentType";
  readonly idempotency: "idempotency";
}

type PartByAnswer<Declared> = Declared extends Paging
  ? "page"
  : Declared extends Receiving
    ? "isHandshake"
    : Declared extends { readonly content: infer Content }
      ? "mediaType" | (Content extends Paging | { readonly "application/json": Paging } ? "page" : never)
      : never;
interface Paging {
  readonly "~cursors": unknown;
}
interface Receiving {
  readonly receives: unknown;
}

/** Tells calls of two methods apart whose answers are the same. No value has it. */
declare const method: unique symbol;

/** `reply()` with the statuses that an operation declares, and their content. */
export interface CallReply<Of, Name> {
  readonly [method]?: Name | undefined;
  <const Status extends RepliesOf<Of, Name & Method>["status"]>(
    status: Status | StatusPair<Status>,
    ...rest: RestOf<Status, Extract<RepliesOf<Of, Name & Method>, { readonly status: Status }>>
  ): Extract<RepliesOf<Of, Name & Method>, { readonly status: Status }>;
}

type RepliesOf<Of, Name extends Method> = Extract<AnswerOf<OperationOf<Of, Name>>, Reply>;

/** What comes after the status. */
type RestOf<Status extends number, Given extends Reply> = undefined extends Given["headers"]
  ? undefined extends Given["content"]
    ? [content?: Given["content"], headers?: Given["headers"]]
    : [content: Given["content"], headers?: Status extends 101 ? SocketEnd : Given["headers"]]
  : [content: Given["content"], headers: Given["headers"]];

/** The path by its schema, or by the params of the paths that `at` names. */
type PathOf<O, Paths extends readonly string[], Prefix extends string> = "path" extends keyof O
  ? DeclaredPath<O>
  : NamedValues<NamesAt<O, Paths, Prefix>>;

/** The names of the params of the paths that `at` names, if it is declared `as const`, else of all of the class. */
type NamesAt<O, Paths extends readonly string[], Prefix extends string> = O extends {
  readonly at: infer At extends readonly string[];
}
  ? string extends At[number]
    ? ParamNames<Paths, Prefix>
    : ParamNames<At, Prefix>
  : never;

interface PagesInside<By extends StandardSchema> {
  readonly content: PageContent<StandardSchema, By> | { readonly "application/json": PageContent<StandardSchema, By> };
}

/** Commits the answer of a write. */
interface Committing<Answer> {
  /**
   * Keeps the answer by the transaction of the handler, so that effect and record are there together, or neither.
   * Returns the answer, which the handler must then return. Without a key it keeps nothing.
   *
   * @param transaction what the driver passes to the function of a transaction.
   * @throws {Error} when the answer cannot be kept. Let the transaction end by it. Causes are a store without
   * transactions, no transaction, an answer that does not fit or is not kept, or another run that has begun.
   */
  commit(transaction: unknown, answer: Answer): Promise<Answer>;
}

/** The media types of the answers that step 6 of the line chooses among. */
type ProducedBy<O> = { [Key in keyof O & Produced]: TypeOf<O[Key]> }[keyof O & Produced];
type Produced = Code | `${Code}`;
type Code = 101 | 200 | 201 | 202 | 203 | 206;
type TypeOf<Declared> = Declared extends { readonly "~standard": unknown }
  ? "application/json"
  : Declared extends { readonly kind: string; readonly type: infer Type }
    ? Type
    : Declared extends { readonly content: infer Content }
      ? TypeOf<Content>
      : Declared extends string
        ? never
        : keyof Declared & `${string}/${string}`;

/** A schema by what it returns. */
interface Returning<Output> {
  readonly "~standard": { readonly types?: { readonly output: Output } | undefined };
}

/** What `readInput()` returns: the values of a request, as an operation declares them. */
export type InputOf<O> = Pick<PartsOf<O>, DeclaredPart<O>> & {
  /** The path params: what the `path` of the operation returns, or their text. */
  readonly path: O extends { readonly path: Returning<infer Path> }
    ? Path
    : { readonly [name: string]: string | undefined };
};

type DeclaredPath<O> = O extends { readonly path: Returning<infer Path> } ? Path : never;

type OtherContent<O> = O extends { readonly content: infer Declared } ? TakenContent<Declared> : unknown;

/** The declared content that a handler gets: the output of its schema, or the values that the raw kind reads. */
type TakenContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? InferOutput<Declared>
  : Declared extends BytesContent<string, infer Taken>
    ? Taken
    : Declared extends TextContent
      ? string
      : Declared extends FormContent<unknown, infer Taken>
        ? Taken
        : Declared extends LinesContent<infer Schema, infer OnInvalid>
          ? AsyncIterable<TakenLine<InferOutput<Schema>, OnInvalid>>
          : { [MediaType in keyof Declared]: TakenContent<Declared[MediaType]> }[keyof Declared];

type TakenLine<Value, OnInvalid> = [OnInvalid] extends ["yield"] ? CheckedLine<Value> : Value;

export type NamedValues<Names extends string, Value = string> = Names & `${string}?` extends never
  ? { readonly [Name in Names]: Value }
  : { readonly [Name in RequiredName<Names>]: Value } & {
      readonly [Name in AnyName<Exclude<Names, RequiredName<Names>>>]?: Value | undefined;
    };
