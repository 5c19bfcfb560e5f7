import { HTTPError, Status } from "fingerpost";
import { describe, expect, it } from "vitest";
import { errorKept, isAnswerOf, keptText, mostKeptBytes, readAnswer, writtenAnswer } from "./kept-answer.ts";
import { replayed } from "./replayed.ts";

const answer = { status: 200, statusText: "", fields: [], content: null };
const written = (more: object): string => JSON.stringify({ ...answer, ...more });

describe("keptText()", () => {
  it("has content that is there, up to what is kept", () => {
    const third = Math.floor(mostKeptBytes / 3);
    const [most, more] = [new Uint8Array(mostKeptBytes), new Uint8Array(mostKeptBytes + 1)];
    expect(keptText(most)).toBe(most);
    expect(keptText("a".repeat(third))).toHaveLength(third);
    expect([keptText(""), keptText(null), keptText(undefined)]).toEqual(["", null, undefined]);
    for (const content of [more, "a".repeat(third + 1), new Blob([]), new ReadableStream()])
      expect(keptText(content as Blob)).toBeUndefined();
  });
});

describe("errorKept()", () => {
  it("is null where another try may go otherwise, or the rules keep no such status", () => {
    const kept = (error: unknown, keeps = true): unknown => errorKept(error, { keeps: () => keeps });
    expect(kept(new HTTPError(Status.Conflict, "taken"))).toEqual({
      error: { status: 409, message: "taken", errors: undefined },
      fields: [],
    });
    for (const error of [
      new Error("no"),
      new HTTPError(Status.TooManyRequests),
      { status: 409, headers: new Headers() },
    ])
      expect(kept(error)).toBeNull();
    expect(kept(new HTTPError(Status.Conflict), false)).toBeNull();
  });
});

describe("readAnswer()", () => {
  it.each([undefined, null, "text", "\ufefftext", Uint8Array.of(255, 254), Uint8Array.of(0xef, 0xbb, 0xbf, 97)])(
    "reads what writtenAnswer() wrote: %j",
    (content) => {
      const given = { status: 201, statusText: "Made\té", fields: [["x-a", "1"]] as const, content };
      const read = readAnswer(writtenAnswer(given, ["a"])) as typeof given;
      expect({ ...read, content: undefined }).toEqual({ ...given, content: undefined });
      const text =
        content instanceof Uint8Array ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(content) : content;
      expect(read.content).toEqual(content?.[0] === 255 ? content : text);
    },
  );

  const error = { status: 409, message: "taken" };
  it.each([
    "",
    "null",
    written({ status: 99 }),
    written({ status: 500 }),
    written({ statusText: "line\nline" }),
    written({ statusText: "€uro" }),
    written({ statusText: "euro€" }),
    written({ status: 204, content: "text" }),
    written({ content: 7 }),
    written({ fields: {} }),
    written({ fields: [["no name", "1"]] }),
    written({ bytes: "*" }),
    written({ error: null }),
    written({ error: { ...error, status: 299 } }),
    written({ error: { ...error, message: 1 } }),
    written({ error: { ...error, errors: {} } }),
  ])("refuses what nobody has written: %s", (text) => {
    const message = "Cannot read a kept answer: the store returned something else than it was given";
    expect(() => readAnswer(text)).toThrow(message);
    expect(() => readAnswer(text)).toThrow(expect.objectContaining({ cause: expect.any(Error) }) as Error);
  });

  it("says what lacks as the cause", () => {
    const cause = new TypeError("Cannot read a kept answer: it has no status, no fields or no content");
    expect(() => readAnswer(written({ content: 7 }))).toThrow(expect.objectContaining({ cause }) as Error);
  });
});

describe("isAnswerOf()", () => {
  it("knows other writes by their names, but for the first", () => {
    const of = (...names: readonly string[]): boolean => isAnswerOf(writtenAnswer(answer, ["old", "a", "b"]), names);
    expect([of("b"), of("c", "a"), of("old"), of()]).toEqual([true, true, false, false]);
    for (const text of ["no JSON", "{}", '{"names":"a"}', '{"names":7}']) expect(isAnswerOf(text, ["a"])).toBe(true);
  });
});

describe("replayed()", () => {
  it.each([undefined, [{ in: "content", detail: "no", pointer: "/a" } as const]])(
    "throws an error as it was: %j",
    (errors) => {
      const kept = { error: { status: 409, message: "taken", errors }, fields: [["x-a", "1"]] as const };
      const thrown = expect.objectContaining({ status: 409, message: "taken", errors }) as Error;
      expect(() => replayed(kept)).toThrow(thrown);
      const without = new HTTPError(Status.Conflict, "taken");
      if (errors === undefined) expect(Object.keys(caught(() => replayed(kept)))).toEqual(Object.keys(without));
    },
  );

  it("is 409 where the content was too long, and has no type that nobody gave", () => {
    const tooLong = "The request was answered, and its answer was too long to keep";
    expect(() => replayed({ ...answer, content: undefined })).toThrow(tooLong);
    const { made } = replayed({ ...answer, content: "text" });
    expect([...made!.headers]).toEqual([["idempotent-replayed", "true"]]);
  });
});

function caught(run: () => unknown): object {
  try {
    return Object(run()) as object;
  } catch (error) {
    return error as object;
  }
}
