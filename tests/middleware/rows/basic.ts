import { basic } from "fingerpost/middleware/basic";
import { noRecord, type MiddlewareRow } from "../middleware-row.ts";

const credentialsOf = (password: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`ada:${password}`)))}`;
const create = () => basic({ realm: "x", users: { ada: "secret" } });

export const row: MiddlewareRow = {
  factory: basic,
  options: [
    {
      base: { realm: "x", users: { ada: "secret" } },
      wrong: {
        realm: ["", "é", 5],
        users: ["ada", { "a:b": "x" }, { a: 5 }, { a: "" }, ...noRecord, ["x"], new Map([["a", "x"]]), {}],
        verify: [5],
        identity: [{}, "user"],
        scopesOf: [5],
      },
      without: { verify: "users" },
    },
  ],
  passes: [{ middleware: create(), headers: { authorization: `Basic ${btoa("ada:secret")}` } }],
  exchanges: [
    {
      middleware: create,
      polyfill: true,
      of: [
        [{}, 401, { "www-authenticate": 'Basic realm="x", charset="UTF-8"' }],
        [{ headers: { authorization: `Basic ${btoa("ada:wrong")}` } }, 401],
        [{ headers: { authorization: `Basic ${btoa("ada:secret")}` } }, 200, { "www-authenticate": undefined }],
      ],
    },
    {
      middleware: () => basic({ realm: "x", users: { ada: "café" } }),
      polyfill: true,
      of: [
        [{ headers: { authorization: credentialsOf("café") } }, 200],
        [{ headers: { authorization: credentialsOf("cafe") } }, 401],
      ],
    },
  ],
  reads: [{ create, fields: { Authorization: ["", "Basic "] } }],
};
