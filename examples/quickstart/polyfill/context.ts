import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Status, type ContextOf, type Routed, type StatusConstant } from "fingerpost/polyfill";
import type { NodeContext } from "fingerpost/node";

/** What the handlers of this chain get: that of Node, with the params of a resource. */
export type Context<Of extends Routed = Routed> = ContextOf<Of, NodeContext>;

/** All that the client sent as content. */
export function contentOf({ request }: Context): Promise<string> {
  return text(request);
}

/** Answers with content of a media type. */
export function send({ response }: Context, content: string, mediaType = "text/plain;charset=UTF-8"): ServerResponse {
  return response.setHeader("content-type", mediaType).end(content);
}

/** Answers with JSON. */
export function sendJSON(context: Context, value: unknown, status: StatusConstant = Status.OK): ServerResponse {
  context.response.statusCode = status.status;
  return send(context, JSON.stringify(value), "application/json");
}

/** Answers without content. */
export function sendNothing({ response }: Context, { status }: StatusConstant): ServerResponse {
  response.statusCode = status;
  return response.end();
}
