import { reply, type Call } from "fingerpost";
import { missing } from "./article-answers.ts";
import { readerOf } from "./guards.ts";
import { OneArticle } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Favorite extends StoreResource {
  paths = ["/articles/:slug/favorite"] as const;
  static readonly tags = ["Articles"];

  static POST = { id: "favorite", scopes: ["user"], 200: OneArticle, ...missing };
  async POST(call: Call<typeof Favorite, "POST">) {
    const article = await this.store.favorite(call.path.slug, readerOf(call)!, true);
    return article === undefined ? reply(404) : { article };
  }

  static DELETE = { id: "unfavorite", scopes: ["user"], 200: OneArticle, ...missing };
  async DELETE(call: Call<typeof Favorite, "DELETE">) {
    const article = await this.store.favorite(call.path.slug, readerOf(call)!, false);
    return article === undefined ? reply(404) : { article };
  }
}
