import { isURL } from "../http/javascript/any-realm.ts";
import { described } from "../http/javascript/described.ts";
import { running } from "./runtime-host.ts";

/** The input of an application: a Web `Request`, or any object that has a URL and a method. */
export interface Input {
  /** An absolute URL, or the request target in origin-form. */
  readonly url: string;
  /** The method token, case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
}

const expected = 'Cannot handle the input: expected an object with strings "url" and "method"';

/** Reads the URL of an input. @throws {TypeError} when the host passed no input or no string. */
export function inputURLOf(input: unknown): string {
  if (input === null || (typeof input !== "object" && typeof input !== "function")) {
    throw new TypeError(`${expected}, got ${described(input)}`);
  }
  const { url } = input as { url?: unknown };
  if (typeof url === "string") return url;
  const hint = isURL(url) ? '; write "url: url.href"' : "";
  throw new TypeError(`${expected}, its "url" is ${described(url)}${hint}`);
}

/** Reads the method token of an input. @throws {TypeError} when it is not a string. */
export function methodOf(input: unknown): string {
  const { method } = input as { method?: unknown };
  if (typeof method === "string") return method;
  throw new TypeError(`${expected}, its "method" is ${described(method)}`);
}

/**
 * Returns the path in a URL as it is: not decoded, and with dot segments. Returns an empty string if there is no path.
 */
export function pathIn(url: string): string {
  // User names and passwords are before the path.
  return /^(?:[^/?#]*:\/\/[^/?#]*)?([^?#]*)/.exec(url)![1]!;
}

let requestPrototype: object | undefined;

/**
 * Returns whether an input is a Web `Request` itself, whose URL the URL parser wrote. Looks up the global as late as
 * possible: loading it costs Node milliseconds that a context object need not pay.
 */
export function isRequest(input: object): boolean {
  return Object.getPrototypeOf(input) === prototypeOfRequests();
}

function prototypeOfRequests(): object {
  return (requestPrototype ??= globalThis.Request?.prototype ?? {});
}

/** The prototype of the requests that our servers make. */
let ownPrototype: object | undefined;

/** Trusts the URLs of requests with a prototype: the URL parser wrote them, or would write them like that. */
export function trustUrlsOf(prototype: object): void {
  ownPrototype = prototype;
}

/**
 * Returns where the path begins in the URL of an input, if the URL parser wrote it, for `http` or `https`. Else returns
 * -1: other schemes have other layouts, such as `blob:http://h/a` or `file:///a`. PERF: reads a property of the input
 * first: then V8 knows its shape, and its prototype takes no call, 5 % (`node bench/handle.js`).
 */
export function serializedPathStart(input: object, url: string): number {
  if (input.constructor === undefined) return -1;
  const prototype = Object.getPrototypeOf(input);
  if (prototype === ownPrototype) return parsedPathStart(url);
  // Other servers are unknown (`docs/runtimes.md`).
  return prototype === prototypeOfRequests() ? (running.host.pathStart?.(url) ?? -1) : -1;
}

/**
 * Returns where the path begins in a URL that the URL parser wrote; -1 if its scheme is neither `http` nor `https`.
 * PERF: compares codes of characters; strings of one character cost 5 % of `handle()`, and `startsWith` more
 * (`node bench/handle.js`).
 */
export function parsedPathStart(url: string): number {
  const isHttp =
    url.charCodeAt(0) === 0x68 &&
    url.charCodeAt(1) === 0x74 &&
    url.charCodeAt(2) === 0x74 &&
    url.charCodeAt(3) === 0x70 &&
    url.charCodeAt(url.charCodeAt(4) === 0x73 ? 5 : 4) === 0x3a;
  // The shortest form is `http://h/`, so the first slash from there on is the path's.
  return isHttp ? url.indexOf("/", 8) : -1;
}

/**
 * Attaches `params` to an input, replacing the params of an earlier call, which must not remain if nothing matches now.
 * PERF: plain assignment; a defined property costs 10 times as much (`node bench/handle.js`).
 * @throws {TypeError} when the input is frozen or refuses the assignment.
 */
export function attachParams(input: object, params: object | undefined): void {
  const carrier = input as { params?: unknown };
  if (params === undefined && !("params" in carrier)) return;
  let isTaken: boolean;
  try {
    carrier.params = params;
    isTaken = carrier.params === params;
  } catch {
    // The class of an input may have a getter of that name, as the requests of Bun's `routes` have.
    const isOfClass = "params" in carrier && !Object.hasOwn(input, "params");
    const property = { value: params, writable: true, enumerable: true, configurable: true };
    isTaken = isOfClass && Reflect.defineProperty(input, "params", property);
  }
  if (!isTaken) {
    throw new TypeError(
      `Cannot handle the input: expected an object that "params" can be added to, got ${described(input)} that is ` +
        "frozen, " +
        'sealed or has a read-only "params"',
    );
  }
}
