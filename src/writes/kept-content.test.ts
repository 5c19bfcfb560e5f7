import { describe, expect, it } from "vitest";
import { answerMade } from "../http/answer/carried-answer.ts";
import { mostKeptBytes } from "./kept-answer.ts";
import { keptOf } from "./kept-content.ts";

describe("keptOf()", () => {
  it.each([
    [mostKeptBytes, mostKeptBytes],
    [mostKeptBytes + 1, undefined],
  ])("keeps of %i streamed bytes %s", async (length, kept) => {
    const { body } = new Response(new Uint8Array(length));
    const made = await keptOf(answerMade(new Response(body)), { keeps: () => true });
    expect((made.kept?.content as Uint8Array | undefined)?.length).toBe(kept);
    expect((await made.sent.made!.bytes()).length).toBe(length);
  });
});
