import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type * as original from "./http-error.ts";
import { HTTPError, fieldsOfError, refusal } from "./http-error.ts";
import { Status } from "./status.ts";

const make = (status: unknown) => () => new HTTPError(status as never);

describe("HTTPError", () => {
  it("C7.1 has the status, the reason phrase and no fields by default", () => {
    const error = new HTTPError(Status.NotFound);
    expect(error).toMatchObject({ name: "HTTPError", status: 404, statusText: "Not Found", message: "Not Found" });
    expect([...error.headers]).toEqual([]);
    expect("cause" in error).toBe(false);
    expect(error.stack).toMatch(/^HTTPError: Not Found\n/);
    expect(Object.keys(error)).toEqual(["status", "statusText"]);
  });

  it("C7.1 takes a message, a cause and header fields", () => {
    const cause = new Error("disk");
    const error = new HTTPError(Status.Unauthorized, "Who are you?", {
      cause,
      headers: { "www-authenticate": "Basic" },
    });
    expect(error).toMatchObject({ status: 401, statusText: "Unauthorized", message: "Who are you?", cause });
    expect(error.headers.get("WWW-Authenticate")).toBe("Basic");
    expect(String(error)).toBe("HTTPError: Who are you?");
  });

  it("keeps an empty message and an undefined cause", () => {
    const error = new HTTPError(Status.NotFound, "", { cause: undefined });
    expect(error.message).toBe("");
    expect("cause" in error).toBe(true);
  });

  it("copies the header fields it is given", () => {
    const headers = new Headers({ allow: "GET" });
    const error = new HTTPError(Status.MethodNotAllowed, undefined, { headers });
    headers.set("allow", "PUT");
    expect(error.headers.get("allow")).toBe("GET");
  });

  it("keeps the fields that are added later, on a frozen error too", () => {
    const error = Object.freeze(new HTTPError(Status.NotFound));
    error.headers.append("vary", "origin");
    expect(error.headers.get("vary")).toBe("origin");
    expect([...new HTTPError(Status.NotFound).headers]).toEqual([]);
  });

  it("shares no fields by way of its prototype", () => {
    HTTPError.prototype.headers.set("vary", "origin");
    expect([...new HTTPError(Status.NotFound).headers]).toEqual([]);
  });

  it("has a name like any other error: it can be set, and is not listed", () => {
    const error = new HTTPError(Status.NotFound);
    error.name = "Mine";
    expect(String(error)).toBe("Mine: Not Found");
    const [own, builtIn] = [HTTPError, Error].map(({ prototype }) =>
      Object.getOwnPropertyDescriptor(prototype, "name"),
    );
    expect(own).toEqual({ ...builtIn, value: "HTTPError" });
  });

  it("C7.1 works as a ResponseInit", async () => {
    const error = new HTTPError(Status.NotFound, "No such book", { headers: { vary: "accept" } });
    const response = new Response(error.message, error);
    expect([response.status, response.statusText, response.headers.get("vary")]).toEqual([404, "Not Found", "accept"]);
    expect(await response.text()).toBe("No such book");
  });

  it("C7.1 takes a registered status code, and refuses anything else, and says what it got", () => {
    const expected = "Cannot create an HTTPError: expected a status such as 404, got ";
    expect(make(404)()).toMatchObject({ status: 404, statusText: "Not Found", message: "Not Found" });
    expect(make(499)).toThrow(new TypeError(`${expected}499`));
    expect(make("404")).toThrow(new TypeError(`${expected}"404"`));
    expect(make("Not Found")).toThrow(new TypeError(`${expected}"Not Found"`));
    expect(make(undefined)).toThrow(new TypeError(`${expected}undefined`));
    expect(make(null)).toThrow(new TypeError(`${expected}null`));
    expect(make(Symbol("x"))).toThrow(new TypeError(`${expected}Symbol(x)`));
    expect(make({ status: 404 })).toThrow(new TypeError(`${expected}an object`));
    expect(make(() => Status.NotFound)).toThrow(new TypeError(`${expected}a function`));
    expect(make("x".repeat(300_000))).toThrow(new TypeError(`${expected}"${"x".repeat(80)}"`));
  });

  it("refuses header fields that HTTP cannot carry when it is made, not when it is sent", () => {
    expect(() => new HTTPError(Status.NotFound, "", { headers: { "no spaces": "1" } })).toThrow(TypeError);
  });
});

