import { reply } from "fingerpost";
import { StoreResource } from "./store-resource.ts";

/** What a load balancer asks: whether to send requests here. */
export class Ready extends StoreResource {
  paths = ["/readyz"] as const;
  static readonly tags = ["Operation"];

  static GET = { id: "ready", 204: "The process takes requests", 503: "The process leaves, or its database is away" };
  async GET() {
    return reply((await this.store.isReady()) ? 204 : 503);
  }
}
