import { counted } from "../../fields/counted-content.ts";
import { tooLong } from "../../fields/whole-content.ts";
import { claimedLengthOf } from "../../fields/whole-content.ts";
import { replacedInput } from "../../dispatch/replaced-input.ts";
import { ownOf } from "../../http/javascript/property.ts";
import { discard } from "../../http/message/discarded-content.ts";
import { SharedContent } from "../../http/message/shared-content.ts";
import type { HTTPError } from "../../http/protocol/http-error.ts";
import { defaultMaxBytes } from "../operation/input-model.ts";
import type { OperationModel } from "../operation/operation-model.ts";

/** Returns how many bytes of a request are read at most: of an operation that takes no content, the default. */
export function mostBytesOf(model: Pick<OperationModel, "content"> | undefined): number {
  const media = model?.content?.media ?? [];
  return media.length === 0 ? defaultMaxBytes : Math.max(...media.map(({ maxBytes }) => maxBytes));
}

/** By request, how many bytes its clones may have. A request may come in again, at another operation. */
const bounds = new WeakMap<object, number>();

/**
 * Makes each clone of a request fail by 413 where its content is longer, clones of clones as well. Handlers get content
 * up to a bound, and middleware reads clones of it before. Objects without `clone()` stay as they are.
 */
export function boundClones(request: object, maxBytes: number): void {
  const { clone } = request as { readonly clone?: unknown };
  if (typeof clone !== "function") return;
  const isBound = bounds.has(request);
  bounds.set(request, maxBytes);
  if (isBound) return;
  const value = function (this: Request): Request {
    return bounded(Reflect.apply(clone, this, []) as Request, bounds.get(request)!);
  };
  Object.defineProperty(request, "clone", ownOf({ value, writable: true, configurable: true }));
}

function bounded(clone: Request, maxBytes: number): Request {
  const { body } = clone;
  if (body === null) return clone;
  const refuse = (): HTTPError => tooLong(maxBytes);
  const isTooLong = claimedLengthOf(clone) > maxBytes;
  const copy = replacedInput(clone, { body: isTooLong ? refused(clone, refuse) : counted(body, maxBytes, refuse) });
  boundClones(copy, maxBytes);
  return copy as Request;
}

/** Content of which nothing is read: a client that asks whether to send it is not told to. */
function refused(clone: Request, errorOf: () => HTTPError): ReadableStream<Uint8Array> {
  discard(clone);
  const content = new SharedContent({ pull: () => content.fail(errorOf()), cancel: () => {} });
  return content.open();
}
