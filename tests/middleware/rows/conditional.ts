import { conditional } from "fingerpost/native/content";
import { noCount, type MiddlewareRow } from "../middleware-row.ts";

// The same on every runtime, so that several can serve one site.
const etag = '"4mzuhv88JyzVzO6Xc/8CMg"';
const create = () => conditional();
const any = [""];
const dates = { "If-Modified-Since": any, "If-Unmodified-Since": any };

export const row: MiddlewareRow = {
  factory: conditional,
  options: [{ base: {}, wrong: { maxBytes: noCount, requiredMethods: ["PUT", ["GET"], [5]] } }],
  passes: [
    { middleware: create() },
    { by: "without a stale range", middleware: create(), headers: { range: "bytes=0-1", "if-range": '"x"' } },
  ],
  exchanges: [
    {
      middleware: () => conditional({ requiredMethods: ["PUT"] }),
      polyfill: false,
      of: [
        [{}, 200, { etag: /^"[^"]{22}"$/ }],
        [{ headers: { "if-none-match": "*" } }, 304, { "content-type": undefined, "content-length": undefined }],
        [{ headers: { "if-match": '"x"' } }, 412],
        [{ method: "PUT", content: "x" }, 428],
      ],
    },
    {
      middleware: () => conditional(),
      polyfill: false,
      handler: () => "content",
      of: [
        [{}, 200, { etag }, "content"],
        [{ headers: { "if-none-match": `W/${etag}` } }, 304, { etag }, null],
        [{ headers: { "if-match": '"other"' } }, 412],
      ],
    },
  ],
  reads: [
    { create, fields: { "If-Match": any, "If-None-Match": any, ...dates, Range: any } },
    { create, sent: { Range: "bytes=0-1" }, fields: { "If-Range": any } },
    { create, method: "PUT", fields: { "If-Match": any } },
  ],
};
