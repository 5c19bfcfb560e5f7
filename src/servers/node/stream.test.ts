import { once } from "node:events";
import { FastResponse } from "srvx";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ask, begin, gate, native, started, turn } from "../../../tests/support/sockets.ts";
import { letGo, openReader } from "./stream.ts";

describe("openReader() a FormData", () => {
  it("C6.3 leaves no rejection to nobody when its client leaves", async () => {
    const rejected = unhandled();
    const [left, over] = [gate(), gate()];
    const server = await started(
      native(({ signal }) => {
        signal.addEventListener("abort", () => left.open());
        return new Response(formOf(left.opened, over.open));
      }),
    );
    const exchange = begin(server)
      .on("error", () => {})
      .end();
    await once(exchange, "response");
    exchange.destroy();
    await over.opened;
    await turn(20);
    expect(rejected).not.toHaveBeenCalled();
  });

  it("C6.3 leaves no rejection to nobody when nobody reads it", async () => {
    const rejected = unhandled();
    const responses: Record<string, () => Response> = {
      "/head": () => new Response(formOf(turn())),
      "/light": () => new FastResponse(formOf(turn())),
      "/field": () => {
        const response = new Response(formOf(turn()));
        response.headers.set("x-a", "a\x01b");
        return response;
      },
    };
    const server = await started(
      native(({ url }) => responses[new URL(url).pathname]!()),
      { onError: () => {} },
    );
    for (const [path, method, status] of [
      ["/head", "HEAD", 200],
      ["/light", "HEAD", 200],
      ["/field", "GET", 500],
    ] as const)
      expect((await ask(server, { path, method })).status).toBe(status);
    await turn(20);
    expect(rejected).not.toHaveBeenCalled();
  });
});

describe("openReader() content that is no FormData", () => {
  const type = "multipart/form-data; boundary=----formdata-undici-0";

  it.each([
    ["x-echo", type],
    [type, "content-type"],
  ])("C6.3 cancels it at once whatever else its fields hold: %s", (name, value) => {
    const cancel = vi.fn<() => void>();
    letGo(openReader(new ReadableStream<Uint8Array>({ cancel }), [name, value, "x-end", ""]));
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("C6.3 has it end, and a FormData without end, and has others answered meanwhile", async () => {
    const rejected = unhandled();
    const server = await started(native(({ method }) => new Response(method === "HEAD" ? endlessForm() : "meanwhile")));
    await ask(server, { method: "HEAD" });
    const canceled = ["content-type", "Content-Type"].flatMap((name) =>
      [(stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(1)), () => {}].map((pull) => {
        const { opened, open } = gate();
        letGo(openReader(new ReadableStream<Uint8Array>({ pull, cancel: open }), ["x-a", "a", name, type]));
        return opened;
      }),
    );
    expect((await ask(server)).text).toBe("meanwhile");
    await Promise.all(canceled);
    await turn(20);
    expect(rejected).not.toHaveBeenCalled();
  });
});

/** Sees the rejections that would end the process. */
function unhandled() {
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on("unhandledRejection", rejected);
  onTestFinished(() => void process.off("unhandledRejection", rejected));
  return rejected;
}

/** A form with a file that has no end. */
function endlessForm(): FormData {
  async function* parts(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await turn(5);
      yield new Uint8Array(1);
    }
  }
  const form = new FormData();
  form.append("file", Object.assign(new File([], "file"), { stream: parts }));
  return form;
}

/** A form with a file whose end can be read once something has happened. */
function formOf(happened: Promise<unknown>, over = (): void => {}): FormData {
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array(1 << 16);
      await happened;
      yield new Uint8Array(1 << 16);
    } finally {
      over();
    }
  }
  const form = new FormData();
  form.append("file", Object.assign(new File([new Uint8Array(1 << 17)], "file"), { stream: parts }));
  return form;
}
