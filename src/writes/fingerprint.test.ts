import { createHash } from "node:crypto";
import { Application, bytes, Resource, text } from "fingerpost";
import { memoryRecords } from "fingerpost/stores";
import { describe, expect, it, vi } from "vitest";
import { fingerprintOf, targetOf } from "./fingerprint.ts";
import { formPartsOf } from "./form-parts.ts";

describe("fingerprintOf()", () => {
  const request = { method: "POST", target: "/a?b", type: "text/plain", content: new Uint8Array([0, 255, 98]) };

  it.each(["text/plain", "text/plain; title=é", "text/𝄞"])(
    "is the SHA-256 of a JSON text and the bytes: %s",
    (type) => {
      const expected = createHash("sha256")
        .update(JSON.stringify(["POST", "/a?b", type]))
        .update(request.content)
        .digest("hex");
      expect(fingerprintOf({ ...request, type }, formPartsOf)).toBe(expected);
    },
  );
});

describe("targetOf()", () => {
  it("is what comes after the authority, up to a fragment", () => {
    const urls = ["http://h/a?b=http://c/d#ef", "/a?b=http://c/d#ef", "/a?b=http://c/d"];
    expect(urls.map(targetOf)).toEqual(Array(3).fill("/a?b=http://c/d"));
  });
});

const head = (disposition: string, more = ""): string =>
  `Content-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
const formOf = (boundary: string, parts: readonly string[], end = `--${boundary}--\r\n`): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}${end}`);
const fingerprint = (boundary: string, content: Uint8Array<ArrayBuffer>): string | Promise<string> =>
  fingerprintOf(
    { method: "POST", target: "/a", type: `multipart/form-data; boundary=${boundary}`, content },
    formPartsOf,
  );
const hash = (given: string): string => createHash("sha256").update(given).digest("hex");

describe("the fingerprint of a form in parts", () => {
  // Each is read by some handler, and some are refused by `formData()` of a platform, or by our reader.
  const forms: Readonly<Record<string, readonly string[]>> = {
    "fields and files": [
      `${head('name="a"')}1`,
      `${head('name="f"; filename="b.txt"', "Content-Type: Text/Plain\r\n")}x`,
    ],
    "a file without a type": [`${head('name="f"; filename="b"')}x`],
    "names without quotes": [`${head("name=a")}1`],
    "another field of a part": [`${head('name="a"', "X-Other: 1\r\n")}1`],
    "a field that goes on": [`Content-Disposition: form-data;\r\n name="a"\r\n\r\n1`],
    "an escaped quote": [`${head('name="a\\"b"')}1`],
    "a name by RFC 8187": [`${head(`name=a; filename*=UTF-8''%e2%82%ac.txt`)}1`],
    "a head of 20 kB": [`${head('name="a"', `X-Long: ${"x".repeat(20_000)}\r\n`)}1`],
    "11,000 files": Array.from({ length: 11_000 }, () => head('name="a"; filename="a"')),
    "a transfer encoding": [`${head('name="a"', "Content-Transfer-Encoding: base64\r\n")}MQ==`],
    "no name": ["X-Other: 1\r\n\r\n1"],
  };

  it.each(Object.entries(forms))("C12.2 is one whatever the boundary is: %s", async (_, parts) => {
    const [one, two] = [await fingerprint("one", formOf("one", parts)), await fingerprint("two", formOf("two", parts))];
    expect(two).toBe(one);
    const [first, ...more] = parts;
    expect(await fingerprint("one", formOf("one", [`${first}2`, ...more]))).not.toBe(one);
  });

  it("C12.8 is what the release before made of fields and files", async () => {
    const parts = [
      ["a", "1"],
      ["f", "b.txt", "text/plain", hash("x")],
    ];
    expect(await fingerprint("one", formOf("one", forms["fields and files"]!))).toBe(
      hash(JSON.stringify(["POST", "/a", parts])),
    );
  });

  it("C12.2 of what is no form is made of the bytes", async () => {
    const content = formOf("one", [`${head("name=a")}1`], "");
    const type = "multipart/form-data; boundary=one";
    const expected = createHash("sha256")
      .update(JSON.stringify(["POST", "/a", type]))
      .update(content)
      .digest("hex");
    expect(await fingerprint("one", content)).toBe(expected);
  });

  it("reads the form by the reader of handlers, and no second one", async () => {
    const platform = vi.spyOn(Response.prototype, "formData");
    await fingerprint("one", formOf("one", forms["fields and files"]!));
    expect(platform).not.toHaveBeenCalled();
    platform.mockRestore();
  });
});

describe("a form in parts that the line takes as bytes", () => {
  class Files extends Resource {
    static ran = 0;
    paths = ["/files"] as const;

    static POST = { idempotency: true, content: bytes("multipart/form-data"), 200: text() };
    POST(): string {
      return String((Files.ran += 1));
    }
  }

  it("C12.2 is the same write whatever its boundary is", async () => {
    const app = Application.builder()
      .resources(Files)
      .idempotency({ store: memoryRecords(), ownerOf: () => "everyone" })
      .build();
    const post = async (boundary: string, value: string): Promise<string> => {
      const body = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`;
      const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, "idempotency-key": "k" };
      const response = await app.request("/files", { method: "POST", body, headers });
      return response.ok ? response.text() : String(response.status);
    };
    expect([await post("one", "1"), await post("two", "1"), await post("two", "2")]).toEqual(["1", "1", "422"]);
  });
});
