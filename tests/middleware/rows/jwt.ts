import { jwt } from "fingerpost/middleware/jwt";
import { noCount, noFlag, type MiddlewareRow } from "../middleware-row.ts";

const keyless = { algorithms: ["HS256"], issuer: "i", audience: "a" };
const token = { ...keyless, key: new Uint8Array(32) };

/** `{ "alg": "HS256" }`, and `{ "iss": "i", "aud": "a", "exp": 4000000000 }`, as tokens hold them. */
const header = "eyJhbGciOiJIUzI1NiJ9";
const claims = "eyJpc3MiOiJpIiwiYXVkIjoiYSIsImV4cCI6NDAwMDAwMDAwMH0";

/** By the key of zeros, and by a key of ones. */
const signed = `Bearer ${header}.${claims}.ajoByofXbWKtHMix50GEqJtvRzFbWZy0gvSCIf1WV0U`;
const forged = `Bearer ${header}.${claims}.bJa_B0vkaJFY6xTcQLJ0cOn1Jhwx89ZLUA4PZUWdQEE`;

export const row: MiddlewareRow = {
  factory: jwt,
  options: [
    {
      base: token,
      wrong: {
        algorithms: [undefined, [], "HS256", ["none"], ["HS256", "HS384"]],
        issuer: [undefined, "", [], [5]],
        audience: [undefined, "", [], [5]],
        key: ["secret", 5, new Uint8Array(31)],
        typ: ["", 5],
        requiredClaims: ["sub", [], [5]],
        clockToleranceSeconds: noCount,
        maxTokenAgeSeconds: [...noCount, 0],
        identity: [{}, "x"],
        realm: ["", "é", 5],
        scopes: ["read", [5], ["a b"]],
        optional: noFlag,
        scheme: ["", "a b", 5],
        resourceMetadata: ["", "/.well-known", 5],
        challenge: ["scope", { scope: "a" }],
        token: ["cookie"],
        scopesOf: ["scp", {}],
        staleKeysMs: [...noCount, 60],
      },
    },
    {
      base: { ...keyless, jwksURI: "https://issuer.example/jwks" },
      wrong: {
        jwksURI: ["http://issuer.example/jwks", "jwks.json", 5, "https://ada@issuer.example", "http://:x@[::1]"],
      },
    },
  ],
  passes: [{ middleware: jwt({ ...token, optional: true }) }],
  exchanges: [
    {
      middleware: () => jwt(token),
      polyfill: true,
      of: [
        [{ headers: { authorization: signed } }, 200],
        [{ headers: { authorization: forged } }, 401],
      ],
    },
  ],
  reads: [
    {
      create: () => jwt(token),
      fields: { Authorization: ["Bearer ", `Bearer ${header}.`, `Bearer ${header}.e30.`] },
    },
  ],
};
