import type { Paged } from "../../formats/pages/collection-pages.ts";
import type { AnyName, ParamNames, RequiredName } from "../../routing/pattern/path-param-names.ts";
import type { AnswerOf } from "./answer.ts";
import type { FormContent } from "./form-content.ts";
import type { CheckedLine, LinesContent } from "./lines-content.ts";
import type { DeclaringClass, Method, OperationOf } from "./operation.ts";
import type { BytesContent, TextContent } from "./raw-content.ts";
import type { PageContent } from "./page-content.ts";
import type { InferOutput, StandardSchema } from "../../json-schema/shape/standard-schema.ts";

/**
 * The values of a call, of any class.
 *
 * An interface: the compiler works out its members when they are used. Editors show its name, which the alias in
 * call.ts has, too.
 *
 * PERF: an intersection without the undeclared members costs 20 instantiations a handler more, of 124
 * (`node scripts/check/type-cost.js`).
 */
export interface Call<Of extends DeclaringClass, Name extends Method, Prefix extends string = never> {
  /** The request. Its content has been read, where the operation declares content. */
  readonly request: Request;
  /** The path params: what the `path` of the operation returns, or the text of those that `paths` name. */
  readonly path: keyof OperationOf<Of, Name> & ("path" | "at") extends never
    ? NamedValues<ParamNames<Of["prototype"]["paths"], Prefix>>
    : PathOf<OperationOf<Of, Name>, Of["prototype"]["paths"], Prefix>;
  /** The query parameters, where the operation declares `query`. */
  readonly query: OperationOf<Of, Name> extends { readonly query: Returning<infer Query> }
    ? Query
    : Undeclared<"query">;
  /** The header fields, where the operation declares `headers`. */
  readonly headers: OperationOf<Of, Name> extends { readonly headers: Returning<infer Fields> }
    ? Fields
    : Undeclared<"headers">;
  /** The cookies, where the operation declares `cookies`. */
  readonly cookies: OperationOf<Of, Name> extends { readonly cookies: Returning<infer Cookies> }
    ? Cookies
    : Undeclared<"cookies">;
  /** The content, where the operation declares `content`. */
  readonly content: OperationOf<Of, Name> extends { readonly content: Returning<infer Content> }
    ? Content
    : OtherContent<OperationOf<Of, Name>>;
  /** The page that the request asks for, where the answer is declared by `page()`. */
  readonly page: PagedBy<OperationOf<Of, Name>>;
  /**
   * The text of the entity tag that `validator()` returned last, without its quotes; `null` without a tag.
   * Preconditions were evaluated against it, so a write can compare it in the same statement:
   * `UPDATE … WHERE version = …`.
   */
  readonly version?: string | null | undefined;
  /** Whether the request asks for a WebSocket: where the operation declares 101 and 200. */
  readonly isHandshake?: boolean | undefined;
  /** Commits the answer together with the effect, where the operation declares `idempotency`. */
  readonly idempotency: OperationOf<Of, Name> extends { readonly idempotency: unknown }
    ? Committing<AnswerOf<OperationOf<Of, Name>>>
    : Undeclared<"idempotency">;
  /**
   * The preferred media type of the answer: the first choice of the client, of those below 300 that the operation
   * declares; empty without any. Content that has a declared type already is sent as that.
   */
  readonly mediaType?: ProducedBy<OperationOf<Of, Name>> | undefined;
  /** The media type of the content, as the operation declares it; empty without content. */
  readonly contentType?: string | undefined;
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

/** The page of a request, by the answer of an operation. */
type PagedBy<O> = O extends { readonly 200: PageContent<StandardSchema, infer By> | PagesInside<infer By> }
  ? Paged<InferOutput<By>>
  : Undeclared<"page">;

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

/** The media types of the answers that step 5 of the line chooses among. */
type ProducedBy<O> = { [Code in keyof O & Produced]: TypeOf<O[Code]> }[keyof O & Produced];
type Produced = 200 | 201 | 202 | 203 | 206;
type TypeOf<Declared> = Declared extends { readonly "~standard": unknown }
  ? "application/json"
  : Declared extends { readonly kind: string; readonly type: infer Type }
    ? Type
    : Declared extends { readonly content: infer Content }
      ? TypeOf<Content>
      : Declared extends string
        ? never
        : keyof Declared & `${string}/${string}`;

/**
 * A part of a request that the operation does not declare. Reading a member of it throws a `TypeError`, and this type
 * names the part in messages. It has no members, so that a class may declare a part which its base class does not.
 */
interface Undeclared<_Part extends string> {}

/** A schema by what it returns. */
interface Returning<Output> {
  readonly "~standard": { readonly types?: { readonly output: Output } | undefined };
}

/** What `readInput()` returns: the values of a request, as an operation declares them. */
export interface InputOf<O> {
  /** The path params: what the `path` of the operation returns, or their text. */
  readonly path: O extends { readonly path: Returning<infer Path> }
    ? Path
    : { readonly [name: string]: string | undefined };
  /** The query parameters, where the operation declares `query`. */
  readonly query: O extends { readonly query: Returning<infer Query> } ? Query : Undeclared<"query">;
  /** The header fields, where the operation declares `headers`. */
  readonly headers: O extends { readonly headers: Returning<infer Fields> } ? Fields : Undeclared<"headers">;
  /** The cookies, where the operation declares `cookies`. */
  readonly cookies: O extends { readonly cookies: Returning<infer Cookies> } ? Cookies : Undeclared<"cookies">;
  /** The content, where the operation declares `content`. */
  readonly content: O extends { readonly content: Returning<infer Content> } ? Content : OtherContent<O>;
  /** The page that the request asks for, where the answer is declared by `page()`. */
  readonly page: PagedBy<O>;
}

type DeclaredPath<O> = O extends { readonly path: Returning<infer Path> } ? Path : never;

type OtherContent<O> = O extends { readonly content: infer Declared } ? TakenContent<Declared> : Undeclared<"content">;

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

type NamedValues<Names extends string> = Names & `${string}?` extends never
  ? { readonly [Name in Names]: string }
  : { readonly [Name in RequiredName<Names>]: string } & {
      readonly [Name in AnyName<Exclude<Names, RequiredName<Names>>>]?: string | undefined;
    };
