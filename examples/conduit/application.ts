import { Application, ResourceGroup, type ProblemError } from "fingerpost/semantics";
import { cors } from "fingerpost/middleware/cors";
import type { ApiOf } from "fingerpost/client";
import { openapi } from "fingerpost/openapi";
import { z } from "zod";
import { Article, Articles, Favorite, Feed, Tags } from "./articles.ts";
import { Comment, Comments } from "./comments.ts";
import type { Database } from "./database.ts";
import { known } from "./guards.ts";
import { Live } from "./live.ts";
import { Follow, Profile } from "./profiles.ts";
import { Store } from "./store.ts";
import { CurrentUser, Login, Users } from "./users.ts";

/** The errors of RealWorld: a list of sentences. */
const failures = z.object({ errors: z.object({ body: z.array(z.string()) }) }).meta({ id: "GenericErrorModel" });
const sentence = ({ pointer, detail }: ProblemError) => `${pointer} ${detail}`;

export async function conduit(database: Database) {
  const store = await Store.open(database);
  const api = ResourceGroup.builder()
    .resources(Users, Login, CurrentUser, Profile, Follow)
    .resources(Articles, Feed, Article, Favorite, Tags, Comments, Comment, Live)
    .prefix("/api")
    .middleware(known)
    .build();
  return Application.builder()
    .resources(api, ...openapi({ title: "Conduit", version: "1.0.0" }))
    .middleware(cors({ origin: "*" }))
    .instantiate((Class) => new (Class as new (store: Store) => InstanceType<typeof Class>)(store))
    .problems({
      schema: failures,
      type: "application/json",
      from: ({ title = "", detail = title, errors }) => ({
        errors: { body: (errors as readonly ProblemError[] | undefined)?.map(sentence) ?? [detail] },
      }),
    })
    .build();
}

/** The type of the API, for its clients. */
export type Api = ApiOf<Awaited<ReturnType<typeof conduit>>>;
