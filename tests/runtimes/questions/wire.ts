import { once } from "node:events";
import type { Socket } from "node:net";

/** A response as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly reason: string;
  /** Field lines, names in lower case. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly content: Buffer;
}

/** A connection that sends what it is told to, byte for byte, and reads responses as RFC 9112 says. */
export class Wire {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isOver = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    for (const event of ["end", "close", "error"]) {
      socket.on(event, () => {
        this.#isOver = true;
        this.#wake();
      });
    }
  }

  send(text: string | Uint8Array): this {
    if (!this.socket.destroyed) this.socket.write(text);
    return this;
  }

  /** Everything up to the end of the connection, or until nothing came for so long. */
  async rest(patienceMs: number): Promise<{ readonly text: string; readonly isOver: boolean }> {
    while (!this.#isOver && (await this.#more(patienceMs)));
    return { text: this.#received.toString("latin1"), isOver: this.#isOver };
  }

  /** The next final response. */
  async reply({ isHead = false, patienceMs = 10_000 } = {}): Promise<Reply> {
    for (;;) {
      const head = await this.#until("\r\n\r\n", patienceMs);
      const [start = "", ...lines] = head.split("\r\n").slice(0, -2);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1]);
      if (Number.isNaN(status)) throw new Error(`no status line: ${JSON.stringify(start.slice(0, 200))}`);
      if (status < 200) continue;
      const fields = lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      });
      const content =
        isHead || status === 204 || status === 304 ? Buffer.alloc(0) : await this.#content(fields, patienceMs);
      return { status, reason: start.slice(13), fields, content };
    }
  }

  async close(): Promise<void> {
    if (this.socket.closed) return;
    this.socket.destroy();
    await once(this.socket, "close").catch(() => {});
  }

  async #content(fields: [string, string][], patienceMs: number): Promise<Buffer> {
    const values = (wanted: string): string[] => fields.filter(([name]) => name === wanted).map(([, value]) => value);
    const [length, encoding] = [values("content-length"), values("transfer-encoding")];
    if (length.length + encoding.length > 1) throw new Error(`framed twice: ${JSON.stringify(fields)}`);
    if (length.length > 0) return this.#take(Number(length[0]), patienceMs);
    if (encoding.length > 0) return this.#chunks(patienceMs);
    while (!this.#isOver) if (!(await this.#more(patienceMs))) throw new Error("content without an end");
    return this.#take(this.#received.length, patienceMs);
  }

  async #chunks(patienceMs: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (;;) {
      const size = Number.parseInt(await this.#until("\r\n", patienceMs), 16);
      const part = await this.#take(size, patienceMs);
      await this.#until("\r\n", patienceMs);
      if (size === 0) return Buffer.concat(parts);
      parts.push(part);
    }
  }

  async #until(mark: string, patienceMs: number): Promise<string> {
    for (;;) {
      const at = this.#received.indexOf(mark);
      if (at >= 0) return (await this.#take(at + mark.length, patienceMs)).toString("latin1");
      await this.#demand(patienceMs);
    }
  }

  async #take(length: number, patienceMs: number): Promise<Buffer> {
    while (this.#received.length < length) await this.#demand(patienceMs);
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }

  async #demand(patienceMs: number): Promise<void> {
    const had = this.#received.toString("latin1", 0, 200);
    if (this.#isOver) throw new Error(`the connection ended after ${JSON.stringify(had)}`);
    if (!(await this.#more(patienceMs))) throw new Error(`nothing for ${patienceMs} ms after ${JSON.stringify(had)}`);
  }

  /** Whether anything came, the end included. */
  #more(patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}
