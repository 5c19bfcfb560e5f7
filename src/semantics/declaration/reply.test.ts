import { describe, expect, it } from "vitest";
import { Status } from "../../http/protocol/status.ts";
import { isReply, reply } from "./reply.ts";

describe("reply()", () => {
  it("holds a status, content and header fields", () => {
    expect(reply(404)).toMatchObject({ kind: "reply", status: 404, content: undefined, headers: undefined });
    expect(reply(200, { isbn: "1" })).toMatchObject({ status: 200, content: { isbn: "1" }, headers: undefined });
    expect(reply(303, undefined, { location: "/books", "set-cookie": ["a=1", "b=2"] })).toMatchObject({
      status: 303,
      content: undefined,
      headers: { location: "/books", "set-cookie": ["a=1", "b=2"] },
    });
  });

  it("takes the constant of a status for its number", () => {
    expect(reply(Status.NotFound, { detail: "None" })).toEqual(reply(404, { detail: "None" }));
  });

  it("is compared by its values", () => {
    expect(reply(404, { detail: "None" })).toEqual(reply(404, { detail: "None" }));
    expect(reply(404)).not.toEqual(reply(410));
    expect(Object.keys(reply(404))).toEqual(["kind", "status", "content", "headers"]);
  });
});

describe("isReply()", () => {
  it("recognizes what reply() returned", () => {
    expect(isReply(reply(200, null))).toBe(true);
  });

  it("recognizes a reply of another copy of the package", () => {
    class Other {
      readonly status = 200;
    }
    Object.defineProperty(Other.prototype, Symbol.for("fingerpost.Reply"), { value: true });
    expect(isReply(new Other())).toBe(true);
  });

  it("takes nothing for one that JSON can hold, nor a Response", () => {
    expect(isReply(JSON.parse(JSON.stringify(reply(200, 1))))).toBe(false);
    expect(isReply({ ...reply(200, 1) })).toBe(false);
    for (const value of [undefined, null, 200, "reply", new Response(), {}, [], () => {}])
      expect(isReply(value)).toBe(false);
  });
});
