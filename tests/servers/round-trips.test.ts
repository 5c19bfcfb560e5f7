import { serve } from "fingerpost/node";
import { expect, it } from "vitest";
import { client } from "fingerpost/client";
import { echo, itMakesRoundTrips } from "../support/round-trips.ts";

itMakesRoundTrips(async () => {
  const stop = new AbortController();
  const server = await serve(echo, { port: 0, hostname: "127.0.0.1", signal: stop.signal });
  return { port: (server.address() as { port: number }).port, stop: () => stop.abort() };
});

it("C11.4 gets back over HTTP what HTTP itself changes", async () => {
  const stop = new AbortController();
  const server = await serve(echo, { port: 0, hostname: "127.0.0.1", signal: stop.signal });
  try {
    const { port } = server.address() as { port: number };
    const calls = client<typeof echo>(`http://127.0.0.1:${port}`)["/one/:id"];
    const path = { id: "1" };
    const type = "multipart/form-data";
    const content = { a: "1\n2\r3\r\n4", b: "\ud800" };
    expect((await calls.PATCH({ path, type, content })).content).toEqual({ a: "1\r\n2\r\n3\r\n4", b: "\ufffd" });
    const text = await calls.PUT({ path, type: "text/plain", content: "\ufeff1\n2\ud800" });
    expect(await (text.content as Blob).text()).toBe("1\n2\ufffd");
    expect((await calls.GET({ path, query: { text: "\ud800" }, headers: { "x-text": " a " } })).content).toEqual({
      path,
      query: { text: "\ufffd" },
      headers: { "x-text": "a" },
    });
    expect((await calls.POST({ path, content: "\ud800" })).status).toBe(400);
    await expect(calls.GET({ path: { id: "\ud800" } })).rejects.toThrow("Cannot fill /one/:id");
    await expect(calls.GET({ path, headers: { "x-text": "\u20ac" } })).rejects.toBeInstanceOf(TypeError);
  } finally {
    stop.abort();
  }
});
