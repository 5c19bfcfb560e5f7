import { jwt, type JwtOptions } from "fingerpost/middleware/jwt";
import { memoryRecords } from "fingerpost/stores";
import { Application, Attribute, Resource, ResourceGroup, text, type Call } from "fingerpost";
import { around, client, dpop } from "fingerpost/client";
import { mcp } from "fingerpost/mcp";
import { document } from "fingerpost/openapi";
import {
  base64url,
  calculateJwkThumbprint,
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf } from "../../tests/middleware/around.ts";
import { ask, portOf, started } from "../../tests/support/sockets.ts";
import { sha256Base64url } from "../http/javascript/web-digest.ts";
import { readProof } from "./lib/dpop-proof.ts";

const issuer = "https://issuer.example";
const audience = "https://api.example";
const start = 1_800_000_000;
const algs = "ES256 Ed25519 EdDSA PS256 RS256";
const secret = "a secret that all the processes have";

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
  readonly thumbprint: string;
}

let issuing: Pair;
let own: Pair;
let other: Pair;

beforeAll(async () => {
  [issuing, own, other] = await Promise.all([pair(), pair(), pair()]);
});

async function pair(alg = "ES256"): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, publicKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

function at(seconds: number): void {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: seconds * 1000 });
  onTestFinished(() => void vi.useRealTimers());
}

async function signed(header: object, claims: object, key: CryptoKey | Uint8Array): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactSign(bytes).setProtectedHeader(header as { alg: string }).sign(key);
}

/** An access token that is bound to a key; to none, if that is null. */
async function token(thumbprint: string | null = own.thumbprint, claims: object = {}): Promise<string> {
  const cnf = thumbprint === null ? {} : { cnf: { jkt: thumbprint } };
  const all = { iss: issuer, aud: audience, sub: "ada", exp: start + 3_600, ...cnf, ...claims };
  return signed({ alg: "ES256" }, all, issuing.privateKey);
}

let proofs = 0;

interface Changes {
  readonly header?: object;
  readonly claims?: object;
  readonly by?: Pair;
}

/** A proof that is right for GET of /items but for what is changed; undefined leaves a claim out. */
async function proof(of: string, { header = {}, claims = {}, by = own }: Changes = {}): Promise<string> {
  const right = { htm: "GET", htu: "https://api.example/items", iat: start, jti: `proof ${++proofs}` };
  const all = { ...right, ath: await sha256Base64url(of), ...claims };
  return signed({ typ: "dpop+jwt", alg: "ES256", jwk: by.jwk, ...header }, all, by.privateKey);
}

const options = (changed: Partial<JwtOptions> = {}): JwtOptions => ({
  algorithms: ["ES256"],
  issuer,
  audience,
  key: issuing.publicKey,
  dpop: "required",
  proofStore: memoryRecords(),
  baseURL: "https://api.example",
  ...changed,
});

interface Asked {
  readonly scheme?: string;
  readonly path?: string;
  readonly method?: string;
  readonly proof?: string | readonly string[];
}

/** Asks an application, and returns status, challenge, and the nonce if there is one. */
function asking(changed: Partial<JwtOptions> = {}) {
  const app = nativeAround(jwt(options(changed)));
  return async (
    shown: string | null,
    { scheme = "DPoP", path = "/items", method = "GET", proof: sent }: Asked = {},
  ) => {
    const headers = new Headers(shown === null ? {} : { authorization: `${scheme} ${shown}` });
    for (const one of [sent ?? []].flat()) headers.append("dpop", one);
    const response = await app.fetch(new Request(`http://10.0.0.1:8080${path}`, { method, headers }));
    const seen = [response.status, response.headers.get("www-authenticate")] as const;
    const nonce = response.headers.get("dpop-nonce");
    return nonce === null ? seen : ([...seen, nonce] as const);
  };
}

/** What a client is told. */
function refused(description: string, error = "invalid_dpop_proof"): readonly [number, string] {
  return [401, `DPoP realm="default", algs="${algs}", error="${error}", error_description="${description}"`];
}

const malformed = "The proof cannot be verified with its typ, alg, jwk and signature";

