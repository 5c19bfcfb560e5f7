import { Application, Resource, type HTTPError } from "fingerpost/modules/http.native.js";
import { describe, expect, it } from "vitest";
import { nativeAround, requestFor } from "../../tests/middleware/around.ts";
import { asked, askedInGroup, askedOnNode } from "../../tests/middleware/asked.ts";
import type { NegotiateOptions } from "./lib/content-declaration.ts";
import { negotiate, negotiatedOf } from "./negotiate.ts";

const show = (input: object) => Response.json(negotiatedOf(input));
const handlers = { GET: show, HEAD: show, POST: show, PUT: show, PATCH: show, OPTIONS: show };

const askWith = (options: NegotiateOptions) => asked(handlers, negotiate(options));

describe("negotiate()", () => {
  it("RFC 9110 §12.5.1 chooses a media type, and says so in Vary", async () => {
    const ask = askWith({ produces: ["application/json", "text/html"] });
    const chosen = async (accept?: string) => {
      const response = await ask(accept === undefined ? {} : { headers: { accept } });
      expect(response.headers.get("vary")).toBe("Accept");
      return ((await response.json()) as { mediaType: string }).mediaType;
    };
    expect(await chosen()).toBe("application/json");
    expect(await chosen("text/html")).toBe("text/html");
    expect(await chosen("text/*;q=0.5, application/json;q=0.4")).toBe("text/html");
    expect(await chosen("text/html;level=1, */*;q=0.1")).toBe("application/json");
    expect(await chosen("image/png, text/html;q=0, */*;q=0.1")).toBe("application/json");
  });

  it("RFC 9110 §15.5.7 refuses with 406 where no media type is acceptable, and says what there is", async () => {
    const ask = askWith({ produces: ["application/json", "text/html"], languages: ["en"] });
    const response = await ask({ headers: { accept: "image/*, text/html;q=0" } });
    expect(response.status).toBe(406);
    expect(await response.json()).toEqual({
      title: "Not Acceptable",
      status: 406,
      detail: "Available: application/json, text/html",
    });
    expect(response.headers.get("vary")).toBe("Accept, Accept-Language");
  });

  it("RFC 9110 §12.5.4 chooses a language, or the first rather than none", async () => {
    const ask = askWith({ languages: ["en", "de"] });
    const chosen = async (language: string) => {
      const response = await ask({ headers: { "accept-language": language } });
      expect([response.status, response.headers.get("vary")]).toEqual([200, "Accept-Language"]);
      return ((await response.json()) as { language: string }).language;
    };
    expect(await chosen("de-CH, en;q=0.5")).toBe("en");
    expect(await chosen("de, en;q=0.5")).toBe("de");
    expect(await chosen("de-CH")).toBe("de");
    expect(await chosen("fr")).toBe("en");
  });

  it("RFC 9110 §12.5.3 chooses a content coding, and refuses where only identity is there and refused", async () => {
    const ask = askWith({ codings: ["gzip", "identity"] });
    const send = (value: string) => ask({ headers: { "accept-encoding": value } });
    expect(await (await send("br, gzip")).json()).toMatchObject({ coding: "gzip" });
    expect(await (await send("br")).json()).toMatchObject({ coding: "identity" });
    expect((await send("br")).headers.get("vary")).toBe("Accept-Encoding");
    expect((await send("br, identity;q=0")).status).toBe(406);
  });

  it("C5.7 has Vary on responses made from errors", async () => {
    const ask = asked(
      {
        GET: () => {
          throw new Error("x");
        },
      },
      negotiate({ produces: ["a/b"] }),
    );
    const response = await ask();
    expect([response.status, response.headers.get("vary")]).toEqual([500, "Accept"]);
  });

  it("RFC 9110 §15.5.16 refuses content of another type with 415 and Accept, before the handler", async () => {
    const ask = askWith({ consumes: ["application/json", "image/*"], produces: ["application/json"] });
    const send = (type: string, method = "POST") => ask({ method, body: "x", headers: { "content-type": type } });
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "image/png"]) {
      expect((await send(type)).status, type).toBe(200);
    }
    for (const type of ["text/plain", "application/jsonx", "application", "", "application/json, image/png"]) {
      const response = await send(type);
      expect([response.status, response.headers.get("accept")], type).toEqual([415, "application/json, image/*"]);
      expect(response.headers.get("vary")).toBe("Accept");
    }
    expect((await send("text/plain")).headers.has("accept-patch")).toBe(false);
  });

  it("RFC 5789 §3.1 adds Accept-Patch to a 415 for PATCH", async () => {
    const ask = askWith({ consumes: ["application/merge-patch+json"] });
    const { status, headers } = await ask({ method: "PATCH", body: "x", headers: { "content-type": "text/plain" } });
    expect([status, headers.get("accept-patch")]).toEqual([415, "application/merge-patch+json"]);
  });

  it("RFC 9110 §12.5.5 names in Vary of a 415 what was read to choose, nothing without a choice", async () => {
    const varyOf = async (options: NegotiateOptions) => {
      const app = nativeAround(negotiate({ consumes: ["application/json"], ...options }));
      const request = requestFor({ method: "POST", body: "x", headers: { "content-type": "text/plain" } });
      const error: unknown = await app.handle(request).catch((reason: unknown) => reason);
      return (error as HTTPError).headers.get("vary");
    };
    expect(await varyOf({})).toBeNull();
    expect(await varyOf({ produces: ["a/b"], codings: ["identity"] })).toBe("Accept, Accept-Encoding");
  });

  it("RFC 9110 §8.3 takes content without a type for application/octet-stream", async () => {
    const send = (options: NegotiateOptions) =>
      askWith(options)({ method: "POST", body: new Uint8Array([1]) }).then(({ status }) => status);
    expect(await send({ consumes: ["application/json"] })).toBe(415);
    expect(await send({ consumes: ["application/octet-stream"] })).toBe(200);
  });

  it("RFC 9110 §12.5.1 compares the parameters of what it takes", async () => {
    const ask = askWith({ consumes: ["text/plain;charset=utf-8"] });
    const send = (type: string) => ask({ method: "POST", body: "x", headers: { "content-type": type } });
    expect((await send('text/plain; charset="UTF-8"; a=b')).status).toBe(200);
    expect((await send("text/plain")).status).toBe(415);
  });

  it("asks nothing of requests without content", async () => {
    const ask = askWith({ consumes: ["application/json"] });
    expect((await ask({ method: "POST" })).status).toBe(200);
    // RFC 9110 §15.5.16 is about content, and a type alone is none.
    for (const method of ["GET", "POST"]) {
      expect((await ask({ method, headers: { "content-type": "text/plain" } })).status).toBe(200);
    }
  });

  it("lets a resource declare what it offers and takes, before the options", async () => {
    class Report extends Resource {
      override paths = ["/report"];
      produces = ["text/csv"];
      consumes = ["text/csv"];
      override GET = show;
      override PUT = show;
    }
    class Other extends Resource {
      override paths = ["/other"];
      override GET = show;
    }
    const app = Application.builder()
      .resources(Report, Other)
      .middleware(negotiate({ produces: ["application/json"], languages: ["en"] }))
      .build();
    const get = async (path: string) => (await app.fetch(new Request(`https://example.com${path}`))).json();
    expect(await get("/report")).toEqual({ mediaType: "text/csv", language: "en", coding: null });
    expect(await get("/other")).toEqual({ mediaType: "application/json", language: "en", coding: null });
    expect(await get("/nowhere")).toMatchObject({ status: 404 });
    const put = new Request("https://example.com/report", {
      method: "PUT",
      body: "{}",
      headers: { "content-type": "a/b" },
    });
    expect((await app.fetch(put)).status).toBe(415);
  });

  it("reads what a resource declares once", async () => {
    let reads = 0;
    class Report extends Resource {
      override paths = ["/"];
      get produces(): string[] {
        reads++;
        return ["text/csv"];
      }
      override GET = show;
    }
    const app = Application.builder().resources(Report).middleware(negotiate()).build();
    const get = async () => (await app.fetch(new Request("https://example.com/"))).json();
    expect(await get()).toMatchObject({ mediaType: "text/csv" });
    const readsBefore = reads;
    expect(await get()).toMatchObject({ mediaType: "text/csv" });
    expect(reads).toBe(readsBefore);
  });

  it("fails if a resource declares something that does not exist", async () => {
    class Report extends Resource {
      override paths = ["/"];
      produces = "text/csv";
      override GET = show;
    }
    const app = Application.builder().resources(Report).middleware(negotiate()).build();
    await expect(app.handle(new Request("https://example.com/"))).rejects.toThrow("Cannot negotiate for Report: its");
  });

  it("RFC 9110 §9.3.7 leaves OPTIONS alone", async () => {
    const ask = askWith({ produces: ["text/html"] });
    expect((await ask({ method: "OPTIONS", headers: { accept: "image/png" } })).status).toBe(200);
  });

  it("does nothing where nothing is offered", async () => {
    const response = await askedInGroup(handlers, negotiate())({ headers: { accept: "x/y" } });
    expect(await response.json()).toEqual({ mediaType: null, language: null, coding: null });
    expect(response.headers.has("vary")).toBe(false);
    expect(negotiatedOf({})).toEqual({ mediaType: null, language: null, coding: null });
  });

  it("passes on the very response that the handler made where nothing is offered", async () => {
    const response = new Response(null, { status: 204 });
    expect(await nativeAround(negotiate(), () => response).handle(requestFor())).toBe(response);
  });

  it("does the same on Node", async () => {
    const Json = negotiate({ produces: ["application/json"], consumes: ["application/json"] });
    const own = {
      POST: (context: { response: { end(text: string): unknown } }) =>
        context.response.end(negotiatedOf(context).mediaType!),
    };
    const post = (headers: Record<string, string>) => askedOnNode({ method: "POST", headers }, own, Json);
    expect(await post({ accept: "*/*" })).toMatchObject({
      status: 200,
      text: "application/json",
      headers: { vary: "Accept" },
    });
    expect(await post({ accept: "a/b" })).toMatchObject({ status: 406, headers: { vary: "Accept" } });
    expect(await post({ "content-type": "a/b", "content-length": "0" })).toMatchObject({ status: 200 });
    expect(await post({ "content-type": "a/b", "transfer-encoding": "chunked" })).toMatchObject({
      status: 415,
      headers: { accept: "application/json" },
    });
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => negotiate(options as NegotiateOptions)).toThrow(
        new TypeError(`Cannot call negotiate(): ${message}`),
      );
    refused(
      { produces: "text/html" },
      'its option "produces" must be an array of media types such as "text/html", got "text/html"',
    );
    refused(
      { produces: ["text/*"] },
      'its option "produces" must be an array of media types such as "text/html", got "text/*"',
    );
    refused({ produces: [] }, 'its option "produces" must be an array with members, got an array');
    refused(
      { languages: ["en_GB"] },
      'its option "languages" must be an array of language tags such as "en-GB", got "en_GB"',
    );
    refused(
      { codings: ["g zip"] },
      'its option "codings" must be an array of content codings such as "gzip", got "g zip"',
    );
    refused(
      { consumes: ["*/json"] },
      'its option "consumes" must be an array of media types such as "text/html", or ranges of them, got "*/json"',
    );
    refused({ types: [] }, 'it has no option "types"; write one of produces, languages, codings, consumes');
  });
});
