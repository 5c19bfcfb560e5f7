import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { buffer } from "node:stream/consumers";
import type { Server } from "../driver/servers.ts";
import type { Outcome } from "../suite/registry.ts";
import { Wire, type Reply } from "./wire.ts";

/** What a test asks of one server. */
export interface Question {
  readonly name: string;
  /** Which servers it is for: all, unless given. */
  readonly isFor?: (server: Server) => boolean;
  readonly ask: (asker: Asker) => Promise<void>;
}

export interface Request {
  readonly method?: string;
  readonly target: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly content?: string | Uint8Array;
}

/** Asks one server, in the protocol that it speaks. */
export class Asker {
  readonly server: Server;
  readonly #wires: Wire[] = [];
  #session: ClientHttp2Session | null = null;

  constructor(server: Server) {
    this.server = server;
  }

  /** A connection for whatever cannot be said otherwise. */
  wire(): Wire {
    const wire = new Wire(this.server.connect());
    this.#wires.push(wire);
    return wire;
  }

  /** Sends a request and reads the response, by HTTP/2 where the server speaks it. */
  async ask(request: Request | string): Promise<Reply> {
    const {
      method = "GET",
      target,
      fields = {},
      content,
    } = typeof request === "string" ? { target: request } : request;
    if (this.server.protocol === "http2") return this.#askByHttp2(method, target, fields, content);
    const bytes = Buffer.from(content ?? "");
    const length = content === undefined ? {} : { "Content-Length": String(bytes.length) };
    const lines = Object.entries({ Host: "h", Connection: "close", ...length, ...fields }).map((field) =>
      field.join(": "),
    );
    const wire = this.wire().send([`${method} ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
    if (bytes.length > 0) wire.send(bytes);
    return wire.reply({ isHead: method === "HEAD" });
  }

  /** A session of HTTP/2, the same every time. */
  session(): ClientHttp2Session {
    return (this.#session ??= this.newSession());
  }

  newSession(): ClientHttp2Session {
    const session = connectHttp2(`https://127.0.0.1:${this.server.port}`, { rejectUnauthorized: false });
    return session.on("error", () => {});
  }

  async close(): Promise<void> {
    for (const wire of this.#wires) await wire.close();
    this.#session?.destroy();
  }

  async #askByHttp2(
    method: string,
    path: string,
    fields: Request["fields"],
    content: Request["content"],
  ): Promise<Reply> {
    const pseudo = { ":method": method, ":path": path, ":authority": "h" };
    const stream = this.session().request({ ...pseudo, ...fields }, { endStream: content === undefined });
    if (content !== undefined) stream.end(content);
    const [headers] = await once(stream, "response");
    const { ":status": status, ...rest } = headers as Record<string, string | string[]>;
    const lines = Object.entries(rest).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return { status: Number(status), reason: "", fields: lines, content: await buffer(stream) };
  }
}

/** Asks a server all the questions that are for it. */
export async function answersOf(server: Server, questions: readonly Question[]): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, skipped: 0, failed: [] };
  for (const { name, isFor, ask } of questions) {
    if (isFor?.(server) === false) continue;
    const asker = new Asker(server);
    try {
      await ask(asker);
      assert(server.program.isAlive, "the process has ended");
      outcome.passed++;
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      outcome.failed.push({ name: `${server.name}: ${name}`, error: `${text}\n${server.program.output.slice(-1000)}` });
    } finally {
      await asker.close();
    }
  }
  return outcome;
}

export function fieldOf({ fields }: Reply, wanted: string): string | undefined {
  return fields.find(([name]) => name === wanted)?.[1];
}

export function textOf({ content }: Reply): string {
  return content.toString("utf8");
}

/** Waits until something holds, for as long as twenty seconds: machines may have other things to do. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const from = Date.now(); !(await holds()); await new Promise((resolve) => setTimeout(resolve, 20))) {
    assert(Date.now() - from < 20_000, `still not so after twenty seconds: ${holds}`);
  }
}

/** What the handlers of the server saw since the last time. */
export async function seen(asker: Asker): Promise<unknown[]> {
  return JSON.parse(textOf(await asker.ask("/log"))) as unknown[];
}

/** Waits until handlers have seen something, in this order. */
export async function sees(asker: Asker, expected: readonly unknown[]): Promise<void> {
  const all: unknown[] = [];
  await until(async () => {
    all.push(...(await seen(asker)));
    return all.length >= expected.length;
  }).catch(() => {});
  assert.deepEqual(all, expected);
}
