import { timeout } from "fingerpost/middleware/timeout";
import { Status } from "fingerpost/modules/http.native.js";
import type { NativeInput } from "../around.ts";
import type { MiddlewareRow } from "../middleware-row.ts";

let reason: unknown;

export const row: MiddlewareRow = {
  factory: timeout,
  options: [
    {
      base: { timeoutMs: 1 },
      wrong: { timeoutMs: [undefined, 0, -1, NaN, Infinity, 2 ** 31, "5"], status: [500, Status.OK, {}] },
    },
  ],
  passes: [{ middleware: timeout({ timeoutMs: 60_000 }) }],
  exchanges: [
    {
      middleware: () => timeout({ timeoutMs: 20 }),
      polyfill: true,
      // Goes on for ever, so that nothing but the middleware answers.
      handler: ({ method, signal }) =>
        method !== "PUT" || new Promise(() => signal.addEventListener("abort", () => (reason = signal.reason.name))),
      of: [
        [{}, 200],
        [{ method: "PUT" }, 503, { "content-type": "application/problem+json" }],
      ],
      seen: () => ({ found: reason, expected: "TimeoutError" }),
    },
    {
      middleware: () => timeout({ timeoutMs: 60_000 }),
      polyfill: false,
      handler: async (input) =>
        `${(input as NativeInput).params.pathParam("id")} ${await (input as NativeInput).text()}`,
      of: [[{ method: "PUT", path: "/items/7", content: "content" }, 200, {}, "7 content"]],
    },
  ],
  reads: [{ create: () => timeout({ timeoutMs: 60_000 }), path: true }],
};
