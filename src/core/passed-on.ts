import { refusalOfMethod } from "../http/http-error.ts";
import { callIn, remember } from "./call-params.ts";
import { attachParams, methodOf } from "./input.ts";
import { Call, type Calls, type Layer } from "./layer.ts";
import { Params } from "./params.ts";
import { nearest } from "./stand-in.ts";

/** Calls of inputs that told by params, copied to them, which call they were made for. */
const told = new WeakSet<Call>();

/**
 * The call that an input belongs to when middleware hands it to `next()`.
 *
 * For one that came in this is its own, and for one that outer middleware passed on, the one that it was given for. For another
 * it is the one that this was made for, unless it is used again: for a call that runs now, or with another method.
 *
 * @param given the call of which the middleware was given the input, if outer middleware passed that on.
 */
export function callOf(input: object, layer: Layer, calls: Calls, given: Call | undefined): Call {
  const known = calls.known.get(input);
  if (known !== undefined && !known.isPassedOn) return known;
  if (known?.method === methodOf(input) && isStill(known, layer, given ?? calls.current)) return known;
  const sure = given ?? nearest(input, calls.known);
  const copied = sure === undefined ? copiedTo(input, known, calls) : null;
  const origin = sure ?? (copied === null ? calls.current : callIn(copied, calls));
  const call = successorOf(input, layer, calls, origin, copied);
  if (copied !== null) told.add(call);
  attachParams(input, call.params);
  calls.known.set(input, call);
  remember(call, calls);
  return call;
}

/** Gives an input the params of its call again, if another call has replaced them since (C2.3). */
export function restoreParams(input: object, { params }: Call): void {
  const now = paramsOf(input);
  if (now !== params && now instanceof Params) attachParams(input, params);
}

/** Whether an input that a middleware passes on once more belongs to the same call as the time before. */
function isStill(known: Call, { target }: Layer, running: Call | null): boolean {
  return (target === null || known.target === target) && (running === null || known.root === running.root);
}

/** The params that someone copied to an input; those that it has from its last call are such only if it had copied ones then. */
function copiedTo(input: object, known: Call | undefined, { current }: Calls): Params | null {
  const params = paramsOf(input);
  const isLeft = known !== undefined && params === known.params && !told.has(known) && current !== null;
  return params instanceof Params && !isLeft ? params : null;
}

/**
 * Makes a call of an input that never came in: its method decides, and its params are those of the input that did.
 *
 * That one is known if the middleware was given the input, or if it stands in for another: the nearest one that came in here, as
 * that may have happened since, here or in another application. Else params that were copied to it tell, and without such, until
 * the middleware first awaits something, the call that runs. After that its own path tells, if it leads to the same resource.
 */
function successorOf(input: object, layer: Layer, calls: Calls, origin: Call | null, copied: Params | null): Call {
  const { name, target } = layer;
  const method = methodOf(input);
  // Around the application, what is passed on late goes where its path leads, through the guards that are there.
  const isLed = target === null && copied !== null && origin?.root !== calls.current?.root;
  if (origin !== null && !isLed && (target === null || origin.target === target)) {
    const why = origin.target === null ? origin.refusal : refusalOfMethod(method);
    return new Call(method, origin.target, origin.params, why, origin);
  }
  const { target: led, params, refusal } = calls.decide(input, method);
  if (target === null) return new Call(method, led, params, refusal, origin, true);
  if (led === target) return new Call(method, led, params, refusal, null, true);
  throw new TypeError(
    `Cannot continue after next() of ${name}: the path of the other input does not lead to ${target.name}; ` +
      "copy params to it from the input that came in",
  );
}

function paramsOf(input: object): unknown {
  return (input as { params?: unknown }).params;
}