describe("RFC 9449 by its own examples", () => {
  // §7.1, with the token and the thumbprint of §6.1.
  const shown = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
  const resource =
    "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJo" +
    "RjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJ" +
    "qdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXN" +
    "vdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yR" +
    "qzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA";
  const target = { method: "GET", url: "https://resource.example.org/protectedresource", token: shown };

  it("reads the proof of §7.1 at its time, and not a minute and its tolerance later", async () => {
    at(1_562_262_618);
    const found = { id: "e1j3V_bKic8-LAEB", nonce: undefined, key: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" };
    expect(await readProof(resource, target, ["ES256"], 0)).toEqual(found);
    const late = "The proof is more than a minute old, or from the future (iat)";
    for (const [seconds, expected] of [
      [-11, late],
      [-10, found],
      [70, found],
      [71, late],
    ] as const) {
      vi.setSystemTime((1_562_262_618 + seconds) * 1000);
      expect(await readProof(resource, target, ["ES256"], 0), String(seconds)).toEqual(expected);
    }
  });

  it("refuses it for another method, URL, token and algorithm, and the proof of §4.1, which has none", async () => {
    at(1_562_262_618);
    const read = (changed: object, algorithms = ["ES256"]) =>
      readProof(resource, { ...target, ...changed }, algorithms, 0);
    expect(await read({ method: "HEAD" })).toBe("The proof is for another method (htm)");
    expect(await read({ url: "https://resource.example.org/" })).toBe("The proof is for another URL (htu)");
    expect(await read({ url: null })).toBe("The proof is for another URL (htu)");
    expect(await read({ token: `${shown}.` })).toBe("The proof is for another token (ath)");
    expect(await read({}, ["PS256"])).toBe(malformed);
    const atIssuer =
      `${resource.split(".")[0]}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4` +
      "YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x" +
      "7NV" +
      "Y-FNyJK70nfbV37xRZT3Lg";
    const tokenTarget = { method: "POST", url: "https://server.example.com/token", token: shown };
    expect(await readProof(atIssuer, tokenTarget, ["ES256"], 0)).toBe("The proof is for another token (ath)");
  });
});

describe("jwt({ dpop })", () => {
  it("lets in who proves to have the key of the token, by each algorithm, however the scheme is written", async () => {
    at(start);
    const statusOf = asking();
    const shown = await token();
    for (const scheme of ["DPoP", "dpop", "DPOP"])
      expect(await statusOf(shown, { scheme, proof: await proof(shown) })).toEqual([200, null]);
    for (const alg of ["Ed25519", "EdDSA", "PS256", "RS256"]) {
      const by = await pair(alg);
      const bound = await token(by.thumbprint);
      expect(await statusOf(bound, { proof: await proof(bound, { by, header: { alg } }) }), alg).toEqual([200, null]);
    }
  });

  it("RFC 9449 §7.1 asks for a token, and says by which algorithms", async () => {
    expect(await asking()(null)).toEqual([401, `DPoP realm="default", algs="${algs}"`]);
    expect(await asking({ proofAlgorithms: ["PS256"], realm: "api" })(null)).toEqual([
      401,
      'DPoP realm="api", algs="PS256"',
    ]);
    expect(await asking()("a b")).toEqual([400, `DPoP realm="default", algs="${algs}", error="invalid_request"`]);
    const challenge = () => ({ algs: "none", service: "api" });
    expect(await asking({ challenge })(null)).toEqual([401, `DPoP realm="default", algs="${algs}", service="api"`]);
  });

  it("takes the URL as clients see it: from the request, or below its base URL", async () => {
    at(start);
    const shown = await token();
    const urls: readonly (readonly [base: string | undefined, htu: string])[] = [
      [undefined, "http://10.0.0.1:8080/items"],
      ["https://api.example/v1", "https://api.example/v1/items"],
      ["https://api.example:443/v1/", "https://api.example/v1/items"],
      ["https://API.example/%7Ev1", "https://api.example/~v1/items"],
    ];
    for (const [baseURL, htu] of urls) {
      const sent = await proof(shown, { claims: { htu } });
      expect(await asking({ baseURL })(shown, { proof: sent }), htu).toEqual([200, null]);
    }
    const server = await started(polyfillAround(jwt(options({ baseURL: undefined }))));
    const htu = `http://127.0.0.1:${portOf(server)}/items`;
    const headers = { authorization: `DPoP ${shown}`, dpop: await proof(shown, { claims: { htu } }) };
    expect(await ask(server, { path: "/items?a=b", headers })).toMatchObject({ status: 200 });
    const secure = { claims: { htu: "https://api.example/items" } };
    const fields = { host: "api.example", authorization: `DPoP ${shown}`, dpop: await proof(shown, secure) };
    const end = vi.fn(() => "ended");
    const response = { setHeader() {}, getHeader() {}, removeHeader() {}, end };
    const request = { headers: fields, socket: { encrypted: true } };
    await polyfillAround(jwt(options({ baseURL: undefined }))).handle({
      url: "/items",
      method: "GET",
      request,
      response,
    } as never);
    expect(end).toHaveBeenCalledOnce();
  });
});

describe("attacks on jwt({ dpop })", () => {
  const htuFault = "The proof is for another URL (htu)";
  const htmFault = "The proof is for another method (htm)";
  const timeFault = "The proof is more than a minute old, or from the future (iat)";
  const athFault = "The proof is for another token (ath)";
  const idFault = "The proof has no id (jti)";

  const changed: readonly (readonly [name: string, changes: () => Changes, description: string])[] = [
    ["of another method", () => ({ claims: { htm: "POST" } }), htmFault],
    ["of a method in another case", () => ({ claims: { htm: "get" } }), htmFault],
    ["without a method", () => ({ claims: { htm: undefined } }), htmFault],
    ["of another path", () => ({ claims: { htu: "https://api.example/items/1" } }), htuFault],
    ["of another host", () => ({ claims: { htu: "https://evil.example/items" } }), htuFault],
    ["of another scheme", () => ({ claims: { htu: "http://api.example/items" } }), htuFault],
    ["of another port", () => ({ claims: { htu: "https://api.example:8443/items" } }), htuFault],
    ["of a path in another case", () => ({ claims: { htu: "https://api.example/Items" } }), htuFault],
    ["of an escaped slash", () => ({ claims: { htu: "https://api.example%2Fitems" } }), htuFault],
    ["with a user name in the URL", () => ({ claims: { htu: "https://a@api.example/items" } }), htuFault],
    ["of a URL that is none", () => ({ claims: { htu: "/items" } }), htuFault],
    ["of a list of URLs", () => ({ claims: { htu: ["https://api.example/items"] } }), htuFault],
    ["of another scheme than HTTP", () => ({ claims: { htu: "ftp://api.example/items" } }), htuFault],
    ["for another token", () => ({ claims: { ath: "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo" } }), athFault],
    ["for no token", () => ({ claims: { ath: undefined } }), athFault],
    ["from the future", () => ({ claims: { iat: start + 11 } }), timeFault],
    ["from the past", () => ({ claims: { iat: start - 71 } }), timeFault],
    ["without a time", () => ({ claims: { iat: undefined } }), timeFault],
    ["without an id", () => ({ claims: { jti: undefined } }), idFault],
    ["with an id that is no text", () => ({ claims: { jti: 5 } }), idFault],
    ["with an empty id", () => ({ claims: { jti: "" } }), idFault],
    ["of another type", () => ({ header: { typ: "JWT" } }), malformed],
    ["without a type", () => ({ header: { typ: undefined } }), malformed],
    ["with a private key", () => ({ header: { jwk: { ...own.jwk, d: "AA" } } }), malformed],
    ["with a prime of a private key", () => ({ header: { jwk: { ...own.jwk, p: "AA" } } }), malformed],
    ["without a key", () => ({ header: { jwk: undefined } }), malformed],
    ["with a key that is none", () => ({ header: { jwk: { ...own.jwk, x: "AA" } } }), malformed],
    ["with a point beside the curve", () => ({ header: { jwk: { ...own.jwk, x: own.jwk.y } } }), malformed],
    ["with the key of somebody else", () => ({ header: { jwk: other.jwk } }), malformed],
    ["that is critical of something", () => ({ header: { crit: ["x"], x: 1 } }), malformed],
  ];

  it.each(changed)("refuses a proof %s", async (_, changes, description) => {
    at(start);
    const shown = await token();
    // The library signs nothing that is critical of what it does not know.
    const sent = await proof(shown, changes()).catch(async () => critical(await proof(shown)));
    expect(await asking()(shown, { proof: sent })).toEqual(refused(description));
  });

  function critical(right: string): string {
    const [header, ...others] = right.split(".");
    const changes = { ...JSON.parse(new TextDecoder().decode(base64url.decode(header!))), crit: ["x"], x: 1 };
    return [base64url.encode(JSON.stringify(changes)), ...others].join(".");
  }

  it("refuses a proof that is not signed, however it spells none, and one that is signed by a secret", async () => {
    at(start);
    const shown = await token();
    const [, claims] = (await proof(shown)).split(".");
    const head = (header: object) => base64url.encode(JSON.stringify({ typ: "dpop+jwt", jwk: own.jwk, ...header }));
    for (const alg of ["none", "None", "", undefined])
      expect(await asking()(shown, { proof: `${head({ alg })}.${claims}.` }), alg).toEqual(refused(malformed));
    const key = new TextEncoder().encode("x".repeat(32));
    const jwk = { kty: "oct", k: base64url.encode(key) };
    const bound = await token(await calculateJwkThumbprint(jwk));
    const payload = JSON.parse(new TextDecoder().decode(base64url.decode((await proof(bound)).split(".")[1]!)));
    const bySecret = await signed({ typ: "dpop+jwt", alg: "HS256", jwk }, payload as object, key);
    expect(await asking()(bound, { proof: bySecret })).toEqual(refused(malformed));
  });

  it("refuses a proof that is missing, double, padded, huge or no token", async () => {
    at(start);
    const shown = await token();
    const sent = await proof(shown);
    const one = refused("The header DPoP must be one JSON Web Token");
    expect(await asking()(shown)).toEqual(refused("The header DPoP is missing"));
    expect(await asking()(shown, { proof: [sent, await proof(shown)] })).toEqual(one);
    expect(await asking()(shown, { proof: `${sent}=` })).toEqual(one);
    expect(await asking()(shown, { proof: "a.b" })).toEqual(refused(malformed));
    const huge = await proof(shown, { claims: { jti: "x".repeat(8_192) } });
    expect(await asking()(shown, { proof: huge })).toEqual(refused("The header DPoP is longer than 8192 characters"));
  });

  it("refuses a proof that comes again, by another guard of its store as well, until its time is over", async () => {
    at(start);
    const proofStore = memoryRecords();
    const [first, second] = [asking({ proofStore }), asking({ proofStore })];
    const shown = await token();
    const sent = await proof(shown);
    const again = refused("The proof was used before");
    expect(await first(shown, { proof: sent })).toEqual([200, null]);
    expect(await first(shown, { proof: sent })).toEqual(again);
    expect(await second(shown, { proof: sent })).toEqual(again);
    // Another client may have an id by chance.
    const bound = await token(other.thumbprint);
    const claims = { jti: `proof ${proofs}` };
    expect(await first(bound, { proof: await proof(bound, { by: other, claims }) })).toEqual([200, null]);
    // The clock of the store goes on as well.
    vi.advanceTimersByTime(70_000);
    expect(await first(shown, { proof: sent })).toEqual(again);
  });

  it("lets through one of many that come at once", async () => {
    at(start);
    const show = asking();
    const shown = await token();
    const sent = await proof(shown);
    const all = await Promise.all(Array.from({ length: 20 }, () => show(shown, { proof: sent })));
    expect(all.filter(([status]) => status === 200)).toHaveLength(1);
  });

  it("refuses the token of another key, and of none", async () => {
    at(start);
    const mine = await token();
    const by = other;
    expect(await asking()(mine, { proof: await proof(mine, { by }) })).toEqual(
      refused("The token is bound to another key than the proof's", "invalid_token"),
    );
    const unbound = [401, `DPoP realm="default", algs="${algs}", error="invalid_token"`];
    for (const claims of [{}, { cnf: null }, { cnf: "x" }, { cnf: {} }, { cnf: { "x5t#S256": "x" } }]) {
      const free = await token(null, claims);
      expect(await asking()(free, { proof: await proof(free) })).toEqual(unbound);
    }
    for (const jkt of [null, 5, [own.thumbprint, "x"]]) {
      const odd = await token(null, { cnf: { jkt } });
      expect((await asking()(odd, { proof: await proof(odd) }))[0]).toBe(401);
    }
  });

  it("RFC 9449 §7.2 refuses a token that is bound to a key and shown as bearer token", async () => {
    at(start);
    const shown = await token();
    const sent = await proof(shown);
    const show = asking();
    expect(await show(shown, { scheme: "Bearer", proof: sent })).toEqual([401, `DPoP realm="default", algs="${algs}"`]);
    const accepting = asking({ dpop: "accepted" });
    const both = `Bearer realm="default", error="invalid_token", DPoP realm="default", algs="${algs}"`;
    for (const bound of [shown, await token(null, { cnf: { jkt: null } })]) {
      expect(await accepting(bound, { scheme: "Bearer" })).toEqual([401, both]);
      expect(await accepting(bound, { scheme: "bearer", proof: sent })).toEqual([401, both]);
    }
  });

  it.each([
    ["https://API.Example/items", "/items"],
    ["HTTPS://api.example:443/items?a=b#c", "/items?d=e"],
    ["https://api.example/%69tems", "/items"],
    ["https://api.example/items/%c3%a9", "/items/%C3%A9"],
    ["https://api.example/x/.././items", "/items"],
    ["https://api.example/items", "/y/../%69tems"],
  ])("RFC 3986 §6.2 takes %s for the URL of %s, as the path is matched", async (htu, path) => {
    at(start);
    const shown = await token();
    expect(await asking()(shown, { path, proof: await proof(shown, { claims: { htu } }) })).toEqual([200, null]);
  });
});

describe('jwt({ dpop: "accepted" })', () => {
  it("takes either, and asks for either", async () => {
    at(start);
    const show = asking({ dpop: "accepted" });
    const free = await token(null);
    const bound = await token();
    expect(await show(free, { scheme: "Bearer" })).toEqual([200, null]);
    expect(await show(bound, { proof: await proof(bound) })).toEqual([200, null]);
    const dpopPart = `DPoP realm="default", algs="${algs}"`;
    expect(await show(null)).toEqual([401, `Bearer realm="default", ${dpopPart}`]);
    expect(await show("x", { scheme: "Basic" })).toEqual([401, `Bearer realm="default", ${dpopPart}`]);
    expect(await show("x")).toEqual([401, `Bearer realm="default", ${dpopPart}, error="invalid_token"`]);
    expect(await show(free, { proof: await proof(free) })).toEqual([
      401,
      `Bearer realm="default", ${dpopPart}, error="invalid_token"`,
    ]);
  });

  it("RFC 6750 §3.1 names the scope that lacks by the scheme that was shown", async () => {
    at(start);
    const show = asking({ dpop: "accepted", scopes: ["write"] });
    const lacks = 'scope="write", error="insufficient_scope"';
    expect(await show(await token(null), { scheme: "Bearer" })).toEqual([403, `Bearer realm="default", ${lacks}`]);
    const bound = await token();
    expect(await show(bound, { proof: await proof(bound) })).toEqual([
      403,
      `DPoP realm="default", algs="${algs}", ${lacks}`,
    ]);
  });

  it("lets in who shows none where it is optional", async () => {
    expect(await asking({ dpop: "accepted", optional: true })(null)).toEqual([200, null]);
    expect(await asking({ optional: true })(null)).toEqual([200, null]);
  });
});

describe("jwt({ nonceSecrets })", () => {
  const nonced = (changed: Partial<JwtOptions> = {}) => asking({ nonceSecrets: [secret], ...changed });
  const wanted = refused("The proof needs the nonce in DPoP-Nonce", "use_dpop_nonce");

  it("RFC 9449 §9 asks for a nonce, takes it more than once, and gives a new one before it ends", async () => {
    at(start);
    const show = nonced();
    const shown = await token();
    const [status, challenge, nonce] = await show(shown, { proof: await proof(shown) });
    expect([status, challenge]).toEqual(wanted);
    for (let times = 0; times < 2; times++)
      expect(await show(shown, { proof: await proof(shown, { claims: { nonce } }) })).toEqual([200, null]);
    const later = start + 300;
    vi.setSystemTime(later * 1000);
    const renewed = await show(shown, { proof: await proof(shown, { claims: { nonce, iat: later } }) });
    expect(renewed).toEqual([200, null, expect.not.stringContaining(nonce!)]);
    vi.setSystemTime((start + 600) * 1000);
    const claims = { nonce, iat: start + 600 };
    expect(await show(shown, { proof: await proof(shown, { claims }) })).toEqual([...wanted, expect.any(String)]);
  });

  it("RFC 9449 §8.2 lets nobody keep the answer with a nonce", async () => {
    at(start);
    const app = nativeAround(jwt(options({ nonceSecrets: [secret] })));
    const shown = await token();
    const { 2: nonce } = await nonced()(shown, { proof: await proof(shown) });
    vi.setSystemTime((start + 300) * 1000);
    const headers = {
      authorization: `DPoP ${shown}`,
      dpop: await proof(shown, { claims: { nonce, iat: start + 300 } }),
    };
    const response = await app.fetch(new Request("https://api.example/items", { headers }));
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("takes nonces of other processes, by any of its secrets, and a little ahead of time", async () => {
    at(start);
    const shown = await token();
    const { 2: nonce } = await nonced()(shown, { proof: await proof(shown) });
    const rotated = nonced({ nonceSecrets: [secret.toUpperCase(), secret] });
    expect(await rotated(shown, { proof: await proof(shown, { claims: { nonce } }) })).toEqual([200, null]);
    vi.setSystemTime((start - 1) * 1000);
    expect(await nonced()(shown, { proof: await proof(shown, { claims: { nonce } }) })).toEqual([200, null]);
    vi.setSystemTime((start - 301) * 1000);
    const claims = { nonce, iat: start - 301 };
    expect((await nonced()(shown, { proof: await proof(shown, { claims }) }))[0]).toBe(401);
  });

  it("refuses a nonce that is foreign, changed, or none", async () => {
    at(start);
    const shown = await token();
    const { 2: foreign } = await nonced({ nonceSecrets: [secret.toUpperCase()] })(shown, { proof: await proof(shown) });
    const { 2: nonce } = await nonced()(shown, { proof: await proof(shown) });
    const [period, signature] = nonce!.split(".");
    const odd = [foreign, `${Number(period) + 1}.${signature}`, `${period}.${signature}=`, "", 5, null, [nonce, nonce]];
    for (const claim of odd)
      expect(await nonced()(shown, { proof: await proof(shown, { claims: { nonce: claim } }) })).toEqual([
        ...wanted,
        expect.any(String),
      ]);
  });
});

describe("one request with one proof", () => {
  const who = new Attribute<JWTPayload>("who");

  it("passes several guards of one store, but not those of another request", async () => {
    at(start);
    const proofStore = memoryRecords();
    const shown = await token();
    const headers = { authorization: `DPoP ${shown}`, dpop: await proof(shown) };
    const app = nativeAround([jwt(options({ proofStore })), jwt(options({ proofStore }))]);
    const statusOf = async () => (await app.fetch(new Request("https://api.example/items", { headers }))).status;
    expect([await statusOf(), await statusOf()]).toEqual([200, 401]);
  });

  it("is 503 where the store fails, and 401 again where it answers", async () => {
    at(start);
    let isDown = true;
    const records = memoryRecords();
    const proofStore = {
      begin: (...asked: Parameters<typeof records.begin>) => {
        if (isDown) throw new Error("down");
        return records.begin(...asked);
      },
    };
    const show = asking({ proofStore });
    const shown = await token();
    const sent = await proof(shown);
    expect((await show(shown, { proof: sent }))[0]).toBe(503);
    isDown = false;
    expect((await show(shown, { proof: sent }))[0]).toBe(200);
  });

  class Me extends Resource {
    paths = ["/me"] as const;

    static GET = { 200: text(), tool: { name: "me" } };
    GET(call: Call<typeof Me, "GET">): string {
      return who.get(call).sub!;
    }
  }

  const appBy = (changed: Partial<JwtOptions> = {}) => {
    const guard = jwt(options({ identity: who, ...changed }));
    const group = ResourceGroup.builder().resources(Me).middleware(guard).build();
    return Application.builder()
      .resources(group, mcp({ name: "me", version: "1", middleware: [guard] }))
      .build();
  };

  it("is for the request that an agent has sent, whose call of a tool it does not know", async () => {
    at(start);
    const app = appBy();
    const shown = await token();
    const params = { name: "me", arguments: {} };
    const json = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const claims = { htm: "POST", htu: "https://api.example/mcp" };
    const headers = {
      accept: "application/json, text/event-stream",
      authorization: `DPoP ${shown}`,
      dpop: await proof(shown, { claims }),
    };
    const calls = [];
    for (let times = 0; times < 2; times++) {
      const response = await app.request("/mcp", { method: "POST", headers, json });
      calls.push([response.status, /"text":"ada"/.test(await response.text())]);
    }
    expect(calls).toEqual([
      [200, true],
      [401, false],
    ]);
  });

  it("grants the scopes of operations, and names one that lacks by the scheme that was shown", async () => {
    at(start);
    class Tickets extends Resource {
      paths = ["/tickets"] as const;

      static GET = { scopes: ["tickets:read"], 200: text() };
      GET(): string {
        return "none";
      }
    }
    const group = ResourceGroup.builder()
      .resources(Tickets)
      .middleware(jwt(options({ dpop: "accepted" })))
      .build();
    const app = Application.builder().resources(group).build();
    const seen: unknown[] = [];
    for (const scope of ["tickets:read", "other"]) {
      const bound = await token(own.thumbprint, { scope });
      const sent = await proof(bound, { claims: { htu: "https://api.example/tickets" } });
      const { status, headers } = await app.request("/tickets", {
        headers: { authorization: `DPoP ${bound}`, dpop: sent },
      });
      seen.push([status, headers.get("www-authenticate")]);
    }
    const lacks = 'scope="tickets:read", error="insufficient_scope"';
    expect(seen).toEqual([
      [200, null],
      [403, `DPoP realm="default", algs="${algs}", ${lacks}`],
    ]);
  });

  it("is named in the document, alone or beside bearer tokens", async () => {
    const about = { title: "Me", version: "1" };
    const scheme = { type: "http", scheme: "dpop" };
    const required = document(appBy(), about);
    expect(required.components.securitySchemes).toEqual({ dpop: scheme });
    expect(required.paths["/me"]!["get"]!.security).toEqual([{ dpop: [] }]);
    const accepted = document(appBy({ dpop: "accepted" }), about);
    expect(accepted.components.securitySchemes).toEqual({
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      dpop: scheme,
    });
    expect(accepted.paths["/me"]!["get"]!.security).toEqual([{ bearer: [] }, { dpop: [] }]);
  });

  it("is made by dpop() of the client, with a nonce where the server asks for one", async () => {
    const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
    const thumbprint = await calculateJwkThumbprint(await exportJWK(keys.publicKey));
    const exp = Math.floor(Date.now() / 1000) + 60;
    const shown = await token(thumbprint, { exp });
    for (const nonceSecrets of [undefined, [secret]]) {
      const app = appBy({ nonceSecrets });
      const statuses: number[] = [];
      const fetch = around(dpop({ keys, token: () => shown }), async (request) => {
        const response = await app.fetch(request);
        statuses.push(response.status);
        return response;
      });
      const api = client<typeof app>("https://api.example", { fetch });
      for (let times = 0; times < 2; times++) expect((await api["/me"].GET()).content).toBe("ada");
      expect(statuses).toEqual(nonceSecrets === undefined ? [200, 200] : [401, 200, 200]);
    }
  });
});

describe("jwt({ dpop }) options", () => {
  const wrong = (changed: { readonly [Name in keyof JwtOptions]?: unknown }): string =>
    refusalOf(() => jwt(options(changed as Partial<JwtOptions>)));

  it("have a meaning together only", () => {
    const key = createLocalJWKSet({ keys: [issuing.jwk] });
    const lone = { proofStore: undefined, baseURL: undefined };
    for (const option of ["proofStore", "proofAlgorithms", "nonceSecrets", "baseURL", "storeTimeoutMs"])
      expect(wrong({ key, dpop: undefined, ...lone, [option]: "x" })).toBe(
        `Cannot call jwt(): its option "${option}" must be absent without "dpop", got a string`,
      );
    expect(wrong({ proofStore: undefined })).toContain('"proofStore" must be a store such as memoryRecords()');
    expect(wrong({ scheme: "Token" })).toContain('"scheme" must be absent with "dpop"');
    expect(wrong({ token: { cookie: "session" } })).toContain('"token" must be absent with "dpop"');
    expect(jwt(options())).toBeTypeOf("function");
  });
});
