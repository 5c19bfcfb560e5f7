import { bearer } from "fingerpost/middleware/bearer";
import { Attribute } from "fingerpost/modules/http.native.js";
import { noFlag, noRecord, type MiddlewareRow } from "../middleware-row.ts";

const who = new Attribute<string>("who");
const create = () => bearer({ tokens: { a: "Ada" } });

export const row: MiddlewareRow = {
  factory: bearer,
  options: [
    {
      base: { tokens: { a: "Ada" }, scopesOf: () => [] },
      wrong: {
        tokens: ["a", { "a b": 1 }, ...noRecord, ["a"], new Map([["a", 1]]), {}],
        verify: [5],
        identity: [{}, "x"],
        realm: ["", "é", 5],
        scopes: ["read", [5], ["a b"]],
        scopesOf: [["read"], "read"],
        optional: noFlag,
        scheme: ["", "a b", 5],
        resourceMetadataURL: ["", "/.well-known", 5],
        challenge: ["scope", { scope: "a" }],
        token: ["cookie", {}, { header: "" }, { header: "a", cookie: "b" }, { query: "a" }],
      },
      without: { verify: "tokens" },
    },
  ],
  passes: [{ middleware: create(), headers: { authorization: "Bearer a" } }],
  exchanges: [
    {
      middleware: create,
      polyfill: true,
      of: [
        [{}, 401, { "www-authenticate": 'Bearer realm="default"' }],
        [{ headers: { authorization: "Bearer" } }, 400],
        [{ headers: { authorization: "Bearer a" } }, 200],
      ],
    },
    {
      middleware: () => bearer({ tokens: { a: "Ada" }, identity: who }),
      polyfill: true,
      handler: (input) => who.get(input),
      of: [
        [{ headers: { authorization: "Bearer a" } }, 200, {}, "Ada"],
        [
          { headers: { authorization: "Bearer b" } },
          401,
          { "www-authenticate": 'Bearer realm="default", error="invalid_token"' },
        ],
      ],
    },
  ],
  reads: [
    { create, fields: { Authorization: ["", "Bearer "] } },
    { create: () => bearer({ tokens: { a: "Ada" }, token: { cookie: "a" } }), fields: { Cookie: ["", "a="] } },
    { create: () => bearer({ tokens: { a: "Ada" }, token: { header: "X-API-Key" } }), fields: { "X-API-Key": [""] } },
  ],
};
