import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { nodeHost } from "../hosts/node-host.ts";
import { attachParams, isRequest, methodOf, serializedPathStart, trustUrlsOf, inputURLOf } from "./input.ts";
import { running } from "./runtime-host.ts";

const expected = 'Cannot handle the input: expected an object with strings "url" and "method"';

describe("inputURLOf()", () => {
  it("reads url, of objects and functions", () => {
    expect(inputURLOf({ url: "/a" })).toBe("/a");
    expect(inputURLOf({ url: "" })).toBe("");
    expect(inputURLOf(Object.assign(() => {}, { url: "/a" }))).toBe("/a");
    expect(inputURLOf(new Request("http://h/a"))).toBe("http://h/a");
  });

  it.each([
    [undefined, ", got undefined"],
    [null, ", got null"],
    [5, ", got 5"],
    ["/a", ', got "/a"'],
    [{}, ', its "url" is undefined'],
    [{ url: 5 }, ', its "url" is 5'],
    [{ url: new URL("http://h/a") }, ', its "url" is an instance of URL; write "url: url.href"'],
  ])("refuses %j", (input, reason) => {
    expect(() => inputURLOf(input)).toThrow(new TypeError(expected + reason));
  });
});

describe("methodOf()", () => {
  it("reads method", () => {
    expect(methodOf({ method: "GET" })).toBe("GET");
    expect(methodOf({ method: "" })).toBe("");
  });

  it("refuses anything but a string", () => {
    expect(() => methodOf({})).toThrow(new TypeError(`${expected}, its "method" is undefined`));
    expect(() => methodOf({ method: ["GET"] })).toThrow(new TypeError(`${expected}, its "method" is an array`));
  });
});

describe("isRequest()", () => {
  it("is true of a Request itself only", () => {
    expect(isRequest(new Request("http://h/"))).toBe(true);
    expect(isRequest({ url: "/", method: "GET" })).toBe(false);
    expect(isRequest(Object.create(new Request("http://h/")) as object)).toBe(false);
    expect(isRequest(new (class extends Request {})("http://h/"))).toBe(false);
    expect(isRequest(Object.create(null) as object)).toBe(false);
  });
});

describe("serializedPathStart()", () => {
  const { host } = running;
  beforeAll(() => void (running.host = nodeHost));
  afterAll(() => void (running.host = host));

  const startOf = (url: string): number => serializedPathStart(new Request(url), new Request(url).url);

  it("returns where the path of a Request for http or https begins", () => {
    for (const url of ["http://h/a/b", "http://host.example:81?/", "HTTP://h", "https:h", "https://h/a//"])
      expect(startOf(url), url).toBe(new URL("/", url).href.length - 1);
  });

  it("is -1 of other schemes, however alike", () => {
    const urls =
      "httpx://h/a httpsx://h/a httt://h/a xttp://h/a hxtp://h/a htxp://h/a ws://h/a file:///a/b x:/a/b " +
      "blob:http://h/a data:,a";
    for (const url of urls.split(" ")) expect(startOf(url), url).toBe(-1);
  });

  it("is -1 of any other input", () => {
    expect(serializedPathStart({}, "http://h/a")).toBe(-1);
  });

  it("knows what a server of ours makes, and nothing derived from it", () => {
    const own = {};
    trustUrlsOf(own);
    expect(serializedPathStart(Object.create(own) as object, "http://h/a")).toBe(8);
    expect(serializedPathStart(Object.create(own) as object, "ws://h/a")).toBe(-1);
    expect(serializedPathStart(Object.create(Object.create(own) as object) as object, "http://h/a")).toBe(-1);
    expect(serializedPathStart(own, "http://h/a")).toBe(-1);
    expect(serializedPathStart(new Request("http://h/a"), "http://h/a")).toBe(8);
  });
});

describe("serializedPathStart() of a fresh module", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it("is -1 where there is no Request", async () => {
    const input = new Request("http://h/a");
    vi.stubGlobal("Request", undefined);
    vi.resetModules();
    const copy = await import("./input.ts");
    expect(copy.serializedPathStart(input, "http://h/a")).toBe(-1);
  });
});

describe("attachParams()", () => {
  it("adds params, and replaces those that are there", () => {
    const input: { params?: unknown } = {};
    const [first, second] = [{}, {}];
    attachParams(input, first);
    expect(input.params).toBe(first);
    attachParams(input, second);
    expect(input.params).toBe(second);
    attachParams(input, undefined);
    expect(input).toEqual({ params: undefined });
  });

  it("adds params where the class of an input has read-only ones, as requests of Bun's routes have", () => {
    class Getter {
      get params(): object {
        return { of: "the class" };
      }
    }
    class Failing {
      get params(): never {
        throw new Error("mine");
      }
    }
    class Value {
      declare params: unknown;
      static {
        Object.defineProperty(this.prototype, "params", { value: "of the class" });
      }
    }
    for (const Class of [Getter, Failing, Value]) {
      const input: { params: unknown } = new Class();
      for (const params of [{}, {}, undefined, {}, undefined]) {
        attachParams(input, params);
        expect(input.params).toBe(params);
      }
      const missed: { params: unknown } = new Class();
      attachParams(missed, undefined);
      expect(missed.params).toBeUndefined();
      expect(() => attachParams(Object.freeze(new Class()), {})).toThrow(TypeError);
      // As if they had been assigned: a copy of the input has them, too.
      const params = {};
      attachParams(missed, params);
      expect({ ...missed }).toEqual({ params });
      expect(Reflect.deleteProperty(missed, "params")).toBe(true);
    }
  });

  it.each([
    ["a frozen object", Object.freeze({})],
    ["an object that forgets", new Proxy({}, { set: () => true })],
    ["an object with params of its own that are read-only", Object.defineProperty({}, "params", { value: 1 })],
    [
      "an object that throws",
      {
        set params(_value: unknown) {
          throw new Error("no");
        },
      },
    ],
  ])("refuses %s", (_name, input) => {
    expect(() => attachParams(input, {})).toThrow(
      new TypeError(
        'Cannot handle the input: expected an object that "params" can be added to, got an object that is frozen, ' +
          "sealed " +
          'or has a read-only "params"',
      ),
    );
  });
});
