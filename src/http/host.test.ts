import { expect, it } from "vitest";
import { isHost } from "./host.ts";

it.each(["example.com", "EXAMPLE.com:8080", "127.0.0.1", "[::1]:80", "xn--bcher-kva.example", "bücher.example", "h."])(
  "RFC 9110 §7.2 takes %s for a host",
  (text) => expect(isHost(text)).toBe(true),
);

it.each([
  "",
  "a/b",
  "a\\b",
  "a?b",
  "a#b",
  "u@a",
  "a b",
  " a",
  "a\t",
  "a:99999",
  "a:b",
  "[::1",
  "a%2Fb",
  "a<b",
  "x://a",
])("RFC 9110 §4.2.4 takes %j for none", (text) => expect(isHost(text)).toBe(false));

it("RFC 1035 §2.3.4 takes no name of more than 255 characters for a host, and does not look at it for long", () => {
  expect(isHost("a".repeat(255))).toBe(true);
  expect(isHost("a".repeat(256))).toBe(false);
  expect(isHost("h:000080")).toBe(false);
  const from = performance.now();
  for (let time = 0; time < 200; time++) {
    expect(isHost("a".repeat(16_000))).toBe(false);
    expect(isHost(`xn--${"9a".repeat(8_000)}`)).toBe(false);
  }
  // The URL parser would take seconds.
  expect(performance.now() - from).toBeLessThan(500);
});
