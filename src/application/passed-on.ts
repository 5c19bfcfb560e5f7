import { refusalOfMethod } from "../http/http-error.ts";
import { callIn, remember } from "./call-params.ts";
import { attachParams, methodOf, urlOf } from "../dispatch/input.ts";
import { Call, type Calls, type Layer } from "./layer.ts";
import { Params } from "../dispatch/params.ts";
import { nearest } from "./stand-in.ts";

/**
 * Finds the call that an input belongs to when middleware hands it to `next()`, or makes one. It is told by the first of these:
 *
 * 1. it came in;
 * 2. it was passed on before, by the same method, and nothing says that it is used again;
 * 3. outer middleware passed it on to this one, or it stands in for an input that came in: the nearest one that did here;
 * 4. the `params` of a call were copied to it;
 * 5. a call runs, until the middleware first awaits something;
 * 6. its own path leads to the same resource, or this is around the application.
 *
 * @param inputs those that outer middleware passed on to this one, with the calls that it was given them for.
 */
export function resolveCall(input: object, layer: Layer, calls: Calls, inputs: WeakMap<object, Call>): Call {
  const known = calls.known.get(input);
  if (known !== undefined && !known.isPassedOn) return known;
  const given = inputs.get(input);
  if (known?.method === methodOf(input) && isStill(known, input, layer, calls, given)) return known;
  const sure = given ?? nearest(input, calls.known);
  const isTold = sure === undefined && hasCopied(input, known, calls);
  const origin = sure ?? (isTold ? tellerOf(input, known, layer, calls) : calls.current);
  const call = successorOf(input, layer, calls, origin, isTold);
  call.isTold = isTold && origin !== null;
  attachParams(input, call.params);
  calls.known.set(input, call);
  remember(call);
  return call;
}

/** Gives an input the params of its call again, if another call has replaced them since (C2.3). */
export function restoreParams(input: object, { params }: Call): void {
  const now = paramsOf(input);
  if (now !== params && (now === undefined || now instanceof Params)) attachParams(input, params);
}

/** Whether an input that a middleware passes on once more belongs to the same call as the time before. */
function isStill(known: Call, input: object, layer: Layer, calls: Calls, given: Call | undefined): boolean {
  const { target } = layer;
  if (target !== null && known.target !== target) return false;
  if (paramsOf(input) !== known.params && tellerOf(input, known, layer, calls) !== null) return false;
  const running = given ?? calls.current;
  return running === null || known.root === running.root;
}

/**
 * Whether someone copied `params` to an input. What it has from its last call was copied only if it had told then.
 *
 * Those of a path that matches nothing are `undefined`; at the URL of the call that runs, they are taken for none.
 */
function hasCopied(input: object, known: Call | undefined, calls: Calls): boolean {
  const { current } = calls;
  const params = paramsOf(input);
  if (known !== undefined && params === known.params && !known.isTold && current !== null) return false;
  if (params !== undefined || !("params" in input)) return params instanceof Params;
  return current === null || urlOf(input) !== urlOf(calls.input);
}

/**
 * The call that the params of an input tell, if they are of a call here.
 *
 * Around the application, params left from its last call do not tell: a path that matches nothing has none to replace them.
 */
function tellerOf(input: object, known: Call | undefined, { target }: Layer, calls: Calls): Call | null {
  const { current } = calls;
  const params = paramsOf(input);
  if (target === null && current !== null && known?.params === params && known?.root !== current.root) return null;
  return params instanceof Params ? callIn(params, calls) : null;
}

/** Makes a call of an input that never came in: its method decides, and its params are those of the input that did. */
function successorOf(input: object, layer: Layer, calls: Calls, origin: Call | null, isTold: boolean): Call {
  const { name, target } = layer;
  const method = methodOf(input);
  // Around the application, what is passed on late goes where its path leads, through the guards that are there.
  const isLed = target === null && isTold && origin?.root !== calls.current?.root;
  if (origin !== null && !isLed && (target === null || origin.target === target)) {
    const why = origin.target === null ? origin.refusal : refusalOfMethod(method);
    return new Call(method, origin.target, origin.params, why, origin);
  }
  const { target: led, params, refusal } = calls.decide(input, method);
  if (target !== null && led !== target) {
    throw new TypeError(
      `Cannot continue after next() of ${name}: the path of the other input does not lead to ${target.name}; ` +
        "copy params to it from the input that came in",
    );
  }
  return new Call(method, led, params, refusal, target === null ? origin : null, true);
}

function paramsOf(input: object): unknown {
  return (input as { params?: unknown }).params;
}
