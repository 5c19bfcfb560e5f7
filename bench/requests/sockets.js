import { Connections } from "../lib/http-client.js";
import { differenceOf } from "./agreement.js";

/** Checks what a server answers to the requests of a row, and returns them with the length of each answer. */
export async function checked(port, requests) {
  const connections = await Connections.open(port, 1);
  try {
    const measured = [];
    for (const request of requests) {
      const answer = await connections.exchange(request.text);
      const difference = differenceOf(request, answer);
      if (difference !== null) throw new Error(`${request.text.slice(0, 60).split("\r\n")[0]}: ${difference}`);
      measured.push({ text: request.text, length: answer.length });
    }
    return measured;
  } finally {
    connections.close();
  }
}
