import { describe, expect, it } from "vitest";
import { builtinModule } from "./builtin-module.ts";
import { digestBy } from "./digest.ts";

// Runtimes without it use Web Crypto.
const node = builtinModule("node:crypto") as { readonly createHash: unknown } | undefined;

describe("digestBy()", () => {
  it.each([
    ["node:crypto", globalThis],
    ["node:crypto without hash()", { process: { getBuiltinModule: () => node && { createHash: node.createHash } } }],
    ["Web Crypto", {}],
  ])("makes the same of texts and bytes by %s", async (_, host) => {
    const digest = digestBy(host);
    // NIST, FIPS 180-2, B.1.
    const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(await digest("abc")).toBe(abc);
    expect(await digest(new TextEncoder().encode("abc"))).toBe(abc);
  });
});
