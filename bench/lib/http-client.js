import { connect } from "node:net";

/**
 * Sends requests over some connections for a while, each with so many under way, and counts the answers: a client that
 * costs little beside the server.
 */
export async function drive(port, requests, { connections, pipelined, milliseconds }) {
  const until = performance.now() + milliseconds;
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, at) => driveOne(port, requests, pipelined, until, at * 31)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Checks that a server answers every request as it should. */
export async function check(port, requests) {
  const answered = await driveOne(
    port,
    requests,
    1,
    performance.now() + 200,
    0,
    /^HTTP\/1\.1 200 OK\r\n[^]*\r\nok(?:\r\n|$)|\r\n\r\nok$/,
  );
  if (answered === 0) throw new Error("The server answered nothing");
}

function driveOne(port, requests, pipelined, until, from, expected) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "localhost", noDelay: true });
    let next = from;
    let sent = 0;
    let answered = 0;
    let rest = "";
    const send = (count) => {
      let text = "";
      for (let at = 0; at < count; at++) text += requests[next++ % requests.length];
      sent += count;
      socket.write(text, "latin1");
    };
    socket.on("connect", () => send(pipelined));
    socket.on("error", reject);
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on("close", () =>
      reject(new Error(`The server closed a connection on which ${sent - answered} answers were due`)),
    );
    socket.on("data", (chunk) => {
      const text = rest + chunk.latin1Slice();
      if (expected !== undefined && !expected.test(text)) reject(new Error(`Unexpected answer: ${text.slice(0, 300)}`));
      let found = 0;
      for (let at = text.indexOf("HTTP/1.1 "); at >= 0; at = text.indexOf("HTTP/1.1 ", at + 9)) found++;
      // Of what follows the last beginning, only a beginning cut in two matters.
      rest = /H?T?T?P?\/?1?\.?1?$/.exec(text.slice(-8))?.[0] ?? "";
      answered += found;
      if (performance.now() < until) send(found);
      else if (answered >= sent) socket.end(() => resolve(answered));
    });
  });
}
