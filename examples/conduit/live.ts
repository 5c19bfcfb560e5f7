import { lastEventIdOf } from "fingerpost/content/events";
import { events, Resource, type Answer, type Call } from "fingerpost/semantics";
import { Published } from "./schemas.ts";
import type { Store } from "./store.ts";

export class Live extends Resource {
  paths = ["/live"] as const;
  static readonly tags = ["Articles"];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static GET = { id: "live", 200: events(Published) };
  override GET({ request, signal }: Call<typeof Live, "GET">): Answer<typeof Live, "GET"> {
    return this.#store.published.listen(signal, { after: lastEventIdOf(request) });
  }
}
