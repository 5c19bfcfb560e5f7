import { Application as DeclaredApplication, Resource as DeclaredResource, text } from "fingerpost";
import { Application } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it } from "vitest";
import { overHttp2 } from "../../tests/support/http2.ts";
import { nativeAround, polyfillAround } from "../../tests/middleware/around.ts";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { ask as askOn, started } from "../../tests/support/sockets.ts";
import { charactersParsed } from "../../tests/growth/characters-read.ts";
import { csrf, type CsrfOptions } from "./csrf.ts";

const handler = () => new Response("done");
const handlers = {
  GET: handler,
  HEAD: handler,
  OPTIONS: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
};

async function statusOf(headers: Record<string, string>, options: CsrfOptions = {}, method = "POST"): Promise<number> {
  return (await asked(handlers, csrf(options))({ method, headers })).status;
}

describe("csrf()", () => {
  it("Fetch Metadata §2.1 lets the same origin and the person at the browser pass", async () => {
    expect(await statusOf({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await statusOf({ "sec-fetch-site": "none" })).toBe(200);
  });

  it("Fetch Metadata §2.1 refuses other sites, other origins of the same site, and unknown values", async () => {
    for (const site of ["cross-site", "same-site", "Same-Origin", "", "x"]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        expect(await statusOf({ "sec-fetch-site": site }, {}, method), `${method} ${site}`).toBe(403);
      }
    }
  });

  it("lets Fetch Metadata decide, whatever Origin says", async () => {
    expect(await statusOf({ "sec-fetch-site": "cross-site", origin: "https://example.com" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-origin", origin: "https://other.example" })).toBe(200);
  });

  it("RFC 10008 §2 lets QUERY pass, which changes nothing", async () => {
    class Search extends DeclaredResource {
      paths = ["/search"] as const;
      static QUERY = { content: text(), 204: "Nothing" };
      override QUERY(): void {}
    }
    const app = DeclaredApplication.builder().resources(Search).middleware(csrf()).build();
    const headers = { "sec-fetch-site": "cross-site", "content-type": "text/plain" };
    expect((await app.request("/search", { method: "QUERY", headers, body: "x" })).status).toBe(204);
  });

  it("RFC 9110 §9.2.1 lets safe methods pass", async () => {
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      expect(await statusOf({ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, {}, method)).toBe(200);
    }
  });

  it("RFC 6454 §7.3 compares Origin with the host where there is no Fetch Metadata", async () => {
    expect(await statusOf({ origin: "https://example.com" })).toBe(200);
    expect(await statusOf({ origin: "http://example.com" })).toBe(200);
    for (const origin of [
      "https://evil.example",
      "https://example.com.evil.example",
      "https://evil.example.com",
      "https://example.com:8443",
      "null",
      "",
      "example.com",
      "https://example.com/",
      "https://example.com, https://evil.example",
    ]) {
      expect(await statusOf({ origin }), origin).toBe(403);
    }
  });

  it("refuses whatever the content type, also where there is none", async () => {
    for (const type of ["application/json", "APPLICATION/JSON", "text/plain", "x"]) {
      expect(await statusOf({ origin: "https://evil.example", "content-type": type })).toBe(403);
    }
    expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
  });

  it("lets programs pass, which send neither field, unless told not to", async () => {
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({}, { requireOrigin: true })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-origin" }, { requireOrigin: true })).toBe(200);
  });

  it("lets trusted origins pass, and the same site if told to", async () => {
    const options = { origins: ["https://pay.example"] };
    const headers = { "sec-fetch-site": "cross-site", origin: "https://pay.example" };
    expect(await statusOf(headers, options)).toBe(200);
    expect(await statusOf({ origin: "https://pay.example" }, options)).toBe(200);
    expect(await statusOf({ ...headers, origin: "https://evil.example" }, options)).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-site" }, { allowSameSite: true })).toBe(200);
    expect(await statusOf({ "sec-fetch-site": "cross-site" }, { allowSameSite: true })).toBe(403);
  });

  it("RFC 9110 §15.5.4 answers 403, RFC 9457 says why, and the handler does not run", async () => {
    let runs = 0;
    const ask = asked({ POST: () => ++runs && new Response("done") }, csrf());
    const response = await ask({ method: "POST", headers: { "sec-fetch-site": "cross-site" } });
    expect(await response.json()).toEqual({
      title: "Forbidden",
      status: 403,
      detail: "The request was sent by a page of another site",
    });
    expect(runs).toBe(0);
  });

  it("does the same on Node, where the host comes from the field", async () => {
    const ask = async (headers: Record<string, string>) =>
      (await askedOnNode({ method: "POST", headers }, { POST: ({ response }) => response.end("a") }, csrf())).status;
    expect(await ask({ host: "shop.example:8080", origin: "http://shop.example:8080" })).toBe(200);
    expect(await ask({ host: "shop.example", origin: "https://shop.example" })).toBe(200);
    expect(await ask({ host: "shop.example", origin: "https://evil.example" })).toBe(403);
    expect(await ask({ host: "evil.example/shop.example", origin: "https://shop.example" })).toBe(400);
    expect(await ask({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await ask({})).toBe(200);
  });

  it("RFC 9113 §8.3.1 takes the host from :authority over HTTP/2, by both chains", async () => {
    for (const app of [nativeAround(csrf()), polyfillAround(csrf())]) {
      const send = await overHttp2(app);
      const pseudo = { ":method": "POST", ":path": "/items", ":authority": "shop.example" };
      const answerTo = (origin: string): Promise<unknown> => send({ ...pseudo, origin });
      expect([await answerTo("https://shop.example"), await answerTo("https://evil.example")]).toEqual([200, 403]);
    }
  });

  it("RFC 9113 §8.3.1 asks :authority, which no Host may differ from, by both chains", async () => {
    for (const app of [nativeAround(csrf()), polyfillAround(csrf())]) {
      const send = await overHttp2(app);
      const target = { ":method": "POST", ":path": "/items", ":authority": "shop.example" };
      const answerTo = (origin: string, more: object): Promise<unknown> => send({ ...target, origin, ...more });
      for (const [more, statuses] of [
        [{}, [200, 403]],
        [{ host: "shop.example" }, [200, 403]],
        [{ host: "other.example" }, [400, 400]],
      ] as const)
        expect([await answerTo("https://shop.example", more), await answerTo("https://other.example", more)]).toEqual(
          statuses,
        );
    }
  });

  it("RFC 9110 §7.2 §4.2.4 takes no Host for one that is more than host and port, by both chains", async () => {
    for (const app of [nativeAround(csrf()), polyfillAround(csrf())]) {
      const server = await started(app);
      for (const host of [
        "user@other.example",
        "user:x@other.example",
        "other.example/",
        "other.example?",
        "a b",
        "[",
      ]) {
        const headers = { host, origin: "http://other.example" };
        expect((await askOn(server, { method: "POST", path: "/items", headers })).status, host).toBe(400);
      }
    }
  });

  it("knows no host of a context whose Headers have none", async () => {
    const app = polyfillAround(csrf(), () => 200);
    const statusFor = async (fields: Record<string, string>): Promise<unknown> => {
      const request = { headers: new Headers({ origin: "https://shop.example", ...fields }) };
      const answer = app.handle({ url: "/items", method: "POST", request, response: {} });
      return answer.catch(({ status }) => status as unknown);
    };
    expect([await statusFor({ host: "shop.example" }), await statusFor({})]).toEqual([200, 403]);
    expect(await statusFor({ host: "user@shop.example" })).toBe(403);
  });

  it("RFC 9110 §9.2.1 lets TRACE pass, of which fetch() knows nothing", async () => {
    const app = polyfillAround(csrf(), () => "traced");
    const request = { headers: { "sec-fetch-site": "cross-site" } };
    expect(await app.handle({ url: "/items", method: "TRACE", request })).toBe("traced");
  });

  it("RFC 1035 §2.3.4 has the URL parser read no host that is too long", () => {
    const name = "a".repeat(16_000);
    const Guard = csrf();
    for (const [url, host, origin] of [
      [`http://${name}/items`, "h", "http://h"],
      [`http://h/items`, name, `http://${name}`],
      ["/items", name, "http://h"],
      ["/items", `${name}:80`, `http://${name}`],
    ] as const) {
      // What finds the resource parses the URL, too: here there is no resource.
      const input = { url, method: "POST", request: { headers: { host, origin } } };
      const guard = new Guard();
      expect(charactersParsed(() => expect(() => guard.ALL!(input)).toThrow())).toBeLessThan(200);
    }
  });

  it("RFC 9112 §3.2 asks the field Host if the target is not a URL", async () => {
    const app = Application.builder().middleware(csrf()).build();
    const statusFor = async (origin: string): Promise<unknown> => {
      const request = { headers: { host: "shop.example", origin } };
      return app.handle({ url: "*", method: "POST", request }).catch(({ status }) => status as unknown);
    };
    expect([await statusFor("https://shop.example"), await statusFor("https://evil.example")]).toEqual([404, 403]);
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => csrf(options as CsrfOptions)).toThrow(new TypeError(`Cannot call csrf(): ${message}`));
    const expected = 'an array of origins such as "https://example.com", without a path';
    refused({ origins: "https://a.example" }, `its option "origins" must be ${expected}, got "https://a.example"`);
    refused({ origins: ["https://a.example/"] }, `its option "origins" must be ${expected}, got "https://a.example/"`);
    refused({ allowSameSite: "yes" }, 'its option "allowSameSite" must be true or false, got "yes"');
    refused({ requireOrigin: 1 }, 'its option "requireOrigin" must be true or false, got 1');
    refused({ origin: "x" }, 'it has no option "origin"; write one of origins, allowSameSite, requireOrigin');
  });
});
