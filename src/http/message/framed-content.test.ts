import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isFramed, notePassed, passedWith } from "./framed-content.ts";

/** A class of requests of a runtime. */
class ServerRequest extends Request {
  constructor(url: string, init: RequestInit = { method: "POST", body: "hello" }) {
    super(url, init);
  }
}

const url = "http://localhost/";
const info = { remoteAddr: {} };
const own = new WeakSet<object>();
const host = { frames: (request: Request) => own.has(request) };

function ownRequest(at: string = url): Request {
  const request = new ServerRequest(at);
  own.add(request);
  return request;
}

function isFramedWith(request: Request): boolean {
  notePassed(request, info, host);
  own.add(request);
  return isFramed(request);
}

/** In a group of tests, not for a file: other runtimes run all files in one process. */
function servedByOwnClass(): void {
  beforeAll(() => void vi.stubGlobal("Request", ServerRequest));
  afterAll(() => void vi.unstubAllGlobals());
}

describe("passedWith()", () => {
  servedByOwnClass();

  it("knows the requests with which a runtime passed itself, and neither a Proxy nor an heir of one", () => {
    const request = ownRequest();
    expect(passedWith(request)).toBeUndefined();
    notePassed(request, info, host);
    expect(passedWith(request)).toBe(info);
    for (const other of [new Proxy(request, {}), Object.create(request) as object, request.clone()]) {
      expect(passedWith(other)).toBeUndefined();
    }
  });

  it("is undefined where the host has no proof", () => {
    const request = ownRequest();
    notePassed(request, info, {});
    expect([passedWith(request), isFramed(request)]).toEqual([undefined, false]);
  });
});

describe("isFramed()", () => {
  servedByOwnClass();

  it("takes the word of the host", () => {
    const request = ownRequest();
    notePassed(request, info, host);
    expect(isFramed(request)).toBe(true);
    own.delete(request);
    expect(isFramed(request)).toBe(false);
  });

  it("takes only requests that came with something", () => {
    expect(isFramed(ownRequest())).toBe(false);
    for (const passed of [undefined, null, "host"]) {
      const request = ownRequest();
      notePassed(request, passed, host);
      expect(isFramed(request)).toBe(false);
    }
    expect(isFramedWith(Object.freeze(ownRequest()))).toBe(false);
    for (const request of [undefined, null, "GET"]) expect(() => notePassed(request, info, host)).not.toThrow();
  });

  it("takes nothing that stands in for a request, or has members of its own", () => {
    const request = ownRequest();
    notePassed(request, info, host);
    expect(isFramed(new Proxy(request, {}))).toBe(false);
    expect(isFramed(Object.create(request) as object)).toBe(false);
    class Other extends ServerRequest {}
    expect(isFramedWith(new Other(url))).toBe(false);
    for (const name of ["arrayBuffer", "body", "bodyUsed", "headers", "url"]) {
      const changed = ownRequest();
      Object.defineProperty(changed, name, { value: null });
      expect(isFramedWith(changed)).toBe(false);
    }
  });

  it("takes nothing that was read, has a coding, or came by TLS, which the attacks do not try", async () => {
    const read = ownRequest();
    await read.text();
    expect(isFramedWith(read)).toBe(false);
    const headers = { "transfer-encoding": "chunked" };
    const coded = ownRequest();
    Object.defineProperty(ServerRequest.prototype, "headers", { value: new Headers(headers), configurable: true });
    expect(isFramedWith(coded)).toBe(false);
    Reflect.deleteProperty(ServerRequest.prototype, "headers");
    expect(isFramedWith(coded)).toBe(true);
    expect(isFramedWith(ownRequest("https://localhost/"))).toBe(false);
  });
});
