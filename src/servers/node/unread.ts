import { isHttp2, type NodeRequest, type NodeResponse } from "./leaving.ts";

/** How long an answer has to arrive before what its client still sends is cut: clients may take what comes with its end for an error. */
const graceMs = 1000;

/**
 * Has a server receive no content without end once a request is answered: what its client would still send is of no use (RFC
 * 9113 §8.1).
 *
 * @param mayReadOn whether handlers were given Node's own objects, and may read on behind an answer that is no error.
 */
export function boundUnread(message: NodeRequest, response: NodeResponse, mayReadOn: boolean): void {
  if (!isHttp2(response) || response.stream.endAfterHeaders) return;
  const { stream } = response;
  // Node closes a stream by itself in some cases only: not where its answer has no content, or where some was read.
  stream.once("finish", () => {
    if (message.readableEnded || (mayReadOn && isReadOn(message, response))) return;
    const timer = setTimeout(() => stream.close(), graceMs).unref();
    stream.once("close", () => clearTimeout(timer));
  });
}

/** Whether a handler reads on behind an answer, such as 202. */
function isReadOn(message: NodeRequest, { statusCode }: NodeResponse): boolean {
  return statusCode < 400 && message.listenerCount("data") + message.listenerCount("readable") > 0;
}
