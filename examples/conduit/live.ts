import { events, type Call } from "fingerpost";
import { lastEventIdOf } from "fingerpost/events";
import { Published } from "./schemas.ts";
import { StoreResource } from "./store-resource.ts";

export class Live extends StoreResource {
  paths = ["/live"] as const;
  static readonly tags = ["Articles"];

  static GET = { id: "live", 200: events(Published) };
  GET({ request, signal }: Call<typeof Live, "GET">) {
    return this.store.published.listen(signal, { after: lastEventIdOf(request) });
  }
}
