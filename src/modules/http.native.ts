export { Attribute } from "../application/attribute.ts";
export type { Input } from "../dispatch/input.ts";
export type { Decision, ResourceModel } from "../application/application-model.ts";
export { ResourceGroup, type ResourceGroupBuilder } from "../application/resource-group.ts";
export type { MiddlewareClass } from "../application/middleware.ts";
export type { ProblemDetails, Problems } from "../dispatch/error-response.ts";
export { HTTPError, type HTTPErrorOptions } from "../http/protocol/http-error.ts";
export type { Method } from "../http/protocol/method.ts";
export { Response } from "../http/message/response.ts";
export type { ProblemError } from "../http/protocol/problem-error.ts";
export { Status, statusOf, type StatusConstant, type StatusTable } from "../http/protocol/status.ts";
export type { StatusPair } from "../http/protocol/status-constant.ts";
export type { PathPattern, PathPatternError } from "../routing/pattern/path-pattern.ts";
export type { PathParam, PathSegment } from "../routing/pattern/path-segment.ts";
export {
  Application,
  Middleware,
  Resource,
  type ApplicationBuilder,
  type RequestOf,
  type RoutedRequest,
} from "../application/native.ts";
export type { RequestOptions } from "../application/request-options.ts";
export type { OnError } from "../dispatch/fetch-response.ts";
export type { NamedParams, Params, ParamsOf, ReceivedRequest } from "../dispatch/params.ts";
export type { Routed } from "../routing/pattern/path-param-names.ts";
export type { HandshakeOptions } from "../application/fetch-application.ts";
export type { ClientSocket, SocketClose } from "../sockets/client-socket.ts";
