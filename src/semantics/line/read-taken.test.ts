import { Application, Resource } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";

class Undeclared extends Resource {
  override paths = ["/a"];
  static GET = { 204: "Nothing" };
  override GET(): void {}
  static POST = { 204: "Nothing" };
  override POST(): void {}
  static PUT = { headers: z.object({ "Content-Encoding": z.string().optional() }), 204: "Nothing" };
  override PUT(): void {}
}

const app = Application.builder().resources(Undeclared).build();
const asked = async (method: string, coding: string | null, body: string | null): Promise<unknown> => {
  const headers = { ...(coding !== null && { "content-encoding": coding }) };
  const { status, headers: fields } = await app.request("/a", { method, headers, body });
  return [status, fields.get("accept-encoding")];
};

describe("refuseUnread()", () => {
  it.each([
    ["POST", "gzip", "text", [415, "identity"]],
    ["POST", "gzip", null, [204, null]],
    ["POST", "identity", "text", [204, null]],
    ["POST", null, "text", [204, null]],
    ["PUT", "gzip", "text", [204, null]],
    ["GET", "gzip", null, [204, null]],
    ["HEAD", "gzip", null, [204, null]],
  ])("answers %s in the coding %s with the content %s by %j", async (method, coding, body, answer) => {
    expect(await asked(method, coding, body)).toEqual(answer);
  });

  it.each(["GET", "HEAD"])("leaves content of %s to those that read it", async (method) => {
    // No Request of the platform has it.
    const request = new Request("http://localhost/a", {
      method: "POST",
      body: "text",
      headers: { "content-encoding": "gzip" },
    });
    const { status } = await app.fetch(
      Object.create(request, { method: { value: method }, url: { value: request.url } }) as Request,
    );
    expect(status).toBe(204);
  });
});
