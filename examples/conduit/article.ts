import { reply, type Call } from "fingerpost";
import { missing, owned, statusOf } from "./article-answers.ts";
import { readerOf, signedIn } from "./guards.ts";
import { ArticleChange, OneArticle } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Article extends StoreResource {
  paths = ["/articles/:slug"] as const;
  static readonly tags = ["Articles"];
  static readonly middleware = [signedIn.on("PUT", "DELETE")];

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
    if (article === "missing" || article === "forbidden") return reply(statusOf[article]);
    return "taken" in article ? reply(404) : { article };
  }

  static DELETE = { id: "removeArticle", 204: "The article is removed", ...owned };
  async DELETE(call: Call<typeof Article, "DELETE">) {
    const refusal = await this.store.removeArticle(call.path.slug, readerOf(call)!);
    return refusal === "missing" || refusal === "forbidden" ? reply(statusOf[refusal]) : reply(204);
  }
}
