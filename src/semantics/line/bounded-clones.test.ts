import { describe, expect, it } from "vitest";
import { bytes, text } from "../declaration/raw-content.ts";
import { Conversions } from "../../json-schema/library/conversions.ts";
import { contentModelOf } from "../operation/input-model.ts";
import { boundClones, mostBytesOf } from "./bounded-clones.ts";

/** A request whose clones may have some bytes. */
function requestOf(content: string, claimed: number, maxBytes: number): Request {
  const headers = { "content-length": String(claimed) };
  const request = new Request("http://localhost/", { method: "POST", headers, body: content });
  boundClones(request, maxBytes);
  return request;
}

describe("boundClones()", () => {
  it("lets clones have as many bytes as they may, and refuses content that claims more before it comes", async () => {
    expect(await requestOf("12345", 5, 5).clone().text()).toBe("12345");
    await expect(requestOf("1", 6, 5).clone().text()).rejects.toMatchObject({ status: 413 });
  });

  it("binds a request once, also by another bound, and may be replaced as what it replaces", async () => {
    const request = requestOf("12345", 5, 9);
    const bound = Object.getOwnPropertyDescriptor(request, "clone");
    expect(bound).toMatchObject({ writable: true, configurable: true, enumerable: false });
    boundClones(request, 4);
    expect(request.clone).toBe(bound!.value);
    await expect(request.clone().text()).rejects.toMatchObject({ status: 413 });
  });

  it("leaves what has no clone()", () => {
    const request = {};
    boundClones(request, 5);
    expect(Object.getOwnPropertyNames(request)).toEqual([]);
  });
});

describe("mostBytesOf()", () => {
  it("is the bound of the longest content, and 1 MiB without any", () => {
    const declared = {
      "text/plain": text("text/plain", { maxBytes: 5 }),
      "image/png": bytes("image/png", { maxBytes: 9 }),
    } as never;
    expect(mostBytesOf({ content: contentModelOf(declared, new Conversions()) })).toBe(9);
    expect(mostBytesOf({ content: null })).toBe(1_048_576);
  });
});
