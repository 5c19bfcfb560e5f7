/** Knows of a request whether a server made it, and framed its content by its length. */
export interface Framing {
  frames?(this: void, request: Request, passed: object): boolean;
}

/** Names what was noted in a request: the request itself, of which a Proxy or an heir is another one, and more. */
const noted: unique symbol = Symbol("noted");

interface Noted {
  [noted]?: { readonly request: object; readonly passed: object; readonly host: Framing };
}

/** Notes what a runtime passed beside a request: its server on Bun, what it knows of the request on Deno. */
export function notePassed(request: unknown, passed: unknown, host: Framing): void {
  if (host.frames === undefined || !isObject(request) || !isObject(passed)) return;
  try {
    (request as Noted)[noted] = { request, passed, host };
  } catch {
    // Nothing is known of a frozen request.
  }
}

/** Returns what a runtime passed with this very request. Undefined if it passed nothing. */
export function passedWith(request: object): object | undefined {
  const known = (request as Noted)[noted];
  return known?.request === request ? known.passed : undefined;
}

/**
 * Returns whether the server of the runtime made a request, and `Content-Length` framed its content. Then the content
 * is as long as the field says. Nobody has begun to read it, and it did not come by TLS. Bun and Deno refuse a length
 * that is there twice, is not a number, or is beside a transfer coding, or drop it
 * (`tests/runtimes/questions/framing.ts`). Anybody can pass what they pass to `fetch`, so the host has the proof.
 */
export function isFramed(request: object): boolean {
  const passed = passedWith(request);
  if (
    passed === undefined ||
    Object.getPrototypeOf(request) !== Request.prototype ||
    changeable.some((name) => Object.hasOwn(request, name))
  )
    return false;
  const { bodyUsed, headers, url } = request as Request;
  return (
    !bodyUsed &&
    url.startsWith("http://") &&
    headers.get("transfer-encoding") === null &&
    (request as Noted)[noted]!.host.frames!(request as Request, passed)
  );
}

/** The members by which somebody may have given a request other content. */
const changeable = ["arrayBuffer", "body", "bodyUsed", "headers", "url"] as const;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
