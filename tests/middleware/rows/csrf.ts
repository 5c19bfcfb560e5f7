import { csrf } from "fingerpost/middleware/csrf";
import { noFlag, type MiddlewareRow } from "../middleware-row.ts";

const origin = "https://app.example";

export const row: MiddlewareRow = {
  factory: csrf,
  options: [
    {
      base: {},
      wrong: {
        origins: ["https://a.example", ["a.example"], ["*"], ["null"]],
        allowSameSite: noFlag,
        requireOrigin: noFlag,
      },
    },
  ],
  passes: [{ middleware: csrf(), headers: { "sec-fetch-site": "same-origin" } }],
  exchanges: [
    {
      middleware: () => csrf(),
      polyfill: true,
      of: [
        [{ method: "POST", headers: { "sec-fetch-site": "same-origin" } }, 200],
        [{ method: "POST", headers: { "sec-fetch-site": "cross-site" } }, 403],
        [{ method: "POST", headers: { origin: "http://localhost" }, onlyInMemory: true }, 200],
        [{ method: "POST", headers: { origin }, onlyInMemory: true }, 403],
        [{ method: "POST", headers: { origin, host: "app.example" }, onlyOverSockets: true }, 200],
        [{ method: "POST", headers: { origin, host: "evil.example" }, onlyOverSockets: true }, 403],
      ],
    },
  ],
  reads: [
    {
      create: () => csrf(),
      method: "POST",
      fields: { Origin: ["", "https://"], "Sec-Fetch-Site": [""] },
      path: true,
    },
  ],
};
