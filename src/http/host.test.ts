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
