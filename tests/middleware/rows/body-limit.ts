import { bodyLimit } from "fingerpost/middleware/body-limit";
import { noCount, noFlag, type MiddlewareRow } from "../middleware-row.ts";

export const row: MiddlewareRow = {
  factory: bodyLimit,
  options: [{ base: { maxBytes: 1 }, wrong: { maxBytes: [...noCount, undefined], streaming: noFlag } }],
  passes: [
    { middleware: bodyLimit({ maxBytes: 100 }) },
    { by: "streaming", middleware: bodyLimit({ maxBytes: 100, streaming: true }) },
  ],
  exchanges: {
    middleware: () => bodyLimit({ maxBytes: 5 }),
    polyfill: false,
    of: [
      [{ method: "POST", content: "12345" }, 200],
      [{ method: "POST", content: "123456" }, 413, { "content-type": "application/problem+json" }],
      [{ method: "POST", content: "123456", headers: { "transfer-encoding": "chunked" }, onlyOverSockets: true }, 413],
    ],
  },
  reads: [
    {
      create: () => bodyLimit({ maxBytes: 10 }),
      method: "POST",
      fields: { "Content-Length": [""], "Content-Type": [""] },
    },
  ],
};
