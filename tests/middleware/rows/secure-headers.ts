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
        secure: [true, "https"],
      },
    },
  ],
  passes: [{ middleware: secureHeaders() }],
  exchanges: {
    middleware: () => secureHeaders({ secure: () => true }),
    polyfill: true,
    of: [
      [
        {},
        200,
        { "x-content-type-options": "nosniff", "strict-transport-security": "max-age=31536000; includeSubDomains" },
      ],
    ],
  },
  reads: [{ create: () => secureHeaders(), path: true }],
};
