import { once } from "node:events";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { native, portOf, started } from "../support/sockets.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("keeps nothing of requests that waited for their turn: the heap is flat after 20,000", async () => {
  let waiting = 0;
  const server = await started(
    native(async ({ signal }) => {
      waiting += Number(!signal.aborted);
      return new Response(null);
    }),
  );
  const socket = connect(portOf(server), "127.0.0.1").setEncoding("latin1");
  async function heapAfter(count: number): Promise<number> {
    for (let sent = 0; sent < count; sent += 100) {
      socket.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n".repeat(100));
      let received = "";
      while (received.split("\r\n\r\n").length <= 100) received += ((await once(socket, "data")) as [string])[0];
    }
    collect();
    return process.memoryUsage().heapUsed;
  }
  const before = await heapAfter(2_000);
  expect((await heapAfter(20_000)) - before).toBeLessThan(4e6);
  expect(waiting).toBe(22_000);
  socket.destroy();
}, 60_000);
