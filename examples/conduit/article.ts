import { reply, type Asked, type Call } from "fingerpost";
import { missing } from "./article-answers.ts";
import { readerOf } from "./guards.ts";
import { ArticleChange, OneArticle } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

const owned = {
  ...missing,
  403: "The article is somebody else's",
  scopes: ["user"],
  // An article that is not there is the handler's to miss.
  may: async ({ path, request, resource }: Asked<typeof Article>) =>
    [undefined, readerOf(request)].includes(await resource.store.authorOf(path.slug)),
};

export class Article extends StoreResource {
  paths = ["/articles/:slug"] as const;
  static readonly tags = ["Articles"];

  static GET = {
    id: "article",
    200: OneArticle,
    ...missing,
    tool: { name: "read_article", description: "Reads an article by its slug" },
  };
  async GET(call: Call<typeof Article, "GET">) {
    const article = await this.store.article(call.path.slug, readerOf(call));
    return article === undefined ? reply(404) : { article };
  }

  static PUT = { id: "changeArticle", content: ArticleChange, 200: OneArticle, ...owned };
  async PUT(call: Call<typeof Article, "PUT">) {
    const article = await this.store.changeArticle(call.path.slug, readerOf(call)!, call.content.article);
    return article === undefined ? reply(404) : { article };
  }

  static DELETE = { id: "removeArticle", 204: "The article is removed", ...owned };
  async DELETE(call: Call<typeof Article, "DELETE">) {
    return reply((await this.store.removeArticle(call.path.slug, readerOf(call)!)) ? 204 : 404);
  }
}
