import { describe, expect, it } from "vitest";
import { lightFields, type LightResponse } from "../../http/message/light-response.ts";
import { Response } from "../../http/message/response.ts";
import { HeadersFields, type Fields } from "./fields.ts";

type Change = (fields: Fields) => void;

const changes: Readonly<Record<string, Change>> = {
  "offers a field": (fields) => fields.offer("X-B", "2"),
  "offers a field that is there": (fields) => fields.offer("X-A", "2"),
  "sets a field": (fields) => fields.set("X-B", "2"),
  "sets a field that is there": (fields) => fields.set("X-A", "2"),
  "deletes a field": (fields) => fields.delete("X-A"),
  "deletes a field that is not there": (fields) => fields.delete("x-none"),
  "adds lines": (fields) => fields.add("Set-Cookie", "b=2", "c=3"),
  "adds lines, and goes on": (fields) => {
    fields.add("set-cookie", "b=2");
    fields.offer("x-a", "2");
    fields.offer("x-b", "2");
    fields.set("x-c", "3");
    fields.delete("x-a");
    fields.set("x-d", String(fields.get("x-c")));
  },
  varies: (fields) => fields.vary("Origin", "accept"),
  "reads fields": (fields) => fields.set("x-b", ["x-a", "X-Twice", "x-none"].map((name) => fields.get(name)).join("/")),
  "reads its length": (fields) => fields.set("x-b", String(fields.get("content-length"))),
  "sets its type": (fields) => fields.set("content-type", "text/html"),
  "trims a value": (fields) => fields.set("x-b", " 2 "),
};

const made = (): globalThis.Response =>
  new Response("text", {
    headers: [
      ["X-A", "1"],
      ["x-twice", "1"],
      ["x-twice", "2"],
      ["vary", "Accept"],
    ],
  });

describe("linesOf()", () => {
  it("lists the lines of a field, cookies one by one, and none of an absent field", () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["vary", "A, B"],
    ]);
    const fields = new HeadersFields(headers, null);
    expect(["Set-Cookie", "vary", "x"].map((name) => fields.linesOf(name))).toEqual([["a=1", "b=2"], ["A", "B"], []]);
  });
});

// On other runtimes a response is the platform's own, which is not light.
describe.runIf(Response !== globalThis.Response)("HeadersFields of a light response", () => {
  it.each(Object.entries(changes))("%s as Headers do", (_, change) => {
    const light = made();
    change(new HeadersFields((light as LightResponse)[lightFields](), null));
    const { headers } = made();
    change(new HeadersFields(headers, null));
    expect([...light.headers]).toEqual([...headers]);
  });

  it("throws what Headers throw, and changes nothing", () => {
    for (const [name, value] of [
      ["x a", "1"],
      ["x-a", "1\n2"],
      ["x-a", "\u{1f600}"],
    ] as const) {
      const light = made();
      const fields = new HeadersFields((light as LightResponse)[lightFields](), null);
      expect(() => fields.set(name, value), name).toThrow(TypeError);
      expect([...light.headers], name).toEqual([...made().headers]);
    }
  });

  it("changes no list that others have", () => {
    const [one, other] = [new Response("text"), new Response("text")];
    new HeadersFields((one as LightResponse)[lightFields](), null).set("content-type", "text/html");
    expect([one, other].map(({ headers }) => headers.get("content-type"))).toEqual([
      "text/html",
      "text/plain;charset=UTF-8",
    ]);
  });
});
