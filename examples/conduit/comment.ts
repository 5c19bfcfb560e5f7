import { reply, type Asked, type Call } from "fingerpost";
import { z } from "zod";
import { readerOf } from "./guards.ts";
import { StoreResource } from "./store-resource.ts";

export class Comment extends StoreResource {
  paths = ["/articles/:slug/comments/:id"] as const;
  static readonly tags = ["Comments"];

  static DELETE = {
    id: "removeComment",
    path: z.object({ slug: z.string(), id: z.int().max(2 ** 31 - 1) }),
    204: "The comment is removed",
    403: "The comment is somebody else's",
    404: "There is no such comment",
    scopes: ["user"],
    // A comment that is not there is the handler's to miss.
    may: async ({ path, request, resource }: Asked<typeof Comment>) =>
      [undefined, readerOf(request)].includes(await resource.store.commenterOf(path.slug, Number(path.id))),
  };
  async DELETE(call: Call<typeof Comment, "DELETE">) {
    return reply((await this.store.removeComment(call.path.slug, call.path.id, readerOf(call)!)) ? 204 : 404);
  }
}
