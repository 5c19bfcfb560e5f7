import type { Bytes, BytesView } from "../../http/javascript/bytes.ts";
import type { ServerSentEvent } from "../../http/message/server-sent-event.ts";
import type { DeclaringClass, Method, OperationOf, StatusKey, StatusOf } from "./operation.ts";
import type { PeerHandlers } from "../../sockets/peer.ts";
import type { LinesContent } from "./lines-content.ts";
import type { EventsContent } from "./events-content.ts";
import type { BytesContent, RawContent, TextContent, WrittenContent } from "./raw-content.ts";
import type { SocketContent, SocketSide } from "./socket-content.ts";
import type { Problem, Reply, ReplyHeaders, ReplyWithHeaders } from "./reply.ts";
import type { InferInput, InferOutput } from "../../json-schema/shape/standard-schema.ts";

/**
 * The result of a handler: the content of 200 as it is, or a `reply()` with a declared status.
 *
 * Content is the input side of its schema. `undefined` is the answer with 204, or 200 without content, where one is
 * declared.
 *
 * @typeParam Of the type of the resource class: `typeof Book`.
 * @typeParam Name the method.
 * @example
 * ```ts
 * class Book extends Resource {
 *   paths = ["/books/:isbn"];
 *
 *   static GET = { 200: z.object({ title: z.string() }), 404: "No book has this ISBN" };
 *   GET({ path }: Call<typeof Book, "GET">): Answer<typeof Book, "GET"> {
 *     return path.isbn === "1" ? { title: "Kindred" } : reply(404);
 *   }
 * }
 * ```
 */
export type Answer<Of extends DeclaringClass, Name extends Method> = AnswerOf<OperationOf<Of, Name>>;

/**
 * The possible answers of an operation. One conditional type for each status makes the Reply and the content of 200
 * together. Schemas come first. A description is inspected once for each status.
 * PERF: 50 of the 247 instantiations that a handler costs the compiler (`node scripts/check/type-cost.js`).
 */
export type AnswerOf<O> = AnswersOf<O>[keyof O & StatusKey];
type AnswersOf<O> = { readonly [Key in keyof O & StatusKey]: AnswerWith<StatusOf<Key>, O[Key]> };

/**
 * The type of a handler that is a generator: what it yields, and the replies that it may return before its first value.
 *
 * @typeParam Of the type of the resource class: `typeof Books`.
 * @typeParam Name the method.
 * @example
 * ```ts
 * class Books extends Resource {
 *   paths = ["/books/:shelf"] as const;
 *
 *   static GET = { 200: lines(z.object({ title: z.string() })), 404: "No shelf has this name" };
 *   async *GET({ path }: Call<typeof Books, "GET">): Yields<typeof Books, "GET"> {
 *     if (path.shelf !== "novels") return reply(404);
 *     yield { title: "Emma" };
 *     return undefined;
 *   }
 * }
 * ```
 */
export type Yields<Of extends DeclaringClass, Name extends Method> = YieldsOf<AnswerOf<OperationOf<Of, Name>>>;

type YieldsOf<Given> = AsyncGenerator<
  Given extends AsyncIterable<infer Value> ? Value : never,
  Extract<Given, Reply> | undefined,
  undefined
>;

type AnswerWith<Status extends number, Declared> = Declared extends {
  readonly "~standard": { readonly types?: { readonly input: infer Content } | undefined };
}
  ? Reply<Status, Content> | (Status extends 200 ? Content : never)
  : Declared extends string
    ? Reply<Status, NoContent<Status>> | (Status extends 200 | 204 ? undefined : never)
    : Declared extends RawContent
      ? Reply<Status, GivenContent<Declared>> | (Status extends 200 ? GivenContent<Declared> : never)
      : Declared extends { readonly content: infer Content }
        ? DeclaredReply<Status, GivenContent<Content>, Declared> | (Status extends 200 ? GivenContent<Content> : never)
        : Declared extends SocketContent<infer Receives, infer Sends>
          ? Reply<Status, PeerHandlers<ReceivedOf<Receives>, SentOf<Sends>>>
          : DeclaredReply<Status, NoContent<Status>, Declared> | (Status extends 200 | 204 ? undefined : never);

/** The value of a message that a peer has sent. */
type ReceivedOf<Side extends SocketSide> = Side extends TextContent
  ? string
  : Side extends BytesContent
    ? Bytes
    : InferOutput<Side>;

/** The value of a message that a handler sends. */
type SentOf<Side extends SocketSide> = Side extends TextContent
  ? string
  : Side extends BytesContent
    ? BytesView
    : InferInput<Side>;

/**
 * The content of a handler's answer with a status without declared content: nothing, or problem details from 400 on.
 */
type NoContent<Status extends number> = `${Status}` extends `${4 | 5}${string}` ? Problem | undefined : undefined;

/** The content that a handler returns: the input of its schema, or the values that the raw kind writes. */
type GivenContent<Declared> = Declared extends { readonly "~standard": unknown }
  ? InferInput<Declared>
  : Declared extends RawContent
    ? GivenRawContent<Declared>
    : GivenByMediaType<Declared>;

type GivenRawContent<Declared> = Declared extends BytesContent
  ? Blob | ArrayBuffer | BytesView | ReadableStream<Uint8Array> | AsyncIterable<BytesView>
  : Declared extends TextContent
    ? string | AsyncIterable<string>
    : Declared extends EventsContent<infer Schema>
      ? AsyncIterable<InferInput<Schema> | ServerSentEvent<InferInput<Schema>>>
      : Declared extends LinesContent<infer Schema>
        ? AsyncIterable<InferInput<Schema>>
        : Declared extends WrittenContent<infer Value>
          ? Value
          : never;

/** A function that writes another representation takes the values of the schemas. Alone, it declares its own. */
type GivenByMediaType<Declared> = {
  [MediaType in keyof Declared]: Declared[MediaType] extends { readonly kind: "written" }
    ? never
    : GivenContent<Declared[MediaType]>;
}[keyof Declared] extends infer Content
  ? [Content] extends [never]
    ? GivenRawContent<Declared[keyof Declared]>
    : Content
  : never;

type DeclaredReply<Status extends number, Content, Declared> = Declared extends { readonly headers: infer Headers }
  ? ReplyWithHeaders<Status, Content, GivenFields<Headers>>
  : Reply<Status, Content>;

/** The declared fields, and others as well. If none is required, the fields can be omitted. */
type GivenFields<Headers> = [OptionalField<Headers>] extends [never]
  ? { readonly [Name in keyof Headers]: InferInput<Headers[Name]> } & ReplyHeaders
  : keyof Headers extends OptionalField<Headers>
    ? (Partial<FieldsOf<Headers>> & ReplyHeaders) | undefined
    : Omit<FieldsOf<Headers>, OptionalField<Headers>> &
        Partial<Pick<FieldsOf<Headers>, OptionalField<Headers>>> &
        ReplyHeaders;

type FieldsOf<Headers> = { readonly [Name in keyof Headers]: InferInput<Headers[Name]> };

type OptionalField<Headers> = {
  [Name in keyof Headers]: undefined extends InferInput<Headers[Name]> ? Name : never;
}[keyof Headers];
