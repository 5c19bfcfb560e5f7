import { Attribute } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { requestFor } from "../../../tests/middleware/around.ts";
import { clientNetworkOf } from "./client-address.ts";
import { replacedInput } from "../../dispatch/replaced-input.ts";

/** A context of the polyfill chain, as Node's listener makes them. */
function context(remoteAddress: string | undefined, headers: Record<string, string> = {}, destroyed = false) {
  return { url: "/", method: "GET", request: { headers, socket: { remoteAddress, destroyed } } };
}

describe("clientNetworkOf()", () => {
  it("takes the address of Node's socket", () => {
    expect(clientNetworkOf(context("192.0.2.1"), {})).toBe("192.0.2.1");
  });

  it("takes the ip that a host sets on its requests", () => {
    expect(clientNetworkOf(Object.assign(requestFor(), { ip: "192.0.2.1" }), {})).toBe("192.0.2.1");
  });

  it("takes what an attribute or a function says", () => {
    const address = new Attribute<string>("address");
    const request = requestFor();
    address.set(request, "192.0.2.1");
    expect(clientNetworkOf(request, { address })).toBe("192.0.2.1");
    expect(clientNetworkOf(context("198.51.100.1"), { address: () => "192.0.2.1" })).toBe("192.0.2.1");
  });

  it("takes it from the input that came in, when another replaces it", () => {
    const request = Object.assign(requestFor(), { ip: "192.0.2.1" });
    expect(clientNetworkOf(replacedInput(request, {}), {})).toBe("192.0.2.1");
  });

  it("RFC 4291 §2.5.5.2 takes a mapped IPv4 address for that IPv4 address, however it is written", () => {
    for (const mapped of ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1"]) {
      expect(clientNetworkOf(context(mapped), {})).toBe("192.0.2.1");
    }
    expect(clientNetworkOf(context("::ffff:192.0.2.2"), {})).toBe("192.0.2.2");
  });

  it("RFC 6177 §2 takes the first 64 bits of an IPv6 address", () => {
    expect(clientNetworkOf(context("2001:db8:0:1:ffff:ffff:ffff:ffff"), {})).toBe("2001:db8:0:1::/64");
    expect(clientNetworkOf(context("2001:db8:0:1::7"), {})).toBe("2001:db8:0:1::/64");
    expect(clientNetworkOf(context("2001:db8:0:2::7"), {})).toBe("2001:db8:0:2::/64");
    expect(clientNetworkOf(context("fe80::1%eth0"), {})).toBe("fe80::/64");
    expect(clientNetworkOf(context("::1"), {})).toBe("::/64");
  });

  it("believes no field by default", () => {
    const headers = { "x-forwarded-for": "203.0.113.7", forwarded: "for=203.0.113.7", "x-real-ip": "203.0.113.7" };
    expect(clientNetworkOf(context("192.0.2.1", headers), {})).toBe("192.0.2.1");
    expect(clientNetworkOf(context("192.0.2.1", headers), { trustedHops: 0 })).toBe("192.0.2.1");
  });

  it("believes as many proxies as are trusted, from the right", () => {
    const headers = { "x-forwarded-for": "10.0.0.1, 203.0.113.7, 198.51.100.2" };
    expect(clientNetworkOf(context("192.0.2.1", headers), { trustedHops: 1 })).toBe("198.51.100.2");
    expect(clientNetworkOf(context("192.0.2.1", headers), { trustedHops: 2 })).toBe("203.0.113.7");
  });

  it("RFC 7239 §4 reads Forwarded where that is the field", () => {
    const headers = { "x-forwarded-for": "10.0.0.1", forwarded: 'for=10.0.0.2, for="[2001:db8:0:1::7]:80"' };
    const options = { trustedHops: 1, forwardedHeader: "Forwarded" } as const;
    expect(clientNetworkOf(context("192.0.2.1", headers), options)).toBe("2001:db8:0:1::/64");
  });

  it("takes the address of the connection where the field does not say so many addresses", () => {
    for (const value of ["203.0.113.7", "unknown, 203.0.113.7", "1.2.3, x", "", '"x, 203.0.113.7']) {
      const input = context("192.0.2.1", { "x-forwarded-for": value });
      expect(clientNetworkOf(input, { trustedHops: 2 }), value).toBe("192.0.2.1");
    }
    expect(clientNetworkOf(context("192.0.2.1"), { trustedHops: 2 })).toBe("192.0.2.1");
  });

  it("says what to do when the host passes no address", () => {
    const message =
      "Cannot limit the rate: expected the address of the client, got undefined; give rateLimit() the option " +
      '"address" or "keyOf"';
    expect(() => clientNetworkOf(requestFor(), {})).toThrow(new TypeError(message));
    for (const input of [context(undefined), { url: "/", method: "GET", request: {} }]) {
      expect(() => clientNetworkOf(input, {})).toThrow(new TypeError(message));
    }
    for (const none of [null, undefined]) {
      expect(() => clientNetworkOf(requestFor(), { address: () => none })).toThrow(
        `Cannot limit the rate: expected the address of the client from the option "address", got ${none}; `,
      );
    }
    for (const text of ["localhost", "", "192.0.2.1:80", "192.0.2.01"]) {
      expect(() => clientNetworkOf(requestFor(), { address: () => text })).toThrow(
        `Cannot limit the rate: expected the address of the client from the option "address", got "${text}"; set the ` +
          "Attribute",
      );
    }
  });

  it("does not take it for a fault when the client has left", () => {
    expect(() => clientNetworkOf(context(undefined, {}, true), {})).toThrow("Bad Request");
    expect(() => clientNetworkOf(requestFor({ signal: AbortSignal.abort() }), {})).toThrow("Bad Request");
    const reset = { url: "/", method: "GET", request: { socket: { localAddress: "127.0.0.1", destroyed: false } } };
    expect(() => clientNetworkOf(reset, {})).toThrow("Bad Request");
  });

  it("reads a field of a megabyte in linear time", () => {
    const headers = { "x-forwarded-for": "1.1.1.1,".repeat(125_000), forwarded: 'for="1.1.1.1",'.repeat(70_000) };
    const input = context("192.0.2.1", headers);
    expect(clientNetworkOf(input, { trustedHops: 2 })).toBe("1.1.1.1");
    expect(clientNetworkOf(input, { trustedHops: 2, forwardedHeader: "Forwarded" })).toBe("1.1.1.1");
  });
});
