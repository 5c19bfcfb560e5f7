import { Application, bytes, events, form, lines, Resource, text, written } from "fingerpost";
import { describe, expect, it } from "vitest";
import { z } from "zod";

/** The status and the error of a GET that answers with a value. */
async function answerOf(
  declared: object,
  value: unknown,
  accept = "*/*",
): Promise<[status: number, fault: string | undefined]> {
  let fault: string | undefined;
  class Thing extends Resource {
    override paths = ["/"];
    static GET = { 200: declared };
    override GET(): unknown {
      return value;
    }
  }
  const app = Application.builder()
    .resources(Thing as never)
    .onError((error) => void (fault = (error as Error).message))
    .build();
  const { status, body } = await app.request("/", { headers: { accept } });
  await body?.cancel();
  return [status, fault];
}

async function* none(): AsyncGenerator<string> {}

describe("contentKinds", () => {
  it("says which values fit, where a handler returns another one", async () => {
    const kinds = {
      "an async iterable": [events(z.string()), lines(z.string())],
      "a Blob, an ArrayBuffer, a view of one, a ReadableStream or an async iterable": [bytes()],
      "a string or an async iterable": [text()],
    };
    for (const [expected, declared] of Object.entries(kinds)) {
      for (const one of declared) {
        expect(await answerOf(one, 5)).toEqual([500, expect.stringContaining(`Expected ${expected}`)]);
      }
    }
  });

  it("offers what is written as text in UTF-8, and no other content", async () => {
    const rows = [
      [events(z.string()), none(), text(), true],
      [text(), "", bytes(), true],
      [written("text/csv", String), "", bytes(), true],
      [lines(z.string()), none(), z.string(), false],
      [bytes(), new Blob(), text(), false],
    ] as const;
    for (const [declared, value, other, isText] of rows) {
      const content = { [declared.type]: declared, "image/other": other };
      const [status] = await answerOf({ content }, value, `${declared.type};charset=utf-8, image/other;q=0.5`);
      // The other type cannot be written.
      expect(status, declared.kind).toBe(isText ? 200 : 500);
    }
  });

  it("takes forms in requests only", async () => {
    class Sent extends Resource {
      override paths = ["/"];
      static POST = { content: form({ title: z.string() }), 204: "Taken" };
      override POST(): undefined {}
    }
    const app = Application.builder().resources(Sent).build();
    const body = new FormData();
    body.set("title", "Emma");
    expect((await app.request("/", { method: "POST", body })).status).toBe(204);
    await expect(answerOf(form({ title: z.string() }), "")).rejects.toThrow(
      "has form() for the content of 200, which only requests have; write a schema",
    );
  });
});
