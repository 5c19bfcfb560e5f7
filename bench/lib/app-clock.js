import { appRoutesOf } from "./app-handlers.js";
import { start, stop } from "./clock.js";
import { tableOf } from "./tables.js";

const batch = 128;

/**
 * An application over Hono's table, whose handlers read one param each, with what it is asked.
 *
 * @param response what handlers return: the same one each time (`shared`), a `new` one, or the same one by `async`
 * handlers.
 * @param around how many middlewares each request goes through, which do nothing: of our own builds only.
 */
export async function subjectOf(app, response = "shared", around = 0) {
  const { rows, routes, oracle } = tableOf("hono");
  const shared = new Response("ok");
  const seen = { value: "", length: 0 };
  const note = (value) => {
    seen.value = value;
    seen.length += value.length;
  };
  const makesResponse = response === "new";
  const respond = makesResponse ? (value) => (note(value), new Response("ok")) : (value) => (note(value), shared);
  const handle = await app.create(appRoutesOf(app, routes, respond, response === "async"), around);
  const inputOf = app.takes === "context" ? contextOf : requestOf;
  const floor = makesResponse ? async () => new Response("ok") : async () => shared;
  for (const { method, path } of rows["all together"]) {
    const answer = handle(inputOf({ method, path }));
    if (app.isSync && response !== "async" && answer instanceof Promise)
      throw new Error(`${app.name} answered by a Promise: it took the handler for an async one`);
    await answer;
    const expected = oracle(method, path).values[0] ?? "";
    if (seen.value !== expected) throw new Error(`${app.name} read "${seen.value}" from ${path}, not "${expected}"`);
  }
  return { handle, floor, inputOf, rows };
}

export function requestOf({ method, path }) {
  return new Request(`http://localhost:3000${path}?q=1`, { method });
}

export function contextOf({ method, path }) {
  return { url: `${path}?q=1`, method };
}

/** How many loops were made: engines know functions of the same text as one, and what they have learned about it. */
let made = 0;

/**
 * A clock that runs a handler for fresh inputs: made in small batches while it stands, as a server would have made them
 * just before. Each clock has a loop of its own.
 */
export function clockOf(handle, inputs, inputOf) {
  const run = new Function(
    "handle",
    "start",
    "stop",
    `/* ${++made} */ return async (batch) => {
    start();
    for (let at = 0; at < batch.length; at++) await handle(batch[at]);
    return stop();
  };`,
  )(handle, start, stop);
  let cursor = 0;
  return async (count) => {
    let elapsed = 0;
    for (let done = 0; done < count; done += batch) {
      const made = Array.from({ length: Math.min(batch, count - done) }, () =>
        inputOf(inputs[cursor++ % inputs.length]),
      );
      elapsed += await run(made);
    }
    return elapsed;
  };
}
