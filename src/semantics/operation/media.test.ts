import { describe, expect, it } from "vitest";
import { z } from "zod";
import { json } from "../declaration/json-content.ts";
import { bytes, text } from "../declaration/raw-content.ts";
import { form, upload } from "../form.ts";
import { isMap, mediaOf, schemasIn, sentTypeOf } from "./media.ts";

const schema = z.string();

describe("mediaOf()", () => {
  it("knows JSON by the essence of its type, whatever stands behind it", () => {
    const types = ["application/json", "Application/JSON ; v=1", "application/problem+json;v=1", "text/json"];
    const media = types.flatMap((type) => mediaOf({ [type]: schema }));
    expect(media.map(({ isJson }) => isJson)).toEqual([true, true, true, false]);
  });

  it("has the schema and the bound of json(), alone and in a map", () => {
    const bounded = json(schema, { maxBytes: 5 });
    for (const content of [bounded, { "application/json": bounded }]) {
      const bounds = { maxBytes: 5, maxMembers: 100_000 };
      expect(mediaOf(content)).toEqual([
        { type: "application/json", isRange: false, schema, raw: null, ...bounds, isJson: true },
      ]);
    }
  });
});

describe("sentTypeOf()", () => {
  it("names UTF-8 of what is written as text, and nothing of bytes", () => {
    const sent = (content: Parameters<typeof mediaOf>[0]): string[] => mediaOf(content).map(sentTypeOf);
    expect(sent({ "text/csv": schema })).toEqual(["text/csv;charset=utf-8"]);
    expect(sent(text("text/html"))).toEqual(["text/html;charset=utf-8"]);
    expect(sent(bytes("image/png"))).toEqual(["image/png"]);
  });
});

describe("isMap()", () => {
  it("is true of media types that each have content, and of nothing else", () => {
    expect(isMap({ "text/plain": text(), "application/json": schema })).toBe(true);
    const others = [undefined, null, "text/plain", {}, { "text/plain": 5 }, { text: schema }];
    expect(others.filter(isMap)).toEqual([]);
    expect(isMap({ "text/plain": text(), text: schema })).toBe(false);
    expect(isMap({ "text/plain": text(), "application/json": 5 })).toBe(false);
  });
});

describe("schemasIn()", () => {
  it("lists the schemas of content, of whatever kind", () => {
    expect(schemasIn(undefined)).toEqual([]);
    expect(schemasIn(bytes("image/png"))).toEqual([]);
    expect(schemasIn(json(schema, { maxBytes: 5 }))).toEqual([schema]);
    const sink = { store: async () => ({}), discard: () => {} };
    expect(schemasIn(form({ title: schema, cover: upload({ to: sink }) }))).toEqual([schema]);
    expect(schemasIn({ "application/json": schema, "text/plain": text() })).toEqual([schema]);
  });
});
