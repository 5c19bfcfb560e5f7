import { around, dpop, type DpopOptions } from "fingerpost/client";
import { decodeJwt, EmbeddedJWK, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../../tests/middleware/around.ts";
import { sha256Base64url } from "../http/javascript/web-digest.ts";

const curve = { name: "ECDSA", namedCurve: "P-256" };

async function keysOf(algorithm: EcKeyGenParams = curve): Promise<DpopOptions["keys"]> {
  return crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
}

/** Sends requests to a server that answers in turn. Returns what it has read. */
async function sent(answers: readonly Response[], ...requests: readonly Request[]) {
  const seen: { proof: string; authorization: string | null; content: string }[] = [];
  const left = [...answers];
  const send = around(dpop({ keys: await keysOf(), token: async () => "abc" }), async (request) => {
    const { headers } = request;
    seen.push({
      proof: headers.get("dpop")!,
      authorization: headers.get("authorization"),
      content: await request.text(),
    });
    return left.shift()!;
  });
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await send(request)).status);
  return { seen, statuses };
}

const nonce = (value: string, status = 401): Response =>
  new Response("no", { status, headers: { "DPoP-Nonce": value } });

const noncesOf = (seen: readonly { readonly proof: string }[]) => seen.map(({ proof }) => decodeJwt(proof)["nonce"]);

describe("dpop()", () => {
  it("proves to have the key, for the method, the URL and the token of a request", async () => {
    const request = new Request("https://api.example/a%20b?c=d#e", { method: "PUT", body: "hello" });
    const { seen } = await sent([new Response()], request);
    expect(seen).toMatchObject([{ authorization: "DPoP abc", content: "hello" }]);
    const { payload, protectedHeader } = await jwtVerify(seen[0]!.proof, EmbeddedJWK, { maxTokenAge: 60 });
    const jwk = { kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String) };
    expect(protectedHeader).toEqual({ typ: "dpop+jwt", alg: "ES256", jwk });
    expect(payload).toEqual({
      ...{ htm: "PUT", htu: "https://api.example/a%20b", ath: await sha256Base64url("abc") },
      ...{ jti: expect.any(String), iat: expect.any(Number) },
    });
  });

  it("sends a request again with its content, once, where the server gives a nonce", async () => {
    const put = () => new Request("https://api.example/", { method: "PUT", body: "hello" });
    const { seen, statuses } = await sent([nonce("a"), new Response(), nonce("b"), nonce("c")], put(), put());
    expect(statuses).toEqual([200, 401]);
    expect(noncesOf(seen)).toEqual([undefined, "a", "a", "b"]);
    expect(seen.every(({ content }) => content === "hello")).toBe(true);
    expect(new Set(seen.map(({ proof }) => decodeJwt(proof).jti)).size).toBe(4);
  });

  it("keeps the newest nonce of each origin, and sends nothing again without a new one", async () => {
    const get = (host: string) => new Request(`https://${host}/`);
    const answers = [nonce("a", 200), nonce("a"), new Response(null, { status: 401 }), nonce("b", 403), new Response()];
    const { seen, statuses } = await sent(answers, get("x"), get("x"), get("y"), get("x"), get("x"));
    expect(statuses).toEqual([200, 401, 401, 403, 200]);
    expect(noncesOf(seen)).toEqual([undefined, "a", undefined, "a", "b"]);
  });

  it("must have keys of ES256, and a function that returns the token", async () => {
    const keys = await keysOf();
    const token = () => "abc";
    const { privateKey, publicKey } = keys;
    const wrong = [undefined, {}, { privateKey }, { privateKey, publicKey: privateKey }, { privateKey: publicKey }];
    for (const unfit of [...wrong, await keysOf({ name: "ECDSA", namedCurve: "P-384" })])
      expect(refusalOf(() => dpop({ keys: unfit as never, token }))).toContain(
        'Cannot call dpop(): its option "keys" must be a pair of keys of { name: "ECDSA", namedCurve: "P-256" }',
      );
    expect(refusalOf(() => dpop({ keys, token: "abc" as never }))).toBe(
      'Cannot call dpop(): its option "token" must be a function that returns the token, got a string',
    );
  });
});
