import { connect } from "node:net";

/**
 * Connections to a server that are kept, one request at a time on each: a client that costs little beside the server.
 */
export class Connections {
  #all;

  constructor(all) {
    this.#all = all;
  }

  static async open(port, count) {
    return new Connections(await Promise.all(Array.from({ length: count }, () => Connection.open(port))));
  }

  /** What comes back for one request. */
  exchange(text) {
    return this.#all[0].exchange(text);
  }

  /** Has each of them answer one request. */
  exchangeAll(text) {
    return Promise.all(this.#all.map((one) => one.exchange(text)));
  }

  /** Sends requests whose answers have a known length for a while, and returns how many were answered. */
  async drive(requests, milliseconds) {
    const until = performance.now() + milliseconds;
    const counts = await Promise.all(this.#all.map((one, at) => one.drive(requests, at, until)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  close() {
    for (const one of this.#all) one.close();
  }
}

class Connection {
  #socket;

  constructor(socket) {
    this.#socket = socket;
    socket.on("error", () => {});
  }

  static open(port) {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "localhost", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket));
      });
    });
  }

  exchange(text) {
    return new Promise((resolve, reject) => {
      let received = "";
      const end = (settle) => {
        this.#socket.off("data", take);
        this.#socket.off("close", fail);
        settle();
      };
      const take = (chunk) => {
        received += chunk.latin1Slice();
        const answer = answerIn(received);
        if (answer !== null) end(() => resolve(answer));
      };
      const fail = () =>
        end(() => reject(new Error(`The server closed the connection behind: ${received.slice(0, 300)}`)));
      this.#socket.on("data", take);
      this.#socket.on("close", fail);
      this.#socket.write(text, "latin1");
    });
  }

  drive(requests, from, until) {
    return new Promise((resolve, reject) => {
      const socket = this.#socket;
      let at = from % requests.length;
      let left = 0;
      let answered = 0;
      const end = (settle) => {
        socket.off("data", take);
        socket.off("close", fail);
        settle();
      };
      const next = () => {
        at = (at + 1) % requests.length;
        left = requests[at].length;
        socket.write(requests[at].text, "latin1");
      };
      const take = (chunk) => {
        left -= chunk.length;
        if (left > 0) return;
        if (left < 0) return end(() => reject(new Error(`An answer is ${-left} bytes longer than before`)));
        answered++;
        if (performance.now() < until) next();
        else end(() => resolve(answered));
      };
      const fail = () => end(() => reject(new Error("The server closed a connection on which an answer was due")));
      socket.on("data", take);
      socket.on("close", fail);
      next();
    });
  }

  close() {
    this.#socket.destroy();
  }
}

/** The answer that a text begins with; null if not all of it is there. */
export function answerIn(received) {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [start, ...lines] = received.slice(0, headEnd).split("\r\n");
  const fields = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const rest = received.slice(headEnd + 4);
  const content = /\bchunked$/.test(fields["transfer-encoding"]) ? unchunked(rest) : counted(rest, fields);
  return content === null ? null : { status: Number(start.split(" ")[1]), fields, content, length: received.length };
}

function counted(rest, fields) {
  const length = Number(fields["content-length"] ?? 0);
  return rest.length < length ? null : rest;
}

function unchunked(rest) {
  let content = "";
  for (let at = 0; ;) {
    const end = rest.indexOf("\r\n", at);
    if (end === -1) return null;
    const size = Number.parseInt(rest.slice(at, end), 16);
    if (size === 0) return rest.startsWith("\r\n", end + 2) ? content : null;
    content += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}
