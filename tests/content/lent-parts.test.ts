import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { folderOf } from "./folders.ts";
import { begin, listening, portOf, started } from "../support/sockets.ts";
import { fileResponse } from "../../src/content/file-response.ts";
import { Files, type Content } from "../../src/content/files.ts";
import { folder } from "../../src/content/folder.ts";
import { Application, Resource, type RequestOf } from "fingerpost/modules/http.native.js";
import { listener } from "../../src/servers/node.ts";

const partBytes = 262_144;

/** Content of which no part is like another. */
const contentOf = (letter: string): Buffer =>
  Buffer.concat(Array.from({ length: 8 }, (_, at) => Buffer.alloc(partBytes, `${letter}${at}`)));

/** Files that are sent in one piece. */
const pieces = Object.fromEntries(
  [33_000, 50_000, 65_535, 65_536].map((length) => [`${length}.bin`, Buffer.alloc(length, `p${length}`)]),
);

function application() {
  const files = { "a.bin": contentOf("a"), "b.bin": contentOf("b") };
  const root = folderOf({ ...files, ...pieces });
  class Assets extends Files {
    paths = ["/:path*"] as const;
    source = folder(root);
  }
  return { files, root, app: Application.builder().resources(Assets).build() };
}

async function contentFrom(port: number, path: string): Promise<Buffer> {
  const [response] = await once(begin(port, { path }).end(), "response");
  return buffer(response);
}

