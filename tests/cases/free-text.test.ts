// Each option of free text, and what `build()`, or the function that takes it, says of nonsense.
import { Application, bytes, form, page, problem, Resource, text, upload, written } from "fingerpost";
import { memory } from "fingerpost/files";
import { mcp } from "fingerpost/mcp";
import { describe, expect, it } from "vitest";
import { z } from "zod";

type Declaration = Readonly<Record<string, unknown>>;

/** What is said of a declaration, behind the name of the operation. Empty if nothing is. */
function refusalOf(declaration: Declaration, method = "POST"): string {
  class Wrong extends Resource {
    override paths = ["/wrong"];
  }
  Object.assign(Wrong, { [method]: declaration });
  Object.assign(Wrong.prototype, { [method]: () => "" });
  return thrownBy(() =>
    Application.builder()
      .resources(Wrong as never, mcp({ name: "any", version: "1" }))
      .build(),
  );
}

function thrownBy(run: () => unknown): string {
  try {
    run();
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
}

const object = z.object({});
const malformed = ["", "nonsense", "a/b c", "a/b\r\nx: y", "\u00e9/b", "text/plain; charset=", "application/*+json"];

/** Of each option: what is refused, and what is taken. */
const options: Readonly<
  Record<string, { of(value: never): string; readonly refused: readonly unknown[]; readonly taken: readonly unknown[] }>
> = {
  "the type of bytes() in content": {
    of: (type: string) => refusalOf({ content: bytes(type), 204: "Done" }),
    refused: malformed,
    taken: ["image/png", "image/*", "*/*", "Image/PNG"],
  },
  "the type of bytes() in an answer": {
    of: (type: string) => refusalOf({ 200: bytes(type) }),
    refused: [...malformed, "*/png", "image/p*"],
    taken: ["image/png", "*/*", "image/*"],
  },
  "the type of text()": {
    of: (type: string) => refusalOf({ 200: text(type) }),
    refused: [...malformed, "*/*", "text/*"],
    taken: ["text/markdown", "text/markdown; charset=utf-8"],
  },
  "the type of written()": {
    of: (type: string) => refusalOf({ 200: written(type, String) }),
    refused: [...malformed, "*/*"],
    taken: ["text/csv"],
  },
  "the key of a map of content": {
    of: (type: string) => refusalOf({ content: { [type]: object }, 204: "Done" }),
    refused: malformed,
    taken: ["application/json", "application/vnd.api+json"],
  },
  "the key of a map of answers": {
    of: (type: string) => refusalOf({ 200: { content: { [type]: object } } }),
    refused: [...malformed, "*/*"],
    taken: ["application/json"],
  },
  "the type of problems()": {
    of: (type: string) => thrownBy(() => Application.builder().problems({ schema: object, from: () => ({}), type })),
    refused: [...malformed.filter((type) => !type.endsWith("=")), "*/*", 5],
    taken: ["application/json", "application/xml; charset=utf-8", undefined],
  },
  "the types of upload()": {
    of: (types: string[]) => thrownBy(() => form({ file: upload({ to: memory(), types }) })),
    refused: [[], ["*/*"], [".png"], ["PNG"], ["image/PNG"], ["image/png; q=1"], [""], ["image/jpg"], ["image/png", 5]],
    taken: [["image/*"], ["image/png", "text/csv"], ["application/vnd.ms-excel"], ["application/epub+zip"], undefined],
  },
  "the type of problem()": {
    of: (type: string) => thrownBy(() => problem(type, { status: 400, title: "Wrong" })),
    refused: ["", "wrong", "//host/wrong", "/a b"],
    taken: ["/problems/wrong", "https://api.example/wrong", "urn:wrong"],
  },
  id: { of: (id: string) => refusalOf({ id, 200: object }), refused: ["", " "], taken: ["readBook"] },
  tags: { of: (tags: string[]) => refusalOf({ tags, 200: object }), refused: [[""], "Books"], taken: [["Books"], []] },
  audience: {
    of: (audience: string) => refusalOf({ audience, 200: object }),
    refused: ["", " "],
    taken: ["internal", "x"],
  },
  cache: {
    of: (cache: string) => refusalOf({ cache, 200: object }, "GET"),
    refused: ["", "max-age=x", "max-age", "s-maxage=1.5", "private, max-age=-1", "a\nb"],
    taken: ["no-store", "private, max-age=60", "max-age=60, immutable, stale-while-revalidate=30"],
  },
  "the link of deprecated": {
    of: (link: string) => refusalOf({ deprecated: { since: "2027-01-31", link }, 200: object }),
    refused: ["a b", "<a>", 5],
    taken: ["/changes", "https://api.example/changes"],
  },
  "the name of a tool": {
    of: (name: string) => refusalOf({ tool: { name }, 200: text() }),
    refused: ["", "a b", "\u00e9", "x".repeat(65)],
    taken: ["read_book", "x".repeat(64)],
  },
  security: {
    of: (security: object) => refusalOf({ security, 200: object }),
    refused: [{ key: {} }, { key: { type: "nonsense" } }, { "a b": { type: "http", scheme: "bearer" } }, { key: 5 }],
    taken: [{}, { key: { type: "apiKey", in: "header", name: "X-Key" } }],
  },
  at: { of: (at: string[]) => refusalOf({ at, 200: object }), refused: [["/other"], ["wrong"]], taken: [["/wrong"]] },
  "by of page()": {
    of: (by: never) => thrownBy(() => page(object, { by })),
    refused: [z.date(), z.object({ at: z.date() }), z.object({ id: z.bigint() }), object.shape],
    taken: [z.object({ at: z.coerce.date() }), z.object({ id: z.int() }), z.iso.datetime()],
  },
  "the options of bytes()": {
    of: (given: never) => thrownBy(() => bytes("a/b", given)),
    refused: [{ maxByte: 1 }, { maxBytes: -1 }, { maxBytes: "1" }, null, 5],
    taken: [{ maxBytes: 1 }, {}, undefined],
  },
  "the options of text()": {
    of: (given: never) => thrownBy(() => text("a/b", given)),
    refused: [{ maxByte: 1 }, { maxBytes: -1 }, null, 5],
    taken: [{ maxBytes: 1 }, {}, undefined],
  },
  "the function of written()": {
    of: (write: never) => thrownBy(() => written("a/b", write)),
    refused: [undefined, null, "csv"],
    taken: [String],
  },
  "content of a method": {
    of: (method: string) => refusalOf({ content: object, 200: object }, method),
    refused: ["GET", "HEAD", "TRACE", "CONNECT"],
    taken: ["POST", "PUT", "PATCH", "DELETE", "QUERY", "OPTIONS"],
  },
};

describe("nonsense in an option of free text", () => {
  it.each(Object.keys(options))("is refused before the first request: %s", (name) => {
    const { of, refused, taken } = options[name]!;
    for (const value of refused) expect(of(value as never), JSON.stringify(value)).toMatch(/^Cannot /);
    for (const value of taken) expect(of(value as never), JSON.stringify(value)).toBe("");
  });
});
