import { connect, type Socket } from "node:net";
import { faults, type Fault } from "./faults.ts";

/** What a client saw of a server. */
interface Seen {
  readonly statuses: readonly number[];
  /** Whether the last answer was all there. */
  readonly isWhole: boolean;
  readonly text: string;
  /** Whether the server had not closed the connection in time. */
  readonly isHung: boolean;
}

const patienceMs = 20_000;

export interface Result {
  requests: number;
  readonly faults: string[];
}

/** Causes each fault a number of times, many at once, and says what a client saw that it must not see. */
export async function cause(
  ports: { native: number; polyfill: number },
  times: number,
  atOnce: number = 32,
): Promise<Result> {
  const result: Result = { requests: 0, faults: [] };
  for (const [number, fault] of faults.entries()) {
    for (const chain of ["native", "polyfill"] as const) {
      if (fault.bytes === undefined && fault[chain] === undefined) continue;
      let left = times;
      const worker = async (): Promise<void> => {
        while (left-- > 0) {
          const seen = await exchange(ports[chain], fault, number);
          result.requests++;
          const problem = problemOf(fault, seen);
          if (problem !== null) result.faults.push(`${chain}: ${fault.name}: ${problem}`);
        }
      };
      await Promise.all(Array.from({ length: Math.min(times, atOnce) }, worker));
      const fine = await exchange(ports[chain], { name: "fine", bytes: fineBytes, expect: 200 }, -1);
      if (fine.statuses[0] !== 200) result.faults.push(`${chain}: after "${fault.name}" the server does not answer`);
    }
  }
  return result;
}

const fineBytes = "GET /fine HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

function problemOf({ expect }: Fault, { statuses, isWhole, text, isHung }: Seen): string | null {
  if (isHung) return `the connection hung, after ${JSON.stringify(text.slice(0, 100))}`;
  if (/secret|observer|\.[jt]s:\d/.test(text)) return `something leaked: ${JSON.stringify(text.slice(0, 200))}`;
  if (expect === "none") return null;
  if (expect === "broken") {
    return statuses.length > 1 || isWhole ? `a whole answer: ${JSON.stringify(text.slice(0, 200))}` : null;
  }
  const expected = typeof expect === "number" ? [expect] : expect;
  if (statuses.join() === expected.join() && isWhole) return null;
  return `${statuses.join()}${isWhole ? "" : ", broken off"}; expected ${expected.join()}`;
}

function exchange(port: number, fault: Fault, number: number): Promise<Seen> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let text = "";
    let isHung = false;
    const timer = setTimeout(() => {
      isHung = true;
      socket.destroy();
    }, patienceMs);
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      if (fault.behavior === "leaves at the head") socket.destroy();
    });
    // A reset is one of the ways in which an answer is broken off.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ ...read(text, fault.method === "HEAD"), text, isHung });
    });
    socket.on("connect", () => send(socket, fault, number));
  });
}

function send(socket: Socket, { method = "GET", content, behavior, bytes }: Fault, number: number): void {
  if (bytes !== undefined) {
    socket.write(bytes, "latin1", () => {
      if (behavior === "leaves at once") setImmediate(() => socket.destroy());
    });
    return;
  }
  const length = behavior === "sends half" ? 100_000 : Buffer.byteLength(content ?? "");
  const head = `${method} /fault/${number} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n`;
  const fields = method === "POST" ? `Content-Length: ${length}\r\n\r\n` : "\r\n";
  if (behavior === "sends slowly") {
    socket.write(head + fields);
    for (const [at, character] of [...content!].entries()) setTimeout(() => socket.write(character), 3 * at);
    return;
  }
  socket.write(head + fields + (behavior === "sends half" ? "x".repeat(1000) : (content ?? "")), "latin1", () => {
    if (behavior === "leaves at once") setTimeout(() => socket.destroy(), 1);
    if (behavior === "sends half") setTimeout(() => socket.destroy(), 3);
  });
}

/** Reads the answers from what came in: by the framing that they announce. */
function read(text: string, isHead: boolean): { statuses: number[]; isWhole: boolean } {
  const statuses: number[] = [];
  let rest = text;
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^]*?\r\n\r\n/.exec(rest);
    if (head === null) return { statuses, isWhole: rest === "" && statuses.length > 0 };
    statuses.push(Number(head[1]));
    const body = rest.slice(head[0].length);
    const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head[0]);
    let end = 0;
    if (isHead || /^[123](?:04|\d\d(?<=304))/.test(head[1]!)) end = 0;
    else if (/\r\ntransfer-encoding: chunked\r\n/i.test(head[0])) {
      end = body.indexOf("0\r\n\r\n") + 5;
      if (end < 5) return { statuses, isWhole: false };
    } else end = length === null ? body.length : Number(length[1]);
    if (body.length < end) return { statuses, isWhole: false };
    rest = body.slice(end);
    if (rest === "") return { statuses, isWhole: true };
  }
}
