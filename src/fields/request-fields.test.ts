import { describe, expect, it } from "vitest";
import { isEncrypted, requestField, RequestFields } from "./request-fields.ts";
import { lightField } from "../http/message/light-request.ts";

describe("requestField()", () => {
  it("reads Headers of a request and of a context, and an object of Node's", () => {
    const headers = new Headers({ "X-Id": "7" });
    for (const input of [{ headers }, { request: { headers } }, { request: { headers: { "x-id": "7" } } }]) {
      expect(requestField(input, "X-Id")).toBe("7");
      expect(requestField(input, "X-Other")).toBeNull();
    }
  });

  it("RFC 9110 §5.2 joins the lines of one field", () => {
    expect(requestField({ request: { headers: { "x-id": ["7", "8"] } } }, "x-id")).toBe("7, 8");
  });

  it("RFC 9113 §8.3 reads pseudo fields where Node has them, and of Headers as none", () => {
    expect(requestField({ request: { headers: { ":authority": "h" } } }, ":authority")).toBe("h");
    expect(requestField({ headers: new Headers({ host: "h" }) }, ":authority")).toBeNull();
  });

  it("reads no field where there are none", () => {
    for (const input of [
      {},
      { headers: null },
      { headers: "x-id: 7" },
      { request: {} },
      { request: { headers: null } },
    ]) {
      expect(requestField(input, "x-id")).toBeNull();
    }
  });

  it("reads no field from a prototype, whatever was put there", () => {
    const headers = Object.create({ authorization: "Basic YTpi" }) as object;
    expect(requestField({ request: { headers } }, "Authorization")).toBeNull();
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(requestField({ request: { headers: {} } }, name)).toBeNull();
    }
  });
});

describe("RequestFields", () => {
  it("has the fields of any input, one at a time and all in turn", () => {
    const headers = { "x-id": ["7", "8"], ":authority": "h", none: undefined };
    const inputs = [{ request: { headers } }, { headers: new Headers({ "X-Id": "7, 8" }) }];
    for (const input of inputs) {
      const fields = new RequestFields(input);
      expect(fields.get("X-Id")).toBe("7, 8");
      expect([...fields]).toEqual([["x-id", "7, 8"]]);
    }
    expect([...new RequestFields({})]).toEqual([]);
  });
});

describe("isEncrypted()", () => {
  it("asks the socket of Node's request, and takes nothing but true for a yes", () => {
    const encrypted = (socket: object) => isEncrypted({ request: { socket } });
    expect([encrypted({ encrypted: true }), encrypted({ encrypted: false })]).toEqual([true, false]);
    expect([encrypted({}), encrypted({ encrypted: "no" })]).toEqual([false, false]);
  });

  it("is undefined where there is no socket to ask", () => {
    for (const input of [{}, { request: {} }, new Request("https://localhost/")]) {
      expect(isEncrypted(input)).toBeUndefined();
    }
  });
});

describe("requestField() of a light request", () => {
  it("asks it for the one field, and makes no Headers", () => {
    const asked: string[] = [];
    const request = {
      [lightField](name: string): string | null {
        asked.push(name);
        return name === "accept" ? "text/html" : null;
      },
      get headers(): never {
        throw new Error("Nobody needs them");
      },
    };
    expect([requestField(request, "accept"), requestField(request, "cookie")]).toEqual(["text/html", null]);
    expect(asked).toEqual(["accept", "cookie"]);
  });
});
