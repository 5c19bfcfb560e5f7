import { reply } from "fingerpost/semantics";
import { StoredResource } from "./stored-resource.ts";

/** What a load balancer asks. */
export class Ready extends StoredResource {
  paths = ["/readyz"] as const;

  static GET = {
    summary: "Whether to send requests here",
    204: "The process takes requests",
    503: "The database is away",
  };
  async GET() {
    const isThere = await this.services.sql`select 1`.catch(() => null);
    return reply(isThere ? 204 : 503);
  }
}
