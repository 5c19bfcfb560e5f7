import { cookieJarOf, cookies } from "fingerpost/middleware/cookies";
import { noRecord, type MiddlewareRow } from "../middleware-row.ts";

const attributes = "Path=/; HttpOnly; Secure; SameSite=Lax";
const signed = "user=7.sWAgDH-9XBgHSQaVkYTHIq2eKf99qc-iVV70GhxW3DI";

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
  exchanges: [
    {
      middleware: () => cookies(),
      polyfill: true,
      handler: (input) => cookieJarOf(input).set("seen", cookieJarOf(input).get("id") ?? ""),
      of: [
        [
          { headers: { cookie: "a=b; id=7" } },
          200,
          { "set-cookie": ["seen=7; Path=/; HttpOnly; Secure; SameSite=Lax"] },
        ],
      ],
    },
    {
      middleware: () => cookies({ secrets: ["a secret of at least 32 bytes, it is"] }),
      polyfill: true,
      async handler(input) {
        const jar = cookieJarOf(input);
        await jar.setSigned("user", "7");
        jar.set("theme", "dark", { partitioned: true });
        return (await jar.getSigned("user")) ?? "nobody";
      },
      of: [
        [{}, 200, { "set-cookie": [`${signed}; ${attributes}`, `theme=dark; ${attributes}; Partitioned`] }, "nobody"],
        [{ headers: { cookie: signed } }, 200, {}, "7"],
        [{ headers: { cookie: signed.replace("7", "8") } }, 200, {}, "nobody"],
      ],
    },
  ],
  reads: [
    {
      create: () => cookies({ secrets: ["x".repeat(32)] }),
      handler: async (request) => new Response(await cookieJarOf(request).getSigned("a")),
      fields: { Cookie: ["", "a=b.c;", "a=b."] },
    },
  ],
};
