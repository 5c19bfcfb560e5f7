import { bodyLimit } from "fingerpost/middleware/body-limit";
import { noCount, noFlag, type Exchanges, type MiddlewareRow } from "../middleware-row.ts";

export const row: MiddlewareRow = {
  factory: bodyLimit,
  options: [{ base: { maxBytes: 1 }, wrong: { maxBytes: [...noCount, undefined], stream: noFlag } }],
  passes: [
    { middleware: bodyLimit({ maxBytes: 100 }) },
    { by: "streaming", middleware: bodyLimit({ maxBytes: 100, stream: true }) },
  ],
  exchanges: [
    {
      middleware: () => bodyLimit({ maxBytes: 5 }),
      polyfill: false,
      of: [
        [{ method: "POST", content: "12345" }, 200],
        [{ method: "POST", content: "123456" }, 413, { "content-type": "application/problem+json" }],
        [
          { method: "POST", content: "123456", headers: { "transfer-encoding": "chunked" }, onlyOverSockets: true },
          413,
        ],
      ],
    },
    ...[false, true].map((stream): Exchanges => ({
      middleware: () => bodyLimit({ maxBytes: 5, stream }),
      polyfill: false,
      handler: (input) => (input as Request).text(),
      of: [
        [{ method: "POST", chunks: ["ab", "cd", "e"] }, 200, {}, "abcde"],
        [{ method: "POST", chunks: ["ab", "cd", "ef"] }, 413],
        [{ method: "POST", content: "abcdef" }, 413],
      ],
    })),
  ],
  reads: [
    {
      create: () => bodyLimit({ maxBytes: 10 }),
      method: "POST",
      fields: { "Content-Length": [""], "Content-Type": [""] },
    },
  ],
};
