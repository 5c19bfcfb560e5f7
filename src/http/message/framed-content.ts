/** Finds requests whose content a server framed by its length. */
export interface Framing {
  /** Notes what a runtime passed beside a request: its server on Bun, what it knows of the request on Deno. */
  note(request: unknown, host: unknown): void;
  /** Returns whether a runtime passed itself with this very request, so that its server gets the answer. */
  isServed(request: object): boolean;
  /**
   * Returns whether the server of the runtime made a request, and `Content-Length` framed its content. Then the content
   * is as long as the field says. Nobody has begun to read it, and it did not come by TLS.
   */
  isFramed(request: object): boolean;
}

/** The globals by which a runtime is recognized. */
interface FramingRuntime {
  readonly Request: typeof globalThis.Request;
  readonly Bun?: unknown;
  readonly Deno?: unknown;
}

/** Names what was noted in a request: the request itself, of which a Proxy or an heir is another one, and its host. */
const noted: unique symbol = Symbol("noted");

interface Noted {
  [noted]?: { readonly request: object; readonly host: unknown };
}

/**
 * Returns the proofs of a runtime. Null where there is none.
 *
 * Bun and Deno refuse a length that is there twice, is not a number, or is beside a transfer coding, or drop it
 * (`tests/runtimes/questions/framing.ts`). Anybody can pass what they pass to `fetch`. But Bun knows the addresses of
 * its own requests only, and on Deno only its own have fields that cannot be changed. Requests that middleware made, be
 * it of one of theirs, have neither.
 */
export function framingOf(runtime: FramingRuntime): Framing | null {
  // Node takes 20 ms to load its class of requests, so it is not asked for here.
  const { Bun, Deno } = runtime;
  if (Bun === undefined && Deno === undefined) return null;
  const isMadeByServer = Bun === undefined ? hasFixedFields : isKnownToServer;
  return {
    note(request, host) {
      // Not an assignment, which would throw for a frozen request.
      if (isObject(request) && isObject(host)) Reflect.set(request, noted, { request, host });
    },
    isServed(request) {
      const known = (request as Noted)[noted];
      // Applications pass an object of their own beside a request, such as bindings. To ask Bun for the address takes
      // as long as is saved.
      return (
        known?.request === request &&
        (Bun === undefined ? hasFixedFields(request as Request) : isServer(known.host as object))
      );
    },
    isFramed(request) {
      const known = (request as Noted)[noted];
      if (known === undefined || known.request !== request) return false;
      if (
        Object.getPrototypeOf(request) !== runtime.Request.prototype ||
        changeable.some((name) => Object.hasOwn(request, name))
      )
        return false;
      const { bodyUsed, headers, url } = request as globalThis.Request;
      return (
        !bodyUsed &&
        url.startsWith("http://") &&
        headers.get("transfer-encoding") === null &&
        isMadeByServer(request as globalThis.Request, known.host as object)
      );
    },
  };
}

/** The members by which somebody may have given a request other content. */
const changeable = ["arrayBuffer", "body", "bodyUsed", "headers", "url"] as const;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isServer(host: object): host is { requestIP(request: Request): unknown } {
  return typeof (host as { requestIP?: unknown }).requestIP === "function";
}

function isKnownToServer(request: Request, host: object): boolean {
  try {
    return isServer(host) && host.requestIP(request) !== null;
  } catch {
    return false;
  }
}

/** The symbol by which Deno keeps in a request whether its fields can be changed, once it was found. */
let guard: symbol | undefined;

/** By what Deno keeps in a request: to try and change its fields throws, which costs as much as is saved. */
function hasFixedFields(request: Request): boolean {
  if (guard === undefined || !Object.hasOwn(request, guard)) {
    guard = Object.getOwnPropertySymbols(request).find(({ description }) => description === "headers guard");
  }
  return guard !== undefined && (request as unknown as Record<symbol, unknown>)[guard] === "immutable";
}

/** The proofs of this runtime. */
export const framing: Framing | null = /* @__PURE__ */ framingOf(globalThis);
