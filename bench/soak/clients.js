// The clients of the soak runs over sockets.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { growthOf } from "./growth.js";

const program = fileURLToPath(new URL("server.js", import.meta.url));

/** Starts a server, has clients do something to it in ten parts, and tells how its heap grows. */
export async function againstServer(chain, isLeaky, total, part) {
  const server = fork(program, [chain, isLeaky ? "leaky" : "sound"]);
  let isOver = false;
  server.once("exit", (code, signal) => {
    if (isOver) return;
    console.error(`soak: the server exited: ${code ?? signal}`);
    process.exit(1);
  });
  const [port] = await once(server, "message");
  const measure = async () => {
    server.send("heap");
    const [bytes] = await once(server, "message");
    return bytes;
  };
  const growth = await growthOf(total, (from, count) => part(port, from, count), measure);
  isOver = true;
  server.kill();
  return growth;
}

const connections = 16;
const inOnePiece = 32;

/** Sends requests on connections that are kept, several in one piece, and waits for every answer. */
export async function request(port, from, count) {
  const share = Math.ceil(count / connections);
  await Promise.all(
    Array.from({ length: connections }, (_, at) => {
      const start = from + at * share;
      return converse(port, start, Math.min(start + share, from + count));
    }),
  );
}

async function converse(port, from, end) {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  let missing = 0;
  let arrived = () => {};
  socket.on("data", (text) => {
    missing -= text.split("HTTP/1.1 200 OK\r\n").length - 1;
    if (missing === 0) arrived();
  });
  for (let at = from; at < end; at += inOnePiece) {
    const ids = Array.from({ length: Math.min(inOnePiece, end - at) }, (_, index) => at + index);
    missing = ids.length;
    const all = new Promise((resolve) => (arrived = resolve));
    socket.write(ids.map((id) => `GET /item/${id} HTTP/1.1\r\nHost: h\r\n\r\n`).join(""));
    await all;
  }
  socket.destroy();
}

/** Begins requests and resets the connection: before there is an answer, or amid the content. */
export async function abort(port, from, count) {
  const clients = 4 * connections;
  const client = async (_, first) => {
    for (let id = from + first; id < from + count; id += clients) {
      const method = id % 2 === 0 ? "PUT" : "POST";
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      socket.write(`${method} /item/${id} HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf`);
      // The server has the request before it learns that the client is gone.
      await new Promise((resolve) => setTimeout(resolve, 1));
      socket.resetAndDestroy();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}
