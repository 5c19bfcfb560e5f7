import { type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { Articles as Page, Page as Paging } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Feed extends StoreResource {
  paths = ["/articles/feed"] as const;
  static readonly tags = ["Articles"];

  static GET = { id: "feed", scopes: ["user"], query: Paging, 200: Page };
  GET(call: Call<typeof Feed, "GET">) {
    const reader = readerOf(call)!;
    return this.store.articles({ ...call.query, follower: reader }, reader);
  }
}
