// What decompress() does on every runtime, by its zlib or its DecompressionStream.
import { decompress } from "fingerpost/middleware/decompress";
import { expect, it } from "vitest";
import { nativeAround, requestFor, type NativeInput } from "./around.ts";

const readAll = async (request: NativeInput): Promise<Response> => new Response(await request.text());

it.each(["gzip", "deflate"] as const)(
  "decompress() decodes %s, and refuses what is not one whole of it",
  async (coding) => {
    const encoded = async (content: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> => {
      const stream = new Blob([content]).stream().pipeThrough(new CompressionStream(coding));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    };
    const app = nativeAround(decompress(), readAll);
    const send = async (body: Uint8Array<ArrayBuffer>): Promise<unknown[]> => {
      const response = await app.fetch(requestFor({ method: "POST", body, headers: { "content-encoding": coding } }));
      return [response.status, response.status === 200 ? (await response.text()).length : null];
    };
    const whole = await encoded(new TextEncoder().encode("a note ".repeat(1000)));
    expect(await send(whole)).toEqual([200, 7000]);
    for (const length of [3, whole.length >> 1, whole.length - 1])
      expect(await send(whole.slice(0, length)), `${length}`).toEqual([400, null]);
    for (const rest of [
      [1, 2, 3],
      [0, 0, 0],
    ])
      expect(await send(new Uint8Array([...whole, ...rest])), `${rest}`).toEqual([400, null]);
    expect(await send(new TextEncoder().encode("plain text, of which nothing is coded"))).toEqual([400, null]);
    expect(await send(await encoded(new Uint8Array(10_000_000)))).toEqual([413, null]);
    const noise = crypto.getRandomValues(new Uint8Array(65_536));
    expect((await send(await encoded(noise)))[0]).toBe(200);
    const other = requestFor({ method: "POST", body: "a", headers: { "content-encoding": "compress" } });
    const refused = await app.fetch(other);
    expect([refused.status, refused.headers.get("accept-encoding")]).toEqual([
      415,
      expect.stringMatching(/(?:^|, )gzip, deflate$/),
    ]);
  },
);
