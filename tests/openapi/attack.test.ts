import { once } from "node:events";
import { document, type DescribedApplication, type OpenAPIDocument } from "fingerpost/openapi";
import { serve } from "fingerpost/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { readingList } from "../../examples/quickstart/reading-list.ts";
import { application as quickstart } from "../../examples/quickstart/semantics/application.ts";
import greeting from "../../examples/template-semantics/src/application.ts";
import { holds, runs, timeout } from "../properties/runs.ts";
import { portOf } from "../support/sockets.ts";
import { attacks, Attacked } from "./attack.ts";
import { app } from "./library.ts";

/** A document as a client reads it. */
function read(described: DescribedApplication): OpenAPIDocument {
  return JSON.parse(JSON.stringify(document(described, { title: "Attacked", version: "1.0.0" }))) as OpenAPIDocument;
}

describe("an application under attack by its document", () => {
  it(
    "C10.1 answers what the document says: no 5xx, no undeclared status, no content that its schema refuses",
    async () => {
      const attacked = new Attacked(read(app), app.fetch);
      await holds(attacks(attacked.document, (attack) => attacked.ask(attack)));
      // That the attack gets everywhere.
      if (runs < 2000) return;
      const expected = "200 201 204 304 400 404 406 412 415 422".split(" ");
      const rare = "206 401 403 409 413 416 428".split(" ");
      expect(attacked.statuses).toEqual(expect.arrayContaining(runs < 10_000 ? expected : [...expected, ...rare]));
      // A few thousand random attacks may miss a change that needs the right tag: more of them follow then.
      for (let more = 0; more < 5 && attacked.neverSucceeded.length > 1; more++) {
        await holds(attacks(attacked.document, (attack) => attacked.ask(attack)));
      }
      expect(attacked.neverSucceeded).toEqual(["get /files/{path}"]);
    },
    timeout,
  );

  it(
    "C10.1 answers so over sockets, too: the quickstart",
    async () => {
      const server = await serve(quickstart, { port: 0, hostname: "127.0.0.1" });
      onTestFinished(async () => {
        readingList.reset();
        server.closeAllConnections();
        await once(server.close(), "close");
      });
      const origin = `http://127.0.0.1:${portOf(server)}`;
      const attacked = new Attacked(read(quickstart), fetch, origin);
      let asked = 0;
      await holds(
        attacks(attacked.document, (attack) => {
          // A list that only grows would make each answer slower.
          if (asked++ % 100 === 0) readingList.reset();
          return attacked.ask(attack);
        }),
        overSockets,
      );
      if (overSockets < 500) return;
      const expected = "200 201 303 400 401 404 406 415 422".split(" ");
      expect(attacked.statuses).toEqual(expect.arrayContaining(expected));
      if (overSockets < 10_000) return;
      expect(attacked.statuses).toEqual(expect.arrayContaining(["204", "304", "412", "428"]));
      expect(attacked.neverSucceeded).toEqual([]);
    },
    timeout,
  );

  it(
    "C10.1 answers so: the template with declarations",
    async () => {
      const attacked = new Attacked(read(greeting), greeting.fetch);
      await holds(
        attacks(attacked.document, (attack) => attacked.ask(attack)),
        Math.ceil(runs / 4),
      );
      expect(attacked.statuses).toEqual(expect.arrayContaining(["200", "406"]));
    },
    timeout,
  );
});

/** Sockets take most of the time: all runs are for the night. */
const overSockets = runs < 10_000 ? Math.ceil(runs / 2) : runs;
