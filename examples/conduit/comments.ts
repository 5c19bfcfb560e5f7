import { reply, type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { Comments as AllComments, NewComment, OneComment } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Comments extends StoreResource {
  paths = ["/articles/:slug/comments"] as const;
  static readonly tags = ["Comments"];

  static GET = {
    id: "comments",
    200: AllComments,
    404: "No article has this slug",
    tool: { name: "list_comments", description: "Lists the comments on an article" },
  };
  async GET(call: Call<typeof Comments, "GET">) {
    const comments = await this.store.comments(call.path.slug, readerOf(call));
    return comments === undefined ? reply(404) : { comments };
  }

  static POST = {
    id: "addComment",
    scopes: ["user"],
    content: NewComment,
    200: OneComment,
    404: "No article has this slug",
    tool: { name: "add_comment", description: "Comments on an article", destructive: false },
  };
  async POST(call: Call<typeof Comments, "POST">) {
    const comment = await this.store.addComment(call.path.slug, readerOf(call)!, call.content.comment.body);
    return comment === undefined ? reply(404) : { comment };
  }
}
