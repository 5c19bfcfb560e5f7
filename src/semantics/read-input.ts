import { CarriedContent } from "../fields/carried-content.ts";
import { RequestFields } from "../fields/request-fields.ts";
import { methodOf, inputURLOf } from "../dispatch/input.ts";
import type { Params } from "../dispatch/params.ts";
import { Answer } from "../http/answer/carried-answer.ts";
import { described } from "../http/javascript/described.ts";
import { propertyOf } from "../http/javascript/property.ts";
import { parsePathPattern } from "../routing/pattern/path-pattern.ts";
import { queryOf } from "../routing/request/target-path.ts";
import type { InputOf } from "./declaration/call-values.ts";
import type { Operation } from "./declaration/operation.ts";
import { pathEntriesOf } from "./line/line-call.ts";
import type { InputModel } from "./operation/input-model.ts";
import { readInputModel } from "./operation/input-reading.ts";
import { Conversions } from "../json-schema/library/conversions.ts";
import { bytesFor } from "./line/read-content.ts";
import { readFields, readPath } from "./line/read-parts.ts";
import { readTaken, refusePart, takenMedia } from "./line/read-taken.ts";

/** The input of `readInput()`: the input of a handler of the native or the polyfill module. */
export interface HandledInput {
  /** The URL, or the request target. */
  readonly url: string;
  /** The method token. */
  readonly method: string;
  /** The values that path and query carry. */
  readonly params: Params;
}

/** Facts about an operation after its first use. */
interface Known {
  readonly model: InputModel;
  /** The names of the params of each pattern: there are as many as its author wrote. */
  readonly names: Map<string, readonly string[]>;
}

/** By operation: a handler reads by the same one each time. */
const known = new WeakMap<object, Known>();

/**
 * Reads a request in a handler of the native or the polyfill module, as an operation declares it.
 *
 * Values and errors are the same as in handlers of this module. In the polyfill module the context carries the request
 * of Node, or a `Request`, as its `request`.
 *
 * @param input the input of the handler.
 * @param operation the declaration, such as `Book.GET`. It is inspected once: do not create a new one for each request.
 * @throws {HTTPError} 404 for a wrong `path`, 400 for query, fields, cookies or malformed content, and 422 for wrong
 * content. 415 for another type, and 413 for too much.
 * @throws {TypeError} when the operation cannot work, or the input was not handled.
 *
 * @example
 * ```ts
 * import { readInput } from "fingerpost";
 * import { Application, Resource, type RequestOf } from "fingerpost/native";
 * import { z } from "zod";
 *
 * class Orders extends Resource {
 *   paths = ["/orders"] as const;
 *
 *   static POST = { content: z.object({ item: z.string(), count: z.int() }), 201: "Ordered" };
 *   async POST(request: RequestOf<Orders>): Promise<Response> {
 *     const { content } = await readInput(request, Orders.POST);
 *     return Response.json(`${content.count} of ${content.item}`, { status: 201 });
 *   }
 * }
 * const app = Application.builder().resources(Orders).build();
 * const response = await app.request("/orders", { method: "POST", json: { item: "tea", count: "2" } });
 * console.log(response.status); // 422
 * ```
 */
export async function readInput<O extends Operation>(input: HandledInput, operation: O): Promise<InputOf<O>> {
  const { model, names } = knownOf(operation);
  const url = inputURLOf(input);
  const method = methodOf(input);
  const params = propertyOf(input, "params");
  if (typeof params?.pathParam !== "function") {
    throw new TypeError("Cannot read the input: it has no params; pass what a handler was given");
  }
  const texts = {
    pathEntries: () => pathEntriesOf(params, namesOf(params.pattern, names)),
    queryText: () => queryOf(url).slice(1),
    request: { params },
  };
  const read: { -readonly [Part in keyof InputOf<Operation>]?: unknown } = {};
  read.path = model.path === null ? Object.fromEntries(texts.pathEntries()) : await readPath(model.path, texts);
  const fields = new RequestFields(input);
  await readFields(model, fields, texts, read);
  const { content } = model;
  if (content !== null) {
    refusePart(model, fields);
    const carried = new CarriedContent(input, fields);
    const media = await takenMedia(content, carried, method);
    const taken = await readTaken(content, media, carried, await bytesFor(media, carried));
    if (taken instanceof Answer) throw taken.error;
    read.content = taken;
  }
  return read as InputOf<O>;
}

function namesOf(pattern: string, all: Known["names"]): readonly string[] {
  const names = all.get(pattern) ?? parsePathPattern(pattern).names;
  all.set(pattern, names);
  return names;
}

function knownOf(operation: Operation): Known {
  if (typeof operation !== "object" || operation === null) {
    throw new TypeError(`Cannot read the input: expected an operation such as Book.GET, got ${described(operation)}`);
  }
  let found = known.get(operation);
  if (found === undefined) {
    const cannot = "Cannot read the input: the operation";
    const model = readInputModel(operation as Readonly<Record<string, unknown>>, cannot, new Conversions());
    known.set(operation, (found = { model, names: new Map() }));
  }
  return found;
}
