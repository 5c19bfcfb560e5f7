import { postgresSessions, sessionStoreCases, type PostgresSessions } from "fingerpost/stores";
import { afterAll, beforeAll, describe, it } from "vitest";
import { clients, type Database } from "./databases.ts";

// Set by scripts/check/postgres-tests.js, which starts a server and installs what is needed.
const url = process.env["POSTGRES_URL"];

describe.skipIf(url === undefined)(
  "postgresSessions() with PostgreSQL (run by scripts/check/postgres-tests.js)",
  () => {
    describe.each(clients)("by $name", ({ open }) => {
      let database: Database<object>;
      let store: PostgresSessions;
      beforeAll(async () => {
        database = await open();
        store = postgresSessions(database.tag as never, database.options);
        await Promise.all([store.create(), store.create()]);
      }, 60_000);
      afterAll(() => database.end());

      it.each(sessionStoreCases)("$name", ({ run }) => run(store));
    });
  },
);
