import { reply, type Call } from "fingerpost";
import { readerOf } from "./guards.ts";
import { foundProfile } from "./profile-answers.ts";
import { StoreResource } from "./store-resource.ts";

export class Follow extends StoreResource {
  paths = ["/profiles/:username/follow"] as const;
  static readonly tags = ["Profiles"];

  static POST = { id: "follow", scopes: ["user"], ...foundProfile };
  async POST(call: Call<typeof Follow, "POST">) {
    const profile = await this.store.follow(call.path.username, readerOf(call)!, true);
    return profile === undefined ? reply(404) : { profile };
  }

  static DELETE = { id: "unfollow", scopes: ["user"], ...foundProfile };
  async DELETE(call: Call<typeof Follow, "DELETE">) {
    const profile = await this.store.follow(call.path.username, readerOf(call)!, false);
    return profile === undefined ? reply(404) : { profile };
  }
}
