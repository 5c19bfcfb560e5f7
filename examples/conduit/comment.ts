import { reply, type Call } from "fingerpost";
import { z } from "zod";
import { readerOf, signedIn } from "./guards.ts";
import { StoreResource } from "./store-resource.ts";

export class Comment extends StoreResource {
  paths = ["/articles/:slug/comments/:id"] as const;
  static readonly tags = ["Comments"];
  static readonly middleware = [signedIn];

  static DELETE = {
    id: "removeComment",
    path: z.object({ slug: z.string(), id: z.int().max(2 ** 31 - 1) }),
    204: "The comment is removed",
    403: "The comment is somebody else's",
    404: "There is no such comment",
  };
  async DELETE(call: Call<typeof Comment, "DELETE">) {
    const refusal = await this.store.removeComment(call.path.slug, call.path.id, readerOf(call)!);
    if (refusal === null) return reply(204);
    return reply(refusal === "missing" ? 404 : 403);
  }
}
