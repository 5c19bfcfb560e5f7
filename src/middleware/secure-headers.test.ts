import { IncomingMessage, ServerResponse, validateHeaderValue } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { nativeAround, polyfillAround, refusalOf } from "../../tests/middleware/around.ts";
import { asked, askedOnNode } from "../../tests/middleware/asked.ts";
import { secureHeaders, type SecureHeadersOptions } from "./secure-headers.ts";

const handlers = { GET: () => new Response("a", { headers: { "content-type": "text/csv" } }) };
const standard = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
};

describe("secureHeaders()", () => {
  it("adds its fields", async () => {
    const { headers } = await asked(handlers, secureHeaders())();
    expect(Object.fromEntries(headers)).toMatchObject(standard);
    expect([...headers.keys()].toSorted()).toEqual(
      [...Object.keys(standard), "content-type", "strict-transport-security"].toSorted(),
    );
  });

  it("RFC 6797 §7.2 sends Strict-Transport-Security over secure transport only", async () => {
    const ask = asked(handlers, secureHeaders());
    const field = "strict-transport-security";
    expect((await ask()).headers.get(field)).toBe("max-age=31536000; includeSubDomains");
    const { headers } = await askedOnNode({}, { GET: ({ response }) => response.end("a") }, secureHeaders());
    expect(headers).toMatchObject(standard);
    expect(headers[field]).toBeUndefined();
    const insecure = asked(handlers, secureHeaders({ https: () => false }));
    const unknown = asked(handlers, secureHeaders({ https: () => Promise.resolve(false) as never }));
    expect((await unknown()).headers.has("strict-transport-security")).toBe(false);
    expect((await insecure()).headers.has(field)).toBe(false);
    const proxied = await askedOnNode(
      {},
      { GET: ({ response }) => response.end("a") },
      secureHeaders({ https: () => true }),
    );
    expect(proxied.headers[field]).toBe("max-age=31536000; includeSubDomains");
  });

  it("RFC 6797 §7.2 goes by the scheme of a Request, and by Node's socket", async () => {
    const app = nativeAround(secureHeaders());
    const isSent = async (url: string): Promise<boolean> =>
      (await app.fetch(new Request(url))).headers.has("strict-transport-security");
    expect([await isSent("http://localhost/items"), await isSent("https://localhost/items")]).toEqual([false, true]);
    const onNode = async (encrypted: boolean): Promise<boolean> => {
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      const request = { headers: {}, socket: { encrypted } };
      await polyfillAround(secureHeaders(), () => "done").handle({ url: "/items", method: "GET", request, response });
      return response.hasHeader("strict-transport-security");
    };
    expect([await onNode(false), await onNode(true)]).toEqual([false, true]);
  });

  it("leaves out and replaces fields", async () => {
    const options = {
      xFrameOptions: false,
      contentSecurityPolicy: "default-src 'none'",
      strictTransportSecurity: false,
    } as const;
    const { headers } = await asked(handlers, secureHeaders(options))();
    expect(headers.get("content-security-policy")).toBe("default-src 'none'");
    expect([headers.has("x-frame-options"), headers.has("strict-transport-security")]).toEqual([false, false]);
  });

  it("leaves a field that the handler sets", async () => {
    const own = { headers: { "x-frame-options": "DENY" } };
    const { headers } = await asked({ GET: () => new Response("a", own) }, secureHeaders())();
    expect(headers.get("x-frame-options")).toBe("DENY");
    const answer = await askedOnNode(
      {},
      { GET: ({ response }) => response.setHeader("x-frame-options", "DENY").end("a") },
      secureHeaders(),
    );
    expect(answer.headers["x-frame-options"]).toBe("DENY");
  });

  it("C5.7 adds its fields to responses made from errors", async () => {
    const response = await asked(handlers, secureHeaders())({ path: "/nowhere" });
    expect(response.status).toBe(404);
    expect(Object.fromEntries(response.headers)).toMatchObject(standard);
    expect(await askedOnNode({ path: "/nowhere" }, {}, secureHeaders())).toMatchObject({
      status: 404,
      headers: standard,
    });
  });

  it("RFC 9110 §5.5 refuses a value that no field can have when it is made, by each option", () => {
    const [, names = ""] = /write one of (.+)$/.exec(refusalOf(() => secureHeaders({ hsts: false } as never))) ?? [];
    const options = names.split(", ").filter((name) => name !== "https");
    expect(options).toHaveLength(11);
    for (const option of options) {
      for (const value of [
        "a\rb",
        "a\nb",
        "a\r\nSet-Cookie: a=b",
        "a\0b",
        "a\u007fb",
        "a\u0100b",
        "a\u2028",
        " a",
        "a\t",
        "\n",
      ]) {
        expect(() => secureHeaders({ [option]: value }), `${option}: ${JSON.stringify(value)}`).toThrow(
          `its option "${option}" must be a field value or false`,
        );
      }
    }
  });

  it("takes the values that servers and Headers take, and no others", () => {
    validateHeaderValue("x", "taken");
    for (let code = 0; code < 0x200; code++) {
      const xFrameOptions = `a${String.fromCharCode(code)}b`;
      const isTaken = (run: () => unknown): boolean => {
        try {
          run();
          return true;
        } catch {
          return false;
        }
      };
      const isField = isTaken(() => {
        validateHeaderValue("x", xFrameOptions);
        return new Headers({ x: xFrameOptions });
      });
      expect(
        isTaken(() => secureHeaders({ xFrameOptions })),
        `U+${code.toString(16)}`,
      ).toBe(isField);
    }
  });

  it("refuses wrong options, and names them", () => {
    const refused = (options: unknown, message: string) =>
      expect(() => secureHeaders(options as SecureHeadersOptions)).toThrow(
        new TypeError(`Cannot call secureHeaders(): ${message}`),
      );
    refused({ xFrameOptions: true }, 'its option "xFrameOptions" must be a field value or false, got true');
    refused({ referrerPolicy: "" }, 'its option "referrerPolicy" must be a field value or false, got ""');
    refused(
      { permissionsPolicy: "a\r\nb" },
      'its option "permissionsPolicy" must be a field value or false, got "a\\r\\nb"',
    );
    refused({ https: true }, 'its option "https" must be a function, got true');
    expect(() => secureHeaders({ hsts: false } as never)).toThrow('it has no option "hsts"');
  });
});
