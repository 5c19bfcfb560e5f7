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
    return this.services.database.sql`select 1`.then(
      () => reply(204),
      () => reply(503),
    );
  }
}
