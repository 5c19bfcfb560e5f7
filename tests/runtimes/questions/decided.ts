// The decision table over the sockets of a runtime's own server.
import assert from "node:assert/strict";
import { declarations, type Decision } from "../../cases/decision.ts";
import { decisions } from "../../cases/decisions.ts";
import { departureOf } from "../../support/decided.ts";
import type { Server } from "../driver/servers.ts";
import type { Question } from "./question.ts";

/** Which rows get as far as an application. Servers answer some themselves, or drop content that has no meaning. */
const arrives: Readonly<Record<Server["kind"], (row: Decision) => boolean>> = {
  node: () => true,
  srvx: () => true,
  bun: ({ method, content }) => method !== "CONNECT" || content === null,
  deno: ({ method, content }) => method !== "CONNECT" && (method !== "TRACE" || content === null),
  workerd: ({ method, content }) =>
    /^(?:DELETE|OPTIONS|PATCH|POST|PUT|QUERY)$/.test(method) ||
    (/^(?:GET|HEAD|TRACE)$/.test(method) && content === null),
};

/** On Bun and Deno, the line leaves the length of an answer to their servers (decision 158). */
const counted: Question = {
  name: "the decision table: an answer of text has its length",
  async ask(asker) {
    for (const target of ["/query?n=5", "/nothing/here"]) {
      const { content, fields } = await asker.ask({ method: "GET", target });
      assert(content.length > 0);
      const framing = fields.filter(([name]) => /^(?:content-length|transfer-encoding)$/.test(name));
      assert.deepEqual(framing, [["content-length", String(content.length)]]);
    }
  },
};

/** One question for each declaration: what the table says of it. */
export const decided: readonly Question[] = [counted, ...declarations.map(tableOf)];

function tableOf(declaration: string): Question {
  return {
    name: `the decision table: ${declaration}`,
    async ask(asker) {
      const departures: (string | null)[] = [];
      for (const row of decisions) {
        if (row.declaration !== declaration || !arrives[asker.server.kind](row)) continue;
        const { method, target, headers, content } = row;
        const reply = await asker.ask({ method, target, fields: headers, ...(content === null ? {} : { content }) });
        const field = (wanted: string): string | null => {
          const values = reply.fields.filter(([name]) => name === wanted).map(([, value]) => value);
          return values.length === 0 ? null : values.join(", ");
        };
        departures.push(departureOf(row, { status: reply.status, field, text: reply.content.toString("latin1") }));
      }
      assert(departures.length > 0);
      assert.deepEqual(
        departures.filter((one) => one !== null),
        [],
      );
    },
  };
}
