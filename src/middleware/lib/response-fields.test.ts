import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { polyfillAround } from "../../../tests/middleware/around.ts";
import { asked, askedOnNode } from "../../../tests/middleware/asked.ts";
import { Middleware, type MiddlewareClass } from "../../application/middleware.ts";
import { Response as OwnResponse } from "../../http/message/response.ts";
import { HTTPError } from "../../http/protocol/http-error.ts";
import { NodeFields, type Fields } from "./fields.ts";
import { nodeResponseOf, answerWithFields, responseOf, withFields } from "./response-fields.ts";

function adding(add: (fields: Fields) => void): MiddlewareClass {
  return class Adding extends Middleware {
    ALL(input: object): unknown {
      return answerWithFields(this, input, add);
    }
  };
}

describe("answerWithFields()", () => {
  const offering = adding((fields) => {
    fields.offer("x-a", "outer");
    fields.vary("Origin");
  });

  it("C5.7 adds fields to responses, and to those made from errors", async () => {
    const ask = asked({ GET: () => new Response("a") }, offering);
    for (const [path, status] of [
      ["/", 200],
      ["/nowhere", 404],
    ] as const) {
      const { headers, status: own } = await ask({ path });
      expect([own, headers.get("x-a"), headers.get("vary")]).toEqual([status, "outer", "Origin"]);
    }
    expect((await ask({ method: "PUT" })).headers.get("x-a")).toBe("outer");
  });

  it("C5.7 adds fields to a light response in place", async () => {
    const light = new OwnResponse("a");
    const { headers } = await asked({ GET: () => light }, offering)({ path: "/" });
    expect([headers.get("x-a"), headers.get("vary")]).toEqual(["outer", "Origin"]);
  });

  it("lists the lines of a field of Node's response, and none of an absent field", () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader("x", ["1", "2"]);
    const fields = new NodeFields(response, {} as never);
    expect(["x", "y"].map((name) => fields.linesOf(name))).toEqual([["1", "2"], []]);
  });

  it("C5.7 adds them on Node, too", async () => {
    const ask = (path: string) => askedOnNode({ path }, { GET: ({ response }) => response.end("a") }, offering);
    expect((await ask("/")).headers).toMatchObject({ "x-a": "outer", vary: "Origin" });
    expect(await ask("/nowhere")).toMatchObject({ status: 404, headers: { "x-a": "outer", vary: "Origin" } });
  });

  it("passes fields that are read, set, added to and deleted alike, on both chains", async () => {
    const changing = adding((fields) => {
      expect([fields.get("x-a"), fields.get("x-none")]).toEqual([null, null]);
      fields.set("x-a", "1");
      fields.add("x-a", "2");
      fields.set("x-b", fields.get("X-A")!);
      fields.set("x-c", "3");
      fields.delete("X-C");
    });
    const native = await asked({ GET: () => new Response("a") }, changing)();
    const answer = await askedOnNode({}, { GET: ({ response }) => response.end("a") }, changing);
    expect([native.status, answer.status]).toEqual([200, 200]);
    for (const fields of [Object.fromEntries(native.headers), answer.headers]) {
      expect(fields).toMatchObject({ "x-a": "1, 2", "x-b": "1, 2" });
      expect(fields).not.toHaveProperty("x-c");
    }
  });

  it("leaves what the handler has set, on both chains", async () => {
    const native = asked({ GET: () => new Response("a", { headers: { "x-a": "own", vary: "Accept" } }) }, offering);
    const { headers } = await native();
    expect([headers.get("x-a"), headers.get("vary")]).toEqual(["own", "Accept, Origin"]);
    const answer = await askedOnNode(
      {},
      { GET: ({ response }) => response.appendHeader("vary", "Accept").setHeader("x-a", "own").end("a") },
      offering,
    );
    expect(answer.headers["x-a"]).toBe("own");
    expect(answer.headers.vary).toBe("Origin, Accept");
  });

  it("lets the inner of two offers stand, on errors too, on both chains", async () => {
    const inner = adding((fields) => fields.offer("x-a", "inner"));
    for (const path of ["/", "/nowhere"]) {
      const native = asked({ GET: () => new Response("a") }, offering, inner);
      expect((await native({ path })).headers.get("x-a"), path).toBe("inner");
      const answer = await askedOnNode({ path }, { GET: ({ response }) => response.end("a") }, offering, inner);
      expect(answer.headers["x-a"], path).toBe("inner");
    }
  });

  it("asks for the fields of an error only where a request ends in one, or somebody asks", async () => {
    let calls = 0;
    const counting = adding((fields) => {
      calls++;
      fields.offer("x-a", "1");
    });
    expect((await asked({ GET: () => new Response("a") }, counting)()).headers.get("x-a")).toBe("1");
    expect(calls).toBe(1);
    expect((await asked({}, counting)({ path: "/nowhere" })).headers.get("x-a")).toBe("1");
    expect(calls).toBe(2);
    class Asking extends Middleware {
      ALL(input: object): unknown {
        expect(this.errorHeaders(input).get("x-a")).toBe("1");
        return this.next(input);
      }
    }
    expect((await asked({ GET: () => new Response("a") }, counting, Asking)()).status).toBe(200);
    expect(calls).toBe(4);
  });

  it("returns what is there at once, and throws at once", async () => {
    const results: unknown[] = [];
    class Noting extends Middleware {
      ALL(input: object): unknown {
        try {
          const result = this.next(input);
          results.push(result instanceof Promise);
          return result;
        } catch (error) {
          results.push(error instanceof HTTPError);
          throw error;
        }
      }
    }
    await asked({ GET: () => new Response("a") }, Noting, offering)();
    await asked({ GET: async () => new Response("a") }, Noting, offering)();
    await asked({}, Noting, offering)({ path: "/nowhere" });
    expect(results).toEqual([false, true, true]);
  });

  it("answers an error without the fields of a function that throws, and prints that", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => printed.mockRestore());
    const fault = new TypeError("no fields");
    const failing = adding(() => {
      throw fault;
    });
    const { status, headers } = await asked({}, offering, failing)({ path: "/nowhere" });
    expect([status, headers.get("x-a")]).toEqual([404, "outer"]);
    expect(printed).toHaveBeenCalledWith(fault);
  });

  it("keeps a bounded number of functions, however often middleware goes on", async () => {
    let calls = 0;
    const counting = adding((fields) => {
      calls++;
      fields.offer("x-a", "1");
    });
    class Often extends Middleware {
      async ALL(input: object): Promise<unknown> {
        for (let at = 0; at < 200; at++) await this.next(input);
        return this.next(input);
      }
    }
    await asked({ GET: () => new Response("a") }, Often, counting)();
    // 201 of responses, and of errors all but those that are left.
    expect(calls).toBe(201 + 195);
  });

  it("keeps several Set-Cookie apart", async () => {
    const cookies = adding((fields) => fields.add("set-cookie", "c=3"));
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    const ask = asked({ GET: () => new Response("a", { headers }) }, cookies);
    expect((await ask()).headers.getSetCookie()).toEqual(["a=1", "b=2", "c=3"]);
    const answer = await askedOnNode(
      {},
      { GET: ({ response }) => response.appendHeader("set-cookie", ["a=1", "b=2"]).end() },
      cookies,
    );
    expect(answer.headers["set-cookie"]).toEqual(["c=3", "a=1", "b=2"]);
  });

  it("adds lines once to those of others, when next() of outer middleware runs twice, on both chains", async () => {
    let passes = 0;
    const counting = adding((fields) => fields.add("set-cookie", `pass=${passes}`, "same=1"));
    class Again extends Middleware {
      async ALL(input: object): Promise<unknown> {
        const { response } = input as { response?: ServerResponse };
        const append = (line: string): unknown =>
          response === undefined
            ? this.errorHeaders(input).append("set-cookie", line)
            : response.appendHeader("set-cookie", line);
        append("same=1");
        append("before=1");
        passes = 1;
        try {
          await this.next(input);
        } catch {
          append("after=1");
        }
        passes = 2;
        return this.next(input);
      }
    }
    const expected = ["after=1", "before=1", "pass=2", "same=1", "same=1"];
    const { headers } = await asked({}, Again, counting)();
    expect(headers.getSetCookie().toSorted()).toEqual(expected);
    expect((await askedOnNode({}, {}, Again, counting)).headers["set-cookie"]!.toSorted()).toEqual(expected);
  });

  it("adds lines anew where others have taken them away, on both chains", async () => {
    const counting = adding((fields) => fields.add("x-a", "1"));
    class Again extends Middleware {
      async ALL(input: object): Promise<unknown> {
        const { response } = input as { response?: ServerResponse };
        await Promise.resolve(this.next(input)).catch(() => {
          if (response === undefined) this.errorHeaders(input).delete("x-a");
          else response.removeHeader("x-a");
        });
        return this.next(input);
      }
    }
    expect((await asked({}, Again, counting)()).headers.get("x-a")).toBe("1");
    expect((await askedOnNode({}, {}, Again, counting)).headers["x-a"]).toBe("1");
  });

  it("adds them to a response that is immutable", async () => {
    const ask = asked({ GET: () => Response.redirect("https://example.com/b", 303) }, offering);
    const { headers, status } = await ask();
    expect([status, headers.get("location"), headers.get("x-a")]).toEqual([303, "https://example.com/b", "outer"]);
  });

  it("leaves a response alone that a handler returns to everyone", async () => {
    const shared = new Response(null, { status: 204 });
    const ask = asked({ GET: () => shared }, offering);
    expect((await ask()).headers.get("x-a")).toBe("outer");
    expect([...shared.headers]).toEqual([]);
  });

  it("refuses anything but a response, rather than to add nothing", async () => {
    const app = asked({ GET: () => "text" }, offering);
    expect((await app()).status).toBe(500);
    expect(() => withFields("text", () => {})).toThrow(
      "Cannot add fields to the response: expected a Response from next(), or an input with a response of Node, got " +
        '"text"',
    );
  });

  it("RFC 9110 §15.2 copies no response that is not final, such as a host's own to an upgrade", () => {
    const kept = Response.redirect("http://h/").headers;
    // Fields of a redirect are immutable, but on Bun.
    const isOpen = "Bun" in globalThis;
    for (const [headers, expected] of [
      [new Headers(), "1"],
      [kept, isOpen ? "1" : null],
    ] as const) {
      const upgrade = Object.defineProperties(new Response(), { status: { value: 101 }, headers: { value: headers } });
      expect(withFields(upgrade, (fields) => fields.set("x-a", "1"))).toBe(upgrade);
      expect(headers.get("x-a")).toBe(expected);
    }
  });

  it("adds them to a response with content itself, which nobody else has", () => {
    const response = new Response("a");
    expect(withFields(response, (fields) => fields.set("x-a", "1"))).toBe(response);
    expect(response.headers.get("x-a")).toBe("1");
  });

  it("passes on what a handler returns if Node's response is there", async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const app = polyfillAround(offering, () => "done");
    expect(await app.handle({ url: "/items", method: "GET", request: { headers: {} }, response })).toBe("done");
    expect(response.getHeader("x-a")).toBe("outer");
  });

  it("leaves cookies and lines of others whole, when next() runs twice, on both chains", async () => {
    const dated = "old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT";
    const counting = adding((fields) => {
      fields.add("Set-Cookie", "own=1");
      fields.add("x-a", "own");
      fields.set("x-b", "4");
      expect(fields.get("x-b")).toBe("4");
    });
    class Again extends Middleware {
      async ALL(input: object): Promise<unknown> {
        const { response } = input as { response?: ServerResponse };
        const append = (name: string, line: string): unknown =>
          response === undefined ? this.errorHeaders(input).append(name, line) : response.appendHeader(name, line);
        append("set-cookie", dated);
        append("x-a", "other");
        await Promise.resolve(this.next(input)).catch(() => {});
        return this.next(input);
      }
    }
    const { headers, status } = await asked({}, Again, counting)();
    expect([headers.getSetCookie().toSorted(), headers.get("x-a"), headers.get("x-b")]).toEqual([
      [dated, "own=1"],
      "other, own",
      "4",
    ]);
    const answer = await askedOnNode({}, {}, Again, counting);
    expect([status, answer.status]).toEqual([501, 501]);
    expect([answer.headers["set-cookie"]!.toSorted(), answer.headers["x-a"], answer.headers["x-b"]]).toEqual([
      [dated, "own=1"],
      "other, own",
      "4",
    ]);
  });

  it("shows what is wrong with a field", async () => {
    expect(() => withFields(new Response("a"), (fields) => fields.set("x", "\n\0"))).toThrow(TypeError);
  });
});

