/**
 * The handlers of one path, by method: for routers that know paths only, as ours does. Every one of them pays for it.
 */
export class Methods {
  GET = undefined;
  POST = undefined;
  PUT = undefined;
  PATCH = undefined;
  DELETE = undefined;

  of(method) {
    if (method === "GET") return this.GET;
    if (method === "POST") return this.POST;
    if (method === "PUT") return this.PUT;
    return method === "PATCH" ? this.PATCH : this.DELETE;
  }
}

/** Entries that share a path, as one entry each. */
export function byPath(entries) {
  const records = new Map();
  for (const { method, path, handler } of entries) {
    if (!records.has(path)) records.set(path, new Methods());
    records.get(path)[method] = handler;
  }
  return Array.from(records, ([path, record]) => ({ path, record }));
}
