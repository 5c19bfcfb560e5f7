import { reply, urlOf, type Call } from "fingerpost";
import { z } from "zod";
import { Id, Payment as PaymentSchema } from "./schemas.ts";
import { me, StoredResource } from "./stored-resource.ts";

type Row = z.output<typeof PaymentSchema>;

export class Payments extends StoredResource {
  paths = ["/payments"] as const;

  static POST = {
    summary: "Asks the bank for a payment, once for each key",
    scopes: ["payments:write"],
    idempotency: true,
    content: z.object({ cents: z.int().min(1).max(1_000_000) }),
    201: PaymentSchema,
  };
  POST(call: Call<typeof Payments, "POST">) {
    return this.services.transaction(async (sql) => {
      const [payment] = await sql<Row>`
        insert into payments (owner, cents) values (${me.get(call).id}, ${call.content.cents}) returning id, cents, paid`;
      return call.idempotency.commit(
        sql,
        reply(201, payment!, { Location: urlOf(call, Payment, { id: payment!.id }) }),
      );
    });
  }
}

export class Payment extends StoredResource {
  paths = ["/payments/:id"] as const;

  static GET = {
    summary: "A payment, and whether the bank has it",
    path: Id,
    200: PaymentSchema,
    404: "You have no such payment",
  };
  async GET(call: Call<typeof Payment, "GET">) {
    const [payment] = await this.services.sql<Row>`
      select id, cents, paid from payments where id = ${call.path.id} and owner = ${me.get(call).id}`;
    return payment ?? reply(404);
  }
}
