import type { Collected } from "../application/grouped-resources.ts";
import type { PathValue } from "../routing/pattern/filled-path.ts";
import type { AnyName, ParamNames, RequiredName } from "../routing/pattern/path-param-names.ts";
import type { SentContent } from "../semantics/declaration/client-content.ts";
import type { FormContent } from "../semantics/declaration/form-content.ts";
import type { LinesContent } from "../semantics/declaration/lines-content.ts";
import type { JsonOf } from "../semantics/declaration/json-of.ts";
import type { Method, StatusKey } from "../semantics/declaration/operation.ts";
import type { BytesContent, RawContent } from "../semantics/declaration/raw-content.ts";
import type { Problem } from "../semantics/declaration/reply.ts";
import type { InferInput } from "../json-schema/shape/standard-schema.ts";
import type { DeclaredResult, Refused, Uncompared } from "./results.ts";

/**
 * The calls of a client: for each path pattern its methods, for each method a function.
 *
 * If `App` is not an application, it must be this type itself, from a file of declarations.
 *
 * PERF: one mapped type for each class; the cost of one over all is the square of their number
 * (`node scripts/check/type-cost.js`).
 *
 * @typeParam App the type of the application: `typeof app`.
 */
export type ApiOf<App> = App extends { readonly "~members": Collected<never, infer Members, infer Failure> }
  ? PatternsOf<Members, "", [Failure] extends [never] ? Problem : JsonOf<Failure>> extends (
      patterns: infer Patterns,
    ) => void
    ? Patterns
    : never
  : App;

/** One function for each class: parameters intersect. */
type PatternsOf<Member, Prefix extends string, Failure> = Member extends {
  readonly prototype: { readonly paths: infer Paths };
}
  ? (patterns: PatternsOfClass<Member, Prefix, Paths, Failure>) => void
  : Member extends { readonly "~members": Collected<infer Own, infer Inner> }
    ? PatternsOf<Inner, [Own] extends [never] ? Prefix : Joined<Prefix, Own & string>, Failure>
    : Member extends readonly (infer Inner)[]
      ? PatternsOf<Inner, Prefix, Failure>
      : never;

/** Paths that the compiler does not know cannot be called: of such a class there is a name, for the message to show. */
type PatternsOfClass<Class, Prefix extends string, Paths, Failure> = Paths extends readonly (infer Path extends
  string)[]
  ? string extends Path
    ? WriteAsConstAfterPathsOf<Class>
    : { readonly [Pattern in Joined<Prefix, Path>]: MethodsOf<Class, Pattern, Prefix, Failure> }
  : unknown;

/** An interface without members. */
interface WriteAsConstAfterPathsOf<_Class> {}

/** As `build()` joins a prefix and a path. */
type Joined<Prefix extends string, Path extends string> = "" extends Prefix
  ? Path
  : Path extends "/"
    ? Prefix
    : Prefix extends `${infer Front}/`
      ? `${Front}${Path}`
      : `${Prefix}${Path}`;

type MethodsOf<Class, Pattern extends string, Prefix extends string, Failure> = {
  readonly [Name in Method & keyof Class]: CallOf<Class[Name], Pattern, Prefix, ResultOf<Class, Name, Failure>>;
};

/** The results of an operation. The class and the method are its arguments, because editors show them. */
type ResultOf<Class, Name extends keyof Class, Failure> =
  | DeclaredResult<Class[Name], keyof Class[Name] & StatusKey, Failure>
  | Refused<Failure>
  | Uncompared
  | (Class[Name] extends HasPath ? Refused<Failure, 404> : never)
  | (Class[Name] extends HasKey ? Refused<Failure, 409> : never);

/**
 * The function of an operation. The framework answers 404 for a path that its schema does not take. The input is an
 * argument of `CallBy`, so that it is made once. An interface that says what is there is not instantiated, unlike
 * `{ readonly path: unknown }`. Headers and cookies are rare, and asked for together. The input of a schema is inferred
 * where it is needed: `InferInput`, or a type for the schema, costs the compiler more.
 */
