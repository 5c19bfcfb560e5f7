import { type Answer } from "fingerpost/semantics";
import { Tags as AllTags } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Tags extends StoreResource {
  paths = ["/tags"] as const;
  static readonly tags = ["Articles"];

  static GET = { id: "tags", 200: AllTags };
  override async GET(): Promise<Answer<typeof Tags, "GET">> {
    return { tags: await this.store.tags() };
  }
}
