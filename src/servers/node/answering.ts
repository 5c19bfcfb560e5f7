import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { LoadLimit } from "../../dispatch/load-limit.ts";
import { isCausedBy, print, reportServerFault } from "../../dispatch/error-response.ts";
import { whereFailed } from "../../dispatch/failed-within.ts";
import type { Input } from "../../dispatch/input.ts";
import { propertyOf, hasProperty } from "../../http/javascript/property.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { Status } from "../../http/protocol/status.ts";
import { hasLeft, isHttp2, onLeaving, signalOf, type NodeRequest, type NodeResponse } from "./client-leave.ts";
import type { ListenerOptions } from "./server-options.ts";
import { refuse, type Shaping } from "./refusing.ts";
import { hostOf, requestOf, type RequestLike } from "./incoming-request.ts";
import { send } from "./response-writing.ts";
import { boundUnread } from "./unread.ts";

export type Listener = (request: NodeRequest, response: NodeResponse) => Promise<void>;
export type Fetching = Shaped & { fetch(request: Request | RequestLike): Promise<Response> };
export type Handling = Shaped & { handle(context: object): Promise<unknown> };
/** Applications of other packages lack it. */
type Shaped = { readonly dispatcher?: Shaping };

/**
 * Makes a listener of an application: one request's way from the message that arrives to the answer, whatever fails on
 * it. Listeners never reject, and are made once.
 * @throws {TypeError} when it is given something else than an application.
 */
export function listenerOf(
  app: Partial<Fetching & Handling> | null | undefined,
  options: ListenerOptions,
  limit: LoadLimit | null = null,
): Listener {
  if (typeof app?.fetch === "function") return byFetch(app as Fetching, options, limit);
  if (typeof app?.handle === "function") return byHandle(app as Handling, options, limit);
  if (app !== null && typeof app === "object" && hasProperty(app, "build")) {
    throw new TypeError("Cannot serve the application: it is not built yet; call build()");
  }
  throw new TypeError('Cannot serve the application: expected an object with a method "fetch" or "handle"');
}

const done = Promise.resolve();

function byFetch(app: Fetching, options: ListenerOptions, limit: LoadLimit | null): Listener {
  const { lightRequests = true } = options;
  const prepare = preparationBy(options);
  const { fail, decline, reportLate } = reportsTo(options, app);
  return (request, response) => {
    // Without a listener, a handler that writes after the end would bring the process down.
    response.on("error", reportLate);
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    if (length !== undefined || coding !== undefined || isHttp2(response)) boundUnread(request, response, false);
    const refused = limit?.enter(request) ?? null;
    if (refused !== null) return (decline(refused, request, response), done);
    let input: Request | RequestLike | undefined;
    const failed = (error: unknown): void => fail(error, request, response, input);
    const unanswered = (error: unknown): void => {
      limit?.leave();
      failed(error);
    };
    // PERF: 1 Promise for each request, where two awaits take 3 (`node bench/requests/kernel-less.js`).
    const answer = (web: Response): Promise<void> | undefined => {
      // What is sent from here on is no request that waits: a stream may take days.
      limit?.leave();
      try {
        return send(web, request, response)?.catch(failed);
      } catch (error) {
        return void failed(error);
      }
    };
    try {
      const made = (input = requestOf(request, response, lightRequests));
      const pending = prepare?.(made, request);
      const given = pending === undefined ? app.fetch(made) : Promise.resolve(pending).then(() => app.fetch(made));
      // Applications of other packages may return a response at once.
      return Promise.resolve(given).then(answer, unanswered);
    } catch (error) {
      unanswered(error);
      return done;
    }
  };
}

function byHandle(app: Handling, options: ListenerOptions, limit: LoadLimit | null): Listener {
  const prepare = preparationBy(options);
  const { fail, decline, reportLate } = reportsTo(options, app);
  /**
   * What `pipe()` does not do, and `pipeline()` does: a source that fails, or is no longer wanted, ends nothing but its
   * answer.
   */
  function watch(this: NodeResponse, source: Readable): void {
    // Many may follow one another.
    source.once(
      "close",
      onLeaving(this, () => source.destroy()),
    );
    source.once("error", (error) => source.listenerCount("error") > 0 || fail(error, this.req, this));
  }
  return async (request, response) => {
    response.on("error", reportLate);
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    if (length !== undefined || coding !== undefined || isHttp2(response)) boundUnread(request, response, true);
    const refused = limit?.enter(request) ?? null;
    if (refused !== null) return decline(refused, request, response);
    const { url = "", method = "" } = request;
    let signal: AbortSignal | undefined;
    const context = {
      url,
      method,
      request,
      response,
      get signal(): AbortSignal {
        return (signal ??= signalOf(response));
      },
    };
    try {
      hostOf(request);
      const pending = prepare?.(context, request);
      if (pending !== undefined) await pending;
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
    } finally {
      limit?.leave();
    }
  };
}

/**
 * Makes the function that adds what only Node knows to an input: the address of the client, and what `onRequest()`
 * adds. It returns what must be waited for, if anything. Undefined where nothing is added.
 */
export function preparationBy({
  address,
  onRequest,
}: ListenerOptions): ((input: object, request: NodeRequest) => unknown) | undefined {
  if (address === undefined && onRequest === undefined) return undefined;
  return (input, request) => {
    if (address !== undefined) {
      const { remoteAddress } = request.socket;
      if (remoteAddress !== undefined) address.set(input, remoteAddress);
      // A client that reset its connection is nobody any more. Unix sockets have no address of their own, either.
      else if (request.socket.localAddress !== undefined) throw new HTTPError(Status.BadRequest);
    }
    return onRequest?.(input, request as IncomingMessage);
  };
}

export interface Reports {
  /** Reports an error and answers with it. @param input what the application was given, if it was given one. */
  fail(this: void, error: unknown, request: NodeRequest, response: NodeResponse, input?: object): void;
  /** Answers with an error that nobody has to learn of. */
  decline(this: void, error: unknown, request: NodeRequest, response: NodeResponse, input?: object): void;
  /** Reports what a response emits when there is nothing to answer any more. */
  reportLate(this: NodeResponse, error: unknown): void;
}

/** Makes the functions that report errors to an observer, or print them. */
export function reportsTo({ onError }: ListenerOptions, app: Shaped): Reports {
  const shaping = propertyOf(app, "dispatcher") ?? null;
  const observe = async (error: unknown, request: NodeRequest, input?: object): Promise<void> => {
    if (onError !== undefined) await onError(error, input, request as IncomingMessage);
    // What Node says of content that breaks off is no fault of the server.
    else if (!request.errored || !isCausedBy(error, request.errored))
      reportServerFault(error, (input ?? request) as Input);
  };
  const report = (error: unknown, request: NodeRequest, input?: object): void => {
    // An observer that fails must not end the process, nor keep either error from the host.
    whereFailed(input ?? request, () => observe(error, request, input)).catch((fault: unknown) => {
      print(error);
      print(fault);
    });
  };
  const decline: Reports["decline"] = (error, request, response, input = request) =>
    refuse(error, request, response, shaping, input);
  return {
    decline,
    fail(error, request, response, input) {
      report(error, request, input);
      decline(error, request, response, input);
    },
    reportLate(error) {
      report(error, this.req);
    },
  };
}
