import { running } from "../dispatch/runtime-host.ts";
import { originalOf } from "../dispatch/input-exchange.ts";
import { Answer } from "../http/answer/carried-answer.ts";
import { responseOf } from "../http/message/response.ts";
import { keepAccepted, type Accepted, type Wires } from "./accepted.ts";
import { openOnBun } from "./bun-wire.ts";
import { completeOnBun, completeOnDeno } from "./completing.ts";
import { listenTo, type StandardSocket } from "./standard-wire.ts";

/** Accepts a handshake, and returns its answer. The host of its request completes it, once that is the answer. */
export function accept(input: object, handshake: Omit<Accepted, "socket" | "wires">): globalThis.Response {
  const accepted: Accepted = { ...handshake, wires };
  const request = originalOf(input);
  const pair = running.host.pair?.();
  keepAccepted(request, pair === undefined ? accepted : { ...accepted, socket: pair[1] as StandardSocket });
  if (pair === undefined) return responseOf(new Answer(101, [], null));
  const headers = accepted.protocol === "" ? {} : { "sec-websocket-protocol": accepted.protocol };
  return new globalThis.Response(null, { status: 101, headers, webSocket: pair[0] } as ResponseInit);
}

const wires: Wires = { listenTo, openOnBun, completeOnBun, completeOnDeno };
