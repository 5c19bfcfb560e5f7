import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { HTTPError, Status } from "fingerpost/modules/http.native.js";
import { Middleware } from "../application/middleware.ts";
import { conditional } from "./conditional.ts";
import { cookie, cookieJarOf, cookies, CookieSigner, cookiesOf, expiredCookie, type CookieJar } from "./cookies.ts";
import { timeout } from "./timeout.ts";

const [secret, other] = ["s".repeat(32), "o".repeat(32)] as const;

describe("cookiesOf()", () => {
  it("RFC 6265 §4.2 reads the cookies of a request, on both chains", async () => {
    const headers = { cookie: "a=1; b=2; a=3" };
    const text = (input: object) => JSON.stringify([...cookiesOf(input)]);
    const expected = '[["a","1"],["b","2"]]';
    expect(await (await asked({ GET: (input: object) => new Response(text(input)) })({ headers })).text()).toBe(
      expected,
    );
    const answer = await askedOnNode({ headers }, { GET: (context) => context.response.end(text(context)) });
    expect(answer.text).toBe(expected);
    expect(cookiesOf(new Request("https://example.com/")).size).toBe(0);
  });
});

describe("cookie()", () => {
  it("is safe unless told otherwise", () => {
    expect(cookie("id", "7")).toBe("id=7; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(cookie("id", "7", { secure: false, httpOnly: false, sameSite: "Strict", path: "/a" })).toBe(
      "id=7; Path=/a; SameSite=Strict",
    );
    const unset = { secure: undefined, httpOnly: undefined, sameSite: undefined, path: undefined } as never;
    expect(cookie("id", "7", unset)).toBe("id=7; Path=/; HttpOnly; Secure; SameSite=Lax");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3 fits the prefixes as it is", () => {
    expect(cookie("__Host-id", "7")).toBe("__Host-id=7; Path=/; HttpOnly; Secure; SameSite=Lax");
    expect(() => cookie("__Host-id", "7", { path: "/a" })).toThrow(
      'Cannot write cookie "__Host-id": the prefix of its name needs path: "/" and no domain',
    );
    expect(() => cookie("__Secure-id", "7", { secure: false })).toThrow(TypeError);
  });

  it("CHIPS writes Partitioned", () => {
    expect(cookie("id", "7", { partitioned: true, sameSite: "None" })).toBe(
      "id=7; Path=/; HttpOnly; Secure; SameSite=None; Partitioned",
    );
  });

  it("refuses what would end the field or the value", () => {
    for (const value of ["a\r\nb", "a;b", "a b", "é"]) expect(() => cookie("id", value), value).toThrow(TypeError);
  });
});

describe("expiredCookie()", () => {
  it("RFC 6265 §4.1.2.2 deletes a cookie of the same path and domain", () => {
    expect(expiredCookie("id", { path: "/a", domain: "example.com" })).toBe(
      "id=; Domain=example.com; Path=/a; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly; Secure; " +
        "SameSite=Lax",
    );
  });
});