describe("nodeResponseOf()", () => {
  it("is null where the response of an input is none of Node", () => {
    for (const response of [undefined, null, "text", {}, { setHeader: "x" }, new Response()]) {
      expect(nodeResponseOf({ response })).toBeNull();
    }
    expect(nodeResponseOf(new Request("http://localhost/"))).toBeNull();
  });

  it("returns one that is", () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    expect(nodeResponseOf({ response })).toBe(response);
  });
});

describe("responseOf()", () => {
  it("refuses anything but a response", () => {
    const response = new Response("a");
    expect(responseOf(response)).toBe(response);
    for (const [result, text] of [
      ["done", '"done"'],
      [undefined, "undefined"],
      [{ status: 200 }, "an object"],
    ] as const) {
      expect(() => responseOf(result)).toThrow(
        new TypeError(`Cannot change the response: expected a new Response from next(), got ${text}`),
      );
    }
  });

  it("refuses one that was read, also if its reader was released again", async () => {
    const message =
      "Cannot change the response: expected a new Response from next(), got one whose content was read already";
    const whole = new Response("content");
    await whole.text();
    const half = new Response("content");
    const reader = half.body!.getReader();
    await reader.read();
    reader.releaseLock();
    for (const response of [whole, half]) expect(() => responseOf(response)).toThrow(new TypeError(message));
    class Light {
      readonly status = 200;
      readonly headers = new Headers();
    }
    Object.setPrototypeOf(Light.prototype, Response.prototype);
    const light = new Light();
    expect(responseOf(light)).toBe(light);
  });
});
