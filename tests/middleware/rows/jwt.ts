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

/** By the key of zeros, and bound to the key of the proof. */
const bound =
  "DPoP eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJpIiwiYXVkIjoiYSIsImV4cCI6NDAwMDAwMDAwMCwiY25mIjp7ImprdCI6IlhoS0dOTTk" +
  "wMm5KdXRoVWtIRGViN24wX0hSbjVYNm9pTGJaZDJ5MDJhWHcifX0.c_gzC44kKdrb-8IlCe0_dGR9Z_YYDEHjm1z3_xuRNU0";

/** For GET of `https://api.example/items`, from 2027. */
const proof =
  "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6IjhRSjZaY1ZGZXJNZ0d0OFZ5SHFMYkNKY" +
  "UZibjF4MTFCdS1lUk5RWnZib00iLCJ5IjoiQUd1MDRuendVaEE3ZnVnbTYxeHFjQUc4RVBsYjJmYjl0ZFhhLS1lVnlYMCIsImNydiI6Il" +
  "AtMjU2In19.eyJodG0iOiJHRVQiLCJodHUiOiJodHRwczovL2FwaS5leGFtcGxlL2l0ZW1zIiwiaWF0IjoxODAwMDAwMDAwLCJqdGkiOi" +
  "IxIiwiYXRoIjoiSnRxZENYTlRwbkJsODJjRnRNeDRacDhfZGRoYXNnTDdtOW1HRi1ma3dUQSJ9.M_IqL7iYJELE0gq9Br65jp1Ug7GUUf" +
  "iTwAbm9slNlAe_TTlgSB1XcnJIMB18B9eo3qIvSJIbBPIOMSkmkNwmhw";

const proven = {
  ...token,
  dpop: "required",
  proofStore: { begin: () => ({ fence: "1" }) },
  baseURL: "https://api.example",
} as const;

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
        resourceMetadataURL: ["", "/.well-known", 5],
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
    {
      base: proven,
      wrong: {
        dpop: ["yes", true],
        proofStore: [undefined, {}, "memory"],
        proofAlgorithms: ["ES256", ["HS256"], ["none"], [5]],
        nonceSecrets: ["x".repeat(32), [], ["short"], [5]],
        baseURL: ["", "api.example", "ftp://api.example", "https://ada@api.example", "https://api.example?a", 5],
        storeTimeoutMs: [...noCount, 0],
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
    {
      // So that the proof is neither old nor new.
      middleware: () => jwt({ ...proven, clockToleranceSeconds: 3_000_000_000 }),
      polyfill: true,
      of: [
        [{ headers: { authorization: bound, dpop: proof } }, 200],
        [
          { method: "PUT", headers: { authorization: bound, dpop: proof } },
          401,
          { "www-authenticate": /for another method/ },
        ],
        [{ headers: { authorization: bound } }, 401, { "www-authenticate": /^DPoP .*error="invalid_dpop_proof"/ }],
        [{ headers: { authorization: bound.replace("DPoP", "Bearer"), dpop: proof } }, 401],
      ],
    },
  ],
  reads: [
    {
      create: () => jwt({ ...proven, clockToleranceSeconds: 3_000_000_000 }),
      sent: { authorization: bound },
      fields: { DPoP: ["", `${proof}.`, proof.slice(0, proof.lastIndexOf(".") + 1)] },
    },
    {
      create: () => jwt(token),
      fields: { Authorization: ["Bearer ", `Bearer ${header}.`, `Bearer ${header}.e30.`] },
    },
  ],
};
