import { reply } from "fingerpost";
import { StoredResource } from "./stored-resource.ts";

/** What a load balancer asks. */
export class Ready extends StoredResource {
  paths = ["/readyz"] as const;

  static GET = {
    summary: "Whether to send requests here",
    204: "The process takes requests",
    503: "A store is away",
  };
  async GET() {
    return reply((await this.services.isReady().catch(() => null)) ? 204 : 503);
  }
}
