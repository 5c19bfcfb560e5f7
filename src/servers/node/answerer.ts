import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { hasLeft, onLeaving, type NodeRequest, type NodeResponse } from "./message.ts";
import type { ListenerOptions } from "./options.ts";
import { requestOf, type RequestLike } from "./request.ts";
import { send } from "./response.ts";

export type Answerer = (request: NodeRequest, response: NodeResponse) => Promise<void>;
/** Reports an error and answers with it. @param input what the application was given, if it was given one. */
export type Fail = (error: unknown, request: NodeRequest, response: NodeResponse, input?: object) => void;
export type Fetching = { fetch(request: Request | RequestLike): Promise<Response> };
export type Handling = { handle(context: object): Promise<unknown> };

/** PERF: functions that never reject, and are made once: 0.2 to 0.6 us less for each request (`bench/http`). */
export function answererOf(
  app: Partial<Fetching & Handling> | null | undefined,
  options: ListenerOptions,
  fail: Fail,
): Answerer {
  if (typeof app?.fetch === "function") return byFetch(app as Fetching, options, fail);
  if (typeof app?.handle === "function") return byHandle(app as Handling, options, fail);
  if (app !== null && typeof app === "object" && "build" in app) {
    throw new TypeError("Cannot serve the application: it is not built yet; call build()");
  }
  throw new TypeError('Cannot serve the application: expected an object with a method "fetch" or "handle"');
}

function byFetch(app: Fetching, options: ListenerOptions, fail: Fail): Answerer {
  const { lightRequests = true } = options;
  return async (request, response) => {
    let input: Request | RequestLike | undefined;
    try {
      input = requestOf(request, response, lightRequests);
      const told = prepare(input, request, options);
      if (told !== undefined) await told;
      await send(await app.fetch(input), request, response);
    } catch (error) {
      fail(error, request, response, input);
    }
  };
}

function byHandle(app: Handling, options: ListenerOptions, fail: Fail): Answerer {
  /** What `pipe()` does not do, and `pipeline()` does: a source that fails, or is no longer wanted, ends nothing but its answer. */
  function watch(this: NodeResponse, source: Readable): void {
    // Many may follow one another.
    source.once(
      "close",
      onLeaving(this, () => source.destroy()),
    );
    source.once("error", (error) => source.listenerCount("error") > 0 || fail(error, this.req, this));
  }
  return async (request, response) => {
    const { url = "", method = "" } = request;
    const context = { url, method, request, response };
    try {
      const told = prepare(context, request, options);
      if (told !== undefined) await told;
      response.on("pipe", watch);
      await app.handle(context);
      // A pipe leaves a listener for "unpipe" on what it leads to.
      if (response.headersSent || response.writableEnded || response.listenerCount("unpipe") > 0) return;
      if (hasLeft(response)) return;
      throw new TypeError(
        `Cannot answer ${method.slice(0, 80)} ${url.slice(0, 80)}: handle() fulfilled before anything was written`,
      );
    } catch (error) {
      fail(error, request, response, context);
    }
  };
}

/** Tells an input what only Node knows of its request. @returns what is to be waited for, if anything is. */
function prepare(input: object, request: NodeRequest, { address, onRequest }: ListenerOptions): unknown {
  if (address !== undefined) {
    const { remoteAddress } = request.socket;
    // Node forgets it when the client has left.
    if (remoteAddress !== undefined) address.set(input, remoteAddress);
  }
  return onRequest?.(input, request as IncomingMessage);
}
