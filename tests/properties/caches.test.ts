import fc from "fast-check";
import {
  Application,
  Attribute,
  HTTPError,
  Middleware,
  Resource,
  ResourceGroup,
  reply,
  Status,
  text,
} from "fingerpost";
import { Files, type FileSource } from "fingerpost/files";
import { mount } from "fingerpost/mount";
import { Resource as NativeResource } from "fingerpost/native";
import { sessions, type Session } from "fingerpost/sessions";
import { memorySessions } from "fingerpost/stores";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerOf, SmallCache } from "../support/small-cache.ts";
import { holds, runs, timeout } from "./runs.ts";

// C9.10: whatever decides an answer, no cache gives a user what was for another one.

const users = ["ann", "bob", "nobody"] as const;
type User = (typeof users)[number];

/** What tells users apart: how a request names its user, what the operation declares, and what its guard declares. */
interface Decider {
  readonly fieldsOf: (user: User) => Record<string, string>;
  readonly declared?: object;
  readonly guard?: object;
}

const types = { ann: "text/plain", bob: "text/csv", nobody: "image/png" };
const named = (user: User, fields: Record<string, string>): Record<string, string> => (user === "nobody" ? {} : fields);
const inCookie = (user: User): Record<string, string> => named(user, { cookie: `user=${user}` });
const inField = (user: User): Record<string, string> => named(user, { "x-user": user });
const inAuthorization = (user: User): Record<string, string> => named(user, { authorization: `Bearer ${user}` });

const deciders: Readonly<Record<string, Decider>> = {
  "declared field": { fieldsOf: inField, declared: { headers: z.object({ "X-User": z.string().optional() }) } },
  "declared cookie": { fieldsOf: inCookie, declared: { cookies: z.object({ user: z.string().optional() }) } },
  "guard by field": { fieldsOf: inField, guard: { security: { a: { type: "apiKey", in: "header", name: "X-User" } } } },
  "guard by cookie": { fieldsOf: inCookie, guard: { security: { a: { type: "apiKey", in: "cookie", name: "user" } } } },
  "guard by token": { fieldsOf: inAuthorization, guard: { security: { a: { type: "http", scheme: "bearer" } } } },
  "guard by anything": { fieldsOf: inCookie, guard: { answers: { 401: "Sign in" } } },
  session: { fieldsOf: () => ({}) },
  negotiation: { fieldsOf: (user) => ({ accept: types[user] }) },
};

/** Who makes an answer. Who throws or returns it makes it of some users only; who makes it over has got another one. */
const makers = [
  "reply",
  "handler throws",
  "validator throws",
  "validator replies",
  "guard throws",
  "guard returns",
  "inside throws",
  "inside returns",
  "outside returns",
  "guard makes",
  "inside makes",
  "outside makes",
  "guard makes over",
  "inside makes over",
  "outside makes over",
  "reply with fields",
  "validator with fields",
  "observer",
] as const;

/** What the guards are around. */
const kinds = ["declared", "declared", "declared", "native", "mounted", "files"] as const;

/** The fields of answers that somebody makes who thinks of something else. */
const unthinking: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { "cache-control": "public, max-age=60" },
  { "cache-control": "max-age=60, s-maxage=60" },
  { "cache-control": "max-age=60", vary: "Accept-Language" },
  { "cache-control": "no-cache" },
];

interface Case {
  readonly by: string;
  readonly kind: (typeof kinds)[number];
  readonly fields: Readonly<Record<string, string>>;
  readonly maker: (typeof makers)[number];
  readonly statuses: Readonly<Record<User, number>>;
  readonly cache: string | undefined;
  readonly isShared: boolean;
  readonly isTagged: boolean;
  readonly requests: readonly (readonly [user: User, method: string])[];
}

