import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HTTPError } from "../http/protocol/http-error.ts";
import { Status } from "../http/protocol/status.ts";
import {
  errorResponse,
  isCausedBy,
  isServerFault,
  errorAnswer,
  reportServerFault,
  addLeft,
  writtenProblem,
} from "./error-response.ts";

describe("isServerFault()", () => {
  it("is true of any error but an HTTPError, of HTTPErrors from 500 on, and of a 1xx", () => {
    const faults = [
      undefined,
      null,
      "text",
      new Error("disk"),
      { status: 404 },
      new HTTPError(Status.InternalServerError),
      new HTTPError(Status.EarlyHints),
    ];
    for (const error of faults) expect(isServerFault(error)).toBe(true);
    const others = [Status.NotImplemented, Status.NetworkAuthenticationRequired, Status.NotModified, Status.OK];
    expect(others.map((status) => isServerFault(new HTTPError(status)))).toEqual([false, true, false, false]);
  });
});

describe("reportServerFault()", () => {
  it("C7.5 prints 80 characters of a method and of a path, whatever the params are", () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const error = new Error("disk");
    for (const params of [undefined, null, 1, {}]) {
      reportServerFault(error, { method: "M".repeat(100), url: `/${"p".repeat(100)}`, params } as never);
      expect(printed).toHaveBeenLastCalledWith("%s:", `${"M".repeat(80)} "/${"p".repeat(79)}"`, error);
    }
  });
});

describe("errorAnswer()", () => {
  const of = (...args: ConstructorParameters<typeof HTTPError>) => errorAnswer(new HTTPError(...args), null, {});

  it("has title and status, and the message as detail where it says more", () => {
    expect(of(Status.Conflict)).toMatchObject({
      status: 409,
      reason: "Conflict",
      content: '{"title":"Conflict","status":409}',
    });
    expect(of(Status.Conflict, "Taken").content).toBe('{"title":"Conflict","status":409,"detail":"Taken"}');
    expect(of(Status.Conflict, "").content).toBe('{"title":"Conflict","status":409,"detail":""}');
    expect(of(Status.Conflict).fields.get("content-type")).toBe("application/problem+json");
  });

  it("keeps what the server's faults say to itself, their fields it sends", () => {
    const { content, fields } = of(Status.ServiceUnavailable, "disk full", { headers: { "retry-after": "5" } });
    expect(content).toBe('{"title":"Service Unavailable","status":503}');
    expect([...fields]).toEqual([
      ["retry-after", "5"],
      ["content-type", "application/problem+json"],
    ]);
    expect(errorAnswer(new Error("disk full"), null, {}).content).toBe(
      '{"title":"Internal Server Error","status":500}',
    );
  });

  it("RFC 9110 §8 drops what an upstream said of its own content", () => {
    const upstream = { "content-length": "3", "content-encoding": "gzip", "content-type": "image/png", "x-a": "1" };
    expect([...of(Status.BadGateway, undefined, { headers: upstream }).fields]).toEqual([
      ["x-a", "1"],
      ["content-type", "application/problem+json"],
    ]);
  });

  it("says more of statuses below 500 only", () => {
    const { content } = of(Status.InternalServerError, "m");
    expect(content).not.toContain("detail");
    expect(of(Status.UnavailableForLegalReasons, "m").content).toContain("detail");
    expect(of(Status.OK, "m").content).toContain("detail");
  });

  it("is 500 for a status that ends no exchange", () => {
    expect(of(Status.Continue, undefined, { headers: { a: "b" } })).toMatchObject({ status: 500 });
    expect(of(Status.Continue, undefined, { headers: { a: "b" } }).fields.has("a")).toBe(false);
    expect(of(Status.OK).status).toBe(200);
  });

  it.each([Status.NoContent, Status.ResetContent, Status.NotModified])("has no content with %o", (status) => {
    const { content, fields } = of(status, "m", { headers: { etag: '"a"' } });
    expect(content).toBeNull();
    expect([...fields]).toEqual([["etag", '"a"']]);
  });

  it("does not change the fields of the error", () => {
    const error = new HTTPError(Status.Conflict, undefined, { headers: { a: "b" } });
    errorAnswer(error, null, {}).fields.set("a", "c");
    expect([...error.headers]).toEqual([["a", "b"]]);
  });
});

