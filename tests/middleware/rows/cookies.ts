import { cookieJarOf, cookies } from "fingerpost/middleware/cookies";
import { noRecord, type MiddlewareRow } from "../middleware-row.ts";

export const row: MiddlewareRow = {
  factory: cookies,
  options: [
    {
      base: {},
      wrong: {
        secrets: [[], ["short"], "x".repeat(32), [new Uint8Array(32)]],
        attributes: ["Path=/", ...noRecord, { samesite: "Lax" }, { sameSite: "None", secure: false }, { path: "x" }],
      },
    },
  ],
  passes: [{ middleware: cookies(), headers: { cookie: "a=b" } }],
  exchanges: {
    middleware: () => cookies(),
    polyfill: true,
    handler: (input) => cookieJarOf(input).set("seen", cookieJarOf(input).get("id") ?? ""),
    of: [
      [{ headers: { cookie: "a=b; id=7" } }, 200, { "set-cookie": ["seen=7; Path=/; HttpOnly; Secure; SameSite=Lax"] }],
    ],
  },
  reads: [
    {
      create: () => cookies({ secrets: ["x".repeat(32)] }),
      handler: async (request) => new Response(await cookieJarOf(request).getSigned("a")),
      fields: { Cookie: ["", "a=b.c;", "a=b."] },
    },
  ],
};
