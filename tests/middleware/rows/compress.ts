import { compress } from "fingerpost/middleware/compress";
import { noCount, type Exchanges, type MiddlewareRow } from "../middleware-row.ts";

const text = "A text that is worth compressing. ".repeat(100);
const create = () => compress({ minBytes: 1 });

export const row: MiddlewareRow = {
  factory: compress,
  options: [
    {
      base: {},
      wrong: {
        codings: ["gzip", ["brotli"], [5], ["toString"]],
        minBytes: noCount,
        compressible: [["text/html"], "text"],
      },
    },
  ],
  passes: [
    { middleware: compress() },
    { by: "by gzip", middleware: compress({ minBytes: 0 }), headers: { "accept-encoding": "gzip" } },
  ],
  exchanges: [
    {
      middleware: create,
      polyfill: false,
      of: [
        [{ headers: { "accept-encoding": "gzip" } }, 200, { "content-encoding": "gzip", vary: "Accept-Encoding" }],
        [{}, 200, { "content-encoding": undefined, vary: "Accept-Encoding" }],
      ],
    },
    ...(["gzip", "deflate"] as const).map((coding): Exchanges => ({
      middleware: () => compress({ codings: [coding] }),
      polyfill: false,
      handler: () => new Response(text, { headers: { "content-type": "text/plain", etag: '"7"' } }),
      of: [
        [{ headers: { "accept-encoding": coding } }, 200, { "content-encoding": coding, etag: `"7~${coding}"` }, text],
        [{ headers: { "accept-encoding": "identity" } }, 200, { vary: "Accept-Encoding" }, text],
      ],
    })),
  ],
  reads: [
    { create, sent: { "Accept-Encoding": "gzip" }, fields: { "If-None-Match": [""] } },
    { create, fields: { "Accept-Encoding": [""] } },
  ],
};
