import { decompress } from "fingerpost/middleware/decompress";
import type { MiddlewareRow } from "../middleware-row.ts";

const create = () => decompress();

export const row: MiddlewareRow = {
  factory: decompress,
  options: [
    {
      base: {},
      wrong: { codings: ["gzip", ["brotli"], [5], ["toString"]], maxRatio: [0.5, -1, NaN, "200"] },
    },
  ],
  passes: [
    { middleware: decompress() },
    { by: "without a coding", middleware: decompress(), headers: { "content-encoding": "identity" } },
  ],
  exchanges: [
    {
      middleware: create,
      polyfill: false,
      of: [
        [{ method: "POST", content: "12345" }, 200],
        [{ method: "POST", content: "12345", headers: { "content-encoding": "identity" } }, 200],
        [
          { method: "POST", content: "12345", headers: { "content-encoding": "compress" } },
          415,
          { "accept-encoding": /\bgzip, deflate$/, "content-type": "application/problem+json" },
        ],
      ],
    },
  ],
  reads: [{ create, method: "POST", fields: { "Content-Encoding": ["", "gzip"] } }],
};
