import { cors } from "fingerpost/middleware/cors";
import { noCount, noFlag, type MiddlewareRow } from "../middleware-row.ts";

const origin = "https://app.example";
const methods = "access-control-allow-methods";

export const row: MiddlewareRow = {
  factory: cors,
  options: [
    {
      base: { origin: "https://a.example" },
      wrong: {
        origin: [undefined, /a\.example$/, "a.example", "https://a.example/", ["*"], true],
        credentials: noFlag,
        methods: ["PUT", ["a b"], [5]],
        allowHeaders: ["a", ["a b"], [""]],
        exposeHeaders: ["a", ["a b"], [""]],
        maxAgeSeconds: noCount,
        privateNetwork: noFlag,
      },
    },
  ],
  passes: [{ middleware: cors({ origin }), headers: { origin } }],
  exchanges: {
    middleware: () => cors({ origin }),
    polyfill: true,
    of: [
      [{ headers: { origin } }, 200, { "access-control-allow-origin": origin, vary: "Origin" }],
      [
        { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } },
        204,
        { [methods]: "GET, HEAD, PUT, PATCH, POST, DELETE", "content-type": undefined },
      ],
      [{ method: "OPTIONS", headers: { origin } }, 200, { [methods]: undefined }],
    ],
  },
  reads: [
    { create: () => cors({ origin: (given) => given !== "" }), fields: { Origin: ["", "https://"] } },
    {
      create: () => cors({ origin: "*" }),
      method: "OPTIONS",
      sent: { Origin: "https://a.example", "Access-Control-Request-Method": "PUT" },
      fields: { "Access-Control-Request-Headers": [""] },
    },
  ],
};
