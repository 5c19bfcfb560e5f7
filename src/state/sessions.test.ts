import { Inbox } from "fingerpost/events";
import { Application, Attribute, Resource, Response } from "fingerpost/modules/http.native.js";
import type { NodeContext } from "fingerpost/node";
import { sessions, signedIn, type SealedSession, type Session } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import { CompactEncrypt } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { askedOnNode } from "../../tests/middleware/asked.ts";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";

const [secret, other] = ["s".repeat(32), "o".repeat(32)];
const schema = z.object({ user: z.string(), text: z.string().optional() });
type Data = z.output<typeof schema>;

function cookieOf(response: globalThis.Response): string | null {
  const [line] = response.headers.getSetCookie();
  return line === undefined ? null : line.slice(0, line.indexOf(";"));
}

afterEach(() => vi.useRealTimers());

describe("sessions() with secrets", () => {
  type Act = (own: SealedSession<Data>) => unknown;

  function sealing(options: object = {}): (act: Act, cookie?: string | null) => Promise<globalThis.Response> {
    const session = new Attribute<SealedSession<Data>>("session");
    let current: Act = () => null;
    class Own extends Resource {
      paths = ["/own"];

      async POST(request: Request): Promise<globalThis.Response> {
        return Response.json((await current(session.get(request))) ?? null);
      }
    }
    const app = Application.builder()
      .resources(Own)
      .middleware(sessions({ session, schema, secrets: [secret!], ...options }))
      .onError((error) => Response.json(String(error), { status: 500 }))
      .build();
    return (act, cookie = null) => {
      current = act;
      return app.request("/own", { method: "POST", headers: cookie === null ? {} : { cookie } });
    };
  }

  const start: Act = (own) => own.start({ user: "ada" });
  const read: Act = (own) => own.data;

  it("C13.4 keeps the data in the cookie, where nobody can read it", async () => {
    const ask = sealing();
    const begun = await ask(start);
    expect(begun.headers.get("set-cookie")).toMatch(
      /^__Host-session=[\w-]+\.\.[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(
      JSON.stringify(
        cookieOf(begun)!
          .split(".")
          .map((part) => Buffer.from(part, "base64url").toString()),
      ),
    ).not.toContain("ada");
    const response = await ask(read, cookieOf(begun));
    expect(await response.json()).toEqual({ user: "ada" });
    expect([cookieOf(response), response.headers.get("vary")]).toEqual([null, "Cookie"]);
    const ends = await (await ask((own) => own.endsAt, cookieOf(begun))).json();
    expect(Math.abs(new Date(ends as string).getTime() - Date.now() - 43_200_000)).toBeLessThan(60_000);
    expect(await (await ask((own) => [own.data, own.endsAt])).json()).toEqual([null, null]);
  });

  it("C13.4 takes no cookie that was cut, changed at any place, or forged", async () => {
    const ask = sealing();
    const cookie = cookieOf(await ask(start))!;
    const value = cookie.split("=")[1]!;
    const named = (text: string) => `__Host-session=${text}`;
    for (let at = 0; at < value.length; at++) {
      if (value[at] === ".") continue;
      // The last character of a part has bits that Base64 ignores.
      if (at === value.length - 1 || value[at + 1] === ".") continue;
      const changed = value.slice(0, at) + (value[at] === "A" ? "B" : "A") + value.slice(at + 1);
      expect(await (await ask(read, named(changed))).json()).toBeNull();
    }
    for (const length of [0, 1, 40, value.length - 4, value.length - 23]) {
      expect(await (await ask(read, named(value.slice(0, length)))).json()).toBeNull();
    }
    const content = new TextEncoder().encode(JSON.stringify([Date.now(), Date.now(), '{"user":"eve"}']));
    for (const key of [secret!, other!].map((text) => new TextEncoder().encode(text))) {
      const forged = await new CompactEncrypt(content).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key);
      expect(await (await ask(read, named(forged))).json()).toBeNull();
    }
    expect(await (await ask(read, named("a..b.c.d"))).json()).toBeNull();
    expect(await (await ask(read, named(`${"a".repeat(3_800)}..b.c.d`))).json()).toBeNull();
    expect(await (await ask(read, `${cookie}; ${cookie}`)).json()).toBeNull();
    const renamed = sealing({ cookie: "other" });
    expect(await (await renamed(read, `__Host-other=${value}`)).json()).toBeNull();
  });

  it("C13.4 opens what an older secret has sealed, and seals it anew", async () => {
    const cookie = cookieOf(await sealing()(start));
    const rotated = sealing({ secrets: [other, secret] });
    expect(cookieOf(await rotated(() => null, cookie))).toBeNull();
    const response = await rotated(read, cookie);
    expect(await response.json()).toEqual({ user: "ada" });
    const renewed = cookieOf(response);
    expect(renewed).not.toBeNull();
    const later = sealing({ secrets: [other] });
    expect(await (await later(read, renewed)).json()).toEqual({ user: "ada" });
    expect(await (await later(read, cookie)).json()).toBeNull();
  });

  it("C13.4 loses nobody while keys are rotated midway", async () => {
    let cookie = cookieOf(await sealing()(start));
    const stages = [[secret], [secret, other], [other, secret], [other]];
    for (const secrets of stages) {
      const response = await sealing({ secrets })(read, cookie);
      expect(await response.json()).toEqual({ user: "ada" });
      cookie = cookieOf(response) ?? cookie;
    }
  });

  it("C13.4 says how much a cookie holds", async () => {
    const response = await sealing()((own) => own.start({ user: "ada", text: "x".repeat(3_000) }));
    expect(await response.json()).toBe(
      "TypeError: Cannot keep a session: sealed it has 4167 bytes, and a cookie holds 3800; keep less, or use a store",
    );
  });

  it("C13.4 deletes the cookie by end(), which revokes no copy", async () => {
    const ask = sealing();
    const cookie = cookieOf(await ask(start));
    const response = await ask(async (own) => {
      await own.end();
      return own.data;
    }, cookie);
    expect(await response.json()).toBeNull();
    expect(cookieOf(response)).toBe("__Host-session=");
    expect(await (await ask(read, cookie)).json()).toEqual({ user: "ada" });
  });

  it("C13.1 ends by the clock of the server, and renews the cookie once a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const ask = sealing({ idleMs: 600_000, absoluteMs: 1_200_000 });
    const begun = cookieOf(await ask(start));
    const minutes = (count: number) => vi.setSystemTime(1_800_000_000_000 + count * 60_000);
    minutes(1);
    expect(cookieOf(await ask(read, begun))).toBeNull();
    minutes(9);
    const renewed = cookieOf(await ask(read, begun))!;
    minutes(12);
    expect(await (await ask(read, begun)).json()).toBeNull();
    expect(await (await ask(read, renewed)).json()).toEqual({ user: "ada" });
    minutes(18);
    const again = cookieOf(await ask(read, renewed))!;
    minutes(20);
    expect(await (await ask(read, again)).json()).toBeNull();
  });

  it("C13.1 takes a cookie of a clock that is a little ahead, and none of one that was wrong", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const ask = sealing();
    const cookie = cookieOf(await ask(start));
    vi.setSystemTime(1_800_000_000_000 - 240_000);
    expect(await (await ask(read, cookie)).json()).toEqual({ user: "ada" });
    vi.setSystemTime(1_800_000_000_000 - 360_000);
    expect(await (await ask(read, cookie)).json()).toBeNull();
  });

  it("C13.2 takes data that does not fit the schema for no session", async () => {
    const cookie = cookieOf(await sealing()(start));
    expect(await (await sealing({ schema: z.object({ name: z.string() }) })(read, cookie)).json()).toBeNull();
    const refused = await sealing()((own) => own.start({ user: 5 } as never));
    expect(await refused.json()).toContain("Cannot keep a session: its data does not fit the schema: ");
  });
});