describe("CookieSigner", () => {
  it("RFC 2104 verifies what it signed, for that name only", async () => {
    const signer = new CookieSigner(secret);
    for (const value of ["7", "", "a.b.c", "x=y", "é"]) {
      const signed = await signer.sign("user", value);
      expect(signed.startsWith(`${value}.`)).toBe(true);
      expect(await signer.verify("user", signed)).toBe(value);
      expect(await signer.verify("admin", signed)).toBeNull();
    }
    expect(cookie("user", await signer.sign("user", "7"))).toMatch(/^user=7\.[-\w]{43}; Path/);
  });

  it("returns null for a value that it did not sign", async () => {
    const signer = new CookieSigner(secret);
    const signed = await signer.sign("user", "7");
    for (const text of [
      undefined,
      "",
      ".",
      "7",
      "7.",
      signed.replace("7.", "8."),
      await new CookieSigner(other).sign("user", "7"),
    ]) {
      expect(await signer.verify("user", text), text).toBeNull();
    }
  });

  it("signs nothing but strings", async () => {
    await expect(new CookieSigner(secret).sign("user", 7 as never)).rejects.toThrow(
      "Cannot sign a cookie: expected a string, got 7",
    );
    // Or a signature for one pair would be one for another.
    await expect(new CookieSigner(secret).sign("user=7", "a")).rejects.toThrow(
      'Cannot sign a cookie: its name must be a token, got "user=7"',
    );
  });

  it("signs by the first secret and verifies by all", async () => {
    const old = await new CookieSigner(other).sign("user", "7");
    const signer = new CookieSigner(secret, other);
    expect(await signer.verify("user", old)).toBe("7");
    expect(await new CookieSigner(secret).verify("user", await signer.sign("user", "7"))).toBe("7");
    expect(await new CookieSigner(other).verify("user", await signer.sign("user", "7"))).toBeNull();
  });

  it("refuses short secrets, and none", () => {
    const message = "Cannot sign cookies: expected secrets of at least 32 bytes";
    expect(() => new CookieSigner("short")).toThrow(new TypeError(message));
    expect(() => new CookieSigner(secret, "")).toThrow(new TypeError(message));
    expect(() => Reflect.construct(CookieSigner, [])).toThrow(new TypeError(message));
    expect(() => new CookieSigner(new Uint8Array(32) as never)).toThrow(new TypeError(message));
  });
});

/** What `Set-Cookie` says when a handler did something with its jar, by each chain. */
async function setBy(
  use: (jar: CookieJar) => unknown,
  options?: Parameters<typeof cookies>[0],
  sent = "",
): Promise<[native: string[], polyfill: string[]]> {
  const GET = async (input: object): Promise<Response> => {
    await use(cookieJarOf(input));
    return new Response("done");
  };
  const response = await asked({ GET }, cookies(options))({ headers: { cookie: sent } });
  const answer = await askedOnNode(
    { headers: { cookie: sent } },
    {
      GET: async (context) => {
        await use(cookieJarOf(context));
        return context.response.end("done");
      },
    },
    cookies(options),
  );
  expect([response.status, answer.status]).toEqual([200, 200]);
  return [response.headers.getSetCookie(), answer.headers["set-cookie"] ?? []];
}

const safe = "Path=/; HttpOnly; Secure; SameSite=Lax";

