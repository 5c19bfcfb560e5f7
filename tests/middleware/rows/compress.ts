import { compress } from "fingerpost/middleware/compress";
import { noCount, type MiddlewareRow } from "../middleware-row.ts";

const create = () => compress({ minBytes: 1 });

export const row: MiddlewareRow = {
  factory: compress,
  options: [
    {
      base: {},
      wrong: {
        codings: ["gzip", ["brotli"], [5], ["toString"]],
        minBytes: noCount,
        types: [["text/html"], "text"],
      },
    },
  ],
  passes: [
    { middleware: compress() },
    { by: "by gzip", middleware: compress({ minBytes: 0 }), headers: { "accept-encoding": "gzip" } },
  ],
  exchanges: {
    middleware: create,
    polyfill: false,
    of: [
      [{ headers: { "accept-encoding": "gzip" } }, 200, { "content-encoding": "gzip", vary: "Accept-Encoding" }],
      [{}, 200, { "content-encoding": undefined, vary: "Accept-Encoding" }],
    ],
  },
  reads: [
    { create, sent: { "Accept-Encoding": "gzip" }, fields: { "If-None-Match": [""] } },
    { create, fields: { "Accept-Encoding": [""] } },
  ],
};
