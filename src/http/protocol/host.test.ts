import { describe, expect, it } from "vitest";
import { charactersParsed } from "../../../tests/growth/characters-read.ts";
import { isHost, parsedURL } from "./host.ts";

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

it("RFC 1035 §2.3.4 takes no name of more than 255 characters for a host, and has it parsed by nobody", () => {
  expect(isHost("a".repeat(255))).toBe(true);
  expect(isHost(`${"a".repeat(255)}:65535`)).toBe(true);
  expect(isHost("h:000080")).toBe(false);
  const long = ["a".repeat(256), `${"a".repeat(256)}:80`, `xn--${"9a".repeat(8000)}`, `[${":".repeat(300)}]`];
  expect(charactersParsed(() => long.map(isHost))).toBe(0);
  for (const text of long) expect(isHost(text)).toBe(false);
});

describe("parsedURL()", () => {
  it("parses what is a URL", () => {
    for (const text of [
      "http://h/a?b#c",
      "https://u:p@h:80",
      "http:h",
      "x:y",
      "urn:a:b",
      `http://h/${"a".repeat(9000)}`,
    ]) {
      expect(parsedURL(text)?.href, text).toBe(new URL(text).href);
    }
    expect(parsedURL(`http://${"u".repeat(300)}@${"a".repeat(255)}:65535/`)?.port).toBe("65535");
    expect(parsedURL(`x://${"a".repeat(300)}/`)?.pathname).toBe("/");
  });

  it("is null for what is none", () => {
    for (const text of ["", "/a", "*", "h:80:80", "http://", "http://[", "http://h:x"]) {
      expect(parsedURL(text)?.href, text).toBe(URL.canParse(text) ? new URL(text).href : undefined);
    }
  });

  it("RFC 1035 §2.3.4 is null where the host is too long, and has it parsed by nobody", () => {
    const name = `xn--${"9a".repeat(8000)}`;
    for (const text of [
      `http://${name}/`,
      `http:${name}`,
      `http:\\\\${name}`,
      ` HTTP:/\\/${name}?a`,
      `wss://u@${name}:80/`,
      `ht\ntp:/\t/${name}/`,
    ]) {
      expect(
        charactersParsed(() => expect(parsedURL(text)).toBeNull()),
        text.slice(0, 20),
      ).toBe(0);
    }
  });
});