type CallOf<O, Pattern extends string, Prefix extends string, Result> = O extends HasAt
  ? CallAt<O, Pattern, Prefix, Result>
  : CallBy<
      PathOf<(O & Undeclared)["path"], Pattern> &
        QueryOf<(O & Undeclared)["query"]> &
        ContentOf<(O & Undeclared)["content"]> &
        (O extends HasHeaders | HasCookies | HasKey | HasPage
          ? HeadersOf<O> & CookiesOf<O> & KeyOf<O> & PageOf<O>
          : {}) &
        CallOptions,
      Result
    >;

/**
 * For other paths a string replaces the function. The compiler knows the paths if `at` is declared `as const`. PERF: to
 * leave out `at` instead of a mark costs 27 instantiations a call more, of 120 (`node scripts/check/type-cost.js`). A
 * mark cannot be one of `any`.
 */
type CallAt<O extends HasAt, Pattern extends string, Prefix extends string, Result> = unknown extends O
  ? CallOf<Omit<O, "at">, Pattern, Prefix, Result>
  : Pattern extends Joined<Prefix, O["at"][number]>
    ? CallOf<O & Compared, Pattern, Prefix, Result>
    : `This method is at ${Joined<Prefix, O["at"][number]>}`;

/** Has paths that have not been compared yet. */
interface HasAt {
  readonly at: readonly string[];
  readonly "~compared"?: string | undefined;
}
/** Has paths that have been compared. With a literal on either side, an intersection of both would be `never`. */
interface Compared {
  readonly "~compared": object;
}
interface HasPath {
  readonly path: unknown;
}
interface HasHeaders {
  readonly headers: unknown;
}
interface HasCookies {
  readonly cookies: unknown;
}

interface HasKey {
  readonly idempotency: unknown;
}

interface HasPage {
  readonly 200: Paging | { readonly content: Paging | { readonly "application/json": Paging } };
}
interface Paging {
  readonly "~cursors": unknown;
}

/** A part that an operation does not declare is `unknown`, without a conditional that asks for it. */
interface Undeclared {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly content?: unknown;
}

/** The input can be omitted if each part of it can. */
type CallBy<Input, Result> = {} extends Input ? (input?: Input) => Promise<Result> : (input: Input) => Promise<Result>;

/**
 * The path of a call: the input of its schema, and the params of the pattern that the schema leaves out, such as those
 * of a group's prefix. The pattern needs them all the same. Most schemas have a required member, and no index. They do
 * without `PathBySchema`, which costs the compiler more.
 */
type PathOf<Schema, Pattern extends string> = Schema extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? {} extends Input
    ? PathBySchema<Input, ParamNames<readonly [Pattern]>>
    : ParamNames<readonly [Pattern]> extends keyof Input
      ? string extends keyof Input
        ? PathBySchema<Input, ParamNames<readonly [Pattern]>>
        : {
            readonly path: Input extends { readonly [Name in ParamNames<readonly [Pattern]>]: unknown }
              ? Input
              : Needed<Input, ParamNames<readonly [Pattern]>>;
          }
      : {
          readonly path: Input &
            Given<ParamNames<readonly [Pattern]> & keyof Input> &
            ParamsBesides<Exclude<ParamNames<readonly [Pattern]>, keyof Input>, keyof Input>;
        }
  : PathOfNames<ParamNames<readonly [Pattern]>>;

/** The path where the schema has no required member, or takes any names. */
type PathBySchema<Input, Names extends string> = [Names] extends [keyof Input]
  ? string extends keyof Input
    ? { readonly path: Input } & PathOfNames<Names>
    : PathOfInput<Input, Names>
  : PathOfInput<Input, RequiredName<Names> & keyof Input> & PathOfNames<Exclude<Names, NameIn<keyof Input>>>;
/** A default of a schema is for paths without the param. The pattern of this one cannot be filled without it. */
type Needed<Input, Names extends keyof Input> = Input & Required<Pick<Input, Names>>;
type PathOfInput<Input, Names extends keyof Input> = [Names] extends [never]
  ? {} extends Input
    ? { readonly path?: Input | undefined }
    : { readonly path: Input }
  : { readonly path: Needed<Input, Names> };
type NameIn<Key> = `${Key & (string | number)}${"" | "?"}`;

/**
 * The params that are no keys of the schema as the pattern spells them. They may be keys otherwise spelled: `page?` is
 * `page`, and a number is no string. `ArePlain` and `Params` are made once for all patterns of a group.
 */
type ParamsBesides<Names extends string, Key> =
  ArePlain<Names> extends true
    ? Params<Names>
    : PathOfNames<Exclude<Names, NameIn<Key>>> extends { readonly path?: (infer Path) | undefined }
      ? Path
      : unknown;