describe("HTTPError[Symbol.hasInstance]", () => {
  class Missing extends HTTPError {
    constructor(id: string) {
      super(Status.NotFound, `No book ${id}`);
    }
  }
  class Other extends HTTPError {}
  let copy: typeof original;

  beforeAll(async () => {
    vi.resetModules();
    copy = await import("./http-error.ts");
  });

  it("C7.1 holds across copies of the package", () => {
    expect(copy.HTTPError).not.toBe(HTTPError);
    expect(new copy.HTTPError(Status.NotFound)).toBeInstanceOf(HTTPError);
    expect(new HTTPError(Status.NotFound)).toBeInstanceOf(copy.HTTPError);
    expect(copy.refusal(Status.NotFound)).toBeInstanceOf(HTTPError);
    expect(new Missing("7")).toBeInstanceOf(copy.HTTPError);
  });

  it("C7.1 goes by a mark whose name all versions have to keep", () => {
    const mark = Symbol.for("fingerpost.HTTPError");
    expect(mark in new HTTPError(Status.NotFound)).toBe(true);
    expect(Object.create({ [mark]: true }) instanceof HTTPError).toBe(true);
    const { writable, configurable } = Object.getOwnPropertyDescriptor(HTTPError.prototype, mark)!;
    expect([writable, configurable]).toEqual([true, true]);
  });

  it("keeps the meaning of instanceof for subclasses", () => {
    expect(new Missing("7")).toBeInstanceOf(Missing);
    expect(new Missing("7")).toBeInstanceOf(HTTPError);
    expect(new Missing("7")).toBeInstanceOf(Error);
    expect(new Missing("7") instanceof Other).toBe(false);
    expect(new HTTPError(Status.NotFound) instanceof Missing).toBe(false);
    // Bun's begins with the name of the built-in class.
    expect(new Missing("7").stack).toMatch(/^(?:HTTP)?Error: No book 7\n/);
  });

  it("does not hold for other values", () => {
    for (const value of [
      undefined,
      null,
      404,
      "HTTPError",
      {},
      new Error("x"),
      { ...new HTTPError(Status.NotFound) },
    ]) {
      expect(value instanceof HTTPError).toBe(false);
    }
  });
});

describe("refusal()", () => {
  it("makes an error like any other, without a stack", () => {
    const error = refusal(Status.NotFound);
    expect(error).toBeInstanceOf(HTTPError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "HTTPError", status: 404, statusText: "Not Found", message: "Not Found" });
    expect(error.stack).toBe("HTTPError: Not Found");
    expect(String(error)).toBe("HTTPError: Not Found");
    expect(error.constructor).toBe(HTTPError);
  });

  it("takes a message and fields", () => {
    const error = refusal(Status.MethodNotAllowed, "Not here", { allow: "GET" });
    expect(error).toMatchObject({ status: 405, statusText: "Method Not Allowed", message: "Not here" });
    expect(error.stack).toBe("HTTPError: Not here");
    expect([...error.headers]).toEqual([["allow", "GET"]]);
  });

  it("makes a new error each time, with fields of its own", () => {
    const error = refusal(Status.NotImplemented);
    error.headers.set("allow", "GET");
    expect(error.headers.get("allow")).toBe("GET");
    expect([...refusal(Status.NotImplemented).headers]).toEqual([]);
    expect(new Response(null, error).headers.get("allow")).toBe("GET");
  });
});

describe("fieldsOfError()", () => {
  it("returns the fields of an error, and makes no headers that were not asked for", () => {
    const spy = vi.spyOn(globalThis, "Headers");
    onTestFinished(() => spy.mockRestore());
    expect([...fieldsOfError(refusal(Status.NotFound))]).toEqual([]);
    expect([...fieldsOfError(new HTTPError(Status.NotFound))]).toEqual([]);
    expect([...fieldsOfError(refusal(Status.MethodNotAllowed, undefined, { allow: "GET" }))]).toEqual([
      ["allow", "GET"],
    ]);
    expect(spy).not.toHaveBeenCalled();
  });

  it("returns what was changed in the headers that somebody asked for", () => {
    const error = refusal(Status.MethodNotAllowed, undefined, { allow: "GET" });
    expect(error.headers.get("allow")).toBe("GET");
    error.headers.set("x-a", "1");
    expect(error.headers).toBe(error.headers);
    expect(fieldsOfError(error)).toBe(error.headers);
  });

  it("asks errors of other classes, which may have a getter of their own", () => {
    class Own extends HTTPError {
      override get headers(): Headers {
        return new Headers({ "x-a": "1" });
      }
    }
    expect([...fieldsOfError(new Own(Status.NotFound))]).toEqual([["x-a", "1"]]);
  });
});
