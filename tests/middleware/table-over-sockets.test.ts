// What holds of every middleware over real sockets: see table.ts. A middleware that is not in the table fails the last
// test.
import { once } from "node:events";
import { readdirSync } from "node:fs";
import type { ClientRequest, IncomingMessage } from "node:http";
import { constants, type IncomingHttpHeaders } from "node:http2";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { text as textOf } from "node:stream/consumers";
import { runInNewContext } from "node:vm";
import { createGunzip } from "node:zlib";
import { describe, expect, it, onTestFailed } from "vitest";
import { http2Session } from "../support/http2.ts";
import { ask, begin, gate, started, turn } from "../support/sockets.ts";
import { nativeAround, polyfillAround, type Context, type NativeInput } from "./around.ts";
import { everyRow } from "./every-row.ts";
import { address, textGiven, type Exchanges } from "./middleware-row.ts";
import { rows } from "./table.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

async function collected(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    collect();
    await turn(1);
  }
}

/**
 * Content without end, of bytes that no coding makes shorter; it says how many were taken, and when nobody wants more.
 */
function endless(pieceBytes: number) {
  const { opened: canceled, open } = gate();
  let taken = 0;
  const content = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        taken += pieceBytes;
        controller.enqueue(crypto.getRandomValues(new Uint8Array(pieceBytes)));
      },
      cancel: () => open(),
    },
    { highWaterMark: 0 },
  );
  return { content, canceled, taken: () => taken };
}

async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(
    request.on("error", () => {}),
    "response",
  )) as [IncomingMessage];
  return response.on("error", () => {});
}

const text = { "content-type": "text/plain" };
const contentless = [
  ["HEAD", 200],
  ["GET", 204],
  ["GET", 304],
] as const;

function withoutContent({ method, params }: NativeInput): Response {
  const status = Number(params.pathParam("id"));
  const content = method === "HEAD" || status !== 200 ? null : "content";
  return new Response(content, { status, headers: { ...text, "x-kept": "yes" } });
}

async function expectStandstill(taken: () => number): Promise<void> {
  let before = -1;
  while (taken() !== before) {
    before = taken();
    await turn(100);
    expect(before).toBeLessThan(30_000_000);
  }
}

/** Does something with each row at once: so all wait together. */
async function withEach(act: (row: (typeof rows)[number]) => Promise<void>): Promise<void> {
  const open = new Set(rows.map(({ name }) => name));
  onTestFailed(() => console.error(`Not done: ${[...open].join("; ")}`));
  await Promise.all(rows.map((row) => act(row).then(() => open.delete(row.name))));
}

/** Returns a function that waits until it was called for each row, and garbage is collected then. */
function collectedByAll(): () => Promise<void> {
  let missing = rows.length;
  const { opened, open } = gate<Promise<void>>();
  return async () => {
    if (--missing === 0) open(collected());
    await opened;
  };
}

describe("each middleware over a socket", () => {
  const serving = ({ middleware }: (typeof rows)[number], handler: (request: NativeInput) => unknown) =>
    started(nativeAround(middleware, handler));

  it.each(["GET", "PUT"])(
    "has the signal abort and the content canceled when a client of %s leaves",
    async (method) => {
      const allCollected = collectedByAll();
      await withEach(async (row) => {
        const { opened: aborted, open } = gate();
        const { content, canceled } = endless(16_384);
        const server = await serving(row, (request) => {
          request.signal.addEventListener("abort", open as () => void);
          return new Response(content, { headers: text });
        });
        const { headers = {} } = row;
        const request = begin(server, { path: "/items", method, headers }).end(
          method === "PUT" ? "content" : undefined,
        );
        const response = await responseTo(request);
        await once(response, "data");
        response.pause();
        await allCollected();
        request.destroy();
        await Promise.all([aborted, canceled]);
      });
    },
  );

  it("takes no more than fits on the way from content that the client does not read", async () => {
    await withEach(async (row) => {
      const { content, taken } = endless(65_536);
      const server = await serving(row, () => new Response(content, { headers: text }));
      const { headers = {} } = row;
      const request = begin(server, { path: "/items", headers }).end();
      await responseTo(request);
      await expectStandstill(taken);
      request.destroy();
    });
  });
});

describe.each(rows)("$name over a socket", ({ middleware, headers = {} }) => {
  it("answers HEAD, 204 and 304 without content", async () => {
    const server = await started(nativeAround(middleware, withoutContent));
    for (const [method, status] of contentless) {
      const answer = await ask(server, { path: `/items/${status}`, method, headers });
      expect([answer.status, answer.text, answer.headers["x-kept"]]).toEqual([status, "", "yes"]);
    }
  });
});

