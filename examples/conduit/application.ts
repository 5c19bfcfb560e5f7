import { Application, ResourceGroup, type ProblemError } from "fingerpost";
import type { ApiOf } from "fingerpost/client";
import { mcp } from "fingerpost/mcp";
import { cors } from "fingerpost/middleware/cors";
import { rateLimit } from "fingerpost/middleware/rate-limit";
import { health } from "fingerpost/node";
import { openapi } from "fingerpost/openapi";
import { z } from "zod";
import { Article } from "./article.ts";
import { Articles } from "./articles.ts";
import { Comment } from "./comment.ts";
import { Comments } from "./comments.ts";
import { CurrentUser } from "./current-user.ts";
import { Favorite } from "./favorite.ts";
import { Feed } from "./feed.ts";
import { Follow } from "./follow.ts";
import { Live } from "./live.ts";
import { Login } from "./login.ts";
import { Page } from "./page.ts";
import { Profile } from "./profile.ts";
import { Tags } from "./tags.ts";
import { Users } from "./users.ts";
import type { Database } from "./database.ts";
import { address, known, trustedHops } from "./guards.ts";
import type { Shared } from "./shared.ts";
import { Store } from "./store.ts";

/** The errors of RealWorld: a list of sentences. */
const failures = z.object({ errors: z.object({ body: z.array(z.string()) }) }).meta({ id: "GenericErrorModel" });
const sentence = ({ pointer, detail }: ProblemError) => `${pointer} ${detail}`;

export function conduit(database: Database, shared: Shared) {
  const store = new Store(database, shared);
  const ready = health({ checks: { database: () => store.ping() } });
  const api = ResourceGroup.builder()
    .resources(Users, Login, CurrentUser, Profile, Follow, mcp({ name: "conduit", version: "1.0.0" }))
    .resources(Articles, Feed, Article, Favorite, Tags, Comments, Comment, Live)
    .prefix("/api")
    .middleware(rateLimit({ limiter: shared.limiter, address, trustedHops }), known)
    .build();
  return Application.builder()
    .resources(api, Page, ready, openapi({ title: "Conduit", version: "1.0.0" }))
    .middleware(cors({ origins: "*" }))
    .instantiate((Class) => new Class(store))
    .problems({
      schema: failures,
      type: "application/json",
      from: ({ title = "", detail = title, errors }) => ({ errors: { body: errors?.map(sentence) ?? [detail] } }),
    })
    .build();
}

/** The type of the API, for its clients. */
export type Api = ApiOf<ReturnType<typeof conduit>>;
