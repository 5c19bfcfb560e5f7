import { refusalOfMethod } from "../http/http-error.ts";
import { attachParams, methodOf } from "./input.ts";
import { Call, type Calls, type Layer } from "./layer.ts";
import { Params } from "./params.ts";
import { nearest } from "./stand-in.ts";

/**
 * The call that an input belongs to when middleware hands it to `next()`.
 *
 * For one that came in this is its own, for another the one that it was made for; unless that is used again, for a call that
 * runs now or with another method.
 */
export function callOf(input: object, layer: Layer, calls: Calls): Call {
  const { current } = calls;
  const known = calls.known.get(input);
  if (known !== undefined) {
    if (known.root === known) return known;
    if (known.method === methodOf(input) && (current === null || known.root === current.root)) return known;
  }
  const call = successorOf(input, layer, calls, known !== undefined);
  attachParams(input, call.params);
  calls.known.set(input, call);
  return call;
}

/**
 * Makes a call of an input that never came in: its method decides, and its params are those of the input that did.
 *
 * That one is known if the new one stands in for it, or until its middleware first awaits something, unless the new one
 * brings params of another along. After that, these tell, or else its own path, if it leads to the same resource. What stands
 * in for others may have come in itself since, here or in another application: the nearest one that came in here tells.
 */
function successorOf(input: object, { name, target }: Layer, calls: Calls, isUsedAgain: boolean): Call {
  const method = methodOf(input);
  const { params } = input as { params?: unknown };
  const { current } = calls;
  const isOfAnother = !isUsedAgain && params instanceof Params && params !== current?.params;
  const running = nearest(input, calls.known) ?? (isOfAnother ? null : current);
  if (running !== null && (target === null || running.target === target)) {
    const why = running.target === null ? running.refusal : refusalOfMethod(method);
    return new Call(method, running.target, running.params, why, running);
  }
  if (target !== null && params instanceof Params) return new Call(method, target, params, refusalOfMethod(method));
  const call = calls.decide(input, method);
  if (target === null || call.target === target) return call;
  throw new TypeError(
    `Cannot continue after next() of ${name}: the path of the other input does not lead to ${target.name}; ` +
      "copy params to it from the input that came in",
  );
}
