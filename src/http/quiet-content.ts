import { ownOf } from "./given.ts";

/** Has a Promise of content reject for who waits for it only: a client that leaves before anybody does must not end the process. */
export function quiet<Content>(content: Content): Content {
  if (content instanceof Promise) content.catch(() => {});
  return content;
}

/** Has a `Request` of the platform's own class, and each clone of it, give its content by such Promises. */
export function withQuietContent(request: Request): Request {
  return Object.defineProperties(request, (ownMethods ??= makeMethods()));
}

// Not all are everywhere: bytes() is young.
const names = ["arrayBuffer", "blob", "bytes", "clone", "formData", "json", "text"];

/** Its own, as a class would make it none of the platform's, which others ask for. */
let ownMethods: PropertyDescriptorMap | undefined;

/** As late as this: to look at the global `Request` costs Node milliseconds, which contexts need not pay. */
function makeMethods(): PropertyDescriptorMap {
  const methods: PropertyDescriptorMap = ownOf({});
  for (const name of names.filter((one) => one in Request.prototype)) {
    const value = name === "clone" ? cloned : readerBy(name);
    methods[name] = ownOf({ value, writable: true, configurable: true });
  }
  return methods;
}

function cloned(this: Request): Request {
  return withQuietContent(Request.prototype.clone.call(this));
}

function readerBy(name: string): (this: Request) => unknown {
  return function (this: Request) {
    return quiet(Reflect.apply(Reflect.get(Request.prototype, name) as () => unknown, this, []));
  };
}
