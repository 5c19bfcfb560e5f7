import { reply, type Call } from "fingerpost";
import { after } from "fingerpost/after";
import { memoryRecords } from "fingerpost/stores";
import { sendWebhook, Webhook, verifyWebhook } from "fingerpost/webhooks";
import { z } from "zod";
import { Payment } from "./schemas.ts";
import { BANK_SECRET, SHOP_SECRET, SHOP_URL } from "./settings.ts";
import { StoredResource } from "./stored-resource.ts";

/** What the application sends when a payment is there. */
export class PaymentPaid extends Webhook {
  static readonly event = "payment.paid";
  static readonly POST = { content: Payment };
}

/** Where the bank says that a payment is there: signed, so that nobody else can. */
export class Bank extends StoredResource {
  paths = ["/webhooks/bank"] as const;
  static readonly middleware = [verifyWebhook({ scheme: "standard", secrets: [BANK_SECRET], store: memoryRecords() })];

  static POST = { summary: "A payment is there", content: z.object({ payment: z.int() }), 204: "It is noted" };
  async POST(call: Call<typeof Bank, "POST">) {
    const [content] = await this.services.sql<z.output<typeof Payment>>`
      update payments set paid = true where id = ${call.content.payment} and not paid returning id, cents, paid`;
    const to = { url: SHOP_URL, secrets: [SHOP_SECRET], allowPrivate: true };
    if (content && SHOP_URL) after(call, () => sendWebhook(PaymentPaid, { ...to, content, id: `paid-${content.id}` }));
    return reply(204);
  }
}
