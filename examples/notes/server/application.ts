import { Application, Attribute, ResourceGroup } from "fingerpost";
import type { ApiOf } from "fingerpost/client";
import { postgresRecords } from "fingerpost/stores";
import { mcp } from "fingerpost/mcp";
import { csrf } from "fingerpost/middleware/csrf";
import { log } from "fingerpost/middleware/log";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { requestId } from "fingerpost/middleware/request-id";
import { health } from "fingerpost/node";
import { asyncapi, openapi } from "fingerpost/openapi";
import { sessions, signedIn } from "fingerpost/sessions";
import { Avatar } from "./avatar.ts";
import { Bank, PaymentPaid } from "./bank.ts";
import { Live } from "./live.ts";
import { Note } from "./note.ts";
import { Notes } from "./notes.ts";
import { Page } from "./page.ts";
import { organizationOf, Organizations } from "./organizations.ts";
import { Payment, Payments } from "./payments.ts";
import { User } from "./schemas.ts";
import { SignIn } from "./sign-in.ts";
import { Transfer } from "./transfer.ts";
import { Users } from "./users.ts";
import { me, scopesOf, session } from "./stored-resource.ts";
import type { Services } from "./services.ts";

/** The address of the connection, which the server sets. */
export const address = new Attribute<string>("address");

const about = { title: "Notes", version: "1.0.0", webhooks: [PaymentPaid] };

export function notes(services: Services) {
  const { sql, limiter, checks, sessions: store } = services;
  const agents = mcp({ name: "notes", version: "1.0.0", forwardCookies: true });
  const people = ResourceGroup.builder()
    .resources(Notes, Note, Transfer, Avatar, Live, Payments, Payment, Organizations, organizationOf(services), agents)
    .middleware(signedIn({ session, identity: me, scopesOf }))
    .build();
  // Only attempts count: who is signed in, and leaves, is never refused.
  const limit = rateLimit({ limiter, address }).on("POST");
  const entrance = ResourceGroup.builder().resources(Users, SignIn).middleware(limit).build();
  const everybody = ResourceGroup.builder()
    .resources(entrance, Page, health({ checks }), openapi(about), asyncapi(about))
    .anonymous()
    .build();
  return Application.builder()
    .resources(people, everybody, Bank)
    .middleware(requestId(), log(), csrf(), sessions({ session, schema: User, store }))
    .idempotency({ store: postgresRecords(sql), ownerOf: (call) => String(me.get(call).id), leaseMs: 5_000 })
    .guarded()
    .instantiate((Class) => new Class(services))
    .build();
}

/** The type of the API, for its clients. */
export type Api = ApiOf<ReturnType<typeof notes>>;
