import { memoryRecords } from "fingerpost/stores";
import { describe, expect, it } from "vitest";
import { text } from "../declaration/raw-content.ts";
import { reply } from "../declaration/reply.ts";
import { Application } from "../semantics-application.ts";
import { Resource } from "../semantics-resource.ts";

describe("LineWrite", () => {
  it("keeps the fields, the length and the text of a plain answer", async () => {
    class Order extends Resource {
      override paths = ["/"];
      static POST = { idempotency: true, 200: text(), 204: "Nothing" } as const;
      override POST({ request }: { request: Request }): unknown {
        return request.headers.has("x-empty") ? reply(204) : reply(200, "Kö", { "x-own": "1" });
      }
    }
    const app = Application.builder()
      .resources(Order as never)
      .idempotency({ store: memoryRecords(), ownerOf: () => "all" })
      .build();
    const answerTo = async (headers: Record<string, string>): Promise<unknown[]> => {
      const response = await app.request("/", { method: "POST", headers });
      const fields = ["content-type", "x-own", "content-length", "idempotent-replayed"];
      return [response.status, await response.text(), ...fields.map((name) => response.headers.get(name))];
    };
    const key = { "idempotency-key": "a" };
    const whole = [200, "Kö", "text/plain;charset=utf-8", "1"];
    expect((await answerTo(key)).slice(0, 4)).toEqual(whole);
    expect(await answerTo(key)).toEqual([...whole, "3", "true"]);
    const empty = { "idempotency-key": "b", "x-empty": "1" };
    expect(await answerTo(empty)).toEqual([204, "", null, null, null, null]);
    expect(await answerTo(empty)).toEqual([204, "", null, null, null, "true"]);
  });
});
