import { createHash } from "node:crypto";
import { memoryRecords } from "fingerpost/idempotency";
import { Application, bytes, Resource, text } from "fingerpost/semantics";
import { describe, expect, it } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

describe("fingerprintOf()", () => {
  const request = { method: "POST", target: "/a?b", type: "text/plain", content: new Uint8Array([0, 255, 98]) };

  it.each(["text/plain", "text/plain; title=é", "text/𝄞"])(
    "is the SHA-256 of a JSON text and the bytes: %s",
    (type) => {
      const expected = createHash("sha256")
        .update(JSON.stringify(["POST", "/a?b", type]))
        .update(request.content)
        .digest("hex");
      expect(fingerprintOf({ ...request, type })).toBe(expected);
    },
  );
});

describe("a form in parts that the line takes as bytes", () => {
  class Files extends Resource {
    static ran = 0;
    paths = ["/files"] as const;

    static POST = { idempotency: "required" as const, content: bytes("multipart/form-data"), 200: text() };
    POST(): string {
      return String((Files.ran += 1));
    }
  }

  it("C12.2 is the same write whatever its boundary is", async () => {
    const app = Application.builder()
      .resources(Files)
      .idempotency({ store: memoryRecords(), scope: () => "everyone" })
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