it("C13.4 says that jose is missing, and reads no cookie then", async () => {
  vi.resetModules();
  vi.doMock("jose", () => {
    throw new Error("not found");
  });
  const { SealedCookie } = await import("./sessions/sealed-cookie.ts");
  await expect(new SealedCookie("a", [secret!]).seal({ data: "{}", startedMs: 0, seenMs: 0 })).rejects.toThrow(
    "Cannot seal a session: the package jose is missing; run npm install jose",
  );
  vi.doUnmock("jose");
});

describe("sessions() on a context of Node", () => {
  it("C13.6 adds cookies and fields to the response that is there", async () => {
    const session = new Attribute<Session<Data>>("session");
    const store = memorySessions();
    const middleware = sessions({ session, schema, store });
    const begun = await askedOnNode(
      {},
      {
        GET: async (context) => {
          await session.get(context).start({ user: "ada" });
          context.response.end(session.get(context).data?.user);
        },
      },
      middleware,
    );
    expect(begun.text).toBe("ada");
    const { vary, "cache-control": cache, "set-cookie": lines } = begun.headers;
    expect([vary, cache, lines?.length]).toEqual(["Cookie", "no-store", 1]);
    const cookie = lines![0]!.split(";")[0]!;
    const GET = (context: NodeContext): unknown => context.response.end(session.get(context).data?.user ?? "nobody");
    const again = await askedOnNode({ headers: { cookie } }, { GET }, middleware);
    expect([again.text, again.headers["set-cookie"]]).toEqual(["ada", undefined]);
    const refused = await askedOnNode({}, { GET }, middleware, signedIn({ session, signInURL: "/sign-in" }));
    expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, 'Session realm="default"']);
    const headers = { accept: "text/html" };
    const sent = await askedOnNode({ headers }, { GET }, middleware, signedIn({ session, signInURL: "/sign-in" }));
    expect([sent.status, sent.headers.location, sent.headers.vary]).toEqual([303, "/sign-in", "Cookie, Accept"]);
  });
});

