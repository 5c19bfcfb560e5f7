import { negotiate, negotiatedOf } from "fingerpost/native/content";
import type { MiddlewareRow } from "../middleware-row.ts";

const offered = { produces: ["a/b", "c/d"], languages: ["de", "en-GB"], codings: ["gzip", "identity"] };

export const row: MiddlewareRow = {
  factory: negotiate,
  options: [
    {
      base: {},
      wrong: {
        produces: ["text/html", [], ["text/*"], ["html"], [undefined]],
        languages: ["en", [], ["en_GB"], [undefined]],
        codings: ["gzip", [], ["g zip"], [undefined]],
        consumes: ["text/html", [], ["html"], [undefined]],
      },
    },
  ],
  passes: [{ middleware: negotiate(), headers: { accept: "*/*" } }],
  exchanges: [
    {
      middleware: () => negotiate({ produces: ["text/plain"], consumes: ["text/plain"] }),
      polyfill: true,
      of: [
        [{}, 200, { vary: "Accept" }],
        [{ headers: { accept: "image/png" } }, 406, { vary: "Accept" }],
        [{ method: "PUT", content: "{}", headers: { "content-type": "a/b" } }, 415, { accept: "text/plain" }],
      ],
    },
    {
      middleware: () =>
        negotiate({ produces: ["text/csv", "application/json"], languages: ["en", "de"], consumes: ["text/*"] }),
      polyfill: true,
      handler: (input) => JSON.stringify(negotiatedOf(input)),
      of: [
        [
          { headers: { accept: "application/*, text/csv;q=0.5", "accept-language": "de-CH" } },
          200,
          { vary: "Accept, Accept-Language" },
          '{"mediaType":"application/json","language":"de","coding":null}',
        ],
        [{ headers: { accept: "image/png" } }, 406],
        [{ method: "PUT", content: "x", headers: { "content-type": "image/png" } }, 415, { accept: "text/*" }],
      ],
    },
  ],
  reads: [
    {
      create: () => negotiate(offered),
      fields: { Accept: [""], "Accept-Language": [""], "Accept-Encoding": [""] },
    },
    { create: () => negotiate({ consumes: ["a/b"] }), method: "POST", fields: { "Content-Type": ["", "a/b;"] } },
  ],
};
