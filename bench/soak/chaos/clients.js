// Clients of the chaos run, each of which repeats a payment until it is answered, and counts what it saw.
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** How long an answer may take. Stores have two seconds for each question, and stand still for at most three. */
const hangingMs = 20_000;

/** Sends a payment once. Returns the answer, null where the process ended, or "hanging". */
async function pay(port, name) {
  const headers = { "content-type": "application/json", "idempotency-key": name };
  const signal = AbortSignal.timeout(hangingMs);
  try {
    return await new Promise((resolve, reject) => {
      const sent = request({
        port,
        host: "127.0.0.1",
        path: "/payments",
        method: "POST",
        headers,
        agent: false,
        signal,
      });
      sent.once("error", reject);
      sent.once("response", (response) => {
        const { statusCode: status, headers: fields } = response;
        text(response).then((content) => resolve({ status, content, retryAfter: fields["retry-after"] }), reject);
      });
      sent.end(JSON.stringify({ name }));
    });
  } catch {
    return signal.aborted ? "hanging" : null;
  }
}

/** Pays until `isOver()`, each payment with a name of its own, by any of the ports. */
export class Clients {
  /** The answers of payments, by their names. */
  answers = new Map();
  /** How many tries came to nothing, by what became of them. */
  tries = { broken: 0, hanging: 0, refused: 0, failed: 0 };
  #ports;
  #next = 0;

  constructor(ports) {
    this.#ports = ports;
  }

  async run(count, isOver) {
    const work = async () => {
      while (!isOver()) {
        const name = `payment-${this.#next++}`;
        this.answers.set(name, null);
        this.answers.set(name, await this.paid(name));
      }
    };
    await Promise.all(Array.from({ length: count }, work));
  }

  /** Repeats a payment until it has its answer. */
  async paid(name) {
    for (;;) {
      const answer = await pay(this.#ports[Math.floor(Math.random() * this.#ports.length)], name);
      if (answer?.status === 201) return answer.content;
      if (answer === null) this.tries.broken++;
      else if (answer === "hanging") this.tries.hanging++;
      else if (answer.status === 409 || answer.status === 503) this.tries.refused++;
      else if (answer.status === 500) this.tries.failed++;
      else throw new Error(`chaos: ${name} was answered by ${answer.status} ${answer.content}`);
      // Clients that wait as long as they are told would leave little to kill.
      await wait(answer === null ? 50 : 250 * Math.random());
    }
  }
}
