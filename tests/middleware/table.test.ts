// What holds of every middleware, on every runtime: see table.ts. What takes sockets is in table-over-sockets.test.ts.
import { describe, expect, it } from "vitest";
import { nativeAround, requestFor, type NativeInput } from "./around.ts";
import { everyRow } from "./every-row.ts";
import { address, textGiven } from "./middleware-row.ts";
import { chunks, rows, textOf } from "./table.ts";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/**
 * Collects what can be, where the runtime lets a program ask for that. What one collection lets go of is noticed by
 * weak maps and finalizers in the next.
 */
async function collected(): Promise<void> {
  const { gc, Bun } = globalThis as { gc?: () => void; Bun?: { gc(isSync: boolean): void } };
  for (let time = 0; time < 3; time++) {
    if (Bun === undefined) gc?.();
    else Bun.gc(true);
    await turn();
  }
}

describe.each(rows)("$name", ({ middleware, headers = {} }) => {
  const answer = (handler: (request: NativeInput) => unknown, init: RequestInit = {}): Promise<Response> =>
    nativeAround(middleware, handler, (error) => {
      throw error;
    }).fetch(requestFor({ ...init, headers }));
  const text = { "content-type": "text/plain" };

  it("has the signal abort, also after what can be collected was", async () => {
    const client = new AbortController();
    const aborted: unknown[] = [];
    const request = requestFor({ method: "PUT", body: "content", headers, signal: client.signal });
    const app = nativeAround(middleware, ({ signal }) => {
      signal.addEventListener("abort", () => void aborted.push(signal.reason));
      return new Response(chunks("a", "b"));
    });
    const response = await app.fetch(request);
    await collected();
    client.abort("left");
    for (let at = 0; at < 5; at++) await turn();
    expect(aborted).toEqual(["left"]);
    expect([request.signal.aborted, response.status]).toEqual([true, 200]);
  });

  it("gives the handler the content of the request, and a clone of it", async () => {
    const read = async (request: NativeInput): Promise<Response> => {
      const clone = request.clone();
      return Response.json([await request.text(), await clone.text(), request.bodyUsed]);
    };
    for (const body of ["content", chunks("con", "tent")]) {
      const init: RequestInit & { readonly duplex: "half" } = { method: "PUT", body, duplex: "half" };
      expect(JSON.parse(await textOf(await answer(read, init)))).toEqual(["content", "content", true]);
    }
  });

  it("gives the client the content of the response, and a clone of it", async () => {
    const contents = ["abc", chunks("a", "b", "c"), new Response(chunks("a", "bc")).body];
    const answers: (readonly [Response, Response])[] = [];
    for (const body of contents) {
      const response = await answer(() => new Response(body, { headers: { ...text, "x-kept": "yes" } }));
      answers.push([response, response.clone()]);
    }
    await collected();
    for (const [response, clone] of answers) {
      expect([response.status, response.headers.get("x-kept")]).toEqual([200, "yes"]);
      expect([await textOf(response), await textOf(clone)]).toEqual(["abc", "abc"]);
    }
  });

  it("hands on what Workers know of the request, and what its content is", async () => {
    const known = { country: "DE" };
    const request = requestFor({ method: "PUT", body: "content", headers, cf: known } as RequestInit);
    // Other runtimes do not know it; a host may add it.
    if (!("cf" in request)) Object.defineProperty(request, "cf", { value: known });
    const app = nativeAround(middleware, async (input) =>
      Response.json([(input as { readonly cf?: unknown }).cf, await input.text()]),
    );
    expect(JSON.parse(await textOf(await app.fetch(request)))).toEqual([known, "content"]);
  });

  it("answers HEAD without content", async () => {
    const init = { headers: { ...text, "content-length": "1000", "x-kept": "yes" } };
    const response = await answer(() => new Response(null, init), { method: "HEAD" });
    expect([response.status, response.headers.get("x-kept"), response.body]).toEqual([200, "yes", null]);
  });

  it.each([204, 304])("passes %i on without content", async (status) => {
    const response = await answer(() => new Response(null, { status, headers: { "x-kept": "yes" } }));
    expect([response.status, response.headers.get("x-kept"), response.body]).toEqual([status, "yes", null]);
  });
});

const exchanges = [...everyRow].flatMap(([name, row]) => row.exchanges.map((one, at) => ({ name, at, ...one })));

describe.each(exchanges)("$name", ({ at, middleware, handler, implemented, of, seen }) => {
  it(`answers what its row says, ${at + 1}`, async () => {
    const answerOf = async (input: NativeInput): Promise<unknown> => {
      const given = await handler?.(input);
      return given instanceof Response
        ? given
        : new Response(textGiven(given), { headers: { "content-type": "text/plain" } });
    };
    const app = nativeAround(middleware(), answerOf, () => {}, implemented);
    for (const [asked, status, fields = {}, content] of of) {
      const { method = "GET", path = "/items", headers, chunks: parts, content: sent = null, onlyOverSockets } = asked;
      if (onlyOverSockets) continue;
      const body = parts === undefined ? sent : chunks(...parts);
      const init: RequestInit & { readonly duplex: "half" } = { method, headers: { ...headers }, body, duplex: "half" };
      const request = requestFor(init, path);
      address.set(request, "127.0.0.1");
      const response = await app.fetch(request);
      expect([method, response.status]).toEqual([method, status]);
      const fieldOf = (name: string): string | null => response.headers.get(name);
      for (const [name, value] of Object.entries(fields)) {
        const found = fieldOf(name);
        if (value instanceof RegExp) expect(found).toMatch(value);
        else expect([name, found]).toEqual([name, value === undefined ? null : [value].flat().join(", ")]);
      }
      if (content === null) expect(response.body).toBeNull();
      else if (content !== undefined) {
        expect(await textOf(response)).toBe(typeof content === "function" ? content(fieldOf) : content);
      }
    }
    const { found, expected } = seen?.() ?? {};
    expect(found).toEqual(expected);
  });
});
