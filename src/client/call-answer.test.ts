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

it.each(["text/html", ""])("refuses an answer of the type %j, which nobody asked for", async (type) => {
  class Things extends Resource {
    paths = ["/things"] as const;
    static GET = { 200: text() };
    GET(): string {
      return "";
    }
  }
  const app = Application.builder().resources(Things).build();
  const fetch = async (): Promise<Response> => {
    const response = new Response("<p>", { headers: { "content-type": type } });
    if (type === "") response.headers.delete("content-type");
    return response;
  };
  await expect(client<typeof app>("http://localhost", { fetch })["/things"].GET()).rejects.toThrow("Cannot use");
});

it("takes an empty body of text for no content", async () => {
  class Things extends Resource {
    paths = ["/things"] as const;
    static GET = { 200: text() };
    GET(): string {
      return "";
    }
  }
  const app = Application.builder().resources(Things).build();
  for (const type of ["text/plain", "image/png"]) {
    const fetch = async (): Promise<Response> => new Response("", { headers: { "content-type": type } });
    const { content } = await client<typeof app>("http://localhost", { fetch })["/things"].GET();
    expect(content).toBe(undefined);
  }
});
