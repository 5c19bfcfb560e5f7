import { reply, Resource, type Answer, type Call } from "fingerpost/semantics";
import { readerOf, signedIn } from "./guards.ts";
import { OneProfile } from "./schemas.ts";
import type { Store } from "./store.ts";

const found = { 200: OneProfile, 404: "No user has this name" };

export class Profile extends Resource {
  paths = ["/profiles/:username"] as const;
  static readonly tags = ["Profiles"];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static GET = { id: "profile", ...found };
  override async GET(call: Call<typeof Profile, "GET">): Promise<Answer<typeof Profile, "GET">> {
    const profile = await this.#store.profile(call.path.username, readerOf(call));
    return profile === undefined ? reply(404) : { profile };
  }
}

export class Follow extends Resource {
  paths = ["/profiles/:username/follow"] as const;
  static readonly tags = ["Profiles"];
  static readonly middleware = [signedIn];
  readonly #store: Store;
  constructor(store: Store) {
    super();
    this.#store = store;
  }

  static POST = { id: "follow", ...found };
  override async POST(call: Call<typeof Follow, "POST">): Promise<Answer<typeof Follow, "POST">> {
    const profile = await this.#store.follow(call.path.username, readerOf(call)!, true);
    return profile === undefined ? reply(404) : { profile };
  }

  static DELETE = { id: "unfollow", ...found };
  override async DELETE(call: Call<typeof Follow, "DELETE">): Promise<Answer<typeof Follow, "DELETE">> {
    const profile = await this.#store.follow(call.path.username, readerOf(call)!, false);
    return profile === undefined ? reply(404) : { profile };
  }
}