describe("errorResponse()", () => {
  it("is the problem as a Response", async () => {
    const response = errorResponse(new HTTPError(Status.Conflict, "Taken", { headers: { a: "b" } }), null, {});
    expect([response.status, response.statusText, response.headers.get("a")]).toEqual([409, "Conflict", "b"]);
    expect(await response.json()).toEqual({ title: "Conflict", status: 409, detail: "Taken" });
  });

  it("is 500 for what cannot be read", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(errorResponse(proxy, null, {}).status).toBe(500);
    expect(errorResponse(undefined, null, {}).status).toBe(500);
  });
});

describe("writtenProblem()", () => {
  const problem = { title: "Conflict", status: 409 };
  const schema = { "~standard": {} };

  it("C2.7 writes the shape of the application, and its type", () => {
    const shape = { schema, from: (...args: unknown[]) => args };
    expect(writtenProblem(problem, shape, 1, { a: 2 })).toEqual([
      "application/problem+json",
      '[{"title":"Conflict","status":409},1,{"a":2}]',
    ]);
    expect(writtenProblem(problem, { ...shape, type: "text/json" }, 1, {})[0]).toBe("text/json");
    const xml = { ...shape, from: () => "<fault/>" };
    for (const type of ["application/xml", "text/plain; charset=utf-8"])
      expect(writtenProblem(problem, { ...xml, type }, 1, {})).toEqual([type, "<fault/>"]);
    for (const type of ["application/json", "application/vnd.api+json", undefined])
      expect(writtenProblem(problem, { ...xml, type }, 1, {})[1]).toBe('"<fault/>"');
    expect(writtenProblem(problem, null, 1, {})).toEqual(["application/problem+json", JSON.stringify(problem)]);
  });

  it("C2.7 writes problem details where from() throws or JSON cannot have it, and prints why", () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const fault = new Error("from");
    const throwing = (): never => {
      throw fault;
    };
    for (const from of [throwing, () => 1n]) {
      const written = writtenProblem(problem, { schema, type: "text/json", from }, undefined, {});
      expect(written).toEqual(["application/problem+json", JSON.stringify(problem)]);
    }
    expect(printed.mock.calls).toEqual([[fault], [expect.any(TypeError)]]);
  });

  it("C2.7 keeps the status where the type of a shape is no field value", () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const response = errorResponse(new HTTPError(Status.Conflict), { schema, type: "a\nb", from: () => 1 }, {});
    expect([response.status, response.headers.get("content-type")]).toEqual([409, "application/problem+json"]);
    expect(printed).toHaveBeenCalledOnce();
  });
});

describe("addLeft()", () => {
  it("adds fields, and leaves those that are there, but for lists", () => {
    const response = new Response("text", { status: 409, headers: { a: "own", vary: "a", "set-cookie": "a=1" } });
    addLeft(
      response.headers,
      new Headers([
        ["a", "other"],
        ["b", "added"],
        ["vary", "b"],
        ["set-cookie", "b=2"],
      ]),
    );
    const { headers } = response;
    expect([headers.get("a"), headers.get("b"), headers.get("vary")]).toEqual(["own", "added", "a, b"]);
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });
});

describe("isCausedBy()", () => {
  const wrapped = (cause: unknown, times: number): unknown =>
    times === 0 ? cause : new Error("wrapped", { cause: wrapped(cause, times - 1) });

  it("finds an error itself, and among eight causes", () => {
    const reason = new Error("left");
    for (const times of [0, 1, 2, 8]) expect(isCausedBy(wrapped(reason, times), reason)).toBe(true);
    for (const times of [9, 99]) expect(isCausedBy(wrapped(reason, times), reason)).toBe(false);
    for (const value of [null, "left", 0]) expect(isCausedBy(wrapped(value, 2), value)).toBe(true);
  });

  it("ends where there is no other cause, and where causes form a circle", () => {
    const circle = new Error("circle");
    circle.cause = new Error("other", { cause: circle });
    for (const other of [circle, wrapped(null, 2), wrapped("left", 2), undefined, null, {}])
      expect(isCausedBy(other, new Error("left"))).toBe(false);
  });
});
