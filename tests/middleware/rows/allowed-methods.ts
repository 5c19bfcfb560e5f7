import { allowedMethods } from "fingerpost/middleware/allowed-methods";
import type { MiddlewareRow } from "../middleware-row.ts";

const allow = "GET, HEAD, OPTIONS";

export const row: MiddlewareRow = {
  factory: allowedMethods,
  options: [],
  passes: [{ middleware: allowedMethods() }],
  exchanges: [
    {
      middleware: () => allowedMethods(),
      polyfill: true,
      implemented: ["GET"],
      of: [
        [{}, 200, { allow: undefined }],
        [{ method: "HEAD" }, 200, { allow: undefined }, ""],
        [{ method: "OPTIONS" }, 204, { allow, "content-type": undefined }],
        [{ method: "PUT", content: "x" }, 405, { allow, "content-type": "application/problem+json" }],
        [{ method: "TRACE", onlyOverSockets: true }, 405, { allow }],
        [{ method: "PURGE" }, 501, { allow: undefined }],
      ],
    },
  ],
  reads: [{ create: () => allowedMethods(), path: true }],
};
