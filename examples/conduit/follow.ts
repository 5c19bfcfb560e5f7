import { reply, type Answer, type Call } from "fingerpost/semantics";
import { readerOf, signedIn } from "./guards.ts";
import { foundProfile } from "./profile-answers.ts";
import { StoreResource } from "./store-resource.ts";

export class Follow extends StoreResource {
  paths = ["/profiles/:username/follow"] as const;
  static readonly tags = ["Profiles"];
  static readonly middleware = [signedIn];

  static POST = { id: "follow", ...foundProfile };
  override async POST(call: Call<typeof Follow, "POST">): Promise<Answer<typeof Follow, "POST">> {
    const profile = await this.store.follow(call.path.username, readerOf(call)!, true);
    return profile === undefined ? reply(404) : { profile };
  }

  static DELETE = { id: "unfollow", ...foundProfile };
  override async DELETE(call: Call<typeof Follow, "DELETE">): Promise<Answer<typeof Follow, "DELETE">> {
    const profile = await this.store.follow(call.path.username, readerOf(call)!, false);
    return profile === undefined ? reply(404) : { profile };
  }
}
