import { Tags as AllTags } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Tags extends StoreResource {
  paths = ["/tags"] as const;
  static readonly tags = ["Articles"];

  static GET = { id: "tags", 200: AllTags, tool: { name: "list_tags", description: "Lists all tags" } };
  async GET() {
    return { tags: await this.store.tags() };
  }
}
