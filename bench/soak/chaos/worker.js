// The Worker of the chaos run: Durable Objects have the payments, and what is known of them.
import { durableRecords, DurableStore } from "../../../dist/state/stores.js";
import { payments } from "./payments.js";

export class Stores extends DurableStore {}

/** Has the payments of all keys. */
export class Bank {
  #sql;
  constructor({ storage }) {
    this.#sql = storage.sql;
    this.#sql.exec("create table if not exists payments (id integer primary key, name text not null)");
  }
  async fetch(request) {
    if (request.method === "GET") return Response.json(this.#sql.exec("select id, name from payments").toArray());
    const text = "insert into payments (name) values (?) returning id";
    return Response.json(this.#sql.exec(text, await request.text()).toArray()[0].id);
  }
}

let app;

export default {
  fetch(request, { STORES, BANK }) {
    const bank = BANK.get(BANK.idFromName("bank"));
    if (request.method === "GET") return bank.fetch(request);
    app ??= payments(durableRecords(STORES), async (call, answer) => {
      const paid = await BANK.get(BANK.idFromName("bank")).fetch("https://bank/", {
        method: "POST",
        body: call.content.name,
      });
      return answer(await paid.json());
    });
    return app.fetch(request);
  },
};
