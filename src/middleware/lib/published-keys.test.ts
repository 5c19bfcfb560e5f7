import { createServer, type RequestListener } from "node:http";
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { listening, portOf } from "../../../tests/support/sockets.ts";
import { isTrustworthy, publishedKeys } from "./published-keys.ts";

let published: JWK;

beforeAll(async () => {
  const { publicKey } = await generateKeyPair("ES256");
  published = { ...(await exportJWK(publicKey)), kid: "first", alg: "ES256" };
});

/** Finds keys where a server answers by a function that can be changed, by a clock that the test sets. */
async function publishing(answer: RequestListener, staleKeysMs = 3_600_000) {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const issuer = { answer };
  const server = await listening(createServer((request, response) => issuer.answer(request, response)));
  const keys = publishedKeys(new URL(`http://127.0.0.1:${portOf(server)}/jwks`), staleKeysMs);
  const find = async (kid: string): Promise<unknown> => keys({ alg: "ES256", kid }, { payload: "", signature: "" });
  return { issuer, find };
}

const publish: RequestListener = (_, response) => void response.end(JSON.stringify({ keys: [published] }));
const hangUp: RequestListener = ({ socket }) => void socket.destroy();

describe("publishedKeys()", () => {
  it("RFC 7517 §5 finds a key by its name", async () => {
    const { find } = await publishing(publish);
    expect(((await find("first")) as CryptoKey).algorithm.name).toBe("ECDSA");
  });

  it("RFC 9110 §15 takes no keys from a response other than 200, whatever it holds", async () => {
    for (const status of [203, 404, 500]) {
      const { find } = await publishing((request, response) => {
        response.statusCode = status;
        publish(request, response);
      });
      await expect(find("first"), String(status)).rejects.toThrow("Expected 200 OK");
    }
  });

  it("fails who asks soon after a failure by the same error", async () => {
    const { find } = await publishing(hangUp);
    const [first, second] = await Promise.all(["first", "second"].map(async (kid) => find(kid).catch(String)));
    expect([first, second]).toEqual(["TypeError: fetch failed", first]);
    expect(await find("third").catch(String)).toBe(first);
  });

  it("goes on with old keys while the issuer fails, for a time that is bounded", async () => {
    for (const failing of [hangUp, (_, response) => void response.writeHead(503).end()] as RequestListener[]) {
      const { issuer, find } = await publishing(publish);
      await find("first");
      issuer.answer = failing;
      vi.advanceTimersByTime(3_000_000);
      await expect(find("first")).resolves.toBeDefined();
      // A key that is not known may be new: not the token is at fault.
      await expect(find("second")).rejects.toThrow(/fetch failed|it answered 503/);
      vi.advanceTimersByTime(1_200_000);
      await expect(find("first")).resolves.toBeDefined();
      vi.advanceTimersByTime(1_000);
      await expect(find("first")).rejects.toThrow(/fetch failed|it answered 503/);
      // Now the issuer is asked again, too.
      vi.advanceTimersByTime(30_000);
      await expect(find("first")).rejects.toThrow(/fetch failed|it answered 503|Expected 200/);
      issuer.answer = publish;
      vi.advanceTimersByTime(30_000);
      await expect(find("first")).resolves.toBeDefined();
      await expect(find("second")).rejects.toThrow("no applicable key");
    }
  });

  it("asks an issuer that failed again, twice a minute, and takes its keys", async () => {
    const { issuer, find } = await publishing(publish);
    await find("first");
    let asked = 0;
    issuer.answer = (request, response) => {
      asked++;
      hangUp(request, response);
    };
    vi.advanceTimersByTime(600_001);
    for (let second = 0; second < 60; second++) {
      await find("first");
      vi.advanceTimersByTime(1_000);
    }
    expect(asked).toBeLessThanOrEqual(3);
    issuer.answer = (_, response) => void response.end(JSON.stringify({ keys: [{ ...published, kid: "second" }] }));
    vi.advanceTimersByTime(30_000);
    await expect(find("second")).resolves.toBeDefined();
    await expect(find("first")).rejects.toThrow("no applicable key");
  });

  it("takes no old keys where staleKeysMs is 0", async () => {
    const { issuer, find } = await publishing(publish, 0);
    await find("first");
    issuer.answer = hangUp;
    vi.advanceTimersByTime(600_001);
    await expect(find("first")).rejects.toThrow("fetch failed");
  });

  it("does not answer with old keys if there is no answer now", async () => {
    const { issuer, find } = await publishing(publish);
    await find("first");
    vi.advanceTimersByTime(60_000);
    issuer.answer = hangUp;
    await expect(find("second")).rejects.toThrow("fetch failed");
  });
});

describe("isTrustworthy()", () => {
  it("takes https, and http to one's own machine", () => {
    for (const uri of ["https://issuer.example/jwks", "http://localhost:3000/", "http://127.0.0.1/", "http://[::1]/"]) {
      expect(isTrustworthy(uri), uri).toBe(true);
      expect(isTrustworthy(new URL(uri)), uri).toBe(true);
    }
  });

  it("takes nothing else: other schemes, http to others, anything but a URL", () => {
    for (const uri of [
      ...["http://issuer.example/", "http://localhost.example/", "http://127.0.0.2/", "http:///"],
      ...["ftp://localhost/", "file://localhost/keys", "ws://localhost/", "data:application/json,{}", "/jwks", ""],
    ]) {
      expect(isTrustworthy(uri), uri).toBe(false);
    }
  });

  it("takes no URL with credentials, nor with half of them", () => {
    for (const userinfo of ["user:password", "user", ":password"]) {
      expect(isTrustworthy(`https://${userinfo}@issuer.example/jwks`), userinfo).toBe(false);
    }
  });
});
