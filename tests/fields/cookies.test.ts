import { cookie } from "fingerpost/middleware/cookies";
import { describe, expect, it } from "vitest";
import { parseCookies, parseCookieValues } from "../../src/fields/cookie.ts";
import { isToken } from "../../src/fields/token.ts";
import suites from "./cookies.json" with { type: "json" };

/** Values of `Set-Cookie`, and the name and value of each cookie that a browser then sends; the name may be empty. */
type Row = [received: string[], sent: [name: string, value: string][]];

describe.each(Object.entries(suites) as [string, Row[]][])("cookies, by the suite of %s", (_, rows) => {
  it("are read as a browser sends them, but without quotes around a value", () => {
    for (const [, sent] of rows) {
      const field = sent.map(([name, value]) => (name === "" ? value : `${name}=${value}`)).join("; ");
      const named = sent.filter(([name]) => isToken(name));
      const unquoted = named.map(([name, value]) => [name, value.replace(/^"(.*)"$/, "$1")] as const);
      const first = new Map(unquoted.toReversed());
      expect(Object.fromEntries(parseCookies(field)), field).toEqual(Object.fromEntries(first));
      for (const [name, values] of parseCookieValues(field)) {
        expect(values).toEqual(unquoted.flatMap((pair) => (pair[0] === name ? [pair[1]] : [])));
      }
    }
  });

  it("are refused where a browser would read another name or value", () => {
    let written = 0;
    for (const [received, sent] of rows.filter((row) => row[0].length === 1)) {
      const [pair = ""] = received[0]!.split(";", 1);
      if (!pair.includes("=")) continue;
      const [name = ""] = pair.split("=", 1);
      const value = pair.slice(name.length + 1);
      const isKept = sent.some(([kept, text]) => kept === name && text === value);
      try {
        expect(cookie(name, value).startsWith(`${name}=${value}; `)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        continue;
      }
      written++;
      expect(isKept, JSON.stringify(received)).toBe(true);
    }
    expect(written).toBeGreaterThan(15);
  });
});
