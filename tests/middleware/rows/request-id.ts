import { requestId, requestIdOf } from "fingerpost/middleware/request-id";
import { noFlag, type MiddlewareRow } from "../middleware-row.ts";

const random = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const ids: unknown[] = [];

export const row: MiddlewareRow = {
  factory: requestId,
  options: [{ base: {}, wrong: { header: ["", "a b", 5], generate: ["uuid"], trust: noFlag } }],
  passes: [{ middleware: requestId() }],
  exchanges: [
    {
      middleware: () => requestId({ trust: true }),
      polyfill: true,
      of: [
        [{}, 200, { "x-request-id": /^[-\da-f]{36}$/ }],
        [{ headers: { "x-request-id": "id-1" } }, 200, { "x-request-id": "id-1" }],
      ],
    },
    {
      middleware: () => requestId(),
      polyfill: true,
      handler(input) {
        ids.push(requestIdOf(input));
        return requestIdOf(input);
      },
      of: [
        [{}, 200, { "x-request-id": random }, (fieldOf) => fieldOf("x-request-id")],
        [{}, 200, { "x-request-id": random }, (fieldOf) => fieldOf("x-request-id")],
      ],
      seen: () => ({ found: new Set(ids).size, expected: ids.length }),
    },
  ],
  reads: [{ create: () => requestId({ trust: true }), fields: { "X-Request-Id": [""] } }],
};
