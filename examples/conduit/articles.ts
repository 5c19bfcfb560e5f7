import { reply, type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { Articles as Page, Filter, NewArticle, OneArticle } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Articles extends StoreResource {
  paths = ["/articles"] as const;
  static readonly tags = ["Articles"];

  static GET = {
    id: "articles",
    query: Filter,
    200: Page,
    tool: { name: "list_articles", description: "Lists articles without their text, the latest first" },
  };
  GET(call: Call<typeof Articles, "GET">) {
    return this.store.articles(call.query, readerOf(call));
  }

  static POST = {
    id: "publish",
    scopes: ["user"],
    content: NewArticle,
    201: OneArticle,
    tool: { name: "publish_article", description: "Publishes an article", destructive: false },
  };
  async POST(call: Call<typeof Articles, "POST">) {
    return reply(201, { article: await this.store.addArticle(readerOf(call)!, call.content.article) });
  }
}
