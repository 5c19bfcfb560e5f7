import { isPromise } from "../javascript/any-realm.ts";
import { ownOf } from "../javascript/property.ts";
import { cloneOf } from "./shared-content.ts";

/**
 * Makes an unhandled rejection of content harmless: only code that waits for the Promise sees it. A client that leaves
 * early must not end the process.
 */
export function quiet<Content>(content: Content): Content {
  if (isPromise(content)) content.catch(() => {});
  return content;
}

/** Makes a `Request` and each clone of it return its content by such Promises. */
export function withQuietContent(request: Request): Request {
  const prototype = Object.getPrototypeOf(request) as object;
  let methods = ownMethods.get(prototype);
  if (methods === undefined) ownMethods.set(prototype, (methods = methodsOf(prototype)));
  return Object.defineProperties(request, methods);
}

// Not every runtime has all of them: bytes() is young.
const names = ["arrayBuffer", "blob", "bytes", "clone", "formData", "json", "text"];

/**
 * Own properties, because a subclass of `Request` would fail the checks of other packages. By prototype, because other
 * packages replace the global class, and methods of one class may fail on requests of another.
 */
const ownMethods = new WeakMap<object, PropertyDescriptorMap>();

function methodsOf(prototype: object): PropertyDescriptorMap {
  const methods: PropertyDescriptorMap = ownOf({});
  for (const name of names) {
    const method: unknown = Reflect.get(prototype, name);
    if (typeof method !== "function") continue;
    const value = name === "clone" ? clonerBy(method as () => Request) : readerBy(method as () => unknown);
    methods[name] = ownOf({ value, writable: true, configurable: true });
  }
  return methods;
}

function clonerBy(method: () => Request): (this: Request) => Request {
  return function (this: Request) {
    return withQuietContent(withSharedContent(this, {}) ?? Reflect.apply(method, this, []));
  };
}

/**
 * Clones a request whose content is shared, so that neither has to wait for the other. Returns null if the content is
 * not shared.
 */
export function withSharedContent(request: Request, init: RequestInit): Request | null {
  const body = cloneOf(request.body);
  if (body === null) return null;
  const { constructor: Class } = request as unknown as { readonly constructor: typeof Request };
  // `duplex` is required with a stream, and unknown to the DOM's types.
  return new Class(request, ownOf<object>({ ...init, body, duplex: "half" }));
}

function readerBy(method: () => unknown): (this: Request) => unknown {
  return function (this: Request) {
    return quiet(Reflect.apply(method, this, []));
  };
}
