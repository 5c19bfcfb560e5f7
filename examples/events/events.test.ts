import { Inbox } from "fingerpost/events";
import { describe, expect, it } from "vitest";
// @ts-expect-error -- examples are not compiled
import { stories } from "./stories.js";

describe("the program of events", () => {
  it("tells who listens of what another one sends, with what the inbox names it", async () => {
    const inbox = new Inbox<string>();
    const app = stories({ inbox, send: async (story: string) => inbox.send(story) });
    const reader = (await app.request("/stories")).body.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toMatch(/^retry: /);
    const next = read();
    const headers = { "content-type": "application/json" };
    const sent = await app.request("/stories", { method: "POST", headers, body: '"Once"' });
    expect(sent.status).toBe(204);
    expect(await next).toContain('data: "Once"');
    await reader.cancel();
  });
});
