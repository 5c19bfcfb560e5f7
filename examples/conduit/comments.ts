import { reply, Resource, type Answer, type Call } from "fingerpost/semantics";
import { z } from "zod";
import { readerOf, signedIn } from "./guards.ts";
import { Comments as AllComments, NewComment, OneComment } from "./schemas.ts";
import type { Store } from "./store.ts";

export class Comments extends Resource {
  paths = ["/articles/:slug/comments"] as const;
  static readonly tags = ["Comments"];
  static readonly middleware = [signedIn.on("POST")];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static GET = { id: "comments", 200: AllComments, 404: "No article has this slug" };
  override async GET(call: Call<typeof Comments, "GET">): Promise<Answer<typeof Comments, "GET">> {
    const comments = await this.#store.comments(call.path.slug, readerOf(call));
    return comments === undefined ? reply(404) : { comments };
  }

  static POST = { id: "addComment", content: NewComment, 200: OneComment, 404: "No article has this slug" };
  override async POST(call: Call<typeof Comments, "POST">): Promise<Answer<typeof Comments, "POST">> {
    const comment = await this.#store.addComment(call.path.slug, readerOf(call)!, call.content.comment.body);
    return comment === undefined ? reply(404) : { comment };
  }
}

export class Comment extends Resource {
  paths = ["/articles/:slug/comments/:id"] as const;
  static readonly tags = ["Comments"];
  static readonly middleware = [signedIn];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static DELETE = {
    id: "removeComment",
    path: z.object({ slug: z.string(), id: z.int().max(2 ** 31 - 1) }),
    204: "The comment is removed",
    403: "The comment is somebody else's",
    404: "There is no such comment",
  };
  override async DELETE(call: Call<typeof Comment, "DELETE">): Promise<Answer<typeof Comment, "DELETE">> {
    const refusal = await this.#store.removeComment(call.path.slug, call.path.id, readerOf(call)!);
    if (refusal === null) return reply(204);
    return reply(refusal === "missing" ? 404 : 403);
  }
}
