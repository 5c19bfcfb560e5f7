// Clients that connect and say nothing, in a process of their own: as many at the port as each message asks for.
import { connect } from "node:net";

const [port] = process.argv.slice(2);
const handshake =
  `GET /echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const sockets = [];

process.on("message", async (count) => {
  for (let left = count; left > 0; left -= 50) await Promise.all(Array.from({ length: Math.min(50, left) }, open));
  process.send(sockets.length);
});

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    sockets.push(socket);
    socket.on("error", reject);
    socket.once("data", (data) =>
      String(data).startsWith("HTTP/1.1 101 ") ? resolve() : reject(new Error(`no WebSocket: ${data}`)),
    );
    socket.write(handshake);
  });
}
