import { requestId } from "fingerpost/middleware/request-id";
import { noFlag, type MiddlewareRow } from "../middleware-row.ts";

export const row: MiddlewareRow = {
  factory: requestId,
  options: [{ base: {}, wrong: { header: ["", "a b", 5], generate: ["uuid"], trust: noFlag } }],
  passes: [{ middleware: requestId() }],
  exchanges: {
    middleware: () => requestId({ trust: true }),
    polyfill: true,
    of: [
      [{}, 200, { "x-request-id": /^[-\da-f]{36}$/ }],
      [{ headers: { "x-request-id": "id-1" } }, 200, { "x-request-id": "id-1" }],
    ],
  },
  reads: [{ create: () => requestId({ trust: true }), fields: { "X-Request-Id": [""] } }],
};
