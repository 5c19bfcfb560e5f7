import { Application, Resource, text } from "fingerpost";
import { client } from "fingerpost/client";
import { expect, it } from "vitest";

class Things extends Resource {
  paths = ["/things"] as const;
  static GET = { 200: text(), 204: "None" };
  GET(): string {
    return "";
  }
}
const app = Application.builder().resources(Things).build();

/** Calls a server that answers by one response. */
const called = (response: Response): Promise<{ readonly status: number; readonly content?: unknown }> =>
  client<typeof app>("http://localhost", { fetch: async () => response })["/things"].GET();

const typed = (body: string | null, type: string, status = 200): Response =>
  new Response(body, { status, headers: { "content-type": type } });

it.each(["application/json", "text/plain"])("takes %s without content for none", async (type) => {
  expect(await called(typed(null, type, 204))).toMatchObject({ status: 204, content: undefined });
});

it.each(["text/plain", "image/png"])("takes an empty body of %s for no content", async (type) => {
  expect((await called(typed("", type))).content).toBe(undefined);
});

it("refuses a page of HTML, and content without a type, for which nobody asked", async () => {
  const untyped = new Response(new Uint8Array([1]));
  for (const response of [typed("<p>", "text/html"), untyped])
    await expect(called(response)).rejects.toThrow("Cannot use the answer");
});
