import { createSecretKey, generateKeyPairSync, KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { jwt, type JwtOptions } from "fingerpost/middleware/jwt";
import { Attribute } from "fingerpost/modules/http.polyfill.js";
import {
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, gate, listening, portOf, started } from "../../tests/support/sockets.ts";

const issuer = "https://issuer.example";
const audience = "https://api.example";
const invalid = [401, 'Bearer realm="default", error="invalid_token"'] as const;

let publicKey: CryptoKey;
let privateKey: CryptoKey;
let published: JWK;

beforeAll(async () => {
  ({ publicKey, privateKey } = await generateKeyPair("ES256"));
  published = { ...(await exportJWK(publicKey)), kid: "first", alg: "ES256", use: "sig" };
});

const options = (): JwtOptions => ({ algorithms: ["ES256"], issuer, audience, key: publicKey });

/** A token that is right but for the claims and header parameters that are given; undefined leaves one out. */
async function token(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const all = Object.entries({ iss: issuer, aud: audience, sub: "ada", exp, ...claims });
  const present = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  // Not by SignJWT, which refuses claims of a wrong type.
  return new CompactSign(new TextEncoder().encode(JSON.stringify(present)))
    .setProtectedHeader({ alg: "ES256", kid: "first", ...header })
    .sign(privateKey);
}

/** Status and challenge that a token gets. */
async function outcome(text: string, changed: Partial<JwtOptions> = {}): Promise<[number, string | null]> {
  const { key, ...rest } = { ...options(), ...changed };
  const Guard = jwt({ ...rest, ...(changed.jwksURI === undefined && key !== undefined && { key }) });
  const request = requestFor({ headers: { authorization: `Bearer ${text}` } });
  const response = await nativeAround(Guard).fetch(request);
  return [response.status, response.headers.get("www-authenticate")];
}

/** Serves the keys of an issuer. Returns the URL. */
async function publishing(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${portOf(await listening(createServer(listener)))}/jwks`;
}

describe("jwt()", () => {
  it("RFC 7519 §7.2 lets in who shows a token that is right", async () => {
    expect(await outcome(await token())).toEqual([200, null]);
  });

  it("RFC 6750 §3.1 answers 401 to who shows none, and to another scheme with a token", async () => {
    const app = nativeAround(jwt(options()));
    const good = await token();
    const headersOf: Record<string, string>[] = [
      {},
      { authorization: `Basic ${good}` },
      { authorization: `JWT ${good}` },
    ];
    for (const headers of headersOf) {
      const response = await app.fetch(requestFor({ headers }));
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="default"']);
    }
  });

  it("RFC 8725 §3.2 answers 401 to a token that is not signed, however it spells none", async () => {
    const unsecured = new UnsecuredJWT({ iss: issuer, aud: audience, exp: 4_000_000_000 }).encode();
    expect(await outcome(unsecured)).toEqual(invalid);
    const [, claims] = unsecured.split(".");
    for (const alg of ["none", "None", "NONE", "nOnE", "", undefined]) {
      expect(await outcome(`${btoa(JSON.stringify({ alg }))}.${claims}.`.replace(/=+\./, ".")), alg).toEqual(invalid);
    }
  });

  it("RFC 8725 §3.1 answers 401 to an algorithm that is not among those allowed", async () => {
    const good = await token();
    expect((await outcome(good, { key: () => publicKey, algorithms: ["ES384"] }))[0]).toBe(401);
    // The public key taken for a secret, which anybody knows.
    const secret = new TextEncoder().encode(JSON.stringify(published));
    const forged = await new SignJWT({ iss: issuer, aud: audience, exp: 4_000_000_000 })
      .setProtectedHeader({ alg: "HS256", kid: "first" })
      .sign(secret);
    expect(await outcome(forged)).toEqual(invalid);
    const key = createLocalJWKSet({ keys: [published] });
    expect(await outcome(forged, { key, algorithms: ["ES256", "HS256"] })).toEqual(invalid);
  });

  it("RFC 7515 §2 answers 401 to a token with padding", async () => {
    const [header, claims, signature] = (await token()).split(".");
    for (const text of [`${header}.${claims}.${signature}=`, `${header}.${claims}.${signature}==`])
      expect((await outcome(text))[0]).toBe(401);
  });

  it("RFC 7515 §5.2 answers 401 to a signature that is wrong", async () => {
    const [header, , signature] = (await token()).split(".");
    const [, claims] = (await token({ sub: "eve" })).split(".");
    expect(await outcome(`${header}.${claims}.${signature}`)).toEqual(invalid);
    for (const text of ["x", "a.b.c", `${header}.${claims}`, `${header}.${claims}.`]) {
      expect(await outcome(text), text).toEqual(invalid);
    }
  });

  it("RFC 7515 §4.1.11 answers 401 to critical parameters that are not known", async () => {
    const [, claims, signature] = (await token()).split(".");
    const header = btoa(JSON.stringify({ alg: "ES256", crit: ["x"], x: 1 })).replaceAll("=", "");
    expect(await outcome(`${header}.${claims}.${signature}`)).toEqual(invalid);
  });

  it("RFC 8725 §3.10 RFC 7515 §4.1 takes no key from the token: neither jwk, jku, x5u nor x5c", async () => {
    const own = await generateKeyPair("ES256");
    const jwk = await exportJWK(own.publicKey);
    let fetched = 0;
    const jku = await publishing((_, response) => {
      fetched++;
      response.end(JSON.stringify({ keys: [{ ...jwk, kid: "own" }] }));
    });
    const claims = { iss: issuer, aud: audience, exp: Math.floor(Date.now() / 1000) + 60 };
    for (const named of [{ jwk }, { jku: String(jku) }, { x5u: String(jku) }, { x5c: ["AA=="] }]) {
      const signer = new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "own", ...named });
      const text = await signer.sign(own.privateKey);
      for (const key of [publicKey, createLocalJWKSet({ keys: [published] })]) {
        expect(await outcome(text, { key }), Object.keys(named)[0]).toEqual(invalid);
      }
    }
    expect(fetched).toBe(0);
  });

  it("RFC 7519 §4 reads the last of claims with one name", async () => {
    const signed = async (claims: string): Promise<string> =>
      new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
    const others = `"iss":"${issuer}","exp":4000000000`;
    expect(await outcome(await signed(`{${others},"aud":"${audience}","aud":"x"}`))).toEqual(invalid);
    expect(await outcome(await signed(`{${others},"aud":"x","aud":"${audience}"}`))).toEqual([200, null]);
  });

  it("RFC 7519 §4.1.3 answers 401 to a token for others, or for nobody", async () => {
    for (const aud of ["https://other.example", undefined, [], "", `${audience}/`]) {
      expect(await outcome(await token({ aud }))).toEqual(invalid);
    }
    expect((await outcome(await token({ aud: ["x", audience] })))[0]).toBe(200);
    expect((await outcome(await token({ aud: "b" }), { audience: ["a", "b"] }))[0]).toBe(200);
  });

  it("RFC 7519 §4.1.1 RFC 8725 §3.8 answers 401 to a token of another issuer, or of none", async () => {
    for (const iss of ["https://evil.example", undefined, "", `${issuer}/`]) {
      expect(await outcome(await token({ iss }))).toEqual(invalid);
    }
    expect((await outcome(await token({ iss: "b" }), { issuer: ["a", "b"] }))[0]).toBe(200);
  });

  it("RFC 7519 §4.1.4 answers 401 to a token that has expired, or never does", async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const exp of [now - 1, 0, undefined]) expect(await outcome(await token({ exp }))).toEqual(invalid);
    expect((await outcome(await token({ exp: now - 5 }), { clockToleranceSeconds: 30 }))[0]).toBe(200);
  });

  it("RFC 7519 §2 answers 401 to an expiration that is not a number", async () => {
    for (const exp of ["4000000000", "never", true, null, {}, [4_000_000_000]]) {
      expect(await outcome(await token({ exp })), JSON.stringify(exp)).toEqual(invalid);
    }
  });

  it("RFC 7519 §4.1.5 answers 401 to a token that is not valid yet", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await outcome(await token({ nbf: now + 60 }))).toEqual(invalid);
    expect((await outcome(await token({ nbf: now - 60 })))[0]).toBe(200);
  });

  it("RFC 7519 §4.1.6 answers 401 to a token that was issued too long ago", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await outcome(await token({ iat: now - 100 }), { maxTokenAgeSeconds: 60 })).toEqual(invalid);
    expect(await outcome(await token(), { maxTokenAgeSeconds: 60 })).toEqual(invalid);
    expect((await outcome(await token({ iat: now - 10 }), { maxTokenAgeSeconds: 60 }))[0]).toBe(200);
  });

  it("RFC 8725 §3.11 RFC 9068 §4 answers 401 to a token of another type", async () => {
    expect(await outcome(await token({}, { typ: "JWT" }), { typ: "at+jwt" })).toEqual(invalid);
    expect(await outcome(await token(), { typ: "at+jwt" })).toEqual(invalid);
    expect((await outcome(await token({}, { typ: "at+jwt" }), { typ: "at+jwt" }))[0]).toBe(200);
    expect((await outcome(await token({}, { typ: "application/at+jwt" }), { typ: "at+jwt" }))[0]).toBe(200);
  });

  it("answers 401 to a token without a claim that is required", async () => {
    expect(await outcome(await token({ sub: undefined }), { requiredClaims: ["sub"] })).toEqual(invalid);
    expect((await outcome(await token(), { requiredClaims: ["sub"] }))[0]).toBe(200);
  });

  it("RFC 9068 §2.2.3 RFC 6750 §3.1 answers 403 to a scope that is too small", async () => {
    const small = [403, 'Bearer realm="api", scope="read write", error="insufficient_scope"'];
    const needed = { scopes: ["read", "write"], realm: "api" };
    for (const scope of ["read", "", undefined, ["read", 5], "readwrite", 5]) {
      expect(await outcome(await token({ scope }), needed)).toEqual(small);
    }
    const large = [
      { scope: "write read more" },
      { scope: ["read", "write"] },
      { scp: "read write" },
      { scp: ["write", "read"] },
    ];
    for (const claims of large) expect((await outcome(await token(claims), needed))[0]).toBe(200);
    expect((await outcome(await token({ scope: "read", scp: "read write" }), needed))[0]).toBe(403);
    const scopesOf = (claims: object): string[] => (claims as { readonly permissions: string[] }).permissions;
    expect((await outcome(await token({ permissions: ["read", "write"] }), { ...needed, scopesOf }))[0]).toBe(200);
  });

  it("C5.6 sets the claims as an attribute", async () => {
    const claims = new Attribute<JWTPayload>("claims");
    const app = nativeAround(
      jwt({ ...options(), identity: claims }),
      (request) => new Response(claims.get(request).sub!),
    );
    const request = requestFor({ headers: { authorization: `Bearer ${await token()}` } });
    expect(await (await app.fetch(request)).text()).toBe("ada");
  });

  it("verifies by a shared secret", async () => {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const text = await new SignJWT({ iss: issuer, aud: audience, exp: 4_000_000_000 })
      .setProtectedHeader({ alg: "HS256" })
      .sign(key);
    expect((await outcome(text, { key, algorithms: ["HS256"] }))[0]).toBe(200);
    expect(await outcome(text, { key: new Uint8Array(32), algorithms: ["HS256"] })).toEqual(invalid);
  });

  it("C7.3 answers 500 where a function that finds keys fails, as only errors of jose are of the token", async () => {
    const fault = Object.assign(new Error("the store cannot be reached"), { code: "ERR_JWT_EXPIRED" });
    const key = (): never => {
      throw fault;
    };
    expect(await outcome(await token(), { key })).toEqual([500, null]);
  });

  it("works over a socket, by both chains", async () => {
    const headers = { authorization: `Bearer ${await token()}` };
    for (const app of [nativeAround(jwt(options())), polyfillAround(jwt(options()))]) {
      const server = await started(app);
      expect((await ask(server, { path: "/items" })).status).toBe(401);
      expect((await ask(server, { path: "/items", headers })).text).toBe("reached");
    }
  });
});

describe("jwt({ jwksURI })", () => {
  it("RFC 7517 §5 verifies by the keys that the issuer publishes, fetched once", async () => {
    let fetched = 0;
    const jwksURI = await publishing((_, response) => {
      fetched++;
      response.end(JSON.stringify({ keys: [published] }));
    });
    const { key: _, ...rest } = options();
    const app = nativeAround(jwt({ ...rest, jwksURI }));
    const statusOf = async (text: string): Promise<number> =>
      (await app.fetch(requestFor({ headers: { authorization: `Bearer ${text}` } }))).status;
    expect(await statusOf(await token())).toBe(200);
    expect(await statusOf(await token())).toBe(200);
    expect(fetched).toBe(1);
    // A key that is not there is looked for again only when some time has passed.
    expect(await statusOf(await token({}, { kid: "second" }))).toBe(401);
    expect(fetched).toBe(1);
  });

  it("C7.3 answers 500, not 401, when the keys cannot be had", async () => {
    const answers: RequestListener[] = [
      (_, response) => void response.writeHead(503).end(),
      (_, response) => void response.end("no JSON"),
      (_, response) => void response.end("{}"),
      (request) => void request.socket.destroy(),
    ];
    for (const answer of answers) {
      const jwksURI = await publishing(answer);
      expect(await outcome(await token(), { jwksURI })).toEqual([500, null]);
    }
  });
});

describe("jwt({ jwksURI }) of an issuer that fails", () => {
  /** An issuer that can fail, an application that believes it, and a clock that the test sets. */
  async function failing() {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const issuing = { answer: null as RequestListener | null, requests: 0 };
    const jwksURI = await publishing((request, response) => {
      issuing.requests++;
      if (issuing.answer !== null) issuing.answer(request, response);
      else response.end(JSON.stringify({ keys: [published] }));
    });
    const { key: _, ...rest } = options();
    const app = nativeAround(jwt({ ...rest, jwksURI }));
    const statusOf = async (text: string): Promise<number> =>
      (await app.fetch(requestFor({ headers: { authorization: `Bearer ${text}` } }))).status;
    return { issuing, statusOf };
  }

  const failures: [name: string, answer: RequestListener][] = [
    ["a status", (_, response) => void response.writeHead(503).end()],
    ["a status without content", (_, response) => void response.writeHead(204).end()],
    ["a redirection", (_, response) => void response.writeHead(302, { location: "/" }).end()],
    ["what is no JSON", (_, response) => void response.end("no JSON")],
    ["what is no set of keys", (_, response) => void response.end("{}")],
    ["an end of the connection", (request) => void request.socket.destroy()],
  ];

  it.each(failures)(
    "is not asked for each forged token, where it answers with %s, and again after two seconds",
    async (_, answer) => {
      const { issuing, statusOf } = await failing();
      issuing.answer = answer;
      const forged = await token({}, { kid: "forged" });
      for (let count = 0; count < 5; count++) expect(await statusOf(forged)).toBe(500);
      expect(issuing.requests).toBe(1);
      vi.advanceTimersByTime(1_999);
      expect(await statusOf(await token())).toBe(500);
      expect(issuing.requests).toBe(1);
      issuing.answer = null;
      vi.advanceTimersByTime(1);
      expect([await statusOf(await token()), await statusOf(forged)]).toEqual([200, 401]);
      expect(issuing.requests).toBe(2);
    },
  );

  it("is not kept sending what nobody reads", async () => {
    const { issuing, statusOf } = await failing();
    const left = gate();
    issuing.answer = (_, response) => response.on("close", left.open).writeHead(503).write("x".repeat(1_000_000));
    expect(await statusOf(await token())).toBe(500);
    await left.opened;
  });

  it("locks out nobody whose key is known, whatever others show meanwhile", async () => {
    const { issuing, statusOf } = await failing();
    expect(await statusOf(await token())).toBe(200);
    vi.advanceTimersByTime(60_000);
    issuing.answer = failures[0]![1];
    const forged = await token({}, { kid: "forged" });
    for (let count = 0; count < 5; count++) {
      expect([await statusOf(forged), await statusOf(await token())]).toEqual([500, 200]);
    }
    expect(issuing.requests).toBe(2);
  });
});

describe("jwt() for who may show a token", () => {
  const claims = new Attribute<JWTPayload>("claims");

  /** Status, challenge and content that requests get. */
  async function outcomes(changed: Partial<JwtOptions>, ...requests: HeadersInit[]): Promise<unknown[]> {
    const Guard = jwt({ ...options(), identity: claims, ...changed });
    const app = nativeAround(Guard, (request) => new Response(claims.find(request)?.sub ?? "nobody"));
    const seen: unknown[] = [];
    for (const headers of requests) {
      const response = await app.fetch(requestFor({ headers }));
      seen.push([response.status, response.headers.get("www-authenticate") ?? (await response.text())]);
    }
    return seen;
  }

  it("lets in who shows none where it is optional, and refuses what is wrong", async () => {
    const right = { authorization: `Bearer ${await token()}` };
    const expired = { authorization: `Bearer ${await token({ exp: 1 })}` };
    expect(await outcomes({ optional: true }, {}, right, expired, { authorization: "Basic YTpi" })).toEqual([
      [200, "nobody"],
      [200, "ada"],
      invalid,
      [401, 'Bearer realm="default"'],
    ]);
  });

  it("takes a token of a scheme of another name", async () => {
    const text = await token();
    const requests = ["Token", "Bearer"].map((scheme) => ({ authorization: `${scheme} ${text}` }));
    expect(await outcomes({ scheme: "Token" }, ...requests)).toEqual([
      [200, "ada"],
      [401, 'Token realm="default"'],
    ]);
  });

  it("takes a token from where a function says, and from nowhere else", async () => {
    const text = await token();
    const fromCookie: JwtOptions["token"] = ({ headers }) => /^session=(.*)$/.exec(headers.get("cookie") ?? "")?.[1];
    const requests = [{ cookie: `session=${text}` }, { cookie: "session=x" }, { authorization: `Bearer ${text}` }];
    expect(await outcomes({ token: fromCookie }, ...requests)).toEqual([
      [200, "ada"],
      invalid,
      [401, 'Bearer realm="default"'],
    ]);
  });
});

describe("jwt() options", () => {
  const wrong = (changed: { readonly [Name in keyof JwtOptions]?: unknown }): string =>
    refusalOf(() => jwt({ ...options(), ...changed } as JwtOptions));

  it("RFC 8725 §3.1 must name the algorithms", () => {
    for (const algorithms of [undefined, [], "ES256", [""], [5]]) {
      expect(wrong({ algorithms })).toContain('its option "algorithms" must be');
    }
  });

  it("RFC 8725 §3.2 must not allow none, nor an unknown algorithm", () => {
    const key = createLocalJWKSet({ keys: [published] });
    for (const other of ["none", "None", "NONE", "ES257", "es256", "toString"]) {
      expect(wrong({ key, algorithms: ["ES256", other] })).toMatch(/must be an array of HS256, .*, got/);
    }
  });

  it("RFC 8725 §3.1 must give a key of the kind that the algorithm needs", async () => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    const hmac = (bytes: number): Promise<CryptoKey> =>
      crypto.subtle.importKey("raw", new Uint8Array(bytes), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    const rsa = await exportJWK(pair.publicKey);
    const { d: _, ...ec } = published;
    const unfit = [{}, [], Promise.resolve(publicKey), { keys: [published] }, privateKey, pair.publicKey, rsa];
    for (const key of [...unfit, await hmac(32), { ...published, d: "AA" }, { ...ec, crv: "P-384" }]) {
      expect(wrong({ key })).toContain('its option "key" must be a public key, EC P-256, for ES256');
    }
    for (const key of [ec, publicKey]) expect(jwt({ ...options(), key })).toBeTypeOf("function");
    for (const key of [rsa, pair.publicKey, KeyObject.from(pair.publicKey)]) {
      expect(jwt({ ...options(), key: key as CryptoKey, algorithms: ["RS256"] })).toBeTypeOf("function");
    }
    expect(wrong({ key: pair.publicKey, algorithms: ["PS256"] })).toContain(
      '"key" must be a public key, RSA of at least 2048 bits, for PS256',
    );
    expect(wrong({ key: KeyObject.from(pair.privateKey), algorithms: ["RS256"] })).toContain("a public key");
    const lattice = { kty: "AKP", alg: "ML-DSA-44", pub: "AA" };
    expect(jwt({ ...options(), key: lattice, algorithms: ["ML-DSA-44"] })).toBeTypeOf("function");
    expect(wrong({ key: { ...lattice, priv: "AA" }, algorithms: ["ML-DSA-44"] })).toContain(
      'its option "key" must be a public key, AKP, for ML-DSA-44',
    );
    const edwards = await generateKeyPair("Ed25519");
    for (const algorithm of ["EdDSA", "Ed25519"]) {
      expect(jwt({ ...options(), key: edwards.publicKey, algorithms: [algorithm] })).toBeTypeOf("function");
    }
  });

  it("RFC 7517 §4 must give a JWK that is meant to verify by the algorithm, and is whole", async () => {
    const jwkOf = async (alg: string): Promise<JWK> =>
      exportJWK((await generateKeyPair(alg, { extractable: true })).publicKey);
    const whole: readonly (readonly [alg: string, key: JWK, wrong: readonly object[]])[] = [
      [
        "ES256",
        await jwkOf("ES256"),
        [{ x: undefined }, { y: undefined }, { x: "AA" }, { y: 5 }, { crv: undefined }, { x: "A".repeat(44) }],
      ],
      ["ES512", await jwkOf("ES512"), [{ y: "AA" }]],
      ["EdDSA", await jwkOf("EdDSA"), [{ crv: "X25519" }, { crv: "Ed448" }, { x: undefined }, { x: "A A" }]],
      ["RS256", await jwkOf("RS256"), [{ n: undefined }, { e: undefined }, { e: "" }, { n: "" }]],
      ["HS256", { kty: "oct", k: "A".repeat(43) }, [{ k: undefined }, { k: 5 }, { k: " ".repeat(9) + "A".repeat(42) }]],
      ["ML-DSA-44", { kty: "AKP", alg: "ML-DSA-44", pub: "AA" }, [{ alg: undefined }, { pub: undefined }]],
    ];
    const foreign = [
      ...[{ kty: undefined }, { alg: "XS256" }, { alg: null }, { use: "enc" }, { use: null }, { ext: "true" }],
      ...[[], ["sign"], ["verify", "verify"], "verify", null].map((operations) => ({ key_ops: operations })),
    ];
    for (const [alg, key, wrongOnes] of whole) {
      const meant = { alg, use: "sig", key_ops: ["verify"], ext: true };
      for (const right of [key, { ...key, ...meant }]) {
        expect(jwt({ ...options(), key: right, algorithms: [alg] }), alg).toBeTypeOf("function");
      }
      for (const change of [...foreign, ...wrongOnes]) {
        const message = wrong({ key: { ...key, ...change } as never, algorithms: [alg] });
        expect(message, `${alg} ${JSON.stringify(change)}`).toContain('its option "key" must be a ');
      }
    }
    const { publicKey: short } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    expect(wrong({ key: short.export({ format: "jwk" }), algorithms: ["RS256"] })).toContain("of at least 2048 bits");
    const n = `AA${whole[3]![1].n!.slice(0, 340)}`;
    expect(wrong({ key: { kty: "RSA", e: "AQAB", n }, algorithms: ["RS256"] })).toContain("of at least 2048 bits");
    // A secret may be for signing, too; a public key cannot.
    const both = { key_ops: ["sign", "verify"] };
    expect(jwt({ ...options(), key: { ...whole[4]![1], ...both }, algorithms: ["HS256"] })).toBeTypeOf("function");
    expect(wrong({ key: { ...whole[0]![1], ...both } })).toContain("a public key, EC P-256, for ES256");
    // Decoders accept padding.
    expect(jwt({ ...options(), key: { kty: "oct", k: `${"A".repeat(43)}=` }, algorithms: ["HS256"] })).toBeTypeOf(
      "function",
    );
  });

  it("RFC 7518 §3.2 §3.3 must give a CryptoKey of the hash and length that the algorithm needs", async () => {
    const { subtle } = crypto;
    const secret = (hash: string): Promise<CryptoKey> =>
      subtle.importKey("raw", new Uint8Array(64), { name: "HMAC", hash }, false, ["verify"]);
    expect(jwt({ ...options(), key: await secret("SHA-512"), algorithms: ["HS512"] })).toBeTypeOf("function");
    expect(wrong({ key: await secret("SHA-512"), algorithms: ["HS256"] })).toContain("a secret for HS256");
    const rsa = async (hash: string, modulusLength: number): Promise<CryptoKey> => {
      const algorithm = { name: "RSASSA-PKCS1-v1_5", hash, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) };
      return (await subtle.generateKey(algorithm, false, ["sign", "verify"])).publicKey;
    };
    expect(jwt({ ...options(), key: await rsa("SHA-256", 2048), algorithms: ["RS256"] })).toBeTypeOf("function");
    for (const key of [await rsa("SHA-512", 2048), await rsa("SHA-256", 1024)]) {
      expect(wrong({ key, algorithms: ["RS256"] })).toContain("a public key, RSA of at least 2048 bits, for RS256");
    }
  });

  it("RFC 8725 §3.8 §3.9 must name issuer and audience", () => {
    for (const value of [undefined, "", [], [""], ["a", 5], 5, null]) {
      expect(wrong({ issuer: value })).toContain('its option "issuer" must be');
      expect(wrong({ audience: value })).toContain('its option "audience" must be');
    }
  });

  it("RFC 8725 §3.1 must name one algorithm for one key", () => {
    expect(wrong({ algorithms: ["ES256", "ES384"] })).toContain("the one algorithm of the key");
  });

  it("RFC 7518 §3.2 must give a secret that is long enough", async () => {
    expect(wrong({ key: new Uint8Array(31), algorithms: ["HS256"] })).toContain("at least 32 bytes");
    expect(wrong({ key: new Uint8Array(63), algorithms: ["HS512"] })).toContain("at least 64 bytes");
    expect(wrong({ key: new Uint8Array(64), algorithms: ["ES256"] })).toContain("a public key");
    const k = (bytes: number): string => Buffer.alloc(bytes).toString("base64url");
    const hmac = { name: "HMAC", hash: "SHA-256" };
    for (const bytes of [31, 32]) {
      const keys = [
        { kty: "oct", k: k(bytes) },
        await crypto.subtle.importKey("raw", new Uint8Array(bytes), hmac, false, ["verify"]),
        createSecretKey(Buffer.alloc(bytes)),
      ];
      for (const key of keys) {
        const given = { ...options(), key: key as CryptoKey, algorithms: ["HS256"] };
        if (bytes === 32) expect(jwt(given)).toBeTypeOf("function");
        else expect(wrong(given)).toContain("at least 32 bytes");
      }
    }
    const signing = await crypto.subtle.importKey("raw", new Uint8Array(32), hmac, false, ["sign"]);
    expect(wrong({ key: signing, algorithms: ["HS256"] })).toContain("a secret for HS256");
  });

  it("C7.4 says what an option must be", () => {
    const texts = "a string or an array of strings";
    expect(wrong({ algorithms: [] })).toContain('"algorithms" must be an array of algorithms, such as RS256, got');
    expect(wrong({ issuer: 5 })).toContain(`"issuer" must be ${texts}, got 5`);
    expect(wrong({ audience: 5 })).toContain(`"audience" must be ${texts}, got 5`);
    expect(wrong({ requiredClaims: 5 })).toContain('"requiredClaims" must be an array of strings, got 5');
    expect(wrong({ typ: 5 })).toContain('"typ" must be a string, got 5');
    expect(wrong({ maxTokenAgeSeconds: 0 })).toContain('"maxTokenAgeSeconds" must be at least 1, got 0');
    expect(wrong({ scopes: 5 })).toContain('"scopes" must be an array of scope tokens, got 5');
  });

  it("C7.4 names the option that is wrong", () => {
    expect(wrong({ key: undefined })).toContain('"key"');
    for (const key of ["secret", null, 5]) expect(wrong({ key })).toContain('its option "key" must be a key');
    expect(wrong({ jwksURI: "https://issuer.example/jwks" })).toContain('"key"');
    for (const jwksURI of ["http://issuer.example/jwks", "jwks.json", "", 5, "file:///etc/keys"]) {
      expect(wrong({ key: undefined, jwksURI })).toContain('its option "jwksURI" must be an https URL');
    }
    expect(wrong({ typ: "" })).toContain('"typ"');
    expect(wrong({ requiredClaims: "sub" })).toContain('"requiredClaims"');
    expect(wrong({ clockToleranceSeconds: -1 })).toContain('"clockToleranceSeconds"');
    expect(wrong({ maxTokenAgeSeconds: "1h" })).toContain('"maxTokenAgeSeconds"');
    for (const identity of [{}, null]) expect(wrong({ identity })).toContain('"identity"');
    const { key: _, ...rest } = options();
    for (const jwksURI of ["https://issuer.example/jwks", new URL("https://issuer.example"), "http://[::1]:80/jwks"]) {
      expect(jwt({ ...rest, jwksURI })).toBeTypeOf("function");
    }
    expect(wrong({ scopes: "read" })).toContain('"scopes"');
    expect(wrong({ realm: "\n" })).toContain('"realm"');
    expect(wrong({ optional: "yes" })).toContain('Cannot call jwt(): its option "optional" must be true or false');
    expect(wrong({ scheme: "a b" })).toContain('Cannot call jwt(): its option "scheme"');
    expect(wrong({ token: "cookie" })).toContain('Cannot call jwt(): its option "token" must be a function');
    expect(wrong({ alg: ["ES256"] } as never)).toContain("alg");
  });

  it("C10.2 declares the format of tokens for the scheme that OpenAPI has one for", () => {
    const securityOf = (more: object): unknown => Reflect.get(jwt({ ...options(), ...more }), "security");
    expect(securityOf({})).toEqual({ bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } });
    expect(securityOf({ scheme: "Token" })).toEqual({ token: { type: "http", scheme: "token" } });
  });
});
