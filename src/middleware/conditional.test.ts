import { createHash } from "node:crypto";
import { Application, HTTPError, Resource, Status } from "fingerpost/modules/http.native.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { asked } from "../../tests/middleware/asked.ts";
import { compress } from "./compress.ts";
import { conditional, type ConditionalOptions } from "./conditional.ts";
import type { Validator } from "./lib/validators.ts";

const date = "Sun, 06 Nov 1994 08:49:37 GMT";
const before = "Sun, 06 Nov 1994 08:49:36 GMT";
const lastModified = new Date(date);
const done = () => new Response("done");

/** Answers as a resource whose representation has these validators. */
function validating(validator: Validator | null | undefined, handlers: object = {}, options?: ConditionalOptions) {
  const own = { GET: () => new Response("a"), PUT: done, PATCH: done, POST: done, DELETE: done, OPTIONS: done };
  return asked({ ...own, ...handlers, validator: async () => validator }, conditional(options));
}

describe("conditional()", () => {
  describe("reading", () => {
    it("RFC 9110 §8.8.3 adds a tag of its bytes and media type to whole content", async () => {
      const ask = asked({ GET: () => new Response("abc", { headers: { "content-type": "text/csv" } }) }, conditional());
      const expected = createHash("sha256")
        .update("abc\ntext/csv")
        .digest()
        .subarray(0, 16)
        .toString("base64")
        .slice(0, 22);
      const response = await ask();
      expect(response.headers.get("etag")).toBe(`"${expected}"`);
      expect(await response.text()).toBe("abc");
      const json = await asked(
        { GET: () => new Response("abc", { headers: { "content-type": "a/b" } }) },
        conditional(),
      )();
      expect(json.headers.get("etag")).not.toBe(`"${expected}"`);
    });

    it("RFC 9110 §8.8.3 adds a tag of its bytes to content without a media type", async () => {
      const untyped = () => new Response(new TextEncoder().encode("abc"));
      const expected = createHash("sha256").update("abc\n").digest().subarray(0, 16).toString("base64").slice(0, 22);
      expect((await asked({ GET: untyped }, conditional())()).headers.get("etag")).toBe(`"${expected}"`);
    });

    it("RFC 9110 §15.4.5 answers 304 to who has the representation", async () => {
      const ask = asked({ GET: () => new Response("abc") }, conditional());
      const etag = (await ask()).headers.get("etag")!;
      for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
        const response = await ask({ headers: { "if-none-match": value } });
        expect([response.status, response.statusText, response.body], value).toEqual([304, "Not Modified", null]);
        expect(response.headers.get("etag")).toBe(etag);
      }
      for (const value of ['"x"', "x", etag.slice(1)]) {
        expect((await ask({ headers: { "if-none-match": value } })).status, value).toBe(200);
      }
    });

    it("RFC 9110 §15.4.5 keeps the fields of 200 in 304, except fields of its content", async () => {
      const headers = new Headers({
        "cache-control": "max-age=5",
        "content-location": "/a",
        date: "Sun, 06 Nov 1994 08:49:37 GMT",
        etag: '"a"',
        expires: "Sun, 06 Nov 1994 08:49:37 GMT",
        vary: "Accept",
        "access-control-allow-origin": "*",
        "content-length": "1",
        "content-type": "text/plain",
        "content-language": "en",
        "last-modified": date,
        "repr-digest": "sha-256=:x:",
      });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2");
      const response = await asked(
        { GET: () => new Response("a", { headers }) },
        conditional(),
      )({
        headers: { "if-none-match": '"a"' },
      });
      expect([...response.headers.keys()].toSorted()).toEqual([
        "access-control-allow-origin",
        "cache-control",
        "content-location",
        "date",
        "etag",
        "expires",
        "set-cookie",
        "set-cookie",
        "vary",
      ]);
    });

    it("RFC 9110 §15.4.5 keeps Last-Modified in 304 where there is no tag", async () => {
      const ask = asked({ HEAD: () => new Response(null, { headers: { "last-modified": date } }) }, conditional());
      const { status, headers } = await ask({ method: "HEAD", headers: { "if-modified-since": date } });
      expect([status, headers.get("last-modified")]).toEqual([304, date]);
    });

    it("takes the validators that the handler sets before the validators of the resource", async () => {
      const ask = validating(
        { etag: '"resource"' },
        { GET: () => new Response("a", { headers: { etag: '"handler"' } }) },
      );
      expect((await ask()).headers.get("etag")).toBe('"handler"');
      expect((await ask({ headers: { "if-none-match": '"handler"' } })).status).toBe(304);
      expect((await ask({ headers: { "if-none-match": '"resource"' } })).status).toBe(200);
    });

    it("takes the validators of the resource before one that is computed", async () => {
      const ask = validating({ etag: 'W/"7"', lastModified });
      const { headers } = await ask();
      expect([headers.get("etag"), headers.get("last-modified")]).toEqual(['W/"7"', date]);
      expect((await ask({ headers: { "if-none-match": '"7"' } })).status).toBe(304);
      expect((await ask({ headers: { "if-modified-since": date } })).status).toBe(304);
      expect((await ask({ headers: { "if-modified-since": before } })).status).toBe(200);
      expect((await ask({ headers: { "if-modified-since": date, "if-none-match": '"x"' } })).status).toBe(200);
    });

    it("asks for validators before the handler runs, so that no tag is newer than its content", async () => {
      const order: string[] = [];
      const ask = asked(
        {
          GET: () => {
            order.push("GET");
            return new Response("a");
          },
          validator: () => {
            order.push("validator");
            return null;
          },
        },
        conditional(),
      );
      await ask();
      expect(order).toEqual(["validator", "GET"]);
    });

    it("RFC 9110 §8.8.2.1 says of what validator() has modified in the future that it was now", async () => {
      vi.useFakeTimers({ toFake: ["Date"], now: lastModified });
      onTestFinished(() => void vi.useRealTimers());
      const later = new Date(lastModified.getTime() + 60_000);
      const ask = validating({ lastModified: later });
      expect((await ask()).headers.get("last-modified")).toBe(date);
      const PUT = { method: "PUT", headers: { "if-unmodified-since": date } };
      expect((await ask(PUT)).status).toBe(412);
    });

    it("RFC 9110 §13.2.2 §15.5.13 answers 412 to GET when If-Match or If-Unmodified-Since fail", async () => {
      const ask = validating({ etag: '"a"', lastModified });
      expect((await ask({ headers: { "if-match": '"a"' } })).status).toBe(200);
      expect((await ask({ headers: { "if-match": '"x"', "if-none-match": '"a"' } })).status).toBe(412);
      expect((await ask({ headers: { "if-unmodified-since": before } })).status).toBe(412);
    });

    it("RFC 9110 §13.2.1 ignores preconditions where the response is not 2xx", async () => {
      for (const status of [301, 404, 500]) {
        const ask = asked({ GET: () => new Response("a", { status, headers: { etag: '"a"' } }) }, conditional());
        const response = await ask({ headers: { "if-none-match": '"a"', "if-match": '"x"' } });
        expect([response.status, await response.text()]).toEqual([status, "a"]);
      }
      const failing = asked(
        {
          GET: () => {
            throw new HTTPError(Status.Forbidden);
          },
          validator: () => ({ etag: '"a"' }),
        },
        conditional(),
      );
      const response = await failing({ headers: { "if-none-match": '"a"' } });
      expect([response.status, response.headers.has("etag")]).toEqual([403, false]);
      expect((await failing({ path: "/nowhere", headers: { "if-none-match": "*" } })).status).toBe(404);
    });

    it("RFC 9110 §8.8.3 computes no tag for a part, or what is not the representation", async () => {
      for (const status of [201, 206]) {
        const ask = asked({ GET: () => new Response("a", { status }) }, conditional());
        expect((await ask()).headers.has("etag"), String(status)).toBe(false);
      }
    });

    it("adds no tag to errors", async () => {
      const ask = asked({ GET: () => new Response("a", { status: 404 }) }, conditional());
      expect((await ask()).headers.has("etag")).toBe(false);
    });

    it("leaves content beyond the bound as it is, without a tag", async () => {
      const ask = asked({ GET: () => new Response("abcd") }, conditional({ maxBytes: 3 }));
      const response = await ask();
      expect([response.headers.has("etag"), await response.text()]).toEqual([false, "abcd"]);
      const declared = new Response("abcd", { headers: { "content-length": "4" } });
      const untouched = await asked({ GET: () => declared }, conditional({ maxBytes: 3 }))();
      expect([untouched.headers.has("etag"), declared.bodyUsed || declared.body!.locked]).toEqual([false, false]);
      const off = asked({ GET: done }, conditional({ maxBytes: 0 }));
      expect((await off()).headers.has("etag")).toBe(false);
    });

    it("RFC 9110 §8.8.1 adds no tag to the rest of content that was read in part", async () => {
      const GET = async (): Promise<Response> => {
        const chunks = [new Uint8Array(3), new Uint8Array(4)];
        const content = new ReadableStream({
          pull(controller) {
            const chunk = chunks.shift();
            if (chunk === undefined) controller.close();
            else controller.enqueue(chunk);
          },
        });
        const response = new Response(content, { headers: { "content-type": "text/plain" } });
        const reader = response.body!.getReader();
        await reader.read();
        reader.releaseLock();
        return response;
      };
      for (const middleware of [[], [conditional()], [compress()], [conditional(), compress()]]) {
        expect((await asked({ GET }, ...middleware)({ headers: { "accept-encoding": "gzip" } })).status).toBe(500);
      }
    });

    it("leaves streams as they are: those that never end, and events", async () => {
      let pulls = 0;
      const endless = () =>
        new ReadableStream<Uint8Array>({
          pull: (controller) => void (pulls++, controller.enqueue(new Uint8Array(1000))),
        });
      const response = await asked({ GET: () => new Response(endless()) }, conditional({ maxBytes: 5000 }))();
      expect(response.headers.has("etag")).toBe(false);
      expect(pulls).toBeLessThan(10);
      await response.body!.cancel();

      const events = new Response("data: a\n\n", { headers: { "content-type": "text/event-stream; charset=utf-8" } });
      expect((await asked({ GET: () => events }, conditional())()).headers.has("etag")).toBe(false);
    });

    it("RFC 9111 §5.2.2.5 computes no tag for what no cache stores", async () => {
      const ask = asked({ GET: () => new Response("a", { headers: { "cache-control": "no-store" } }) }, conditional());
      expect((await ask()).headers.has("etag")).toBe(false);
    });

    it("RFC 9110 §8.8.3.2 takes a tag that is malformed for none", async () => {
      const ask = asked({ GET: () => new Response("a", { headers: { etag: "abc" } }) }, conditional());
      expect((await ask({ headers: { "if-none-match": "abc" } })).status).toBe(200);
    });

    it("leaves HEAD without content and without a tag that only content would give", async () => {
      const ask = validating({ etag: '"7"' }, { HEAD: () => new Response(null) });
      const { headers, status } = await ask({ method: "HEAD" });
      expect([status, headers.get("etag")]).toEqual([200, '"7"']);
      expect((await ask({ method: "HEAD", headers: { "if-none-match": '"7"' } })).status).toBe(304);
    });

    it("RFC 9110 §13.1.1 does not fail HEAD for a tag that only GET has", async () => {
      const ask = asked({ GET: () => new Response("a"), HEAD: () => new Response(null) }, conditional());
      const etag = (await ask()).headers.get("etag")!;
      const statusOf = async (headers: Record<string, string>) => (await ask({ method: "HEAD", headers })).status;
      expect(await statusOf({ "if-match": etag })).toBe(200);
      expect(await statusOf({ "if-match": etag, "if-unmodified-since": before })).toBe(200);
      expect(await statusOf({ "if-match": "*" })).toBe(200);
      const tagged = validating({ etag: '"7"' }, { HEAD: () => new Response(null) });
      expect((await tagged({ method: "HEAD", headers: { "if-match": '"6"' } })).status).toBe(412);
      const HEAD = () => new Response(null, { headers: { "content-length": "11" } });
      const failing = async (maxBytes: number) =>
        (await asked({ HEAD }, conditional({ maxBytes }))({ method: "HEAD", headers: { "if-match": '"6"' } })).status;
      expect([await failing(0), await failing(10), await failing(11)]).toEqual([412, 412, 200]);
    });

    it("C9.8 gives 200 and 304 the fields that came with the tag", async () => {
      const headers = { "cache-control": "private", vary: "Cookie" };
      const ask = validating({ etag: '"7"', headers }, { GET: () => new Response("a") });
      for (const [sent, status] of [
        [{}, 200],
        [{ "if-none-match": '"7"' }, 304],
      ] as const) {
        const response = await ask({ headers: sent });
        expect(response.status).toBe(status);
        expect(Object.fromEntries(response.headers)).toMatchObject({ "cache-control": "private", vary: "Cookie" });
      }
    });

    it("RFC 9110 §13.1.1 §14.2 sends the whole if its tag decides over a part", async () => {
      const GET = vi.fn((request: Request) =>
        request.headers.has("range") ? new Response("a", { status: 206 }) : new Response("all"),
      );
      const ask = asked({ GET }, conditional());
      const etag = (await ask()).headers.get("etag")!;
      const range = { range: "bytes=0-0" };
      const whole = await ask({ headers: { ...range, "if-match": etag } });
      expect([whole.status, await whole.text()]).toEqual([200, "all"]);
      expect((await ask({ headers: { ...range, "if-none-match": etag } })).status).toBe(304);
      expect((await ask({ headers: { ...range, "if-match": '"other"' } })).status).toBe(412);
      for (const headers of [range, { ...range, "if-match": "*" }]) expect((await ask({ headers })).status).toBe(206);
      const tagged = validating({ etag: '"7"' }, { GET });
      expect((await tagged({ headers: { ...range, "if-match": '"7"' } })).status).toBe(206);
      // Content that is too long for a tag has none.
      const part = vi.fn(() => new Response("a", { status: 206, headers: { "content-range": "bytes 0-0/11" } }));
      const long = asked({ GET: part }, conditional({ maxBytes: 10 }));
      expect((await long({ headers: { ...range, "if-none-match": '"x"' } })).status).toBe(206);
      expect(part).toHaveBeenCalledOnce();
    });

    it("RFC 9110 §13.1.1 fails GET for a tag where it has none, and HEAD where GET has none either", async () => {
      const headers = { "if-match": '"7"' };
      const events = () => new Response("data: a\n\n", { headers: { "content-type": "text/event-stream" } });
      expect((await asked({ GET: events }, conditional())({ headers })).status).toBe(412);
      const HEAD = () => new Response(null);
      expect((await asked({ HEAD }, conditional({ maxBytes: 0 }))({ method: "HEAD", headers })).status).toBe(412);
    });

    it("RFC 9110 §8.8.3 adds a tag to content of just the bound, and none with 0", async () => {
      const whole = () => new Response("abc", { headers: { "content-length": "3" } });
      const etagFor = async (GET: () => Response, maxBytes: number): Promise<string | null> =>
        (await asked({ GET }, conditional({ maxBytes }))()).headers.get("etag");
      expect(await etagFor(whole, 3)).toMatch(/^"[^"]{22}"$/);
      expect(await etagFor(whole, 2)).toBeNull();
      expect(await etagFor(() => new Response(""), 0)).toBeNull();
    });

    it("RFC 9110 §8.8.3.3 adds a tag to content with one coding for all, or none, not to several", async () => {
      const hasTag = async (headers: Record<string, string>): Promise<boolean> =>
        (await asked({ GET: () => new Response("abc", { headers }) }, conditional())()).headers.has("etag");
      expect(await hasTag({ "content-encoding": "gzip" })).toBe(true);
      expect(await hasTag({ "content-encoding": "gzip", vary: "Accept" })).toBe(true);
      expect(await hasTag({ vary: "Accept-Encoding" })).toBe(true);
      expect(await hasTag({ "content-encoding": "gzip", vary: "Accept-Encoding" })).toBe(false);
      expect(await hasTag({ "content-encoding": "gzip", vary: "*" })).toBe(false);
    });

    it("RFC 9110 §8.8.3.3 makes up no tag for a coding if validator() returns a date only", async () => {
      const GET = () => new Response("a", { headers: { "content-encoding": "gzip", vary: "Accept-Encoding" } });
      const { headers } = await validating({ lastModified }, { GET })();
      expect([headers.get("etag"), headers.get("last-modified")]).toEqual([null, date]);
    });

    it("RFC 9110 §15.4.5 answers 304 whatever the content does when it is canceled", async () => {
      for (const cancel of [() => Promise.reject(new Error("no")), () => new Promise<never>(() => {})]) {
        const body = () => new ReadableStream({ cancel });
        const ask = asked({ GET: () => new Response(body(), { headers: { etag: '"1"' } }) }, conditional());
        expect((await ask({ headers: { "if-none-match": '"1"' } })).status).toBe(304);
      }
    });

    it("RFC 9110 §13.2.2 step 5: ignores Range unless the validator of If-Range is the current one", async () => {
      const GET = (request: Request) => new Response(request.headers.get("range") ?? "all");
      const ask = validating({ etag: '"7"', lastModified }, { GET });
      const range = async (ifRange: string) =>
        (await ask({ headers: { range: "bytes=0-1", "if-range": ifRange, "x-a": "b" } })).text();
      expect(await range('"7"')).toBe("bytes=0-1");
      expect(await range(date)).toBe("bytes=0-1");
      expect(await range('"6"')).toBe("all");
      expect(await range('W/"7"')).toBe("all");
      expect(await range(before)).toBe("all");
      expect(await (await ask({ headers: { range: "bytes=0-1" } })).text()).toBe("bytes=0-1");
    });

    it("RFC 9110 §13.2.2 step 5: asks again, without Range, where the 206 shows that If-Range is stale", async () => {
      const GET = vi.fn((request: Request) => {
        const isPart = request.headers.has("range");
        const fields = isPart ? { etag: '"7"', "content-range": "bytes 0-0/3" } : { etag: '"7"' };
        return new Response(isPart ? "a" : "all", { status: isPart ? 206 : 200, headers: fields });
      });
      const ask = asked({ GET }, conditional());
      const stale = await ask({ headers: { range: "bytes=0-0", "if-range": '"6"' } });
      expect([stale.status, await stale.text()]).toEqual([200, "all"]);
      expect(GET).toHaveBeenCalledTimes(2);
      const fresh = await ask({ headers: { range: "bytes=0-0", "if-range": '"7"' } });
      expect([fresh.status, await fresh.text()]).toEqual([206, "a"]);
      expect(GET).toHaveBeenCalledTimes(3);
    });

    it("RFC 9110 §13.2.2 step 5: cancels the part if it sends the whole", async () => {
      const cancel = vi.fn();
      const part = () =>
        new Response(new ReadableStream({ cancel }), {
          status: 206,
          headers: { etag: '"7"', "content-range": "bytes 0-0/3" },
        });
      const GET = (request: Request) => (request.headers.has("range") ? part() : new Response("all"));
      const stale = await asked({ GET }, conditional())({ headers: { range: "bytes=0-0", "if-range": '"6"' } });
      expect([await stale.text(), cancel.mock.calls.length]).toEqual(["all", 1]);
    });

    it("RFC 9110 §13.2.2 step 5: asks once if the answer is not a part and refuses no range", async () => {
      const headers = { range: "bytes=0-0", "if-range": '"6"' };
      const answers: readonly (readonly [number, () => unknown])[] = [
        [200, () => new Response("all", { headers: { etag: '"7"' } })],
        [404, () => new Response("none", { status: 404, headers: { etag: '"7"' } })],
        [
          403,
          () => {
            throw new HTTPError(Status.Forbidden, undefined, { headers: { etag: '"7"' } });
          },
        ],
        [500, () => Promise.reject(new Error("bug"))],
        [
          500,
          () => Promise.reject(Object.assign(new Error("bug"), { status: 416, headers: new Headers({ etag: '"7"' }) })),
        ],
        [500, () => Promise.reject(null)],
      ];
      for (const [status, answer] of answers) {
        const GET = vi.fn(answer);
        expect((await asked({ GET }, conditional())({ headers })).status).toBe(status);
        expect(GET).toHaveBeenCalledOnce();
      }
    });

    it("RFC 9110 §13.1.5 §14.2 sends the whole if a range was refused that If-Range says to ignore", async () => {
      const headers = (ifRange: string) => ({ range: "bytes=100-", "if-range": ifRange });
      const refusals: readonly ((headers: HeadersInit) => unknown)[] = [
        (fields) => new Response("none", { status: 416, headers: fields }),
        (fields) => {
          throw new HTTPError(Status.RangeNotSatisfiable, undefined, { headers: fields });
        },
      ];
      for (const refuse of refusals) {
        for (const ofRefusal of [{ etag: '"2"' }, {}]) {
          const GET = vi.fn((request: Request) =>
            request.headers.has("range") ? refuse(ofRefusal) : new Response("new", { headers: { etag: '"2"' } }),
          );
          const ask = asked({ GET }, conditional());
          const stale = await ask({ headers: headers('"1"') });
          expect([stale.status, await stale.text(), GET.mock.calls.length]).toEqual([200, "new", 2]);
          // A refusal that names no tag may be about the old one.
          const fresh = await ask({ headers: headers('"2"') });
          expect(fresh.status).toBe("etag" in ofRefusal ? 416 : 200);
          expect((await ask({ headers: { range: "bytes=100-" } })).status).toBe(416);
        }
        const knowing = validating({ etag: '"2"' }, { GET: () => refuse({}) });
        expect((await knowing({ headers: headers('"2"') })).status).toBe(416);
        expect((await knowing({ headers: headers('"1"') })).status).toBe(416);
      }
    });

    it("RFC 9110 §13.1.5 sends the range, asked for once, if If-Range equals the result of validator()", async () => {
      const part = vi.fn(
        ({ headers }: Request) =>
          new Response("a", headers.has("range") ? { status: 206, headers: { "content-range": "bytes 0-0/3" } } : {}),
      );
      const given = async (validator: Validator, ifRange: string) => {
        part.mockClear();
        const response = await validating(validator, { GET: part })({
          headers: { range: "bytes=0-0", "if-range": ifRange },
        });
        const { status, headers } = response;
        return [status, headers.get("etag"), headers.get("last-modified"), part.mock.calls.length];
      };
      const both = { etag: '"1"', lastModified };
      expect(await given({ etag: '"1"' }, '"1"')).toEqual([206, '"1"', null, 1]);
      expect(await given(both, '"1"')).toEqual([206, '"1"', date, 1]);
      expect(await given(both, date)).toEqual([206, '"1"', date, 1]);
      expect(await given({ lastModified }, date)).toEqual([206, null, date, 1]);
      expect(await given({ etag: 'W/"1"', lastModified }, date)).toEqual([206, 'W/"1"', date, 1]);
      expect(await given({ etag: 'W/"1"' }, 'W/"1"')).toEqual([200, 'W/"1"', null, 1]);
      expect(await given({ etag: '"1"' }, '"0"')).toEqual([200, '"1"', null, 1]);
      expect(await given(both, before)).toEqual([200, '"1"', date, 1]);
    });

    it("RFC 9110 §8.8.3.3 takes no range of one coding for a range of another, whatever validator() says", async () => {
      const coded = vi.fn(({ headers }: Request) => {
        const fields = { "content-encoding": "gzip", vary: "accept-encoding" };
        return new Response("a", { status: headers.has("range") ? 206 : 200, headers: fields });
      });
      const ask = validating({ etag: '"1"' }, { GET: coded });
      const { status, headers } = await ask({ headers: { range: "bytes=0-0", "if-range": '"1"' } });
      expect([status, headers.get("etag"), coded.mock.calls.length]).toEqual([200, '"1~gzip"', 2]);
    });
  });

  describe("changing", () => {
    const cases: readonly (readonly [headers: Record<string, string>, validator: Validator | null, status: number])[] =
      [
        [{ "if-match": '"7"' }, { etag: '"7"' }, 200],
        [{ "if-match": '"6"' }, { etag: '"7"' }, 412],
        [{ "if-match": '"6", "7"' }, { etag: '"7"' }, 200],
        [{ "if-match": 'W/"7"' }, { etag: 'W/"7"' }, 412],
        [{ "if-match": "*" }, { etag: '"7"' }, 200],
        [{ "if-match": "*" }, null, 412],
        [{ "if-none-match": "*" }, null, 200],
        [{ "if-none-match": "*" }, { etag: '"7"' }, 412],
        [{ "if-none-match": '"7"' }, { etag: '"7"' }, 412],
        [{ "if-unmodified-since": date }, { lastModified }, 200],
        [{ "if-unmodified-since": before }, { lastModified }, 412],
        [{ "if-unmodified-since": before, "if-match": '"7"' }, { etag: '"7"', lastModified }, 200],
        [{ "if-modified-since": date }, { lastModified }, 200],
      ];

    it.each(cases)(
      "RFC 9110 §13.1 %j, where there is %j, is %i, before the handler",
      async (headers, validator, status) => {
        const handler = vi.fn(done);
        for (const method of ["PUT", "PATCH", "POST", "DELETE"]) {
          const ask = validating(validator, { [method]: handler });
          handler.mockClear();
          expect((await ask({ method, headers })).status).toBe(status);
          expect(handler).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
        }
      },
    );

    it("RFC 9110 §9.3.4 adds no validator to a response to a change", async () => {
      const { headers } = await validating({ etag: '"7"' })({ method: "PUT", headers: { "if-match": '"7"' } });
      expect(headers.has("etag")).toBe(false);
    });

    it("RFC 9110 §13.2.1 ignores preconditions of OPTIONS, and of a method that is not implemented", async () => {
      const ask = validating({ etag: '"7"' });
      expect((await ask({ method: "OPTIONS", headers: { "if-match": '"6"' } })).status).toBe(200);
      const without = asked({ validator: () => ({ etag: '"7"' }) }, conditional({ requiredMethods: ["PUT"] }));
      expect((await without({ method: "PUT", headers: { "if-match": '"6"' } })).status).toBe(501);
      expect((await without({ method: "PUT" })).status).toBe(501);
      expect((await without({ method: "PUT", path: "/nowhere" })).status).toBe(404);
    });

    it("RFC 9110 §13.2.1 ignores preconditions of TRACE and CONNECT, of which fetch() knows nothing", async () => {
      class Thing extends Resource {
        override paths = ["/"];
        validator(): Validator {
          return { etag: '"7"' };
        }
      }
      Object.assign(Thing.prototype, { TRACE: () => "done", CONNECT: () => "done", PUT: () => "done" });
      const app = Application.builder().resources(Thing).middleware(conditional()).build();
      const answerTo = (method: string): Promise<unknown> =>
        app
          .handle({ url: "/", method, headers: new Headers({ "if-match": '"6"' }) })
          .catch(({ status }) => status as unknown);
      expect([await answerTo("TRACE"), await answerTo("CONNECT"), await answerTo("PUT")]).toEqual([
        "done",
        "done",
        412,
      ]);
    });

    it("leaves preconditions to the handler where the resource has no validator(), or it cannot say", async () => {
      const seen = vi.fn((request: Request) => new Response(request.headers.get("if-match")));
      const ask = asked({ PUT: seen }, conditional());
      expect(await (await ask({ method: "PUT", headers: { "if-match": '"6"' } })).text()).toBe('"6"');
      expect((await validating(undefined)({ method: "PUT", headers: { "if-match": '"6"' } })).status).toBe(200);
    });

    it("does not ask for validators without a precondition", async () => {
      const validator = vi.fn();
      await asked({ PUT: done, validator }, conditional())({ method: "PUT" });
      expect(validator).not.toHaveBeenCalled();
    });

    it("RFC 6585 §3 refuses changes without a precondition by 428, if told to", async () => {
      const ask = validating({ etag: '"7"' }, {}, { requiredMethods: ["PUT", "PATCH"] });
      const response = await ask({ method: "PUT" });
      expect(response.status).toBe(428);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({
        title: "Precondition Required",
        status: 428,
        detail: "Send If-Match with the entity tag that the change is based on",
      });
      expect((await ask({ method: "PATCH" })).status).toBe(428);
      expect((await ask({ method: "POST" })).status).toBe(200);
      expect((await ask({ method: "PUT", headers: { "if-match": '"7"' } })).status).toBe(200);
      expect((await ask({ method: "PUT", headers: { "if-match": '"6"' } })).status).toBe(412);
    });

    it("RFC 6585 §3 takes If-None-Match for a precondition, and a date where nobody can tell", async () => {
      const required = { requiredMethods: ["PUT"] } as const;
      const put = (headers: Record<string, string>) => ({ method: "PUT", headers });
      expect((await validating(null, {}, required)(put({ "if-none-match": "*" }))).status).toBe(200);
      const ignorant = asked({ PUT: done }, conditional(required));
      expect((await ignorant(put({ "if-unmodified-since": date }))).status).toBe(200);
      expect((await ignorant(put({ "if-unmodified-since": "soon" }))).status).toBe(428);
    });

    it("RFC 6585 §3 takes a date that cannot be compared for no precondition", async () => {
      const required = { requiredMethods: ["PUT"] } as const;
      const statusFor = async (validator: Validator | null, value: string) =>
        (await validating(validator, {}, required)({ method: "PUT", headers: { "if-unmodified-since": value } }))
          .status;
      expect(await statusFor({ lastModified }, date)).toBe(200);
      expect(await statusFor({ lastModified }, "soon")).toBe(428);
      expect(await statusFor({ etag: '"7"' }, date)).toBe(428);
      expect(await statusFor(null, date)).toBe(428);
    });
  });

  it("calls validator() as a method of the resource, with the input", async () => {
    class Notes extends Resource {
      override paths = ["/notes/:id"];
      readonly version = 7;

      override GET(): Response {
        return new Response("a");
      }

      validator(request: Request & { params: { pathParam(name: string): string } }): Validator {
        return { etag: `"${request.params.pathParam("id")}-${this.version}"` };
      }
    }
    const app = Application.builder().resources(Notes).middleware(conditional()).build();
    const { headers } = await app.fetch(new Request("https://example.com/notes/3"));
    expect(headers.get("etag")).toBe('"3-7"');
  });

  it("says what is wrong with what validator() gave", async () => {
    const message = async (validator: unknown) => {
      class Notes extends Resource {
        override paths = ["/"];
        override GET = done;
        validator = () => validator;
      }
      const app = Application.builder().resources(Notes).middleware(conditional()).build();
      return app.handle(new Request("https://example.com/")).catch(String);
    };
    const advice = `write { etag: '"7"', lastModified: new Date(…) }, each if there is one`;
    expect(await message({ etag: "7" })).toBe(
      `TypeError: Cannot evaluate preconditions: validator() of Notes gave the etag "7"; ${advice}`,
    );
    expect(await message({ lastModified: 7 })).toBe(
      `TypeError: Cannot evaluate preconditions: validator() of Notes gave the lastModified 7; ${advice}`,
    );
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => conditional(options as ConditionalOptions)).toThrow(
        new TypeError(`Cannot call conditional(): ${message}`),
      );
    refused({ maxBytes: 1.5 }, 'its option "maxBytes" must be a whole number that is not negative, got 1.5');
    refused(
      { requiredMethods: "PUT" },
      'its option "requiredMethods" must be an array of POST, PUT, PATCH, DELETE, got "PUT"',
    );
    refused(
      { requiredMethods: ["GET"] },
      'its option "requiredMethods" must be an array of POST, PUT, PATCH, DELETE, got "GET"',
    );
    refused({ weak: true }, 'it has no option "weak"; write one of maxBytes, requiredMethods');
  });
});
