import { describe, expect, it } from "vitest";
import { foreign } from "../../../tests/support/foreign.ts";
import {
  isArrayBuffer,
  isBlob,
  isBytes,
  isDate,
  isError,
  isHeaders,
  isPromise,
  isSignal,
  isStream,
  isURL,
  isWebRequest,
} from "./any-realm.ts";
import { described } from "./described.ts";

const questions = {
  isArrayBuffer,
  isBlob,
  isBytes,
  isDate,
  isError,
  isHeaders,
  isPromise,
  isSignal,
  isStream,
  isURL,
  isWebRequest,
};
type Question = keyof typeof questions;

const values: readonly (readonly [Question, () => object])[] = [
  ["isArrayBuffer", () => new ArrayBuffer(1)],
  ["isBlob", () => new Blob(["a"])],
  ["isBlob", () => new File(["a"], "a.txt")],
  ["isBytes", () => new Uint8Array(1)],
  ["isDate", () => new Date(0)],
  ["isError", () => new TypeError("a")],
  ["isHeaders", () => new Headers()],
  ["isPromise", () => Promise.resolve()],
  ["isSignal", () => AbortSignal.abort()],
  ["isStream", () => new ReadableStream()],
  ["isURL", () => new URL("http://localhost")],
  ["isWebRequest", () => new Request("http://localhost")],
];

describe("questions about values of another realm", () => {
  it.each(values)(
    "%s() knows a value of its kind (%#), of this realm and of another, and no other question does",
    (name, make) => {
      for (const value of [make(), foreign(make())]) {
        const asked = Object.entries(questions).filter(([, ask]) => ask(value));
        expect(asked.map(([question]) => question)).toEqual([name]);
      }
    },
  );

  it("knows nothing of other values", () => {
    for (const value of [
      null,
      undefined,
      1,
      "Blob",
      Symbol("URL"),
      {},
      [],
      () => {},
      new Uint16Array(1),
      new DataView(new ArrayBuffer(1)),
    ])
      for (const [name, ask] of Object.entries(questions)) expect(ask(value), name).toBe(false);
  });

  it("does not take for bytes what only says so", () => {
    expect(isBytes({ [Symbol.toStringTag]: "Uint8Array", byteLength: 8 })).toBe(false);
  });
});

describe("described()", () => {
  it("names an object of another realm as one of this", () => {
    expect(described(foreign({}))).toBe("an object");
    expect(described(foreign(new Date(0)))).toBe("an instance of Date");
  });
});
