// Values of another realm, such as of `node:vm`, jsdom or a frame, are instances of that realm's classes, not of ours.
// So each question here asks for the class first, which is fast, and for the tag then.

/** Returns whether a value is bytes. A `Buffer` of Node is. */
export function isBytes(value: unknown): value is Uint8Array {
  // The tag of a view is read from its internal slot: no object can claim it.
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === "Uint8Array";
}

/** Returns whether a value is an `ArrayBuffer`, and not shared. */
export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return value instanceof ArrayBuffer || isTagged(value, "ArrayBuffer");
}

export function isStream(value: unknown): value is ReadableStream {
  return value instanceof ReadableStream || isTagged(value, "ReadableStream");
}

/** Returns whether a value is a `Blob` or a `File`. */
export function isBlob(value: unknown): value is Blob {
  return value instanceof Blob || isTagged(value, "Blob") || isTagged(value, "File");
}

export function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal || isTagged(value, "AbortSignal");
}

export function isWebRequest(value: unknown): value is Request {
  return value instanceof Request || isTagged(value, "Request");
}

export function isHeaders(value: unknown): value is Headers {
  return value instanceof Headers || isTagged(value, "Headers");
}

export function isURL(value: unknown): value is URL {
  return value instanceof URL || isTagged(value, "URL");
}

/** Returns whether a value is a `Promise`, and not only thenable. */
export function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return value instanceof Promise || isTagged(value, "Promise");
}

export function isDate(value: unknown): value is Date {
  return value instanceof Date || isOfClass(value, "[object Date]");
}

export function isError(value: unknown): value is Error {
  return value instanceof Error || isOfClass(value, "[object Error]");
}

function isTagged(value: unknown, tag: string): boolean {
  return typeof value === "object" && value !== null && (value as Tagged)[Symbol.toStringTag] === tag;
}

interface Tagged {
  readonly [Symbol.toStringTag]?: unknown;
}

/** Dates and errors have no tag: the language tells them by internal slots. */
function isOfClass(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.prototype.toString.call(value) === name;
}
