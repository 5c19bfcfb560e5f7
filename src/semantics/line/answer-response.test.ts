import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Application, type Replies } from "../semantics-application.ts";
import { bytes, written } from "../declaration/raw-content.ts";
import { reply } from "../declaration/reply.ts";
import { Resource } from "../semantics-resource.ts";

/** What `GET` of a class with one operation answers, and what the application was told of it. */
async function answerOf(
  operation: object,
  given: unknown,
  { replies, headers = {} }: { readonly replies?: Replies | undefined; readonly headers?: HeadersInit } = {},
): Promise<{ status: number; headers: Headers; text: string; errors: string[] }> {
  class Answering extends Resource {
    override paths = ["/"];
    override GET(): unknown {
      return given;
    }
  }
  Object.assign(Answering, { GET: operation });
  const errors: string[] = [];
  const builder = Application.builder()
    .resources(Answering)
    .onError((error) => void errors.push((error as Error).message));
  const app = (replies === undefined ? builder : builder.replies(replies)).build();
  const response = await app.request("/", { headers });
  return { status: response.status, headers: response.headers, text: await response.text(), errors };
}

describe("AnswerUnderWay", () => {
  it("varies by Accept where it chooses the type of an error, from 400 on", async () => {
    const content = { "text/plain": z.string(), "application/json": z.string() };
    const operation = { 200: { content }, 400: { content } };
    for (const [accept, type] of [
      ["application/json", "application/json"],
      ["text/plain", "text/plain"],
    ] as const) {
      const { status, headers } = await answerOf(operation, reply(400, "x" as never), { headers: { accept } });
      expect([status, headers.get("vary"), headers.get("content-type")]).toEqual([400, "Accept", type]);
    }
  });

  it("says of a Blob that it is of another type, and compares no other kind with its type", async () => {
    const png = new Blob(["12345"], { type: "image/png" });
    expect(await answerOf({ 200: bytes("image/gif") }, png)).toMatchObject({
      status: 500,
      errors: [
        "Cannot answer GET of Answering: the content of 200 does not fit at # (Expected a Blob of image/gif, got one of another type)",
      ],
    });
    const sized = written("text/plain", (blob: Blob) => String(blob.size));
    expect(await answerOf({ 200: sized }, png)).toMatchObject({ status: 200, text: "5", errors: [] });
  });

  it("names three places that do not fit", async () => {
    const shape = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string() });
    const { errors } = await answerOf({ 200: shape }, {}, { replies: "check" });
    const told = ["a", "b", "c"].map((name) => `#/${name} (Invalid input: expected string, received undefined)`);
    expect(errors).toEqual([`Cannot answer GET of Answering: the content of 200 does not fit at ${told.join(", ")}`]);
  });

  it("writes text of another type than JSON as it is, also where replies are trusted", async () => {
    const operation = { 200: { content: { "text/plain": z.string() } } };
    for (const replies of [undefined, "check", "trust"] as const) {
      expect((await answerOf(operation, "a", { replies })).text).toBe("a");
    }
    expect((await answerOf({ 200: z.string() }, "a", { replies: "trust" })).text).toBe('"a"');
  });
});
