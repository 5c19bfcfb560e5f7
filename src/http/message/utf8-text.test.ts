import { describe, expect, it } from "vitest";
import { HTTPError } from "../protocol/http-error.ts";
import { utf8Text } from "./utf8-text.ts";

describe("utf8Text()", () => {
  it("reads UTF-8, and keeps a byte order mark", () => {
    expect(utf8Text(new TextEncoder().encode("\ufeffdéjà"), "It")).toBe("\ufeffdéjà");
  });

  it.each([[[0xff]], [[0xc0, 0x80]], [[0xe2, 0x82]]])("refuses what is not: %j", (bytes) => {
    const read = (): string => utf8Text(Uint8Array.from(bytes), "Line 2");
    expect(read).toThrow(HTTPError);
    expect(read).toThrow(
      expect.objectContaining({ status: 400, message: "Line 2 is not UTF-8", cause: expect.any(Error) }),
    );
  });
});