describe("cookies()", () => {
  it("passes handlers a jar that reads and sets cookies, on both chains", async () => {
    const expected = [`id=7; ${safe}`, "b=8; Path=/b; HttpOnly; Secure; SameSite=Lax"];
    const use = (jar: CookieJar): void => {
      jar.set("id", jar.get("id")!);
      jar.set("b", "8", { path: "/b" });
      expect(jar.get("toString")).toBeUndefined();
    };
    expect(await setBy(use, {}, "id=7")).toEqual([expected, expected]);
  });

  it("leaves responses alone where nothing is set", async () => {
    expect(await setBy(() => {})).toEqual([[], []]);
  });

  it("returns what the handler returned, whatever it is, if nothing is set or Node's response has it", async () => {
    const response = new Response("done");
    expect(await nativeAround(cookies(), () => response).handle(requestFor())).toBe(response);
    expect(await nativeAround(cookies(), () => "done").handle(requestFor())).toBe("done");
    const context = { url: "/items", method: "GET", request: { headers: {} } };
    const node = new ServerResponse(new IncomingMessage(new Socket()));
    const app = polyfillAround(cookies(), (input) => (cookieJarOf(input).set("id", "7"), "done"));
    expect(await app.handle({ ...context, response: node })).toBe("done");
    expect(node.getHeader("set-cookie")).toBe(`id=7; ${safe}`);
  });

  it("leaves a request its jar when the response is there, to be read", async () => {
    const request = requestFor({ headers: { cookie: "id=7" } });
    await nativeAround(cookies()).fetch(request);
    expect(cookieJarOf(request).get("id")).toBe("7");
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.1 sends one Set-Cookie for a cookie, the last", async () => {
    const expected = [`id=2; ${safe}`, "id=3; Path=/a; HttpOnly; Secure; SameSite=Lax"];
    const use = (jar: CookieJar): void => {
      jar.set("id", "1");
      jar.set("id", "3", { path: "/a" });
      jar.set("id", "2");
    };
    expect(await setBy(use)).toEqual([expected, expected]);
  });

  it("RFC 6265 §4.1.2.2 deletes a cookie", async () => {
    const gone = "id=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; HttpOnly; Secure; SameSite=Lax";
    const use = (jar: CookieJar): void => {
      jar.set("id", "1", { maxAgeSeconds: 5 });
      jar.delete("id");
    };
    expect(await setBy(use, { attributes: { maxAgeSeconds: 60 } })).toEqual([[gone], [gone]]);
  });

  it("draft-ietf-httpbis-rfc6265bis-22 §4.1.3 refuses what a prefix forbids", async () => {
    const refusals: string[] = [];
    await setBy((jar) => refusals.push(refusalOf(() => jar.set("__Host-id", "7", { path: "/a" }))));
    const refusal = 'Cannot write cookie "__Host-id": the prefix of its name needs path: "/" and no domain';
    expect(refusals).toEqual([refusal, refusal]);
  });

  it("takes attributes from the options, and from set() before those", async () => {
    const expected = ["a=1; Path=/; HttpOnly; Secure; SameSite=Strict", `b=2; ${safe}`];
    const use = (jar: CookieJar): void => {
      jar.set("a", "1");
      jar.set("b", "2", { sameSite: "Lax" });
    };
    expect(await setBy(use, { attributes: { sameSite: "Strict" } })).toEqual([expected, expected]);
    const unset = { sameSite: "Strict", secure: undefined, path: undefined } as never;
    expect(await setBy(use, { attributes: unset })).toEqual([expected, expected]);
  });

  it("signs and verifies, for that name only", async () => {
    const signed = await new CookieSigner(secret).sign("user", "7");
    const seen: unknown[] = [];
    const use = async (jar: CookieJar): Promise<void> => {
      await jar.setSigned("user", "7");
      seen.push(await jar.getSigned("user"), await jar.getSigned("admin"), await jar.getSigned("absent"));
    };
    const expected = [`user=${signed}; ${safe}`];
    const sent = `user=${signed}; admin=${signed}`;
    expect(await setBy(use, { secrets: [secret, other] }, sent)).toEqual([expected, expected]);
    expect(seen).toEqual(["7", null, null, "7", null, null]);
  });

  it("RFC 6265 §5.4 returns the first value of a name that verifies, on both chains", async () => {
    const signer = new CookieSigner(secret);
    const [seven, eight] = [await signer.sign("user", "7"), await signer.sign("user", "8")];
    const [foreign, misnamed] = [await new CookieSigner(other).sign("user", "9"), await signer.sign("admin", "9")];
    for (const [values, expected] of [
      [[foreign, seven], "7"],
      [["", "evil", "evil.", misnamed, foreign, eight, seven, foreign], "8"],
      [[seven, foreign], "7"],
      [["evil", foreign, misnamed], null],
    ] as const) {
      const seen: unknown[] = [];
      const use = async (jar: CookieJar): Promise<void> => {
        seen.push(await jar.getSigned("user"), jar.get("user"));
      };
      await setBy(use, { secrets: [secret] }, values.map((value) => `user=${value}`).join("; "));
      expect(seen).toEqual([expected, values[0], expected, values[0]]);
    }
  });

  it("verifies a value once, however often it is sent", async () => {
    const signer = new CookieSigner(secret);
    const foreign = await new CookieSigner(other).sign("user", "9");
    const sent = `${`user=${foreign}; `.repeat(100)}user=${await signer.sign("user", "7")}`;
    const verify = vi.spyOn(crypto.subtle, "verify");
    const jars = cookies({ secrets: [secret] });
    try {
      const app = nativeAround(jars, async (input) => new Response(await cookieJarOf(input).getSigned("user")));
      expect(await (await app.fetch(requestFor({ headers: { cookie: sent } }))).text()).toBe("7");
      expect(verify).toHaveBeenCalledTimes(2);
    } finally {
      verify.mockRestore();
    }
  });

  it("says that there are no secrets", async () => {
    const signing = async (jar: CookieJar): Promise<void> => {
      await expect(jar.setSigned("a", "1")).rejects.toThrow('Cannot sign cookies: give cookies() the option "secrets"');
      await expect(jar.getSigned("a")).rejects.toThrow(TypeError);
    };
    expect(await setBy(signing)).toEqual([[], []]);
  });

  it("C5.7 sets cookies on responses made from errors, on both chains", async () => {
    const refuse = (input: object): never => {
      cookieJarOf(input).set("id", "7");
      throw new HTTPError(Status.Conflict);
    };
    const response = await asked({ GET: refuse }, cookies())();
    expect([response.status, response.headers.getSetCookie()]).toEqual([409, [`id=7; ${safe}`]]);
    const answer = await askedOnNode({}, { GET: refuse }, cookies());
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([409, [`id=7; ${safe}`]]);
  });

  it("C5.7 sets cookies on responses made from errors of middleware outside", async () => {
    const GET = (input: object): Response => {
      cookieJarOf(input).set("id", "7");
      cookieJarOf(input).set("id", "8");
      return new Response("done", { headers: { etag: '"a"' } });
    };
    class Refusing extends Middleware {
      async ALL(input: object): Promise<unknown> {
        this.errorHeaders(input).append("set-cookie", "own=1");
        await this.next(input);
        this.errorHeaders(input).append("set-cookie", "own=2");
        throw new HTTPError(Status.Conflict);
      }
    }
    const refused = await asked({ GET }, Refusing, cookies())();
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([409, ["own=1", `id=8; ${safe}`, "own=2"]]);

    const failed = await asked({ GET }, conditional(), cookies())({ headers: { "if-match": '"z"' } });
    expect([failed.status, failed.headers.getSetCookie()]).toEqual([412, [`id=8; ${safe}`]]);

    const slow = (input: object): Promise<never> => {
      GET(input);
      return new Promise(() => {});
    };
    const late = await asked({ GET: slow }, timeout({ timeoutMs: 5 }), cookies())();
    expect([late.status, late.headers.getSetCookie()]).toEqual([503, [`id=8; ${safe}`]]);
  });

  it("C5.7 sets the cookies of the last time, where middleware outside asks again, on both chains", async () => {
    class Again extends Middleware {
      async ALL(input: object): Promise<unknown> {
        await Promise.resolve(this.next(input)).catch(() => {});
        return this.next(input);
      }
    }
    for (const [last, expected] of [
      [{ b: "2" }, [`b=2; ${safe}`]],
      [{}, []],
    ] as const) {
      const refusing = () => {
        let times = 0;
        return (input: object): never => {
          for (const [name, value] of Object.entries(times++ === 0 ? { a: "1", b: "1" } : last)) {
            cookieJarOf(input).set(name, value);
          }
          throw new HTTPError(Status.Conflict);
        };
      };
      const { headers } = await asked({ GET: refusing() }, Again, cookies())();
      expect(headers.getSetCookie()).toEqual(expected);
      const answer = await askedOnNode({}, { GET: refusing() }, Again, cookies());
      expect(answer.headers["set-cookie"] ?? []).toEqual(expected);
    }
  });

  it("keeps the cookies that a handler sets without it, on both chains", async () => {
    const GET = (input: object): Response => {
      cookieJarOf(input).set("b", "2");
      return new Response("done", { headers: { "set-cookie": "a=1" } });
    };
    expect((await asked({ GET }, cookies())()).headers.getSetCookie()).toEqual(["a=1", `b=2; ${safe}`]);
    const answer = await askedOnNode(
      {},
      {
        GET: (context) => {
          context.response.setHeader("Set-Cookie", "a=1");
          cookieJarOf(context).set("b", "2");
          cookieJarOf(context).set("b", "3");
          return context.response.end("done");
        },
      },
      cookies(),
    );
    expect(answer.headers["set-cookie"]).toEqual(["a=1", `b=3; ${safe}`]);
  });

  it("passes the jar of the outer one to middleware between two, before and after next(), on both chains", async () => {
    class Between extends Middleware {
      async ALL(input: object): Promise<unknown> {
        cookieJarOf(input).set("before", "1");
        try {
          return await this.next(input);
        } finally {
          cookieJarOf(input).set("after", "3");
        }
      }
    }
    const around = [cookies({ attributes: { path: "/outer" } }), Between, cookies()];
    const outer = "Path=/outer; HttpOnly; Secure; SameSite=Lax";
    const expected = [`after=3; ${outer}`, `before=1; ${outer}`, `id=2; ${safe}`];
    const GET = (input: object): Response => {
      cookieJarOf(input).set("id", "2");
      return new Response("done");
    };
    const PUT = (input: object): never => {
      cookieJarOf(input).set("id", "2");
      throw new HTTPError(Status.Conflict);
    };
    const ask = asked({ GET, PUT }, ...around);
    for (const method of ["GET", "PUT"]) {
      expect((await ask({ method })).headers.getSetCookie().toSorted(), method).toEqual(expected);
    }
    const answer = await askedOnNode({ method: "PUT" }, { PUT }, ...around);
    expect([answer.status, answer.headers["set-cookie"]!.toSorted()]).toEqual([409, expected]);
  });

  it("C2.3 leaves an input that is handled again its last jar, where earlier calls end later", async () => {
    const opened: (() => void)[] = [];
    const app = nativeAround(cookies(), async (input) => {
      await new Promise<void>((resolve) => opened.push(resolve));
      cookieJarOf(input).set("id", "7");
      return new Response("done");
    });
    const request = requestFor();
    const answer = async (at: number, response: Promise<Response>): Promise<number> => {
      opened[at]!();
      return (await response).status;
    };
    const [first, second] = [app.fetch(request), app.fetch(request)];
    const statuses = [await answer(0, first)];
    const third = app.fetch(request);
    statuses.push(await answer(1, second), await answer(2, third));
    expect(statuses).toEqual([200, 200, 200]);
  });

  it("makes a jar for each request, and takes nothing more when the response is there", async () => {
    const kept: CookieJar[] = [];
    const GET = (input: object): Response => {
      kept.push(cookieJarOf(input));
      return new Response("done");
    };
    const ask = asked({ GET }, cookies());
    await Promise.all([ask(), ask()]);
    expect(kept[0]).not.toBe(kept[1]);
    expect(() => kept[0]!.set("id", "7")).toThrow('Cannot set cookie "id": the response is there already');
  });

  it("C7.4 says what to add where it is not around the handler", () => {
    expect(() => cookieJarOf(new Request("https://example.com/"))).toThrow(
      new Error("Cannot get the cookie jar: this input has none; add cookies() to the middleware around its handler"),
    );
  });

  it("C7.4 names the option that is wrong, and no secret", () => {
    const short = refusalOf(() => cookies({ secrets: ["too short"] }));
    expect(short).toBe(
      'Cannot call cookies(): its option "secrets" must be an array of secrets of at least 32 bytes, got an array',
    );
    for (const secrets of [secret, [], [secret, "too short"], ["too short", secret], { length: 1 }] as never[]) {
      const refusal = refusalOf(() => cookies({ secrets }));
      expect(refusal).toContain('its option "secrets" must be an array of secrets of at least 32 bytes, got');
      expect(refusal).not.toContain(secret);
    }
    for (const attributes of ["Path=/", [], new Map()] as never[]) {
      expect(refusalOf(() => cookies({ attributes }))).toContain('its option "attributes" must be attributes');
    }
    const refusal = refusalOf(() => cookies({ attributes: { sameSite: "None", secure: false } }));
    expect(refusal).toContain('its option "attributes" must be attributes of a cookie that fit together');
    expect(refusalOf(() => cookies({ attributes: { samesite: "Lax" } as never }))).toContain('"attributes"');
  });
});
