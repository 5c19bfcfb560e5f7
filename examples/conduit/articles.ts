import { reply, Resource, type Answer, type Call } from "fingerpost/semantics";
import { readerOf, signedIn } from "./guards.ts";
import {
  ArticleChange,
  Articles as Page,
  Filter,
  NewArticle,
  OneArticle,
  Page as Paging,
  Tags as AllTags,
} from "./schemas.ts";
import type { Store } from "./store.ts";

const missing = { 404: "No article has this slug" };
const owned = { ...missing, 403: "The article is somebody else's" };
const statusOf = { missing: 404, forbidden: 403 } as const;

abstract class OfStore extends Resource {
  static readonly tags = ["Articles"];
  protected readonly store: Store;
  constructor(store: Store) {
    super();
    this.store = store;
  }
}

export class Articles extends OfStore {
  paths = ["/articles"] as const;
  static readonly middleware = [signedIn.on("POST")];

  static GET = { id: "articles", query: Filter, 200: Page };
  override GET(call: Call<typeof Articles, "GET">): Promise<Answer<typeof Articles, "GET">> {
    return this.store.articles(call.query, readerOf(call));
  }

  static POST = { id: "publish", content: NewArticle, 201: OneArticle };
  override async POST(call: Call<typeof Articles, "POST">): Promise<Answer<typeof Articles, "POST">> {
    return reply(201, { article: await this.store.addArticle(readerOf(call)!, call.content.article) });
  }
}

export class Feed extends OfStore {
  paths = ["/articles/feed"] as const;
  static readonly middleware = [signedIn];

  static GET = { id: "feed", query: Paging, 200: Page };
  override GET(call: Call<typeof Feed, "GET">): Promise<Answer<typeof Feed, "GET">> {
    const reader = readerOf(call)!;
    return this.store.articles({ ...call.query, follower: reader }, reader);
  }
}

export class Article extends OfStore {
  paths = ["/articles/:slug"] as const;
  static readonly middleware = [signedIn.on("PUT", "DELETE")];

  static GET = { id: "article", 200: OneArticle, ...missing };
  override async GET(call: Call<typeof Article, "GET">): Promise<Answer<typeof Article, "GET">> {
    const article = await this.store.article(call.path.slug, readerOf(call));
    return article === undefined ? reply(404) : { article };
  }

  static PUT = { id: "changeArticle", content: ArticleChange, 200: OneArticle, ...owned };
  override async PUT(call: Call<typeof Article, "PUT">): Promise<Answer<typeof Article, "PUT">> {
    const article = await this.store.changeArticle(call.path.slug, readerOf(call)!, call.content.article);
    if (article === "missing" || article === "forbidden") return reply(statusOf[article]);
    return "taken" in article ? reply(404) : { article };
  }

  static DELETE = { id: "removeArticle", 204: "The article is removed", ...owned };
  override async DELETE(call: Call<typeof Article, "DELETE">): Promise<Answer<typeof Article, "DELETE">> {
    const refusal = await this.store.removeArticle(call.path.slug, readerOf(call)!);
    return refusal === "missing" || refusal === "forbidden" ? reply(statusOf[refusal]) : reply(204);
  }
}

export class Favorite extends OfStore {
  paths = ["/articles/:slug/favorite"] as const;
  static readonly middleware = [signedIn];

  static POST = { id: "favorite", 200: OneArticle, ...missing };
  override async POST(call: Call<typeof Favorite, "POST">): Promise<Answer<typeof Favorite, "POST">> {
    const article = await this.store.favorite(call.path.slug, readerOf(call)!, true);
    return article === undefined ? reply(404) : { article };
  }

  static DELETE = { id: "unfavorite", 200: OneArticle, ...missing };
  override async DELETE(call: Call<typeof Favorite, "DELETE">): Promise<Answer<typeof Favorite, "DELETE">> {
    const article = await this.store.favorite(call.path.slug, readerOf(call)!, false);
    return article === undefined ? reply(404) : { article };
  }
}

export class Tags extends OfStore {
  paths = ["/tags"] as const;

  static GET = { id: "tags", 200: AllTags };
  override async GET(): Promise<Answer<typeof Tags, "GET">> {
    return { tags: await this.store.tags() };
  }
}