const statuses = fc.constantFrom(200, 301, 400, 401, 403, 404, 410, 414, 500, 501);
const cases: fc.Arbitrary<Case> = fc.record({
  by: fc.constantFrom(...Object.keys(deciders)),
  kind: fc.constantFrom(...kinds),
  fields: fc.constantFrom(...unthinking),
  maker: fc.constantFrom(...makers),
  statuses: fc.record({ ann: statuses, bob: statuses, nobody: statuses }),
  cache: fc.constantFrom(undefined, undefined, "private, max-age=60", "private, no-cache", "no-store"),
  isShared: fc.boolean(),
  isTagged: fc.boolean(),
  requests: fc.array(fc.tuple(fc.constantFrom(...users), fc.constantFrom("GET", "GET", "HEAD")), {
    minLength: 2,
    maxLength: 6,
  }),
});

const any = text();
const problem = { content: { "text/plain": any, "text/csv": any } };

const assets: FileSource = {
  codings: [],
  find: () => ({
    ...{ length: 1, etag: '"1"', lastModified: null, type: "text/plain", coding: null },
    read: () => new Uint8Array(1),
    close: () => {},
  }),
};

/** An application that says to each user who it is, and for whom the answer is. */
async function applicationOf({ by, kind, maker, fields, statuses: statusOf, cache, isTagged }: Case): Promise<{
  readonly app: Application;
  readonly fieldsOf: (user: User) => Record<string, string>;
}> {
  const { fieldsOf, declared, guard } = deciders[by]!;
  const session = new Attribute<Session<{ user: string }>>("session");
  const userOf = (request: Request): User => {
    if (by === "session") return (session.get(request).data?.user ?? "nobody") as User;
    return (
      users.find((one) => Object.entries(fieldsOf(one)).some(([name, value]) => request.headers.get(name) === value)) ??
      "nobody"
    );
  };
  const failure = (user: User): HTTPError =>
    new HTTPError(
      Object.values(Status).find(({ status }) => status === statusOf[user])!,
      `For ${user}`,
    );
  const isOther = (request: Request): boolean => request.method !== "POST" && statusOf[userOf(request)] !== 200;
  const respond = (request: Request): Response =>
    new Response(`For ${userOf(request)}`, { status: statusOf[userOf(request)], headers: fields });
  const around = (place: string): typeof Middleware =>
    class extends Middleware {
      override ALL(request: Request): Promise<Response> | Response {
        if (request.method === "POST") return this.next(request);
        if (maker === `${place} throws` && isOther(request)) throw failure(userOf(request));
        if (maker === `${place} makes` || (maker === `${place} returns` && isOther(request))) return respond(request);
        const given = this.next(request);
        return maker === `${place} makes over` ? Promise.resolve(given).then(() => respond(request)) : given;
      }
    } as never;
  const isOfHandler = maker === "handler throws" || maker === "observer";
  const refusing = (request: Request) =>
    reply(statusOf[userOf(request)] as 404, { detail: `For ${userOf(request)}` } as never);
  class Thing extends Resource {
    paths = ["/thing"] as const;
    static GET = {
      ...declared,
      ...(cache === undefined ? {} : { cache }),
      200: by === "negotiation" ? problem : any,
      404: by === "negotiation" ? problem : "None",
      ...Object.fromEntries([301, 400, 401, 403, 410, 414, 500, 501].map((status) => [status, "Another"])),
    };
    override GET({ request }: { request: Request }): never {
      if (maker === "reply with fields") {
        const content = `For ${by === "negotiation" ? "all" : userOf(request)}`;
        return reply(200, content, fields) as never;
      }
      if (!isOther(request)) return `For ${by === "negotiation" ? "all" : userOf(request)}` as never;
      if (maker === "reply") {
        const isText = by === "negotiation" && statusOf[userOf(request)] === 404;
        return (isText ? reply(404, "None" as never) : refusing(request)) as never;
      }
      if (isOfHandler) throw failure(userOf(request));
      return "Passed" as never;
    }
  }
  class Tagged extends Thing {
    override validator({ request }: { request: Request }): never {
      if (maker === "validator throws" && isOther(request)) throw failure(userOf(request));
      if (maker === "validator replies" && isOther(request)) return refusing(request) as never;
      const headers = maker === "validator with fields" ? fields : {};
      return { etag: `"${isOther(request) ? "passed" : userOf(request)}"`, headers } as never;
    }
  }
  class Native extends NativeResource {
    paths = ["/thing"] as const;
    override GET(request: Request): Response {
      if (isOfHandler && isOther(request)) throw failure(userOf(request));
      return new Response(`For ${userOf(request)}`, { headers: fields });
    }
    override HEAD(request: Request): Response {
      return this.GET(request);
    }
  }
  const Mounted = mount(["/thing"], (request) => new Native().GET(request));
  class Assets extends Files {
    paths = ["/:path*"] as const;
    source = assets;
  }
  class SignIn extends Resource {
    paths = ["/sign-in/:user"] as const;
    static POST = { 204: "Signed in" };
    override async POST(call: { request: Request; path: { user: string } }): Promise<void> {
      await session.get(call.request).start({ user: call.path.user });
    }
  }
  const Sessions = sessions({ session, schema: z.object({ user: z.string() }), store: memorySessions() });
  const Guard = Object.assign(around("guard"), guard);
  const isAsked = isTagged || maker.startsWith("validator");
  // A handler of another kind says itself what it reads of a request.
  const ofKind = /^(?:guard|session)/.test(by) ? kind : "declared";
  const Asked = { declared: isAsked ? Tagged : Thing, native: Native, mounted: Mounted, files: Assets }[ofKind];
  const group = ResourceGroup.builder()
    .middleware(...([...(by === "session" ? [Sessions] : []), Guard, around("inside")] as never[]))
    .resources(Asked as never, SignIn as never)
    .build();
  const app = Application.builder()
    .resources(group as never)
    // Sessions are further in.
    .middleware(...((by === "session" ? [] : [around("outside")]) as never[]))
    .onError((error, request) =>
      maker === "observer"
        ? new Response(String((error as Error).message), { status: (error as HTTPError).status })
        : request && undefined,
    )
    .build() as unknown as Application;
  if (by !== "session") return { app, fieldsOf };
  const cookies = new Map<User, string>();
  for (const user of ["ann", "bob"] as const) {
    const response = await app.request(`/sign-in/${user}`, { method: "POST" });
    cookies.set(user, response.headers.getSetCookie()[0]!.split(";")[0]!);
  }
  return { app, fieldsOf: (user) => named(user, { cookie: cookies.get(user) ?? "" }) };
}

describe("caches", () => {
  it("C9.10 never give a user what was for another one", { timeout }, async () => {
    const differing = new Set<string>();
    await holds(
      fc.asyncProperty(cases, async (one) => {
        const { app, fieldsOf } = await applicationOf(one);
        // Where each user gets another answer, no shared cache stores it: some do not look at Vary. Native handlers may
        // say `public`.
        const isOpen = one.kind !== "declared" && /public|s-maxage/.test(one.fields["cache-control"] ?? "");
        const heedsVary = !one.isShared || isOpen || !/^(?:guard|session)/.test(one.by);
        const cache = new SmallCache(app.fetch, one.isShared, heedsVary);
        for (const [user, method] of one.requests) {
          const requestOf = (): Request => new Request("http://localhost/thing", { method, headers: fieldsOf(user) });
          const direct = await answerOf(await app.fetch(requestOf()));
          const { status, content } = await cache.ask(requestOf());
          expect(status).toBe(direct.status);
          if (method === "GET") expect(content).toBe(direct.content);
          differing.add(`${one.by} ${direct.status}`);
        }
      }),
      Math.ceil(runs / 2),
    );
    // Each decider has decided about each status.
    expect(differing.size).toBeGreaterThan(Object.keys(deciders).length * 6);
  });
});