describe("sessions()", () => {
  const session = new Attribute<Session<Data>>("session");
  const base = { session, schema, store: memorySessions() };

  it.each([
    [{ session: undefined }, '"session" must be an Attribute, got undefined'],
    [{ session: {} }, '"session" must be an Attribute, got an object'],
    [{ schema: {} }, '"schema" must be a schema, such as z.object({ user: z.string() }), got an object'],
    [{ store: null }, '"store" must be a store such as memorySessions(), got null'],
    [{ store: {} }, '"store" must be a store such as memorySessions(), got an object'],
    [{ store: undefined }, '"store" must be given, or else "secrets", not both'],
    [{ secrets: [secret] }, '"store" must be given, or else "secrets", not both'],
    [{ store: undefined, secrets: ["short"] }, '"secrets" must be an array of secrets of at least 32 bytes'],
    [{ store: undefined, secrets: [] }, '"secrets" must be an array of secrets of at least 32 bytes'],
    [{ store: undefined, secrets: secret }, '"secrets" must be an array of secrets of at least 32 bytes'],
    [{ store: undefined, secrets: [secret], ownerOf: () => "a" }, '"ownerOf" must be absent without "store"'],
    [{ ownerOf: 5 }, '"ownerOf" must be a function, got 5'],
    [{ feed: null }, '"feed" must be an object with "inbox" and "send", beside "store", got null'],
    [{ feed: { send() {} } }, '"feed" must be an object with "inbox" and "send", beside "store"'],
    [{ feed: { inbox: new Inbox() } }, '"feed" must be an object with "inbox" and "send", beside "store"'],
    [{ store: undefined, secrets: [secret], feed: { inbox: new Inbox(), send() {} } }, '"feed" must be an object'],
    [{ cookie: "a b" }, '"cookie" must be a token without the prefix, which is added, got "a b"'],
    [{ cookie: "__Host-a" }, '"cookie" must be a token without the prefix'],
    [{ persistent: 1 }, '"persistent" must be true or false'],
    [{ secure: 1 }, '"secure" must be true or false'],
    [{ idleMs: 0 }, '"idleMs" must be a whole number from 1 on'],
    [{ idleMs: 10, absoluteMs: 9 }, '"absoluteMs" must be at least "idleMs", got 9'],
    [{ unknown: 1 }, "it has no option"],
  ])("refuses %j", (wrong, message) => {
    expect(refusalOf(() => sessions({ ...base, ...wrong } as never))).toContain(message);
  });

  it("asks no store without a cookie of the right form, and needs a Response for fields", async () => {
    const store = memorySessions();
    const find = vi.spyOn(store, "find");
    const errors: unknown[] = [];
    const app = nativeAround(
      sessions({ session, schema, store }),
      (request) => session.get(request).data ?? "none",
      (error) => void errors.push(error),
    );
    await app.fetch(requestFor({ headers: { cookie: "__Host-session=short; a=b" } }));
    expect(find).not.toHaveBeenCalled();
    const without = await app.fetch(requestFor({ headers: { cookie: "a=__Host-session" } }));
    expect([without.status, find.mock.calls.length]).toEqual([500, 0]);
    expect(String(errors[0])).toContain("Cannot add fields to the response: expected a Response from next()");
  });
});

describe("signedIn()", () => {
  const session = new Attribute<Session<Data>>("session");

  it.each([
    [{}, '"session" must be an Attribute, got undefined'],
    [{ session: 5 }, '"session" must be an Attribute, got 5'],
    [{ session, realm: "é" }, '"realm" must be printable ASCII'],
    [{ session, signInURL: "/a\nb" }, '"signInURL" must be a URL or a path'],
    [{ session, signInURL: "http://[" }, '"signInURL" must be a URL or a path'],
    [{ session, identity: 5 }, '"identity" must be an Attribute, got 5'],
  ])("refuses %j", (wrong, message) => {
    expect(refusalOf(() => signedIn(wrong as never))).toContain(message);
  });
});

it("C13.5 without TLS fails where the host is not known", async () => {
  const session = new Attribute<Session<Data>>("session");
  const middleware = sessions({ session, schema, store: memorySessions(), secure: false });
  await expect(polyfillAround(middleware).handle({ url: "/items", method: "GET" } as never)).rejects.toThrow(
    "the request is for null; leave it out",
  );
});
