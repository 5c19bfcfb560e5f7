import { basic } from "fingerpost/middleware/basic";
import { Attribute } from "fingerpost/modules/http.polyfill.js";
import { describe, expect, it, vi } from "vitest";
import { nativeAround, polyfillAround, refusalOf, requestFor } from "../../tests/middleware/around.ts";
import { ask, started } from "../../tests/support/sockets.ts";
import { Secrets } from "./lib/secrets.ts";

const challenge = 'Basic realm="library", charset="UTF-8"';
const users = { Aladdin: "open sesame", test: "123£", nobody: "secret" };
const guard = basic({ realm: "library", users });

/** Returns the Base64 of a string's UTF-8, after the scheme. */
function credentials(text: string, scheme = "Basic"): string {
  return `${scheme} ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
}

async function statusOf(authorization: string | null, Guard = guard): Promise<number> {
  const headers: HeadersInit = authorization === null ? {} : { authorization };
  return (await nativeAround(Guard).fetch(requestFor({ headers }))).status;
}

describe("basic()", () => {
  it("RFC 7617 §2 lets in who shows a user's name and password", async () => {
    expect(await statusOf("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")).toBe(200);
  });

  it("RFC 7617 §2.1 reads them as UTF-8", async () => {
    expect(await statusOf("Basic dGVzdDoxMjPCow==")).toBe(200);
    expect(await statusOf("Basic dGVzdDoxMjOj")).toBe(401);
  });

  it("RFC 9110 §15.5.2 §11.6.1 RFC 7617 §2 answers 401 with a challenge to who does not", async () => {
    const response = await nativeAround(guard, () => expect.unreachable()).fetch(requestFor());
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe(challenge);
    expect(await response.json()).toEqual({ title: "Unauthorized", status: 401 });
  });

  it("RFC 7617 §2 answers 401 to a wrong name or password", async () => {
    for (const text of [
      "Aladdin:open",
      "Aladdin:open sesame ",
      "Aladdin:",
      "aladdin:open sesame",
      "Ali:open sesame",
      "test:open sesame",
      ":",
      "nobody:x",
      "__proto__:",
      "constructor:",
    ]) {
      expect(await statusOf(credentials(text)), text).toBe(401);
    }
  });

  it("RFC 9110 §11.1 reads the scheme in any case", async () => {
    for (const scheme of ["basic", "BASIC", "bAsIc"]) {
      expect(await statusOf(credentials("Aladdin:open sesame", scheme))).toBe(200);
    }
  });

  it("RFC 9110 §11.6.2 answers 401 to other schemes and to what is malformed", async () => {
    const good = btoa("Aladdin:open sesame");
    for (const authorization of [
      "",
      "Basic",
      "Basic ",
      `Bearer ${good}`,
      `Basic ${good} ${good}`,
      `Basic ${good}, Basic ${good}`,
      `Basic realm="${good}"`,
      `Basic "${good}"`,
      "Basic ????",
      "Basic =",
      good,
    ]) {
      expect(await statusOf(authorization), authorization).toBe(401);
    }
  });

  it("RFC 7617 §2 answers 401 when there is no colon, or a control character", async () => {
    const verify = vi.fn(() => true);
    const Guard = basic({ realm: "library", verify });
    for (const text of ["Aladdin", "", "a\u0000:b", "a:b\n", "a:\u007f"]) {
      expect(await statusOf(credentials(text), Guard)).toBe(401);
    }
    expect(verify).not.toHaveBeenCalled();
  });

  it("RFC 7617 §2 has the name end at the first colon", async () => {
    const verify = vi.fn(() => true);
    await statusOf(credentials("a:b:c"), basic({ realm: "library", verify }));
    expect(verify).toHaveBeenCalledWith("a", "b:c", expect.anything());
  });

  it("RFC 7617 §2.1 takes composed and decomposed characters for the same", async () => {
    const Guard = basic({ realm: "library", users: { Zoë: "café" } });
    expect(await statusOf(credentials("Zoe\u0308:cafe\u0301"), Guard)).toBe(200);
    expect(await statusOf(credentials("Zo\u00eb:caf\u00e9"), Guard)).toBe(200);
  });

  it("answers 401 to a name and password of more than 4,096 octets, before anything slow reads them", async () => {
    // Each mark takes two octets, and normalizing takes steps by the square of their number.
    const longest = `a:${"\u0316\u0301".repeat(1023)}bb`;
    const verify = vi.fn(() => true);
    const Asking = basic({ realm: "library", verify });
    const Knowing = basic({ realm: "library", users: { a: longest.slice(2) } });
    const normalize = vi.spyOn(String.prototype, "normalize");
    try {
      for (const text of [`${longest}b`, `a${longest}`, `${"\u0316\u0301".repeat(2000)}:b`]) {
        expect(await statusOf(credentials(text), Knowing)).toBe(401);
        expect(await statusOf(credentials(text), Asking)).toBe(401);
      }
      expect(normalize).not.toHaveBeenCalled();
      expect(verify).not.toHaveBeenCalled();
      expect(await statusOf(credentials(longest), Knowing)).toBe(200);
      expect(await statusOf(credentials(longest), Asking)).toBe(200);
    } finally {
      normalize.mockRestore();
    }
  });

  it("RFC 7617 §2 lets in by an empty password only whom verify lets", async () => {
    const Guard = basic({ realm: "library", verify: (user, password) => user === "nobody" && password === "" });
    expect(await statusOf(credentials("nobody:"), Guard)).toBe(200);
    for (const text of ["nobody:", "Aladdin:"]) expect(await statusOf(credentials(text))).toBe(401);
  });

  it("does the same work for every user, known or not", async () => {
    const search = vi.spyOn(Secrets.prototype, "find");
    const Guard = basic({ realm: "library", users });
    const workFor = async (text: string): Promise<number> => {
      search.mockClear();
      await statusOf(credentials(text), Guard);
      return search.mock.calls.length;
    };
    await statusOf(credentials("Aladdin:open sesame"), Guard);
    expect([await workFor("Aladdin:open sesame"), await workFor("Ali:x"), await workFor("test:x")]).toEqual([1, 1, 1]);
    search.mockRestore();
  });

  it("asks a function, and lets in by nothing but true", async () => {
    for (const [answer, status] of [
      [true, 200],
      [Promise.resolve(true), 200],
      [false, 401],
      [1, 401],
      ["yes", 401],
      [undefined, 401],
      [Promise.resolve(undefined), 401],
    ] as const) {
      const Guard = basic({ realm: "library", verify: () => answer as boolean });
      expect(await statusOf(credentials("a:b"), Guard)).toBe(status);
    }
  });

  it("fails as the function does", async () => {
    const verify = (): never => {
      throw new Error("the directory cannot be reached");
    };
    expect(await statusOf(credentials("a:b"), basic({ realm: "library", verify }))).toBe(500);
  });

  it("C5.6 sets the name of the user as an attribute", async () => {
    const user = new Attribute<string>("user");
    const Guard = basic({ realm: "library", users, identity: user });
    const app = nativeAround(Guard, (request) => new Response(user.get(request)));
    const headers = { authorization: credentials("Aladdin:open sesame") };
    expect(await (await app.fetch(requestFor({ headers }))).text()).toBe("Aladdin");
  });

  it("RFC 7617 §2.1 C5.6 names a user as the users do, however a client spells it", async () => {
    const user = new Attribute<string>("user");
    for (const name of ["Zo\u00eb", "Zoe\u0308"]) {
      const Guard = basic({ realm: "library", users: { [name]: "x" }, identity: user });
      const app = nativeAround(Guard, (request) => new Response(user.get(request)));
      for (const spelled of ["Zo\u00eb", "Zoe\u0308"]) {
        const headers = { authorization: credentials(`${spelled}:x`) };
        expect(await (await app.fetch(requestFor({ headers }))).text()).toBe(name);
      }
    }
  });

  it("C5.6 sets the name that a function was asked about", async () => {
    const user = new Attribute<string>("user");
    const app = nativeAround(
      basic({ realm: "library", verify: () => true, identity: user }),
      (request) => new Response(user.get(request)),
    );
    const headers = { authorization: credentials("Zoe\u0308:x") };
    expect(await (await app.fetch(requestFor({ headers }))).text()).toBe("Zoe\u0308");
  });

  it("RFC 9110 §5.6.4 writes the realm as a quoted string", async () => {
    const app = nativeAround(basic({ realm: 'the "best" \\ library', users }));
    const { headers } = await app.fetch(requestFor());
    expect(headers.get("www-authenticate")).toBe('Basic realm="the \\"best\\" \\\\ library", charset="UTF-8"');
  });

  it("names the area `default` in a challenge, as other guards do", async () => {
    const { headers } = await nativeAround(basic({ users })).fetch(requestFor());
    expect(headers.get("www-authenticate")).toBe('Basic realm="default", charset="UTF-8"');
  });

  it("works over a socket, by both chains", async () => {
    for (const app of [nativeAround(guard), polyfillAround(guard)]) {
      const server = await started(app);
      const refused = await ask(server, { path: "/items" });
      expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, challenge]);
      const headers = { authorization: credentials("Aladdin:open sesame") };
      expect((await ask(server, { path: "/items", headers })).text).toBe("reached");
    }
  });

  it("C7.4 names the option that is wrong, and no password", () => {
    for (const realm of ["", "café", "a\nb", 5] as never[]) {
      expect(refusalOf(() => basic({ realm, users }))).toContain('its option "realm" must be printable ASCII');
    }
    expect(refusalOf(() => basic({ realm: "x" }))).toContain('"users"');
    expect(refusalOf(() => basic({ realm: "x", users, verify: () => true }))).toContain('"users"');
    for (const wrong of ["a", null] as never[]) {
      expect(refusalOf(() => basic({ realm: "x", users: wrong }))).toContain('"users"');
    }
    for (const wrong of [{ "a:b": "hidden" }, { a: "hid\nden" }, { "a\u0000": "hidden" }, { a: 5 as never }]) {
      const message = refusalOf(() => basic({ realm: "x", users: wrong }));
      expect(message).toContain('"users"');
      expect(message).not.toContain("hid");
    }
    expect(refusalOf(() => basic({ realm: "x", users: { ...users, bo: "" } }))).toMatch(
      /"users" must be passwords without control characters, none of them empty, also for "bo", got an empty string$/,
    );
    expect(refusalOf(() => basic({ realm: "x", users: { "a:b": "hidden" } }))).toContain(
      '"users" must be names without a colon and control characters, got a string',
    );
    const tooLong = refusalOf(() => basic({ realm: "x", users: { bo: `hidden${"é".repeat(2044)}` } }));
    expect(tooLong).toContain(
      '"users" must be names and passwords of 4,096 octets at most, also for "bo", got a string',
    );
    expect(tooLong).not.toContain("hidden");
    expect(refusalOf(() => basic({ realm: "x", verify: {} as never }))).toContain('"verify" must be a function');
    for (const identity of [{}, null] as never[]) {
      expect(refusalOf(() => basic({ realm: "x", users, identity }))).toContain('"identity" must be an Attribute');
    }
    expect(refusalOf(() => basic({ realm: "x", password: "hidden" } as never))).toContain("password");
  });
});
