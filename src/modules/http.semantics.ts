export { Attribute } from "../application/attribute.ts";
export type { Decision, ResourceModel } from "../application/application-model.ts";
export type { MiddlewareClass } from "../application/middleware.ts";
export { Middleware, type RequestOf } from "../application/native.ts";
export type { ProblemDetails, Problems } from "../dispatch/error-response.ts";
export type { ReceivedRequest } from "../dispatch/params.ts";
export type { OnError } from "../dispatch/fetch-response.ts";
export type { RequestOptions } from "../application/request-options.ts";
export type { EventStreamOptions } from "../http/message/event-stream.ts";
export { HTTPError, type HTTPErrorOptions } from "../http/protocol/http-error.ts";
export { event, type EventOptions, type ServerSentEvent } from "../http/message/server-sent-event.ts";
export type { ProblemError } from "../http/protocol/problem-error.ts";
export { Status, type StatusConstant, type StatusTable } from "../http/protocol/status.ts";
export { Application, type ApplicationBuilder, type Replies } from "../semantics/semantics-application.ts";
export { form, upload, type FormOptions, type FormMembers, type UploadOptions } from "../semantics/form.ts";
export { lines, type LinesOptions } from "../semantics/declared-lines.ts";
export type { CheckedLine, LineError, LinesContent } from "../semantics/declaration/lines-content.ts";
export type { FormContent, FormMember, UploadMember } from "../semantics/declaration/form-content.ts";
export { page, type PageOptions } from "../semantics/declared-page.ts";
export { problem, type ProblemOptions } from "../semantics/declared-problem.ts";
export type { ProblemContent, ProblemType } from "../semantics/declaration/problem-content.ts";
export { patch } from "../semantics/declared-patch.ts";
export type {
  JsonPatchOperation,
  MergePatch,
  PatchContent,
  PatchOperation,
} from "../semantics/declaration/patch-content.ts";
export type { PageContent } from "../semantics/declaration/page-content.ts";
export type { CheckIssue } from "../json-schema/library/check-branches.ts";
export { jsonSchema, type SchemaCheck } from "../json-schema/library/raw-schema.ts";
export type { Answer, Yields } from "../semantics/declaration/answer.ts";
export type { Asked, AskedAt } from "../semantics/declaration/asked.ts";
export type { May } from "../semantics/declaration/may.ts";
export type { Call, ReturnsOnlyWhatIsDeclared } from "../semantics/declaration/call.ts";
export type { InputOf } from "../semantics/declaration/call-values.ts";
export type {
  AnswerMembers,
  DeclaredAnswer,
  DeclaredContent,
  Deprecation,
  Method,
  Operation,
  SecurityScheme,
} from "../semantics/declaration/operation.ts";
export { json, type JsonContent, type JsonOptions } from "../semantics/declaration/json-content.ts";
export {
  bytes,
  text,
  written,
  type BytesContent,
  type BytesOptions,
  type RawContent,
  type RawContentOptions,
  type StoredContent,
  type TextContent,
  type WrittenContent,
  type WrittenOptions,
} from "../semantics/declaration/raw-content.ts";
export { events } from "../semantics/declared-events.ts";
export type { EventsContent } from "../semantics/declaration/events-content.ts";
export type { SocketContent, SocketSide } from "../semantics/declaration/socket-content.ts";
export {
  reply,
  type Problem,
  type Reply,
  type ReplyHeaders,
  type ReplyWithHeaders,
} from "../semantics/declaration/reply.ts";
export type { CheckedMembers } from "../semantics/declaration/resource-class.ts";
export type { WithoutOperations } from "../semantics/declaration/without-operations.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "../json-schema/shape/standard-schema.ts";
export type { ExplainOptions, Explanation, Question } from "../semantics/line/explanation.ts";
export { readInput, type HandledInput } from "../semantics/read-input.ts";
export { Resource } from "../semantics/semantics-resource.ts";
export { socket, type SocketOptions } from "../semantics/socket.ts";
export type { HandshakeOptions } from "../application/fetch-application.ts";
export type { ClientSocket, SocketClose } from "../sockets/client-socket.ts";
export type { InvalidMember, Peer, PeerHandlers } from "../sockets/peer.ts";
export { urlOf, type LocatedValues } from "../semantics/url-of.ts";
export { ResourceGroup, type ResourceGroupBuilder } from "../semantics/semantics-group.ts";
