// A handshake is refused exactly where a GET is, by the same steps, and reaches the handler exactly where a GET does.
import fc from "fast-check";
import {
  Application,
  HTTPError,
  Middleware,
  reply,
  Resource,
  ResourceGroup,
  socket,
  Status,
  text,
  type Call,
} from "fingerpost";
import { bearer } from "fingerpost/middleware/bearer";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { targets } from "./generated-targets.ts";
import { holds, timeout } from "./runs.ts";

/** What ran, in order. */
const ran: string[] = [];

class Door extends Middleware {
  override async GET(request: Request): Promise<Response> {
    const key = request.headers.get("x-key");
    ran.push(`door ${key}`);
    if (key === "broken") throw new HTTPError(Status.Forbidden, "No");
    if (key === "closed") return new Response("closed", { status: 423 });
    return this.next(request);
  }
}

const query = z.object({ page: z.coerce.number().int().max(9).optional(), q: z.string().max(3).optional() });
const paths = ["/rooms/:room", "/rooms/:room(\\d+)/talk", "/a/:rest*", "/hall/:lang([a-z]{2})?"] as const;
const shared = { query, 404: "No such room" } as const;

/** The same resource, answering by text or by a WebSocket. */
function resourceBy(answer: "text" | "socket"): typeof Resource {
  class Room extends Resource {
    static override readonly middleware = [Door];
    override paths = paths;
    static GET = {
      ...shared,
      ...(answer === "text" ? { 200: text() } : { 101: socket({ receives: text(), sends: text(), origins: "*" }) }),
    };
    override GET(call: Call<typeof Room, "GET">): never {
      const { path } = call as unknown as { readonly path: Readonly<Record<string, unknown>> };
      ran.push(`handler ${JSON.stringify([path, (call as { query?: unknown }).query])}`);
      if (path["room"] === "none") return reply(404) as never;
      if (path["room"] === "fails") throw new Error("secret");
      return (answer === "text" ? "plain" : reply(101, {})) as never;
    }
  }
  return Room as unknown as typeof Resource;
}

function applicationBy(answer: "text" | "socket"): Application {
  const group = ResourceGroup.builder()
    .resources(resourceBy(answer) as never)
    .middleware(bearer({ tokens: { k7: "Ada" } }))
    .build();
  return Application.builder()
    .resources(group as never)
    .onError(() => {})
    .build() as unknown as Application;
}

const plain = applicationBy("text");
const sockets = applicationBy("socket");
const handshake = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const rooms = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "none", "fails", "7", "%61", "%2e%2e", "a%2fb", "%zz", "", "..", "é") },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }).map(encodeURIComponent) },
);
const shapes = fc.constantFrom(
  "/rooms/R",
  "/rooms/R/talk",
  "/rooms//R",
  "/x/../rooms/R",
  "/a/R/R",
  "/hall/R",
  "/hall",
  "/R",
);
const known = fc.tuple(shapes, rooms).map(([shape, room]) => shape.replaceAll("R", room));
const anyPath = fc.oneof(
  { weight: 4, arbitrary: known },
  { weight: 1, arbitrary: targets.filter((target) => target.startsWith("/") && !target.startsWith("//")) },
);
const queries = fc.constantFrom("", "?page=1", "?page=x", "?page=10", "?q=abcd", "?q=a&q=b", "?%zz=1", "?other=1");
const fields = fc.record(
  {
    authorization: fc.constantFrom(
      "Bearer k7",
      "Bearer k7",
      "Bearer k7",
      "bearer k7",
      "Bearer k8",
      "Basic k7",
      "k7",
      "",
    ),
    "x-key": fc.constantFrom("open", "closed", "broken"),
    cookie: fc.constantFrom("a=1", "a"),
    origin: fc.constantFrom("http://h", "https://evil.example", "null"),
  },
  { requiredKeys: ["authorization"] },
);

interface Outcome {
  readonly status: number;
  readonly challenge: string | null;
  readonly text: string;
  readonly ran: readonly string[];
}

async function outcomeOf(app: Application, url: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  const response = await app.fetch(new Request(url, { headers }));
  const { status } = response;
  const answered = status === 200 || status === 101 ? "" : await response.text();
  return { status, challenge: response.headers.get("www-authenticate"), text: answered, ran: ran.splice(0) };
}

describe("a handshake", () => {
  it("C20.1 is refused exactly where a GET is", { timeout }, async () => {
    const met = new Set<number>();
    await holds(
      fc.asyncProperty(anyPath, queries, fields, async (path, search, sent) => {
        const url = URL.parse(`http://h${path}${search}`)?.href;
        fc.pre(url !== undefined);
        const get = await outcomeOf(plain, url!, sent as Record<string, string>);
        const asked = await outcomeOf(sockets, url!, { ...(sent as Record<string, string>), ...handshake });
        met.add(asked.status);
        expect(asked).toEqual({ ...get, status: get.status === 200 ? 101 : get.status });
      }),
    );
    expect([...met]).toEqual(expect.arrayContaining([101, 400, 401, 403, 404, 423]));
  });
});
