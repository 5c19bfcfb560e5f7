import { cors } from "fingerpost/middleware/cors";
import { noCount, noFlag, type MiddlewareRow } from "../middleware-row.ts";

const origin = "https://app.example";
const methods = "access-control-allow-methods";

export const row: MiddlewareRow = {
  factory: cors,
  options: [
    {
      base: { origins: ["https://a.example"] },
      wrong: {
        origins: [undefined, /a\.example$/, "a.example", "https://a.example/", ["*"], true],
        credentials: noFlag,
        methods: ["PUT", ["a b"], [5]],
        allowHeaders: ["a", ["a b"], [""]],
        exposeHeaders: ["a", ["a b"], [""]],
        preflightMaxAgeSeconds: noCount,
        privateNetwork: noFlag,
      },
    },
  ],
  passes: [{ middleware: cors({ origins: [origin] }), headers: { origin } }],
  exchanges: [
    {
      middleware: () => cors({ origins: [origin] }),
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
    {
      middleware: () => cors({ origins: [origin], credentials: true }),
      polyfill: true,
      of: [
        [
          {
            method: "OPTIONS",
            headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "x-a" },
          },
          204,
          {
            "access-control-allow-origin": origin,
            "access-control-allow-credentials": "true",
            "access-control-allow-headers": "x-a",
            vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
          },
          null,
        ],
        [
          { headers: { origin: "https://evil.example" } },
          200,
          { "access-control-allow-origin": undefined, vary: "Origin" },
          "reached",
        ],
      ],
    },
  ],
  reads: [
    { create: () => cors({ origins: (given) => given !== "" }), fields: { Origin: ["", "https://"] } },
    {
      create: () => cors({ origins: "*" }),
      method: "OPTIONS",
      sent: { Origin: "https://a.example", "Access-Control-Request-Method": "PUT" },
      fields: { "Access-Control-Request-Headers": [""] },
    },
  ],
};