describe("parts of files that were sent", () => {
  it("are read into again", async () => {
    const { files, app } = application();
    const port = portOf(await started(app));
    const making = vi.spyOn(Buffer, "allocUnsafeSlow");
    for (let turn = 0; turn < 20; turn++) {
      expect((await contentFrom(port, "/a.bin")).equals(files["a.bin"])).toBe(true);
    }
    // Of 160 parts, those of the first file at most, and what was spare before.
    expect(making.mock.calls.filter(([length]) => length === partBytes).length).toBeLessThan(10);
    making.mockRestore();
  });

  it("are read into again where they are all of a file", async () => {
    const { app } = application();
    const port = portOf(await started(app));
    const making = vi.spyOn(Buffer, "allocUnsafeSlow");
    for (let turn = 0; turn < 20; turn++) {
      for (const [name, content] of Object.entries(pieces)) {
        expect((await contentFrom(port, `/${name}`)).equals(content)).toBe(true);
      }
    }
    expect(making.mock.calls.filter(([length]) => length > 32_768).length).toBeLessThan(10);
    making.mockRestore();
  });

  it("are nobody else's where they are all of a file, whoever asks, pipelines or leaves", async () => {
    const { app } = application();
    const port = portOf(await started(app));
    const names = Object.keys(pieces);
    const client = async (at: number): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) {
        const name = names[(at + turn) % names.length]!;
        const [response] = await once(begin(port, { path: `/${name}` }).end(), "response");
        if ((at + turn) % 7 === 0) response.destroy();
        else expect((await buffer(response)).equals(pieces[name]!)).toBe(true);
      }
    };
    const pipelining = async (): Promise<void> => {
      const socket = connect(port, "127.0.0.1");
      const requests = names.map((name, at) => {
        const end = at === names.length - 1 ? "Connection: close\r\n" : "";
        return `GET /${name} HTTP/1.1\r\nHost: localhost\r\n${end}\r\n`;
      });
      socket.write(requests.join(""));
      const got = await buffer(socket);
      for (const name of names) expect(got.includes(pieces[name]!)).toBe(true);
    };
    await Promise.all([...Array.from({ length: 8 }, (_, at) => client(at)), ...Array.from({ length: 4 }, pipelining)]);
  });

  it("are left to a log that has replaced end(), and to clones of a response", async () => {
    const { app } = application();
    const kept: Buffer[] = [];
    const listen = listener(app);
    const server = createServer((request, response) => {
      const end = response.end.bind(response) as (...args: readonly unknown[]) => ServerResponse;
      response.end = (part?: unknown, ...rest: unknown[]) => {
        if (request.url === "/65536.bin") kept.push(part as Buffer);
        return end(part, ...rest);
      };
      void listen(request, response);
    });
    const port = portOf(await listening(server));
    const other = portOf(await started(app));
    const [name, piece] = Object.entries(pieces).at(-1)!;
    const response = await app.fetch(new Request(`http://h/${name}`));
    const copy = response.clone();
    await contentFrom(port, `/${name}`);
    for (let turn = 0; turn < 5; turn++) await contentFrom(other, "/65535.bin");
    expect(kept[0]!.equals(piece)).toBe(true);
    expect(Buffer.from(await response.arrayBuffer()).equals(piece)).toBe(true);
    expect(Buffer.from(await copy.arrayBuffer()).equals(piece)).toBe(true);
  });

  it("do not change what other clients get, who read when they please, or leave", async () => {
    const { files, app } = application();
    const port = portOf(await started(app));
    const slow = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const name = at % 2 === 0 ? "a.bin" : "b.bin";
        const [response] = await once(begin(port, { path: `/${name}` }).end(), "response");
        return { name, response } as const;
      }),
    );
    for (const { response } of slow.splice(0, 2)) response.destroy();
    for (let turn = 0; turn < 10; turn++) {
      expect((await contentFrom(port, "/b.bin")).equals(files["b.bin"])).toBe(true);
    }
    for (const { name, response } of slow) expect((await buffer(response)).equals(files[name])).toBe(true);
  });

  it.each([
    ["write", "a response", (response: ServerResponse) => response as object],
    ["write", "a socket", (response: ServerResponse) => response.socket as object],
    ["_write", "a socket", (response: ServerResponse) => response.socket as object],
  ])("are left to a log that has replaced %s() of %s", async (name, _, of) => {
    const { files, app } = application();
    const kept: Buffer[] = [];
    const listen = listener(app);
    const server = createServer((request, response) => {
      const writer = of(response) as Record<string, (...args: readonly unknown[]) => unknown>;
      const write = writer[name]!.bind(writer);
      writer[name] = (part, ...rest) => {
        if (request.url === "/a.bin" && part instanceof Buffer) kept.push(part);
        return write(part, ...rest);
      };
      void listen(request, response);
    });
    const port = portOf(await listening(server));
    await contentFrom(port, "/a.bin");
    for (let turn = 0; turn < 5; turn++) await contentFrom(port, "/b.bin");
    const log = Buffer.concat(kept);
    // Node writes the first part together with the head.
    expect(log.byteLength).toBeGreaterThanOrEqual(7 * partBytes);
    expect(log.equals(files["a.bin"].subarray(-log.byteLength))).toBe(true);
  });

  it("are left to a connection that is a stream of its own", async () => {
    const { files, app } = application();
    const port = portOf(await started(app));
    const written: Buffer[] = [];
    const connection = new Duplex({
      read() {},
      write(part: Buffer, _, done) {
        written.push(part);
        done();
      },
    });
    const server = await listening(createServer(listener(app)));
    server.emit("connection", connection);
    connection.push("GET /a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    await once(connection, "finish");
    for (let turn = 0; turn < 5; turn++) await contentFrom(port, "/b.bin");
    expect(Buffer.concat(written).subarray(-files["a.bin"].byteLength).equals(files["a.bin"])).toBe(true);
  });

  it("are left to a source that makes content of another one's", async () => {
    const { files, root } = application();
    const kept: Uint8Array[] = [];
    class Copies extends Resource {
      paths = ["/:name"] as const;
      async GET(request: RequestOf<Copies>): Promise<Response> {
        const stored = (await folder(root).find([request.params.pathParam("name")], null))!;
        const read = (start: number, end: number): Content => {
          const content = stored.read(start, end) as AsyncIterable<Uint8Array>;
          async function* parts(): AsyncGenerator<Uint8Array, void> {
            for await (const part of content) {
              if (request.url.endsWith("a.bin")) kept.push(part);
              yield part;
            }
          }
          return { ...content, [Symbol.asyncIterator]: parts };
        };
        return fileResponse(request, { ...stored, read, close: () => stored.close() });
      }
    }
    const port = portOf(await started(Application.builder().resources(Copies).build()));
    await contentFrom(port, "/a.bin");
    for (let turn = 0; turn < 5; turn++) await contentFrom(port, "/b.bin");
    expect(Buffer.concat(kept).equals(files["a.bin"])).toBe(true);
  });

  it("are left to who reads the response", async () => {
    const { files, app } = application();
    const port = portOf(await started(app));
    const response = await app.fetch(new Request("http://h/a.bin"));
    const copy = response.clone();
    const kept: Uint8Array[] = [];
    for await (const part of response.body!) kept.push(part);
    for (let turn = 0; turn < 5; turn++) await contentFrom(port, "/b.bin");
    expect(Buffer.concat(kept).equals(files["a.bin"])).toBe(true);
    expect(Buffer.from(await copy.arrayBuffer()).equals(files["a.bin"])).toBe(true);
  });
});
