import { secureHeaders } from "fingerpost/middleware/secure-headers";
import type { MiddlewareRow } from "../middleware-row.ts";

const field = [true, 5, "", "a\nb", "é\u0100"];

export const row: MiddlewareRow = {
  factory: secureHeaders,
  options: [
    {
      base: {},
      wrong: {
        contentSecurityPolicy: field,
        contentSecurityPolicyReportOnly: field,
        crossOriginEmbedderPolicy: field,
        crossOriginOpenerPolicy: field,
        crossOriginResourcePolicy: field,
        originAgentCluster: field,
        permissionsPolicy: field,
        referrerPolicy: field,
        strictTransportSecurity: field,
        xContentTypeOptions: field,
        xFrameOptions: field,
        https: [true, "https"],
      },
    },
  ],
  passes: [{ middleware: secureHeaders() }],
  exchanges: [
    {
      middleware: () => secureHeaders({ https: () => true }),
      polyfill: true,
      of: [
        [
          {},
          200,
          { "x-content-type-options": "nosniff", "strict-transport-security": "max-age=31536000; includeSubDomains" },
        ],
      ],
    },
    {
      middleware: () => secureHeaders(),
      polyfill: false,
      handler() {
        throw new Error("bug");
      },
      of: [
        [
          {},
          500,
          {
            "x-content-type-options": "nosniff",
            "x-frame-options": "SAMEORIGIN",
            "referrer-policy": "same-origin",
            "strict-transport-security": undefined,
          },
        ],
      ],
    },
  ],
  reads: [{ create: () => secureHeaders(), path: true }],
};
