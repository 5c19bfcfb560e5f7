import { Application, Resource, text } from "fingerpost";
import { client } from "fingerpost/client";
import { expect, it } from "vitest";

it("takes an answer of JSON or text without content for one without content", async () => {
  class Things extends Resource {
    paths = ["/things"] as const;
    static GET = { 200: text(), 204: "None" };
    GET(): string {
      return "";
    }
  }
  const app = Application.builder().resources(Things).build();
  for (const type of ["application/json", "text/plain"]) {
    const fetch = async (): Promise<Response> => new Response(null, { status: 204, headers: { "content-type": type } });
    const { status, content } = await client<typeof app>("http://localhost", { fetch })["/things"].GET();
    expect([status, content]).toEqual([204, undefined]);
  }
});
