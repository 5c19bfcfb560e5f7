// Each middleware alone, over real sockets on Node: by the native chain, and by the polyfill chain where it goes with
// that.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ask, started } from "../support/sockets.ts";
import { nativeAround, polyfillAround, type Context } from "./around.ts";
import { everyRow } from "./every-row.ts";
import { address, type Exchanges } from "./middleware-row.ts";

async function expectExchanges(app: Parameters<typeof started>[0], { of, seen }: Exchanges): Promise<void> {
  const server = await started(app, { address, onError: () => {} });
  for (const [{ method = "GET", headers = {}, content }, status, fields = {}] of of) {
    const answer = await ask(server, { path: "/items", method, headers: { ...headers } }, content);
    expect([method, answer.status]).toEqual([method, status]);
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof RegExp) expect(answer.headers[name]).toMatch(value);
      else expect([name, answer.headers[name]]).toEqual([name, value]);
    }
  }
  const { found, expected } = seen?.() ?? {};
  expect(found).toEqual(expected);
}

const each = [...everyRow].map(([name, { exchanges }]) => ({ name, exchanges }));

describe.each(each)("$name over a socket", ({ exchanges }) => {
  it("works by the native chain", async () => {
    const handler = async (input: Request): Promise<Response> => {
      await exchanges.handler?.(input);
      return new Response("reached", { headers: { "content-type": "text/plain" } });
    };
    await expectExchanges(
      nativeAround(exchanges.middleware(), handler, () => {}, exchanges.implemented),
      exchanges,
    );
  });
});

describe.each(each.filter(({ exchanges }) => exchanges.polyfill))("$name over a socket", ({ exchanges }) => {
  it("works by the polyfill chain", async () => {
    const handler = async (context: Context): Promise<unknown> => {
      await exchanges.handler?.(context as unknown as Request);
      return context.response.writableEnded ? true : context.response.end("reached");
    };
    await expectExchanges(polyfillAround(exchanges.middleware(), handler, exchanges.implemented), exchanges);
  });
});

it("tests/middleware/rows/ has a row for each middleware of the package", () => {
  const files = readdirSync(fileURLToPath(new URL("../../src/middleware", import.meta.url)));
  const middleware = files.filter((file) => /^[^.]+\.ts$/.test(file)).map((file) => file.slice(0, -".ts".length));
  expect([...everyRow.keys()].toSorted()).toEqual(middleware.toSorted());
});
