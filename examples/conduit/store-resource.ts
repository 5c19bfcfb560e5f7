import { Resource } from "fingerpost";
import type { Store } from "./store.ts";

/** A resource that reads and writes the store. */
export abstract class StoreResource extends Resource {
  readonly store: Store;

  constructor(store: Store) {
    super();
    this.store = store;
  }
}
