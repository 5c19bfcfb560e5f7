import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bearer } from "../../middleware/bearer.ts";
import {
  Application,
  Attribute,
  HTTPError,
  Middleware,
  patch,
  problem,
  reply,
  Resource,
  ResourceGroup,
  type Answer,
  type Asked,
  type Call,
} from "../../modules/http.semantics.ts";

interface User {
  readonly id: string;
  readonly scopes: readonly string[];
}

const user = new Attribute<User>("user");
const tokens: Record<string, User> = {
  reader: { id: "ada", scopes: ["read"] },
  writer: { id: "bob", scopes: ["read", "write"] },
  nobody: { id: "eve", scopes: [] },
};
const guard = bearer<User>({ tokens, identity: user, scopesOf: ({ scopes }) => scopes });
const optional = bearer<User>({ tokens, optional: true, identity: user, scopesOf: ({ scopes }) => scopes });

async function asked(
  app: { request(path: string, options?: object): Promise<Response> },
  path: string,
  token: string | null,
  options: object = {},
): Promise<Response> {
  return app.request(path, { ...options, headers: token === null ? {} : { authorization: `Bearer ${token}` } });
}

describe("scopes", () => {
  class Tickets extends Resource {
    override paths = ["/tickets"] as const;
    static GET = { scopes: ["read"], 200: z.string() };
    override GET(): string {
      return "tickets";
    }
    static POST = { scopes: ["read", "write"], content: z.object({ title: z.string() }), 204: "Stored" };
    override POST(): void {}
  }
  const app = Application.builder()
    .resources(ResourceGroup.builder().middleware(optional).resources(Tickets).build())
    .build();

  it("RFC 9110 §15.5.2 refuses by 401 with the guard's challenge whom no guard knows", async () => {
    const response = await asked(app, "/tickets", null);
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="default"']);
  });

  it("RFC 6750 §3.1 refuses by 403 with the scopes who lacks one, before content is read", async () => {
    const response = await asked(app, "/tickets", "reader", { method: "POST", body: "{" });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer realm="default", scope="read write", error="insufficient_scope"',
    ]);
  });

  it("lets through who has all, for HEAD as for GET", async () => {
    expect((await asked(app, "/tickets", "reader")).status).toBe(200);
    expect((await asked(app, "/tickets", "reader", { method: "HEAD" })).status).toBe(200);
    expect((await asked(app, "/tickets", "nobody", { method: "HEAD" })).status).toBe(403);
    expect((await asked(app, "/tickets", "writer", { method: "POST", json: { title: "a" } })).status).toBe(204);
  });

  it("answers 405 and OPTIONS before", async () => {
    expect((await asked(app, "/tickets", null, { method: "PUT" })).status).toBe(405);
    expect((await asked(app, "/tickets", null, { method: "OPTIONS" })).status).toBe(204);
  });
});

describe("may", () => {
  class Ticket extends Resource {
    override paths = ["/tickets/:id"] as const;
    static may = ({ path, request }: Asked<typeof Ticket>): boolean => path.id === user.get(request).id;
    static GET = { 200: z.string(), 404: "No ticket has this id" };
    override GET({ path }: Call<typeof Ticket, "GET">): Answer<typeof Ticket, "GET"> {
      return path.id;
    }
  }
  const app = Application.builder()
    .resources(ResourceGroup.builder().middleware(guard).resources(Ticket).build())
    .build();
  it("refuses by 403 and says for whom it is", async () => {
    const refused = await asked(app, "/tickets/bob", "reader");
    expect([refused.status, refused.headers.get("cache-control"), refused.headers.get("vary")]).toEqual([
      403,
      "private",
      "Authorization",
    ]);
    expect((await asked(app, "/tickets/ada", "reader")).status).toBe(200);
  });
});