describe("each middleware over HTTP/2", () => {
  const serving = ({ middleware }: (typeof rows)[number], handler: (request: NativeInput) => unknown) =>
    http2Session(nativeAround(middleware, handler));

  it("has the signal abort and the content canceled when the client leaves", async () => {
    const allCollected = collectedByAll();
    await withEach(async (row) => {
      const { opened: aborted, open } = gate();
      const { content, canceled } = endless(16_384);
      const session = await serving(row, (request) => {
        request.signal.addEventListener("abort", open as () => void);
        return new Response(content, { headers: text });
      });
      const stream = session.request({ ":path": "/items", ...row.headers }).on("error", () => {});
      await once(stream, "data");
      stream.pause();
      await allCollected();
      stream.close(constants.NGHTTP2_CANCEL);
      await Promise.all([aborted, canceled]);
    });
  });

  it("takes no more than fits on the way from content that the client does not read", async () => {
    await withEach(async (row) => {
      const { content, canceled, taken } = endless(65_536);
      const session = await serving(row, () => new Response(content, { headers: text }));
      const stream = session.request({ ":path": "/items", ...row.headers }).on("error", () => {});
      await once(stream, "response");
      await expectStandstill(taken);
      session.destroy();
      await canceled;
    });
  });
});

describe.each(rows)("$name over HTTP/2", ({ middleware, headers = {} }) => {
  it("gives content of both ways, and none to HEAD, 204 and 304", async () => {
    const session = await http2Session(
      nativeAround(middleware, async (request) =>
        request.method === "PUT" ? new Response(await request.text(), { headers: text }) : withoutContent(request),
      ),
    );
    const asked = async (method: string, path: string, content?: string) => {
      const fields = { ":path": path, ":method": method, ...headers };
      const stream = session.request(fields, { endStream: content === undefined });
      if (content !== undefined) stream.end(content);
      const [answer] = (await once(stream, "response")) as [IncomingHttpHeaders];
      const decoded = answer["content-encoding"] === "gzip" ? stream.pipe(createGunzip()) : stream;
      return [answer[":status"], answer["x-kept"], await textOf(decoded)];
    };
    expect(await asked("PUT", "/items", "content")).toEqual([200, undefined, "content"]);
    for (const [method, status] of contentless) {
      expect(await asked(method, `/items/${status}`)).toEqual([status, "yes", ""]);
    }
  });
});

const exchanges = [...everyRow].flatMap(([name, row]) => row.exchanges.map((one, at) => ({ name, at, ...one })));

async function expectExchanges(app: Parameters<typeof started>[0], { of, seen }: Exchanges): Promise<void> {
  const server = await started(app, { address, onError: () => {} });
  for (const [asked, status, fields = {}, content] of of) {
    const { method = "GET", path = "/items", chunks, content: sent = chunks?.join(""), onlyInMemory } = asked;
    if (onlyInMemory) continue;
    const headers = { ...asked.headers, ...(chunks && { "transfer-encoding": "chunked" }) };
    const answer = await ask(server, { path, method, headers }, sent);
    expect([method, answer.status]).toEqual([method, status]);
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof RegExp) expect(answer.headers[name]).toMatch(value);
      else expect([name, answer.headers[name]]).toEqual([name, value]);
    }
    if (content === undefined || "content-encoding" in answer.headers) continue;
    const fieldOf = (name: string): string | null => (answer.headers[name] as string | undefined) ?? null;
    expect(answer.text).toBe(typeof content === "function" ? content(fieldOf) : (content ?? ""));
  }
  const { found, expected } = seen?.() ?? {};
  expect(found).toEqual(expected);
}

describe.each(exchanges)("$name over a socket, as row $at says", (one) => {
  const { middleware, handler, implemented, polyfill } = one;

  it("works by the native chain", async () => {
    const answerOf = async (input: Request): Promise<unknown> => {
      const given = await handler?.(input);
      return given instanceof Response ? given : new Response(textGiven(given), { headers: text });
    };
    await expectExchanges(
      nativeAround(middleware(), answerOf, () => {}, implemented),
      one,
    );
  });

  it.runIf(polyfill)("works by the polyfill chain", async () => {
    const answerOf = async (context: Context): Promise<unknown> => {
      const given = await handler?.(context as unknown as Request);
      return context.response.writableEnded ? true : context.response.end(textGiven(given));
    };
    await expectExchanges(polyfillAround(middleware(), answerOf, implemented), one);
  });
});

it("has each middleware of the package", () => {
  const pages = readdirSync(fileURLToPath(new URL("../../docs/middleware", import.meta.url)));
  const inTable = new Set(rows.map(({ name }) => name.split(",")[0]));
  expect([...inTable].toSorted()).toEqual(pages.map((file) => file.replace(/\.md$/, "")).toSorted());
  const entries = readdirSync(fileURLToPath(new URL("../../src/middleware", import.meta.url)));
  const sources = entries.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  expect([...inTable].toSorted()).toEqual(sources.map((file) => file.replace(/\.ts$/, "")).toSorted());
});
