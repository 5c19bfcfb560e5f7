import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { disk, type Sink } from "fingerpost/files";
import { Application, Resource, type RequestOf } from "fingerpost/native";
import { partsOf } from "fingerpost/native/content";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate, portOf } from "../support/sockets.ts";

const run = promisify(execFile);

/** A server that stores the files of forms, and what is in its folder. */
async function started(around: (sink: Sink<{ readonly file: string }>) => Sink<object> = (sink) => sink) {
  const folder = mkdtempSync(join(tmpdir(), "fingerpost-uploads-"));
  const sink = around(disk(folder));
  let ended = 0;
  const begun = gate();
  class Files extends Resource {
    paths = ["/files"] as const;
    async POST(request: RequestOf<Files>): Promise<Response> {
      begun.open();
      try {
        const sizes: number[] = [];
        for await (const part of partsOf(request, { maxBytes: 50_000_000, maxFileBytes: 20_000_000 }))
          sizes.push((await part.store(sink)).size);
        return Response.json(sizes);
      } finally {
        ended++;
      }
    }
  }
  const stop = new AbortController();
  const app = Application.builder()
    .resources(Files)
    .onError(() => {})
    .build();
  const server = await serve(app, { port: 0, signal: stop.signal });
  onTestFinished(() => {
    stop.abort();
    rmSync(folder, { recursive: true });
  });
  return { port: portOf(server), names: () => readdirSync(folder), ended: () => ended, begun: begun.opened };
}

function formOf(...sizes: readonly number[]): FormData {
  const form = new FormData();
  for (const [at, size] of sizes.entries()) form.append(`f${at}`, new Blob([new Uint8Array(size)]), "f.bin");
  return form;
}

describe("C16.2 uploads over sockets", () => {
  it("are stored as they come", async () => {
    const { port, names } = await started();
    const response = await fetch(`http://127.0.0.1:${port}/files`, { method: "POST", body: formOf(10, 3_000_000, 0) });
    expect(await response.json()).toEqual([10, 3_000_000, 0]);
    expect(names()).toHaveLength(3);
  });

  it("leave no file when a later one is too long, and fetch() receives the 413", async () => {
    const { port, names } = await started();
    const response = await fetch(`http://127.0.0.1:${port}/files`, { method: "POST", body: formOf(10, 20_000_001) });
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { detail: 'The file "f1" is longer than 20000000 bytes' },
    ]);
    expect(names()).toEqual([]);
  });

  it("leave no file when curl sends too much, which receives the 413", async () => {
    const { port, names } = await started();
    const source = mkdtempSync(join(tmpdir(), "fingerpost-curl-"));
    onTestFinished(() => rmSync(source, { recursive: true }));
    writeFileSync(join(source, "large.bin"), new Uint8Array(30_000_000));
    const form = ["-F", `f=@${source}/large.bin`];
    const { stdout } = await run("curl", ["-s", "-w", "%{http_code}", ...form, `http://127.0.0.1:${port}/files`]);
    expect(stdout).toMatch(/longer than 20000000 bytes.*413$/s);
    expect(names()).toEqual([]);
  });

  it.each([
    ["in the head of a part", "--B\r\nContent-Disp"],
    ["in a file", '--B\r\nContent-Disposition: form-data; name=a; filename="a"\r\n\r\nabc'],
    ["between two files", '--B\r\nContent-Disposition: form-data; name=a; filename="a"\r\n\r\nabc\r\n--B\r\n'],
  ])("leave no file when the client leaves %s", async (_, begun) => {
    const { port, names, ended, begun: isBegun } = await started();
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const fields = "Host: a\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 100000\r\n";
    socket.write(`POST /files HTTP/1.1\r\n${fields}\r\n${begun}`);
    await isBegun;
    socket.destroy();
    await vi.waitFor(() => expect(ended()).toBe(1));
    expect(names()).toEqual([]);
  });

  it("leave no file when a sink fails, or cannot write", async () => {
    const { port, names } = await started((sink) => ({
      async store(file, signal) {
        if (file.name === "f1") throw new Error("no room");
        return sink.store(file, signal);
      },
      discard: (stored) => sink.discard(stored as { readonly file: string }),
    }));
    const response = await fetch(`http://127.0.0.1:${port}/files`, { method: "POST", body: formOf(10, 10) });
    expect(response.status).toBe(500);
    expect(names()).toEqual([]);
  });

  it("C16.5 wait for a slow sink: the socket takes no more than fits its buffers", async () => {
    let read = 0;
    let goOn!: () => void;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    const { port } = await started(() => ({
      async store({ content }) {
        const reader = content.getReader();
        for (let at = 0; ; at++) {
          const { done, value } = await reader.read();
          if (done) return {};
          read += value.length;
          if (at === 0) await waiting;
        }
      },
      discard() {},
    }));
    let sent = 0;
    const head = new TextEncoder().encode("--B\r\nContent-Disposition: form-data; name=a; filename=a\r\n\r\n");
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(sent === 0 ? head : new Uint8Array(100_000));
          sent += 100_000;
          if (sent === 19_000_000) {
            controller.enqueue(new TextEncoder().encode("\r\n--B--"));
            controller.close();
          }
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "Content-Type": "multipart/form-data; boundary=B" };
    const init = { method: "POST", body, headers, duplex: "half" };
    const answer = fetch(`http://127.0.0.1:${port}/files`, init);
    let before = -1;
    await vi.waitFor(
      () => {
        const now = sent;
        const isStill = now === before && now > 0;
        before = now;
        expect(isStill).toBe(true);
      },
      { interval: 300, timeout: 10_000 },
    );
    expect(sent).toBeLessThan(19_000_000);
    goOn();
    expect(await (await answer).json()).toEqual([18_900_000]);
    expect(read).toBe(18_900_000);
  });
});
