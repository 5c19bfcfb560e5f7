// The decision table over sockets: methods that a `Request` cannot carry, and content of methods that have none, too.
import { METHODS } from "node:http";
import { describe, expect, it } from "vitest";
import { declarations, tenMethods, type Decision } from "../cases/decision.ts";
import { decisionsApplication } from "../cases/decisions-application.ts";
import { decisions } from "../cases/decisions.ts";
import { exchange } from "../security/raw.ts";
import { departureOf } from "../support/decided.ts";
import { rawAnswerOf } from "../support/raw-answer.ts";
import { started } from "../support/sockets.ts";

/** The bytes of a row's request, as characters of Latin-1. */
function bytesOf({ method, target, headers, content }: Decision): string {
  const body = content === null ? null : Buffer.from(content).toString("latin1");
  const length = body === null ? [] : [`Content-Length: ${body.length}`];
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`${method} ${target} HTTP/1.1`, "Host: localhost", "Connection: close", ...length, ...fields];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

// Node's parser knows some methods, and refuses others before anything of ours sees them.
const asked = decisions.filter(({ method }) => METHODS.includes(method));

describe("the decision table over sockets", () => {
  it.each(declarations)("C9.7 decides by what is declared: %s", async (declaration) => {
    const server = await started(decisionsApplication());
    const departures: (string | null)[] = [];
    for (const row of asked) {
      if (row.declaration !== declaration) continue;
      departures.push(departureOf(row, rawAnswerOf(await exchange(server, bytesOf(row)))));
    }
    expect(departures.length).toBeGreaterThan(0);
    expect(departures.filter((one) => one !== null)).toEqual([]);
  });

  it("C9.3 answers HEAD with the fields of GET, its length among them", async () => {
    const server = await started(decisionsApplication(tenMethods.filter((method) => method !== "HEAD")));
    const departures: string[] = [];
    const targets = new Set<string>();
    for (const row of decisions) {
      // RFC 9110 §14.2: Range is defined for GET alone.
      if (row.method !== "GET" || Object.hasOwn(row.headers, "range") || row.content !== null) continue;
      targets.add(row.target);
      const fieldsOf = async (method: string): Promise<string> => {
        const [head = ""] = (await exchange(server, bytesOf({ ...row, method }))).split("\r\n\r\n");
        return head
          .replace(/\r\ndate:[^\r]*/i, "")
          .split("\r\n")
          .toSorted()
          .join("\n");
      };
      const [head, get] = [await fieldsOf("HEAD"), await fieldsOf("GET")];
      if (head !== get) departures.push(`${row.target} ${JSON.stringify(row.headers)}:\n${head}\ninstead of\n${get}`);
    }
    expect(targets.size).toBeGreaterThan(20);
    expect(departures).toEqual([]);
  });

  it("C9.7 asks for CONNECT and TRACE here", () => {
    for (const method of ["CONNECT", "TRACE"]) {
      expect(asked.filter((row) => row.method === method).length, method).toBeGreaterThan(50);
    }
  });
});
