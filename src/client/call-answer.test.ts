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

it("has the type of the answer on a Blob", async () => {
  const file = (await called(typed("%PDF", "application/PDF"))).content as unknown as Blob;
  expect([file.type, file.size]).toEqual(["application/pdf", 4]);
});

it.each([
  ["application/pdf", 200, 2 ** 30],
  ["application/pdf", 404, 2 ** 26],
  ["application/problem+json", 404, 2 ** 26],
])("reads %s of %i up to %i bytes by default", async (type, status, most) => {
  let given = 0;
  // Longer than it is: what counts is how much of it is there.
  const chunk = Object.defineProperty(new Uint8Array(1), "length", { value: 2 ** 25 });
  const endless = new ReadableStream({ pull: (controller) => void controller.enqueue((given++, chunk)) });
  const response = new Response(null, { status, headers: { "content-type": type } });
  Object.defineProperty(response, "body", { value: endless });
  await expect(called(response)).rejects.toThrow(`more than ${most} bytes`);
  expect(given).toBeLessThanOrEqual(most / 2 ** 25 + 2);
});
