import { trustUrlsOf } from "../../dispatch/input.ts";
import { quiet, withQuietContent } from "../../http/quiet-content.ts";
import { contentOf, hasContent } from "./content.ts";
import { headersOf, signalOf, type NodeRequest, type NodeResponse } from "./message.ts";

type LightRequestClass = new (message: NodeRequest, response: NodeResponse, url: string) => Request;

let lightRequestClass: LightRequestClass | undefined;

/**
 * Makes a `Request` of which there is only what a handler reads: fields and signal are made when they are asked for, and what
 * they do not tell comes from a `Request` of Node's own class, which is made then.
 *
 * It is an `instanceof Request`. `new Request(request)`, `fetch(request)`, and whatever else looks for what instances of no
 * class but Node's own can have, throw a `TypeError` (`decisions/024`).
 */
export function makeLightRequest(message: NodeRequest, response: NodeResponse, url: string): Request {
  return new (lightRequestClass ??= makeClass())(message, response, url);
}

/** Makes a `Request` of Node's own class. */
export function makeRequest(message: NodeRequest, response: NodeResponse, parts: RequestParts): Request {
  const request = requestWith(message, response, parts);
  return hasContent(message) ? withQuietContent(request) : request;
}

type RequestParts = Pick<Request, "url" | "method" | "headers"> & { readonly signal?: AbortSignal | null };

function requestWith(
  message: NodeRequest,
  response: NodeResponse,
  { url, method, headers, signal = null }: RequestParts,
): Request {
  const body = hasContent(message) ? contentOf(message, response) : null;
  // `duplex` is required with a stream, and unknown to the DOM's types.
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/** As late as this: to look at the global `Request` costs Node milliseconds, which contexts need not pay. */
function makeClass(): LightRequestClass {
  const native = Request.prototype;

  class LightRequest {
    readonly #message: NodeRequest;
    readonly #response: NodeResponse;
    readonly #url: string;
    #headers: Headers | undefined;
    #signal: AbortSignal | undefined;
    #whole: Request | undefined;

    constructor(message: NodeRequest, response: NodeResponse, url: string) {
      this.#message = message;
      this.#response = response;
      this.#url = url;
    }

    static whole(request: LightRequest): Request {
      const { url, method, headers } = request;
      if (request.#whole !== undefined) return withFields(request.#whole, headers);
      // PERF: without a signal, which costs more than the rest of it (`decisions/024`); `signal` is our own.
      return (request.#whole = requestWith(request.#message, request.#response, { url, method, headers }));
    }

    get url(): string {
      return this.#url;
    }

    get method(): string {
      return this.#message.method as string;
    }

    get headers(): Headers {
      return (this.#headers ??= headersOf(this.#message));
    }

    get signal(): AbortSignal {
      return (this.#signal ??= signalOf(this.#response));
    }

    get body(): ReadableStream<Uint8Array> | null {
      return hasContent(this.#message) ? LightRequest.whole(this).body : null;
    }

    get bodyUsed(): boolean {
      return this.#whole?.bodyUsed ?? false;
    }

    clone(): Request {
      const clone = new Request(LightRequest.whole(this).clone(), { signal: this.signal });
      return hasContent(this.#message) ? withQuietContent(clone) : clone;
    }
  }

  const { prototype, whole } = LightRequest;
  Reflect.deleteProperty(prototype, "constructor");
  for (const key of Reflect.ownKeys(native)) {
    if (key === "constructor") continue;
    if (Object.hasOwn(prototype, key)) {
      // Members of a class are not, and those of `Request` are.
      Object.defineProperty(prototype, key, { enumerable: true });
      continue;
    }
    const descriptor = Object.getOwnPropertyDescriptor(native, key)!;
    const { get, value } = descriptor;
    if (get !== undefined) {
      descriptor.get = function (this: LightRequest): unknown {
        return Reflect.apply(get, whole(this), []);
      };
    } else if (typeof value === "function") {
      descriptor.value = function (this: LightRequest, ...args: unknown[]): unknown {
        return quiet(Reflect.apply(value, whole(this), args) as unknown);
      };
    }
    Object.defineProperty(prototype, key, descriptor);
  }
  Object.setPrototypeOf(prototype, native);
  trustUrlsOf(prototype);
  return LightRequest as unknown as LightRequestClass;
}

/** Gives the whole one the fields that were set on the light one since: what reads its content may go by them. */
function withFields(whole: Request, fields: Headers): Request {
  for (const name of new Set(whole.headers.keys())) whole.headers.delete(name);
  for (const [name, value] of fields) whole.headers.append(name, value);
  return whole;
}
