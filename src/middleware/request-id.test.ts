import { describe, expect, it } from "vitest";
import { nativeAround, requestFor } from "../../tests/middleware/around.ts";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { requestId, requestIdOf, type RequestIdOptions } from "./request-id.ts";

const handlers = { GET: (input: object) => new Response(requestIdOf(input)) };
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe("requestId()", () => {
  it("RFC 9562 §5.4 makes a random UUID for each request, the same for handler and client", async () => {
    const ask = asked(handlers, requestId());
    const [first, second] = [await ask(), await ask()];
    const text = await first.text();
    expect(text).toMatch(uuid);
    expect(first.headers.get("x-request-id")).toBe(text);
    expect(await second.text()).not.toBe(text);
  });

  it("C5.7 sends it on errors, too, on both chains", async () => {
    expect((await asked(handlers, requestId())({ path: "/nowhere" })).headers.get("x-request-id")).toMatch(uuid);
    const { headers, status } = await askedOnNode({ path: "/nowhere" }, {}, requestId());
    expect([status, uuid.test(String(headers["x-request-id"]))]).toEqual([404, true]);
  });

  it("does the same on Node", async () => {
    const own = {
      GET: (context: { response: { end(text?: string): unknown } }) => context.response.end(requestIdOf(context)),
    };
    const { headers, text } = await askedOnNode({}, own, requestId());
    expect(text).toMatch(uuid);
    expect(headers["x-request-id"]).toBe(text);
    const trusted = await askedOnNode({ headers: { "x-request-id": "abc" } }, own, requestId({ trust: true }));
    expect([trusted.text, trusted.headers["x-request-id"]]).toEqual(["abc", "abc"]);
  });

  it("takes over no id of a client unless it is told to", async () => {
    const init = { headers: { "x-request-id": "abc" } };
    const idWith = async (options: RequestIdOptions) => (await asked(handlers, requestId(options))(init)).text();
    expect(await idWith({})).toMatch(uuid);
    expect(await idWith({ trust: false })).toMatch(uuid);
    expect(await idWith({ trust: true })).toBe("abc");
    expect(await idWith({ trust: () => Promise.resolve(false) as never })).toMatch(uuid);
    expect(await idWith({ trust: (input) => (input as Request).headers.has("x-internal") })).toMatch(uuid);
    expect(await idWith({ trust: (input) => (input as Request).headers.has("x-request-id") })).toBe("abc");
  });

  it("takes over only what is short and visible", async () => {
    const ask = asked(handlers, requestId({ trust: true }));
    for (const carried of ["", "a b", "é", "a".repeat(201)]) {
      expect(await (await ask({ headers: { "x-request-id": carried } })).text(), carried).toMatch(uuid);
    }
    expect(await (await ask({ headers: { "x-request-id": "a".repeat(200) } })).text()).toHaveLength(200);
  });

  it("uses another field and another way to make ids", async () => {
    const { headers } = await asked(handlers, requestId({ header: "Trace-Id", generate: () => "7" }))();
    expect([headers.get("trace-id"), headers.has("x-request-id")]).toEqual(["7", false]);
  });

  it("keeps the id of the outer one where it is there twice", async () => {
    const ask = asked(handlers, requestId({ generate: () => "outer" }), requestId({ generate: () => "inner" }));
    const response = await ask();
    expect([await response.text(), response.headers.get("x-request-id")]).toEqual(["outer", "outer"]);
  });

  it("refuses an id that would break a field or a log", async () => {
    for (const value of ["", "a\nb", "a b", 7]) {
      const ask = asked(handlers, requestId({ generate: () => value as string }));
      expect((await ask()).status, String(value)).toBe(500);
    }
  });

  it("says what is wrong with an id that was made", async () => {
    const app = nativeAround(requestId({ generate: () => "a b" }));
    await expect(app.handle(requestFor())).rejects.toThrow(
      new TypeError(
        'Cannot give the request an id: expected generate() to return up to 200 visible characters, got "a b"',
      ),
    );
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => requestId(options as RequestIdOptions)).toThrow(
        new TypeError(`Cannot call requestId(): ${message}`),
      );
    refused({ header: "a b" }, 'its option "header" must be a field name, got "a b"');
    refused({ generate: "uuid" }, 'its option "generate" must be a function, got "uuid"');
    refused({ trust: 1 }, 'its option "trust" must be true, false or a function, got 1');
    refused({ field: "x" }, 'it has no option "field"; write one of header, generate, trust');
  });
});

describe("requestIdOf()", () => {
  it("is undefined where no middleware gave an id", () => {
    expect(requestIdOf({})).toBeUndefined();
  });
});
