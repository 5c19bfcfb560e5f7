import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { print } from "../../dispatch/error-response.ts";
import { hasLeft, type NodeRequest, type NodeResponse } from "./message.ts";
import { sendProblem } from "./response.ts";

/** Answers with an error, or, if an answer has begun, breaks it off so that it cannot be taken for a whole one. */
export function refuse(error: unknown, request: NodeRequest, response: NodeResponse): void {
  if (response.writableEnded || hasLeft(response)) return;
  // An error that makes no response is, like any unknown one, the server's fault.
  for (const reason of [error, undefined]) {
    try {
      if (!response.headersSent) return sendProblem(reason, request, response);
    } catch (failure) {
      print(failure);
    }
  }
  if ("stream" in response) response.stream.close(2); // RFC 9113 §7: INTERNAL_ERROR
  // One that waits for its turn has no connection yet; Node 24 and later would leave that open.
  else if (response.socket === null) response.once("socket", (socket: Socket) => socket.destroy());
  else breakOff(response);
}

/** RFC 9112 §8: content with neither chunks nor a length is whole when the connection ends, but for an error of that. */
function breakOff(response: ServerResponse): void {
  try {
    if (!response.chunkedEncoding && !response.hasHeader("content-length")) response.socket?.resetAndDestroy();
  } catch {
    // Only TCP can be reset. TLS ends without close_notify (RFC 9112 §9.8), a Unix socket as it always does.
  }
  response.destroy();
}