type ArePlain<Names extends string> = Names & (`${string}?` | `${number}`) extends never ? true : false;
/** Names that the schema and the pattern have: a default of the schema does not fill the pattern. */
type Given<Names extends PropertyKey> = { readonly [Name in Names]: {} };
type Params<Names extends string> = { readonly [Name in Names]: PathValue };

/** Options of each call, besides the input that its operation declares. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Header fields of this request. They replace the fields of the client. A list becomes one field, with commas. */
  readonly headers?:
    | { readonly [name: string]: HeaderValue | readonly (HeaderValue | undefined)[] | undefined }
    | undefined;
  /** The media type that the answer should have, if the operation declares several, or HTML. */
  readonly accept?: string | undefined;
  /** The entity tag on which a change is based: the server answers 412 if it has another one (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  /**
   * The entity tag of what is there already: the server answers a read with 304 if it has the same (RFC 9110 §13.1.2).
   */
  readonly ifNoneMatch?: string | undefined;
  /**
   * Names the call for an operation with `idempotency`: a repeat with the same key gets the first answer. Make it with
   * `crypto.randomUUID()`, and keep it for repeats.
   */
  readonly idempotencyKey?: string | undefined;
}

type HeaderValue = string | number | bigint | boolean | Date;

/** The members of the input that all calls share. */
export interface CallInput extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly cookies?: object | undefined;
  readonly content?: unknown;
  readonly type?: string | undefined;
}

type PathOfNames<Names extends string> = [Names] extends [never]
  ? unknown
  : Names & `${string}?` extends never
    ? { readonly path: { readonly [Name in Names]: PathValue } }
    : OptionalPath<RequiredName<Names>, AnyName<Exclude<Names, RequiredName<Names>>>>;

type OptionalPath<Required extends string, Optional extends string> = [Required] extends [never]
  ? { readonly path?: { readonly [Name in Optional]?: PathValue | undefined } | undefined }
  : {
      readonly path: { readonly [Name in Required]: PathValue } & {
        readonly [Name in Optional]?: PathValue | undefined;
      };
    };

/** A part whose members are all optional can be omitted. */
type QueryOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? {} extends Input
    ? { readonly query?: Input | undefined }
    : { readonly query: Input }
  : {};

type HeadersOf<O> = O extends { readonly headers: infer Schema }
  ? {} extends InferInput<Schema>
    ? { readonly headers?: InferInput<Schema> | undefined }
    : { readonly headers: InferInput<Schema> }
  : unknown;

/** An operation requires a key unless it says that it is optional. `true` is any boolean where it is not constant. */
type KeyOf<O> = O extends { readonly idempotency: boolean } ? { readonly idempotencyKey: string } : unknown;

/** The query of pages, besides that of the schema. */
type PageOf<O> = O extends HasPage
  ? { readonly query?: { readonly cursor?: string | undefined; readonly limit?: number | undefined } | undefined }
  : unknown;

/** Browsers add cookies by themselves, and let no script do it. */
type CookiesOf<O> = O extends { readonly cookies: infer Schema }
  ? { readonly cookies?: InferInput<Schema> | undefined }
  : unknown;

/** One type is known without being named: JSON. */
type ContentOf<Declared> = Declared extends {
  readonly "~standard": { readonly types?: { readonly input: infer Input } | undefined };
}
  ? undefined extends Input
    ? { readonly content?: Input | undefined }
    : { readonly content: Input }
  : Declared extends BytesContent
    ? { readonly content: SentContent<Declared>; readonly type?: string | undefined }
    : Declared extends RawContent
      ? {
          readonly content: SentContent<Declared>;
          readonly type: Declared extends FormContent
            ? Declared["type"]
            : Declared extends LinesContent
              ? "application/jsonl" | "application/x-ndjson"
              : string;
        }
      : Declared extends object
        ? TypedContent<Declared>
        : {};

type TypedContent<Declared> = {
  readonly [Type in keyof Declared]: Type extends "application/json"
    ? { readonly content: SentContent<Declared[Type]>; readonly type?: Type | undefined }
    : { readonly content: SentContent<Declared[Type]>; readonly type: Type extends `${string}*` ? string : Type };
}[keyof Declared];
